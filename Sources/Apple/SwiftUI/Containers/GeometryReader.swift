// SPDX-License-Identifier: Apache-2.0

/// How large a view is, and where.
public struct GeometryProxy {
    /// How large the view is, in points.
    public let size: CGSize
    /// How much of the edges is covered; nothing here.
    public var safeAreaInsets: EdgeInsets { EdgeInsets() }

    /// Where the view is; its corner is that of the screen here.
    public func frame(in coordinateSpace: some CoordinateSpaceProtocol) -> CGRect {
        CGRect(origin: .zero, size: size)
    }
}

/// A view that is made from how much room there is: that of the screen, or of the frame around it.
public struct GeometryReader<Content> {
    /// Makes the view.
    public var content: (GeometryProxy) -> Content
}

extension GeometryReader: View where Content: View {
    /// It is evaluated by itself.
    public typealias Body = Never

    /// A view that is made from how much room there is.
    nonisolated public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {
        self.content = content
    }
}

extension GeometryReader: Evaluated where Content: View {
    package func nodes(_ place: Place) -> [Node] {
        place.inside("geometry").nodes(of: content(GeometryProxy(size: place.environment.room)))
    }
}

extension View {
    /// Does something with what comes of the view's size, at first and when it has changed.
    nonisolated public func onGeometryChange<T>(
        for type: T.Type, of transform: @escaping @Sendable (GeometryProxy) -> T,
        action: @escaping (_ newValue: T) -> Void
    ) -> some View where T: Equatable, T: Sendable {
        onGeometryChange(for: type, of: transform) { _, new in action(new) }
    }

    /// Does something with what comes of the view's size, at first and when it has changed.
    nonisolated public func onGeometryChange<T>(
        for type: T.Type, of transform: @escaping @Sendable (GeometryProxy) -> T,
        action: @escaping (_ oldValue: T, _ newValue: T) -> Void
    ) -> some View where T: Equatable, T: Sendable {
        noted { place in
            let value = transform(GeometryProxy(size: place.environment.room))
            place.onChange(of: value, initial: true, action)
        }
    }
}

/// Scrolls to views.
public struct ScrollViewProxy {
    let store: Store

    /// Scrolls until the view with an identity is seen; without such a view, nothing happens.
    public func scrollTo<ID>(_ id: ID, anchor: UnitPoint? = nil) where ID: Hashable {
        if store.ids.contains(AnyHashable(id)) { store.done.scrolled.append(AnyHashable(id)) }
    }
}

/// A view that can scroll what is in it.
public struct ScrollViewReader<Content> where Content: View {
    /// Makes the view.
    public var content: (ScrollViewProxy) -> Content

    /// A view that can scroll what is in it.
    nonisolated public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) {
        self.content = content
    }
}

extension ScrollViewReader: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension ScrollViewReader: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        place.inside("scroll").nodes(of: content(ScrollViewProxy(store: place.pass.store)))
    }
}
