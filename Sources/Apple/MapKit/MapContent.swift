// SPDX-License-Identifier: Apache-2.0

/// What lies on a map.
@MainActor @preconcurrency public protocol MapContent {
    /// What it is made of.
    associatedtype Body: MapContent
    /// What it is made of.
    @MapContentBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: MapContent {}

extension MapContent where Body == Never {
    /// Not there: it is evaluated by itself.
    public var body: Never { fatalError("\(Self.self) has no body") }
}

/// Something on a map, while it is evaluated.
struct MapThing {
    let node: Node
    /// What of the map it covers.
    let rect: MKMapRect
    /// What it is selected by.
    var tag: AnyHashable?
}

/// What is on a map itself, and not by its body.
protocol MapEvaluated {
    nonisolated func things(_ place: Place) -> [MapThing]
}

extension Place {
    func things<C: MapContent>(of content: C) -> [MapThing] {
        if let evaluated = content as? any MapEvaluated { return evaluated.things(self) }
        let inner = inside("\(C.self)")
        inner.install(content)
        // As for views: everything is evaluated on the main actor.
        nonisolated(unsafe) let content = content
        nonisolated(unsafe) var body: C.Body?
        MainActor.assumeIsolated { body = content.body }
        return body.map { inner.things(of: $0) } ?? []
    }
}

/// Nothing on a map.
public struct EmptyMapContent: MapContent, MapEvaluated {
    /// It is evaluated by itself.
    public typealias Body = Never
    /// Nothing.
    nonisolated public init() {}
    nonisolated func things(_ place: Place) -> [MapThing] { [] }
}

/// Several things on a map, or none.
public struct _MapParts: MapContent, MapEvaluated {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let parts: [any MapContent]
    nonisolated init(_ parts: [any MapContent]) { self.parts = parts }

    nonisolated func things(_ place: Place) -> [MapThing] {
        parts.enumerated().flatMap { place.inside("\($0)").things(of: $1) }
    }
}

/// One of two things on a map.
public struct _MapEither<First, Second>: MapContent, MapEvaluated
where First: MapContent, Second: MapContent {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let first: First?
    nonisolated(unsafe) let second: Second?
    nonisolated init(_ first: First?, _ second: Second?) { (self.first, self.second) = (first, second) }

    nonisolated func things(_ place: Place) -> [MapThing] {
        let firsts = first.map { place.inside("true").things(of: $0) } ?? []
        return firsts + (second.map { place.inside("false").things(of: $0) } ?? [])
    }
}

/// Makes one thing on a map of several.
@resultBuilder public struct MapContentBuilder {
    /// A thing as it is.
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: MapContent {
        content
    }

    /// Nothing.
    public static func buildBlock() -> EmptyMapContent { EmptyMapContent() }

    /// One thing.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: MapContent {
        content
    }

    /// Several things.
    public static func buildBlock<each Content>(_ content: repeat each Content) -> some MapContent
    where repeat each Content: MapContent {
        var parts: [any MapContent] = []
        for part in repeat each content { parts.append(part) }
        return _MapParts(parts)
    }

    /// A thing that may be absent.
    public static func buildIf<Content>(_ content: Content?) -> some MapContent where Content: MapContent {
        _MapParts(content.map { [$0] } ?? [])
    }

    /// The first of two things.
    public static func buildEither<First, Second>(first: First) -> _MapEither<First, Second>
    where First: MapContent, Second: MapContent { .init(first, nil) }

    /// The second of two things.
    public static func buildEither<First, Second>(second: Second) -> _MapEither<First, Second>
    where First: MapContent, Second: MapContent { .init(nil, second) }

    /// A thing that not every system has.
    public static func buildLimitedAvailability<Content>(_ content: Content) -> some MapContent
    where Content: MapContent { _MapParts([content]) }
}

extension ForEach: MapContent where Content: MapContent {
    /// Not there: it is evaluated by itself.
    @MainActor @preconcurrency public var body: Never { fatalError("ForEach has no body") }
}

extension ForEach: MapEvaluated where Content: MapContent {
    nonisolated func things(_ place: Place) -> [MapThing] {
        data.flatMap { element in
            let id = id(element)
            return place.inside("[\(id)]").things(of: content(element)).map { thing in
                var thing = thing
                thing.tag = thing.tag ?? AnyHashable(id)
                return thing
            }
        }
    }
}

extension ForEach where ID == Data.Element.ID, Content: MapContent, Data.Element: Identifiable {
    /// Something on the map for each, known by its identity.
    nonisolated public init(_ data: Data, @MapContentBuilder content: @escaping (Data.Element) -> Content) {
        self.init(made: data, content) { $0.id }
    }
}

extension ForEach where Content: MapContent {
    /// Something on the map for each, known by what is at a key path.
    nonisolated public init(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @MapContentBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(made: data, content) { $0[keyPath: id] }
    }
}

extension ForEach where Data == Range<Int>, ID == Int, Content: MapContent {
    /// Something on the map for each number of a range that stays.
    nonisolated public init(_ data: Range<Int>, @MapContentBuilder content: @escaping (Int) -> Content) {
        self.init(made: data, content) { $0 }
    }
}

/// Things on a map with something changed.
struct ChangedThings<Content: MapContent>: MapContent, MapEvaluated {
    typealias Body = Never
    nonisolated(unsafe) let content: Content
    nonisolated(unsafe) let change: (inout MapThing) -> Void

    nonisolated init(_ content: Content, _ change: @escaping (inout MapThing) -> Void) {
        (self.content, self.change) = (content, change)
    }

    nonisolated func things(_ place: Place) -> [MapThing] {
        place.inside("changed").things(of: content).map { thing in
            var thing = thing
            change(&thing)
            return thing
        }
    }
}

extension MapContent {
    nonisolated private var unchanged: some MapContent { ChangedThings(self) { _ in } }

    /// Says what the thing is selected by.
    nonisolated public func tag<V>(_ tag: V) -> some MapContent where V: Hashable {
        ChangedThings(self) { $0.tag = AnyHashable(tag) }
    }
    /// Shows the titles of things, or hides them; VoiceOver says them all the same.
    nonisolated public func annotationTitles(_ visibility: Visibility) -> some MapContent { unchanged }
    /// Shows the second titles of things, or hides them.
    nonisolated public func annotationSubtitles(_ visibility: Visibility) -> some MapContent { unchanged }
    /// Sets the colour of markers.
    nonisolated public func tint<S>(_ style: S) -> some MapContent where S: ShapeStyle { unchanged }
    /// Sets the colour of markers.
    nonisolated public func tint(_ tint: Color?) -> some MapContent { unchanged }
    /// Sets what things are filled with.
    nonisolated public func foregroundStyle<S>(_ style: S) -> some MapContent where S: ShapeStyle {
        unchanged
    }
    /// Draws the lines of things.
    nonisolated public func stroke<S>(_ content: S, lineWidth: CGFloat = 1) -> some MapContent
    where S: ShapeStyle { unchanged }
    /// Draws the lines of things.
    nonisolated public func stroke<S>(_ content: S, style: StrokeStyle) -> some MapContent
    where S: ShapeStyle { unchanged }
    /// Draws the lines of things.
    nonisolated public func stroke(lineWidth: CGFloat = 1) -> some MapContent { unchanged }
    /// Draws the lines of things.
    nonisolated public func strokeStyle(style: StrokeStyle) -> some MapContent { unchanged }
    /// Says what things lie above.
    nonisolated public func mapOverlayLevel(level: MKOverlayLevel) -> some MapContent { unchanged }
}

/// What things on a map lie above.
public enum MKOverlayLevel: Int, Sendable {
    /// Roads, but not names.
    case aboveRoads
    /// All.
    case aboveLabels
}
