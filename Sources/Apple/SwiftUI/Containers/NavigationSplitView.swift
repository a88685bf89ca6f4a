// SPDX-License-Identifier: Apache-2.0

/// Which columns are shown where there is room.
public struct NavigationSplitViewVisibility: Equatable, Codable, Sendable {
    let name: String
    /// As there is room.
    public static let automatic = NavigationSplitViewVisibility(name: "automatic")
    /// All.
    public static let all = NavigationSplitViewVisibility(name: "all")
    /// The last two.
    public static let doubleColumn = NavigationSplitViewVisibility(name: "doubleColumn")
    /// The last one.
    public static let detailOnly = NavigationSplitViewVisibility(name: "detailOnly")
}

/// One of the columns.
public struct NavigationSplitViewColumn: Hashable, Sendable {
    let position: Int
    /// The first.
    public static let sidebar = NavigationSplitViewColumn(position: 0)
    /// The middle one.
    public static let content = NavigationSplitViewColumn(position: 1)
    /// The last.
    public static let detail = NavigationSplitViewColumn(position: 2)
}

/// Columns of which each says what the next one shows; pages upon each other where there is little room.
public struct NavigationSplitView<Sidebar, Content, Detail>
where Sidebar: View, Content: View, Detail: View {
    let visibility: Binding<NavigationSplitViewVisibility>?
    let preferred: Binding<NavigationSplitViewColumn>?
    let sidebar: Sidebar
    let content: Content
    let detail: Detail
}

extension NavigationSplitView: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension NavigationSplitView: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let all: [(NavigationSplitViewColumn, any View)] = [
            (.sidebar, sidebar), (.content, content), (.detail, detail),
        ]
        let columns = all.filter { !($0.1 is EmptyView) || $0.0 == .detail }
        var shown: [SplitColumn] = []
        for (column, view) in columns {
            shown.append(place.column(column, shown.last?.page.pushed?.view ?? view))
        }
        return place.environment.horizontalSizeClass == .compact
            ? collapsed(shown, place) : expanded(shown, place)
    }

    private func expanded(_ columns: [SplitColumn], _ place: Place) -> [Node] {
        let visibility = visibility ?? place.state("visibility", first: .automatic)
        let count =
            switch visibility.wrappedValue {
            case .detailOnly: 1
            case .doubleColumn: 2
            default: columns.count
            }
        for column in columns.dropLast(count) { place.cover(column) }
        let isHidden = count < columns.count
        let button = Node(.button, isHidden ? "Show Sidebar" : "Hide Sidebar")
        button.press = { visibility.wrappedValue = isHidden ? .all : .detailOnly }
        return [Node(.toolbar, "", [button])] + columns.suffix(count).map { Node(.group, "", $0.nodes) }
    }

    private func collapsed(_ columns: [SplitColumn], _ place: Place) -> [Node] {
        let preferred = preferred ?? place.state("preferred", first: .sidebar)
        let followed = place.kept("followed") { StateSlot(NavigationSplitViewColumn.sidebar) }
        // What is selected leads as far as each column has something selected.
        let led = columns.dropLast().prefix { $0.page.hasSelection || $0.page.pushed != nil }.count
        var top = preferred.wrappedValue
        if columns[led].column != followed.value {
            followed.quietly(columns[led].column)
            top = followed.value
            if top != preferred.wrappedValue { place.pass.after.append { preferred.wrappedValue = top } }
        }
        let position = columns.lastIndex { $0.column.position <= top.position } ?? 0
        for (index, column) in columns.enumerated() where index != position { place.cover(column) }
        let nodes = columns[position].nodes
        guard position > 0, !nodes.contains(where: { $0.kind == .back }) else { return nodes }
        let before = columns[position - 1]
        return [
            .back {
                before.page.clearSelection?()
                before.page.pushed?.pop()
                preferred.wrappedValue = before.column
            }
        ] + nodes
    }
}

/// A column, while it is evaluated.
struct SplitColumn {
    let column: NavigationSplitViewColumn
    let page: NavigationPage
    let nodes: [Node]
    let lifecycles: Range<Int>
}

extension Place {
    /// Evaluates a column.
    fileprivate func column(_ column: NavigationSplitViewColumn, _ view: any View) -> SplitColumn {
        var inner = inside("column \(column.position)")
        let state = inner.kept("stack") { StackState() }
        let change = pass.store.change
        let destinations = NavigationPage.Destinations()
        let page = NavigationPage(destinations, state, change: change) { value in
            state.values = [value]
            change.mark()
        }
        inner.page = page
        inner.environment.editMode = inner.state("editMode", first: .inactive)
        let first = pass.lifecycles.count
        let nodes = inner.nodes(of: view)
        if let value = state.values.last,
            let make = destinations.views[ObjectIdentifier(type(of: value.base))]
        {
            page.pushed = .init(path: "\(value.base)", view: make(value.base)) {
                state.values = []
                change.mark()
            }
        }
        return SplitColumn(
            column: column, page: page, nodes: nodes, lifecycles: first..<pass.lifecycles.count)
    }

    /// Says that a column is not seen.
    fileprivate func cover(_ column: SplitColumn) {
        for index in column.lifecycles { pass.lifecycles[index].isCovered = true }
    }
}

extension NavigationSplitView {
    /// Three columns.
    nonisolated public init(
        @ViewBuilder sidebar: () -> Sidebar, @ViewBuilder content: () -> Content,
        @ViewBuilder detail: () -> Detail
    ) {
        self.init(
            visibility: nil, preferred: nil, sidebar: sidebar(), content: content(), detail: detail())
    }

    /// Three columns, of which the app says which are shown.
    nonisolated public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail
    ) {
        self.init(
            visibility: columnVisibility, preferred: nil, sidebar: sidebar(), content: content(),
            detail: detail())
    }

    /// Three columns, of which the app says which is on top where there is little room.
    nonisolated public init(
        preferredCompactColumn: Binding<NavigationSplitViewColumn>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail
    ) {
        self.init(
            visibility: nil, preferred: preferredCompactColumn, sidebar: sidebar(), content: content(),
            detail: detail())
    }

    /// Three columns, of which the app says which are shown, and which is on top where there is little room.
    nonisolated public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>,
        preferredCompactColumn: Binding<NavigationSplitViewColumn>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail
    ) {
        self.init(
            visibility: columnVisibility, preferred: preferredCompactColumn, sidebar: sidebar(),
            content: content(), detail: detail())
    }
}

extension NavigationSplitView where Content == EmptyView {
    /// Two columns.
    nonisolated public init(@ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail) {
        self.init(
            visibility: nil, preferred: nil, sidebar: sidebar(), content: EmptyView(), detail: detail())
    }

    /// Two columns, of which the app says which are shown.
    nonisolated public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder detail: () -> Detail
    ) {
        self.init(
            visibility: columnVisibility, preferred: nil, sidebar: sidebar(), content: EmptyView(),
            detail: detail())
    }

    /// Two columns, of which the app says which is on top where there is little room.
    nonisolated public init(
        preferredCompactColumn: Binding<NavigationSplitViewColumn>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder detail: () -> Detail
    ) {
        self.init(
            visibility: nil, preferred: preferredCompactColumn, sidebar: sidebar(), content: EmptyView(),
            detail: detail())
    }

    /// Two columns, of which the app says which are shown, and which is on top where there is little room.
    nonisolated public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>,
        preferredCompactColumn: Binding<NavigationSplitViewColumn>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder detail: () -> Detail
    ) {
        self.init(
            visibility: columnVisibility, preferred: preferredCompactColumn, sidebar: sidebar(),
            content: EmptyView(), detail: detail())
    }
}

extension View {
    /// Sets how wide the column is.
    nonisolated public func navigationSplitViewColumnWidth(_ width: CGFloat) -> some View { self }
    /// Sets bounds of how wide the column is.
    nonisolated public func navigationSplitViewColumnWidth(
        min: CGFloat? = nil, ideal: CGFloat, max: CGFloat? = nil
    ) -> some View { self }
}
