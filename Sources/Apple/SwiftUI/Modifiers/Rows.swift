// SPDX-License-Identifier: Apache-2.0

extension View {
    /// Puts buttons at a side of a row, which come when it is swiped.
    nonisolated public func swipeActions<T>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T
    ) -> some View where T: View {
        let content = content()
        return asOne { node, place in
            let kind: Node.Attachment.Kind = edge == .leading ? .leadingSwipe : .trailingSwipe
            let buttons = place.inside(kind.rawValue).nodes(of: content)
            node.attachments.append(.init(kind: kind, nodes: buttons))
        }
    }

    /// Puts buttons into a menu, which comes when the view is pressed long.
    nonisolated public func contextMenu<MenuItems>(
        @ViewBuilder menuItems: () -> MenuItems
    ) -> some View where MenuItems: View {
        let items = menuItems()
        return asOne { node, place in
            node.attachments.append(
                .init(kind: .contextMenu, nodes: place.inside("menu").nodes(of: items)))
        }
    }

    /// Puts a number beside a row; none for zero.
    nonisolated public func badge(_ count: Int) -> some View {
        asOne { node, _ in node.badge = count == 0 ? nil : "\(count)" }
    }

    /// Puts a text beside a row.
    nonisolated public func badge(_ label: Text?) -> some View {
        asOne { node, place in node.badge = label?.written(in: place) }
    }

    /// Puts a text of the catalogue beside a row.
    nonisolated public func badge(_ key: LocalizedStringKey?) -> some View {
        badge(key.map { Text($0) })
    }

    /// Puts a text beside a row.
    @_disfavoredOverload nonisolated public func badge<S>(_ label: S?) -> some View where S: StringProtocol {
        badge(label.map { Text($0) })
    }

    /// Loads the content again when a person pulls it down.
    nonisolated public func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
        surrounded { $0.refresh = RefreshAction(action: action) }
    }

    /// Sets what is behind a row.
    nonisolated public func listRowBackground<V>(_ view: V?) -> some View where V: View { self }
    /// Shows the lines between rows, or hides them.
    nonisolated public func listRowSeparator(
        _ visibility: Visibility, edges: VerticalEdge.Set = .all
    ) -> some View { self }
    /// Shows the lines between sections, or hides them.
    nonisolated public func listSectionSeparator(
        _ visibility: Visibility, edges: VerticalEdge.Set = .all
    ) -> some View { self }
    /// Sets how far in a row is.
    nonisolated public func listRowInsets(_ insets: EdgeInsets?) -> some View { self }
    /// Sets how far rows are apart.
    nonisolated public func listRowSpacing(_ spacing: CGFloat?) -> some View { self }
    /// Sets how prominent headers are.
    nonisolated public func headerProminence(_ prominence: Prominence) -> some View {
        surrounded { $0.headerProminence = prominence }
    }
    /// Keeps a row from being deleted.
    nonisolated public func deleteDisabled(_ isDisabled: Bool) -> some View {
        each { node, _ in node.staysInList = isDisabled }
    }
    /// Keeps a row from being selected.
    nonisolated public func selectionDisabled(_ isDisabled: Bool = true) -> some View { self }
}
