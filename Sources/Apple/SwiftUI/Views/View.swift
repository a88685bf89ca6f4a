// SPDX-License-Identifier: Apache-2.0

/// A part of what is on the screen.
@MainActor @preconcurrency public protocol View {
    /// What it is made of.
    associatedtype Body: View
    /// What it is made of.
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension View where Body == Never {
    /// Not there: the view is evaluated by itself.
    public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: View {
    /// Nothing.
    public typealias Body = Never
    /// Not there: nobody has a value of this type.
    public var body: Never { fatalError("Never has no body") }
}

/// A view that shows nothing.
public struct EmptyView: Sendable {
    /// A view that shows nothing.
    public init() {}
}

extension EmptyView: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension EmptyView: Evaluated {
    package func nodes(_ place: Place) -> [Node] { [] }
}

/// Several views, one after the other.
public struct TupleView<T> {
    /// The views.
    public var value: T

    /// Several views, one after the other.
    public init(_ value: T) { self.value = value }
}

extension TupleView: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension TupleView: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        Mirror(reflecting: value).children.enumerated().flatMap { index, child in
            (child.value as? any View).map { place.inside("\(index)").nodes(of: $0) } ?? []
        }
    }
}

/// One of two views.
public struct _ConditionalContent<TrueContent, FalseContent> {
    enum Storage {
        case first(TrueContent)
        case second(FalseContent)
    }

    let storage: Storage
}

extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension _ConditionalContent: Evaluated where TrueContent: View, FalseContent: View {
    package func nodes(_ place: Place) -> [Node] {
        switch storage {
        case .first(let view): place.inside("true").nodes(of: view)
        case .second(let view): place.inside("false").nodes(of: view)
        }
    }
}

extension Optional: View where Wrapped: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Optional: Evaluated where Wrapped: View {
    package func nodes(_ place: Place) -> [Node] { map { place.inside("some").nodes(of: $0) } ?? [] }
}

/// A view of any type.
public struct AnyView {
    let view: any View

    /// A view whose type is hidden.
    public init<V>(_ view: V) where V: View { self.view = view }

    /// A view whose type is hidden.
    public init<V>(erasing view: V) where V: View { self.view = view }
}

extension AnyView: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension AnyView: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.inside("any \(type(of: view))").nodes(of: view) }
}

/// Several things that are treated as one.
public struct Group<Content> {
    let content: Content
}

extension Group: View where Content: View {
    /// It is evaluated by itself.
    public typealias Body = Never

    /// Several views that are treated as one.
    nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

extension Group: Evaluated where Content: View {
    package func nodes(_ place: Place) -> [Node] { place.inside("group").nodes(of: content) }
}

/// Makes one view of several.
@resultBuilder public struct ViewBuilder {
    /// A view as it is.
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: View {
        content
    }

    /// No view.
    public static func buildBlock() -> EmptyView { EmptyView() }

    /// One view.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }

    /// Several views.
    public static func buildBlock<each Content>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> where repeat each Content: View {
        TupleView((repeat each content))
    }

    /// A view that may be absent.
    public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }

    /// The first of two views.
    public static func buildEither<TrueContent, FalseContent>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
        _ConditionalContent(storage: .first(first))
    }

    /// The second of two views.
    public static func buildEither<TrueContent, FalseContent>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
        _ConditionalContent(storage: .second(second))
    }

    /// A view that not every system has.
    public static func buildLimitedAvailability<Content>(_ content: Content) -> AnyView
    where Content: View {
        AnyView(content)
    }
}

/// Something that changes a view.
@MainActor @preconcurrency public protocol ViewModifier {
    /// What it makes of the view.
    associatedtype Body: View
    /// What it makes of the view.
    @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
    /// The view that it changes.
    typealias Content = _ViewModifier_Content<Self>
}

/// The view that a modifier changes.
public struct _ViewModifier_Content<Modifier> where Modifier: ViewModifier {
    let view: any View
}

extension _ViewModifier_Content: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension _ViewModifier_Content: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.inside("modified").nodes(of: view) }
}

/// A value with a modifier.
public struct ModifiedContent<Content, Modifier> {
    /// What is changed.
    public var content: Content
    /// What changes it.
    public var modifier: Modifier

    /// A value with a modifier.
    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension ModifiedContent: Evaluated where Content: View, Modifier: ViewModifier {
    package func nodes(_ place: Place) -> [Node] {
        let inner = place.inside("\(Modifier.self)")
        inner.install(modifier)
        let inside = _ViewModifier_Content<Modifier>(view: content)
        // As in Place: everything is evaluated on the main actor.
        nonisolated(unsafe) let (modifier, content) = (modifier, inside)
        nonisolated(unsafe) var body: Modifier.Body?
        MainActor.assumeIsolated { body = modifier.body(content: content) }
        return body.map { inner.nodes(of: $0) } ?? []
    }
}

extension View {
    /// Changes the view with a modifier.
    nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}
