// SPDX-License-Identifier: Apache-2.0

extension View {
    /// Sets the title of the page, from the catalogue.
    nonisolated public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View {
        navigationTitle(Text(titleKey))
    }

    /// Sets the title of the page.
    @_disfavoredOverload nonisolated public func navigationTitle<S>(_ title: S) -> some View
    where S: StringProtocol {
        navigationTitle(Text(title))
    }

    /// Sets the title of the page.
    nonisolated public func navigationTitle(_ title: Text) -> some View {
        altered { place, nodes in
            let node = Node(.title, title.written(in: place))
            node.isHeading = true
            return [node] + nodes
        }
    }

    /// Sets how large the title is.
    nonisolated public func navigationBarTitleDisplayMode(
        _ displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View { self }

    /// Hides what leads back.
    nonisolated public func navigationBarBackButtonHidden(_ hidesBackButton: Bool = true) -> some View {
        self
    }

    /// Puts views into the bars.
    nonisolated public func toolbar<Content>(@ViewBuilder content: () -> Content) -> some View
    where Content: View {
        let content = content()
        return altered { place, nodes in
            nodes + [Node(.toolbar, "", place.inside("toolbar").nodes(of: content))]
        }
    }

    /// Puts items into the bars.
    nonisolated public func toolbar<Content>(@ToolbarContentBuilder content: () -> Content) -> some View
    where Content: ToolbarContent {
        let content = content()
        return altered { place, nodes in
            let items = (content as? any Evaluated)?.nodes(place.inside("toolbar")) ?? []
            return nodes + [Node(.toolbar, "", items)]
        }
    }

    /// Shows bars, or hides them.
    nonisolated public func toolbar(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        self
    }

    /// Shows the background of bars, or hides it.
    nonisolated public func toolbarBackground(_ visibility: Visibility, for bars: ToolbarPlacement...)
        -> some View
    { self }

    /// Sets the background of bars.
    nonisolated public func toolbarBackground<S>(_ style: S, for bars: ToolbarPlacement...) -> some View
    where S: ShapeStyle { self }
}

/// What the title's bar has.
public struct NavigationBarItem: Sendable {
    /// How large the title is.
    public enum TitleDisplayMode: Sendable {
        /// As on the page before.
        case automatic
        /// Small.
        case inline
        /// Large.
        case large
    }
}

/// Which bar.
public struct ToolbarPlacement: Sendable {
    /// The one that the system chooses.
    public static let automatic = ToolbarPlacement()
    /// The one below.
    public static let bottomBar = ToolbarPlacement()
    /// The title's.
    public static let navigationBar = ToolbarPlacement()
    /// The tabs'.
    public static let tabBar = ToolbarPlacement()
}

/// Where in the bars an item is.
public struct ToolbarItemPlacement: Sendable {
    /// Where the system likes.
    public static let automatic = ToolbarItemPlacement()
    /// In the middle.
    public static let principal = ToolbarItemPlacement()
    /// Where lines begin.
    public static let navigation = ToolbarItemPlacement()
    /// Where what is done most is.
    public static let primaryAction = ToolbarItemPlacement()
    /// Where what is done less is.
    public static let secondaryAction = ToolbarItemPlacement()
    /// Where one is done.
    public static let confirmationAction = ToolbarItemPlacement()
    /// Where one leaves everything as it is.
    public static let cancellationAction = ToolbarItemPlacement()
    /// Where one destroys.
    public static let destructiveAction = ToolbarItemPlacement()
    /// Above the keyboard.
    public static let keyboard = ToolbarItemPlacement()
    /// Where lines begin, above.
    public static let topBarLeading = ToolbarItemPlacement()
    /// Where lines end, above.
    public static let topBarTrailing = ToolbarItemPlacement()
    /// Below.
    public static let bottomBar = ToolbarItemPlacement()
    /// What tells of something.
    public static let status = ToolbarItemPlacement()
}

/// What bars are made of.
@MainActor @preconcurrency public protocol ToolbarContent {
    /// What it is made of.
    associatedtype Body: ToolbarContent
    /// What it is made of.
    @ToolbarContentBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension ToolbarContent where Body == Never {
    /// Not there: it is evaluated by itself.
    public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: ToolbarContent {}

/// An item in a bar.
public struct ToolbarItem<ID, Content> where Content: View {
    let content: Content
}

extension ToolbarItem: ToolbarContent where ID == () {
    /// It is evaluated by itself.
    public typealias Body = Never

    /// An item at a place.
    nonisolated public init(
        placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension ToolbarItem: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.inside("item").nodes(of: content) }
}

/// Items in a bar.
public struct ToolbarItemGroup<Content> where Content: View {
    let content: Content
}

extension ToolbarItemGroup: ToolbarContent {
    /// It is evaluated by itself.
    public typealias Body = Never

    /// Items at a place.
    nonisolated public init(
        placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension ToolbarItemGroup: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.inside("items").nodes(of: content) }
}

/// Several parts of bars.
public struct TupleToolbarContent<each Content> where repeat each Content: ToolbarContent {
    let content: (repeat each Content)
}

extension TupleToolbarContent: ToolbarContent {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension TupleToolbarContent: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        var nodes: [Node] = []
        var index = 0
        for one in repeat each content {
            nodes += place.inside("\(index)").toolbarNodes(of: one)
            index += 1
        }
        return nodes
    }
}

extension Place {
    /// Evaluates a part of the bars.
    func toolbarNodes<C: ToolbarContent>(of content: C) -> [Node] {
        if let evaluated = content as? any Evaluated { return evaluated.nodes(self) }
        let inner = inside("\(C.self)")
        inner.install(content)
        // As for views: everything is evaluated on the main actor.
        nonisolated(unsafe) let content = content
        nonisolated(unsafe) var body: C.Body?
        MainActor.assumeIsolated { body = content.body }
        return body.map { inner.toolbarNodes(of: $0) } ?? []
    }
}

/// A part of the bars that may be absent.
public struct OptionalToolbarContent<Content>: ToolbarContent where Content: ToolbarContent {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let content: Content?
    nonisolated init(_ content: Content?) { self.content = content }
}

extension OptionalToolbarContent: Evaluated {
    nonisolated package func nodes(_ place: Place) -> [Node] {
        content.map { place.inside("some").toolbarNodes(of: $0) } ?? []
    }
}

/// Makes the parts of bars.
@resultBuilder public struct ToolbarContentBuilder {
    /// A part as it is.
    public static func buildExpression<Content>(_ content: Content) -> Content
    where Content: ToolbarContent { content }

    /// One part.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: ToolbarContent {
        content
    }

    /// Several parts.
    public static func buildBlock<each Content>(
        _ content: repeat each Content
    ) -> TupleToolbarContent<repeat each Content> where repeat each Content: ToolbarContent {
        TupleToolbarContent(content: (repeat each content))
    }

    /// A part that may be absent.
    public static func buildIf<Content>(_ content: Content?) -> OptionalToolbarContent<Content>
    where Content: ToolbarContent {
        OptionalToolbarContent(content)
    }
}
