// SPDX-License-Identifier: Apache-2.0

/// When something was presented.
private final class Presented {
    let order: Int
    init(_ order: Int) { self.order = order }
}

extension Place {
    /// Puts something over all else.
    func present(
        _ kind: Node.Kind, _ name: String = "", dismiss: (() -> Void)?, content: (Place) -> [Node]
    ) {
        let store = pass.store
        let presented = kept("presented") {
            store.presented += 1
            return Presented(store.presented)
        }
        var inner = inside("\(kind)")
        inner.page = nil
        inner.environment.isPresented = true
        inner.environment.selection = nil
        inner.environment.editMode = inner.state("editMode", first: .inactive)
        if let dismiss {
            nonisolated(unsafe) let dismiss = dismiss
            inner.environment.dismiss = DismissAction { dismiss() }
        }
        let node = Node(kind, name)
        node.children = content(inner)
        pass.layers.append(Layer(node: node, order: presented.order, dismiss: dismiss))
    }
}

/// What a sheet was presented with, so that its end is told once.
private final class Ending {
    var isPresented = false
}

extension View {
    nonisolated private func presented<Content: View>(
        _ kind: Node.Kind, _ isPresented: Binding<Bool>, _ onDismiss: (() -> Void)?,
        _ content: @escaping () -> Content
    ) -> some View {
        noted { place in
            let ending = place.kept("ending") { Ending() }
            guard isPresented.wrappedValue else {
                if ending.isPresented {
                    ending.isPresented = false
                    place.pass.after.append { onDismiss?() }
                }
                return
            }
            ending.isPresented = true
            place.present(kind, dismiss: { isPresented.wrappedValue = false }) { inner in
                inner.nodes(of: content())
            }
        }
    }

    nonisolated private func presented<Item: Identifiable, Content: View>(
        _ kind: Node.Kind, _ item: Binding<Item?>, _ onDismiss: (() -> Void)?,
        _ content: @escaping (Item) -> Content
    ) -> some View {
        noted { place in
            let ending = place.kept("ending") { Ending() }
            guard let value = item.wrappedValue else {
                if ending.isPresented {
                    ending.isPresented = false
                    place.pass.after.append { onDismiss?() }
                }
                return
            }
            ending.isPresented = true
            place.present(kind, dismiss: { item.wrappedValue = nil }) { inner in
                inner.inside("[\(value.id)]").nodes(of: content(value))
            }
        }
    }

    /// Shows a sheet while a value is true.
    nonisolated public func sheet<Content>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View where Content: View {
        presented(.sheet, isPresented, onDismiss, content)
    }

    /// Shows a sheet while there is an item.
    nonisolated public func sheet<Item, Content>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View where Item: Identifiable, Content: View {
        presented(.sheet, item, onDismiss, content)
    }

    /// Covers the screen while a value is true.
    nonisolated public func fullScreenCover<Content>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View where Content: View {
        presented(.cover, isPresented, onDismiss, content)
    }

    /// Covers the screen while there is an item.
    nonisolated public func fullScreenCover<Item, Content>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View where Item: Identifiable, Content: View {
        presented(.cover, item, onDismiss, content)
    }

    /// Shows a popover while a value is true; on a phone it is a sheet.
    nonisolated public func popover<Content>(
        isPresented: Binding<Bool>, attachmentAnchor: PopoverAttachmentAnchor = .rect(.bounds),
        arrowEdge: Edge? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View where Content: View {
        presented(.popover, isPresented, nil, content)
    }

    /// Sets how high a sheet is.
    nonisolated public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View { self }

    /// Sets how high a sheet is, and tells it.
    nonisolated public func presentationDetents(
        _ detents: Set<PresentationDetent>, selection: Binding<PresentationDetent>
    ) -> some View { self }

    /// Shows what a sheet is pulled by, or hides it.
    nonisolated public func presentationDragIndicator(_ visibility: Visibility) -> some View { self }

    /// Keeps a person from pulling a sheet away.
    nonisolated public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View {
        each { node, _ in node.keepsSheet = isDisabled }
    }
}

/// How high a sheet is.
public struct PresentationDetent: Hashable, Sendable {
    let name: String
    /// Half of the screen.
    public static let medium = PresentationDetent(name: "medium")
    /// Nearly all of the screen.
    public static let large = PresentationDetent(name: "large")
    /// A share of the screen.
    public static func fraction(_ fraction: CGFloat) -> PresentationDetent {
        PresentationDetent(name: "fraction \(fraction)")
    }
    /// So many points.
    public static func height(_ height: CGFloat) -> PresentationDetent {
        PresentationDetent(name: "height \(height)")
    }
}

/// Where a popover is attached.
public enum PopoverAttachmentAnchor: Sendable {
    /// What of a view it is attached to.
    public enum Source: Sendable {
        /// All of it.
        case bounds
    }
    /// A rectangle.
    case rect(Source)
    /// A point.
    case point(UnitPoint)
}

/// Whether something is shown.
public enum Visibility: Hashable, CaseIterable, Sendable {
    /// As its surroundings like.
    case automatic
    /// Shown.
    case visible
    /// Not shown.
    case hidden
}
