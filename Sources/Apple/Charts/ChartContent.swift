// SPDX-License-Identifier: Apache-2.0

/// What a chart is made of.
@MainActor @preconcurrency public protocol ChartContent {
    /// What it is made of.
    associatedtype Body: ChartContent
    /// What it is made of.
    @ChartContentBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: ChartContent {}

extension ChartContent where Body == Never {
    /// Not there: it is evaluated by itself.
    public var body: Never { fatalError("\(Self.self) has no body") }
}

/// What has marks itself, and not by its body.
protocol Marking {
    nonisolated func marks(_ place: Place) -> [Mark]
}

extension Place {
    /// The marks of a part of a chart.
    func marks<C: ChartContent>(of content: C) -> [Mark] {
        if let marking = content as? any Marking { return marking.marks(self) }
        let inner = inside("\(C.self)")
        inner.install(content)
        // As for views: everything is evaluated on the main actor.
        nonisolated(unsafe) let content = content
        nonisolated(unsafe) var body: C.Body?
        MainActor.assumeIsolated { body = content.body }
        return body.map { inner.marks(of: $0) } ?? []
    }
}

/// Several parts of a chart, or none.
public struct _ChartParts: ChartContent {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let parts: [any ChartContent]
    nonisolated init(_ parts: [any ChartContent]) { self.parts = parts }
}

extension _ChartParts: Marking {
    nonisolated func marks(_ place: Place) -> [Mark] {
        parts.enumerated().flatMap { index, part in place.inside("\(index)").marks(of: part) }
    }
}

/// A part of any type.
public struct AnyChartContent: ChartContent {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let content: any ChartContent

    /// A part whose type is hidden.
    nonisolated public init<C>(_ content: C) where C: ChartContent { self.content = content }
}

extension AnyChartContent: Marking {
    nonisolated func marks(_ place: Place) -> [Mark] { place.inside("any").marks(of: content) }
}

/// Makes one part of several.
@resultBuilder public struct ChartContentBuilder {
    /// A part as it is.
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: ChartContent {
        content
    }

    /// Nothing.
    public static func buildBlock() -> some ChartContent { _ChartParts([]) }

    /// One part.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: ChartContent {
        content
    }

    /// Several parts.
    public static func buildBlock<each Content>(_ content: repeat each Content) -> some ChartContent
    where repeat each Content: ChartContent {
        var parts: [any ChartContent] = []
        for part in repeat each content { parts.append(part) }
        return _ChartParts(parts)
    }

    /// A part that may be absent.
    public static func buildIf<Content>(_ content: Content?) -> some ChartContent
    where Content: ChartContent { _ChartParts(content.map { [$0] } ?? []) }

    /// The first of two parts.
    public static func buildEither<TrueContent, FalseContent>(
        first: TrueContent
    ) -> BuilderConditional<TrueContent, FalseContent>
    where TrueContent: ChartContent, FalseContent: ChartContent { .init(first: first, second: nil) }

    /// The second of two parts.
    public static func buildEither<TrueContent, FalseContent>(
        second: FalseContent
    ) -> BuilderConditional<TrueContent, FalseContent>
    where TrueContent: ChartContent, FalseContent: ChartContent { .init(first: nil, second: second) }

    /// A part that not every system has.
    public static func buildLimitedAvailability<Content>(_ content: Content) -> AnyChartContent
    where Content: ChartContent { AnyChartContent(content) }
}

/// One of two parts.
public struct BuilderConditional<TrueContent, FalseContent> {
    nonisolated(unsafe) let first: TrueContent?
    nonisolated(unsafe) let second: FalseContent?
}

extension BuilderConditional: ChartContent where TrueContent: ChartContent, FalseContent: ChartContent {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension BuilderConditional: Marking where TrueContent: ChartContent, FalseContent: ChartContent {
    nonisolated func marks(_ place: Place) -> [Mark] {
        let firsts = first.map { place.inside("true").marks(of: $0) } ?? []
        return firsts + (second.map { place.inside("false").marks(of: $0) } ?? [])
    }
}

/// Parts that are treated as one.
public struct Plot<Content>: ChartContent where Content: ChartContent {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let content: Content

    /// Parts that are treated as one.
    nonisolated public init(@ChartContentBuilder content: () -> Content) { self.content = content() }
}

extension Plot: Marking {
    nonisolated func marks(_ place: Place) -> [Mark] { place.inside("plot").marks(of: content) }
}

extension ForEach: ChartContent where Content: ChartContent {
    /// Not there: it is evaluated by itself.
    @MainActor @preconcurrency public var body: Never { fatalError("ForEach has no body") }
}

extension ForEach: Marking where Content: ChartContent {
    nonisolated func marks(_ place: Place) -> [Mark] {
        data.flatMap { place.inside("[\(id($0))]").marks(of: content($0)) }
    }
}

extension ForEach where ID == Data.Element.ID, Content: ChartContent, Data.Element: Identifiable {
    /// A part for each, known by its identity.
    nonisolated public init(
        _ data: Data, @ChartContentBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(made: data, content) { $0.id }
    }
}

extension ForEach where Content: ChartContent {
    /// A part for each, known by what is at a key path.
    nonisolated public init(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ChartContentBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(made: data, content) { $0[keyPath: id] }
    }
}

extension ForEach where Data == Range<Int>, ID == Int, Content: ChartContent {
    /// A part for each number of a range that stays.
    nonisolated public init(_ data: Range<Int>, @ChartContentBuilder content: @escaping (Int) -> Content) {
        self.init(made: data, content) { $0 }
    }
}
