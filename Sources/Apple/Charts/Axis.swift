// SPDX-License-Identifier: Apache-2.0

/// What an axis is made of.
@MainActor @preconcurrency public protocol AxisContent {
    /// What it is made of.
    associatedtype Body: AxisContent
    /// What it is made of.
    @AxisContentBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: AxisContent {}

extension AxisContent where Body == Never {
    /// Not there: it is evaluated by itself.
    public var body: Never { fatalError("\(Self.self) has no body") }
}

/// What has texts of an axis itself, and not by its body.
protocol AxisEvaluated {
    nonisolated func nodes(_ place: Place, _ scale: ChartScale) -> [Node]
}

extension Place {
    func axisNodes<C: AxisContent>(of content: C, _ scale: ChartScale) -> [Node] {
        if let evaluated = content as? any AxisEvaluated { return evaluated.nodes(self, scale) }
        let inner = inside("\(C.self)")
        inner.install(content)
        // As for views: everything is evaluated on the main actor.
        nonisolated(unsafe) let content = content
        nonisolated(unsafe) var body: C.Body?
        MainActor.assumeIsolated { body = content.body }
        return body.map { inner.axisNodes(of: $0, scale) } ?? []
    }
}

/// Several parts of an axis, or none.
public struct _AxisParts: AxisContent, AxisEvaluated {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let parts: [any AxisContent]
    nonisolated init(_ parts: [any AxisContent]) { self.parts = parts }

    nonisolated func nodes(_ place: Place, _ scale: ChartScale) -> [Node] {
        parts.enumerated().flatMap { place.inside("\($0)").axisNodes(of: $1, scale) }
    }
}

/// Makes one part of an axis of several.
@resultBuilder public struct AxisContentBuilder {
    /// A part as it is.
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: AxisContent {
        content
    }

    /// One part.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: AxisContent {
        content
    }

    /// Several parts.
    public static func buildBlock<each Content>(_ content: repeat each Content) -> some AxisContent
    where repeat each Content: AxisContent {
        var parts: [any AxisContent] = []
        for part in repeat each content { parts.append(part) }
        return _AxisParts(parts)
    }

    /// A part that may be absent.
    public static func buildIf<Content>(_ content: Content?) -> some AxisContent where Content: AxisContent {
        _AxisParts(content.map { [$0] } ?? [])
    }

    /// The first of two parts.
    public static func buildEither<T, F>(first: T) -> BuilderConditional<T, F>
    where T: AxisContent, F: AxisContent { .init(first: first, second: nil) }

    /// The second of two parts.
    public static func buildEither<T, F>(second: F) -> BuilderConditional<T, F>
    where T: AxisContent, F: AxisContent { .init(first: nil, second: second) }
}

extension BuilderConditional: AxisContent where TrueContent: AxisContent, FalseContent: AxisContent {}

extension BuilderConditional: AxisEvaluated where TrueContent: AxisContent, FalseContent: AxisContent {
    nonisolated func nodes(_ place: Place, _ scale: ChartScale) -> [Node] {
        let firsts = first.map { place.inside("true").axisNodes(of: $0, scale) } ?? []
        return firsts + (second.map { place.inside("false").axisNodes(of: $0, scale) } ?? [])
    }
}

/// At which values an axis is marked.
public struct AxisMarkValues {
    enum Kind {
        case automatic(Int)
        case step(Double)
        case unit(Calendar.Component, Int)
        case explicit([Plotted])
    }

    let kind: Kind

    /// At some values that are easy to read.
    public static var automatic: AxisMarkValues { automatic() }

    /// At so many values that are easy to read.
    public static func automatic(
        desiredCount: Int? = nil, roundLowerBound: Bool? = nil, roundUpperBound: Bool? = nil
    ) -> AxisMarkValues { .init(kind: .automatic(desiredCount ?? 5)) }

    /// At so many values that are easy to read, no nearer than a distance.
    public static func automatic<P>(
        minimumStride: P, desiredCount: Int? = nil, roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil
    ) -> AxisMarkValues where P: BinaryFloatingPoint { .init(kind: .automatic(desiredCount ?? 5)) }

    /// At the same distances.
    public static func stride<P>(
        by stepSize: P, roundLowerBound: Bool? = nil, roundUpperBound: Bool? = nil
    ) -> AxisMarkValues where P: BinaryFloatingPoint { .init(kind: .step(Double(stepSize))) }

    /// At the beginnings of parts of a date.
    public static func stride(
        by component: Calendar.Component, count: Int = 1, roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil, calendar: Calendar? = nil
    ) -> AxisMarkValues { .init(kind: .unit(component, count)) }
}

/// A value at which an axis is marked.
public struct AxisValue {
    let plotted: Plotted
    /// Which of the values it is.
    public let index: Int
    /// How many values there are.
    public let count: Int

    /// The value as one of a type, if it is one.
    public func `as`<P>(_ type: P.Type) -> P? where P: Plottable { plotted.value(as: type) }
}

/// Where an axis is.
public struct AxisMarkPosition: Hashable, Sendable {
    let name: String
    /// Where the chart likes.
    public static let automatic = AxisMarkPosition(name: "automatic")
    /// Where lines begin.
    public static let leading = AxisMarkPosition(name: "leading")
    /// Where lines end.
    public static let trailing = AxisMarkPosition(name: "trailing")
    /// Above.
    public static let top = AxisMarkPosition(name: "top")
    /// Below.
    public static let bottom = AxisMarkPosition(name: "bottom")
}

/// How an axis looks.
public struct AxisMarkPreset: Hashable, Sendable {
    let name: String
    /// As the chart likes.
    public static let automatic = AxisMarkPreset(name: "automatic")
    /// Reaching beyond the marks.
    public static let extended = AxisMarkPreset(name: "extended")
    /// In line with the marks.
    public static let aligned = AxisMarkPreset(name: "aligned")
    /// Within the chart.
    public static let inset = AxisMarkPreset(name: "inset")
}

extension View {
    /// Shows the axis along the chart, or hides it.
    nonisolated public func chartXAxis(_ visibility: Visibility) -> some View {
        charting { $0.x.isHidden = visibility == .hidden }
    }

    /// Sets the axis along the chart.
    nonisolated public func chartXAxis<Content>(@AxisContentBuilder content: () -> Content) -> some View
    where Content: AxisContent {
        let content = content()
        return charting { $0.x.axis = [content] }
    }

    /// Shows the axis upwards, or hides it.
    nonisolated public func chartYAxis(_ visibility: Visibility) -> some View {
        charting { $0.y.isHidden = visibility == .hidden }
    }

    /// Sets the axis upwards.
    nonisolated public func chartYAxis<Content>(@AxisContentBuilder content: () -> Content) -> some View
    where Content: AxisContent {
        let content = content()
        return charting { $0.y.axis = [content] }
    }

    /// Says what the values along the chart are, by a text of the catalogue.
    nonisolated public func chartXAxisLabel(
        _ labelKey: LocalizedStringKey, position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil, spacing: CGFloat? = nil
    ) -> some View { charting { $0.x.title = Text(labelKey) } }

    /// Says what the values along the chart are.
    @_disfavoredOverload nonisolated public func chartXAxisLabel<S>(
        _ label: S, position: AnnotationPosition = .automatic, alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View where S: StringProtocol {
        let title = Text(label)
        return charting { $0.x.title = title }
    }

    /// Says what the values upwards are, by a text of the catalogue.
    nonisolated public func chartYAxisLabel(
        _ labelKey: LocalizedStringKey, position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil, spacing: CGFloat? = nil
    ) -> some View { charting { $0.y.title = Text(labelKey) } }

    /// Says what the values upwards are.
    @_disfavoredOverload nonisolated public func chartYAxisLabel<S>(
        _ label: S, position: AnnotationPosition = .automatic, alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View where S: StringProtocol {
        let title = Text(label)
        return charting { $0.y.title = title }
    }
}
