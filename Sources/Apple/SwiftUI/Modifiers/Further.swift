// SPDX-License-Identifier: Apache-2.0

/// How something changes that stays where it is.
public struct ContentTransition: Equatable, Sendable {
    /// At once.
    public static let identity = ContentTransition()
    /// It grows clear.
    public static let opacity = ContentTransition()
    /// One form becomes the other.
    public static let interpolate = ContentTransition()
    /// Digits roll.
    public static func numericText(countsDown: Bool = false) -> ContentTransition { .init() }
    /// Digits roll up or down, as the value does.
    public static func numericText(value: Double) -> ContentTransition { .init() }
}

/// Whether a person can select text, and copy it.
public protocol TextSelectability {
    /// Whether a person can.
    static var allowsSelection: Bool { get }
}

/// Text that can be selected.
public struct EnabledTextSelectability: TextSelectability {
    /// It can.
    public static var allowsSelection: Bool { true }
}

/// Text that cannot be selected.
public struct DisabledTextSelectability: TextSelectability {
    /// It cannot.
    public static var allowsSelection: Bool { false }
}

extension TextSelectability where Self == EnabledTextSelectability {
    /// Text that can be selected.
    public static var enabled: EnabledTextSelectability { .init() }
}

extension TextSelectability where Self == DisabledTextSelectability {
    /// Text that cannot be selected.
    public static var disabled: DisabledTextSelectability { .init() }
}

extension View {
    /// Sets how something changes that stays where it is.
    nonisolated public func contentTransition(_ transition: ContentTransition) -> some View { self }

    /// Lets a person copy text by pressing it long.
    nonisolated public func textSelection<S>(_ selectability: S) -> some View where S: TextSelectability {
        each { node, place in
            let store = place.pass.store
            for text in node.all where text.kind == .text {
                text.attachments.removeAll { $0.kind == .textMenu }
                guard S.allowsSelection else { continue }
                let copy = Node(.button, "Copy")
                let written = text.text
                copy.press = { store.done.copied.append(written) }
                text.attachments.append(.init(kind: .textMenu, nodes: [copy]))
            }
        }
    }

    /// Shows more about what is seen: beside it, or on a sheet where there is little room.
    nonisolated public func inspector<V>(
        isPresented: Binding<Bool>, @ViewBuilder content: () -> V
    ) -> some View where V: View {
        let content = content()
        return Made { place in
            guard place.environment.horizontalSizeClass != .compact else {
                return place.nodes(of: self.sheet(isPresented: isPresented) { content })
            }
            let nodes = place.inside("content").nodes(of: self)
            guard isPresented.wrappedValue else { return nodes }
            return nodes + [Node(.group, "", place.inside("inspector").nodes(of: content))]
        }
    }

    /// Sets how wide an inspector is.
    nonisolated public func inspectorColumnWidth(_ width: CGFloat) -> some View { self }

    /// Sets bounds of how wide an inspector is.
    nonisolated public func inspectorColumnWidth(
        min: CGFloat? = nil, ideal: CGFloat, max: CGFloat? = nil
    ) -> some View { self }

    /// Lets a cell of a grid be wide.
    nonisolated public func gridCellColumns(_ count: Int) -> some View { self }
    /// Lets a cell of a grid take no more room than it needs.
    nonisolated public func gridCellUnsizedAxes(_ axes: Axis.Set) -> some View { self }
    /// Sets where in its cell a view of a grid is.
    nonisolated public func gridCellAnchor(_ anchor: UnitPoint) -> some View { self }
    /// Sets where in a column of a grid views are.
    nonisolated public func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View { self }
}
