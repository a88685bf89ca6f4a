// SPDX-License-Identifier: Apache-2.0

/// How a list changes what is selected in it.
struct ListSelection {
    /// Whether one of these tags is selected.
    let contains: ([AnyHashable]) -> Bool
    /// Selects the first of these that has the type, and says whether there was one.
    let select: ([AnyHashable]) -> Bool
    /// Whether something is selected.
    let isSet: () -> Bool
    /// Whether several can be selected.
    var isOfSeveral = false
}

/// Rows below each other.
public struct List<SelectionValue, Content> where SelectionValue: Hashable, Content: View {
    let selection: ListSelection?
    let clear: (() -> Void)?
    let content: Content

    init(_ selection: ListSelection?, clear: (() -> Void)?, _ content: Content) {
        self.selection = selection
        self.clear = clear
        self.content = content
    }

    /// Rows of which several can be selected.
    nonisolated public init(
        selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content
    ) {
        let list = selection.map { selection in
            ListSelection(
                contains: { tags in
                    tags.contains {
                        ($0.base as? SelectionValue).map(selection.wrappedValue.contains) ?? false
                    }
                },
                select: { tags in
                    guard let value = tags.lazy.compactMap({ $0.base as? SelectionValue }).first else {
                        return false
                    }
                    selection.wrappedValue.formSymmetricDifference([value])
                    return true
                },
                isSet: { !selection.wrappedValue.isEmpty }, isOfSeveral: true)
        }
        self.init(list, clear: nil, content())
    }

    /// Rows of which one can be selected.
    nonisolated public init(
        selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content
    ) {
        guard let selection else {
            self.init(nil, clear: nil, content())
            return
        }
        let clear = { selection.wrappedValue = nil }
        self.init(ListSelection(one: selection), clear: clear, content())
    }
}

extension ListSelection {
    /// A selection of at most one.
    init<Value: Hashable>(one selection: Binding<Value?>) {
        self.init(
            contains: { tags in
                tags.contains { ($0.base as? Value).map { $0 == selection.wrappedValue } ?? false }
            },
            select: { tags in
                guard let value = tags.lazy.compactMap({ $0.base as? Value }).first else { return false }
                selection.wrappedValue = value
                return true
            },
            isSet: { selection.wrappedValue != nil })
    }
}

extension List: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension List: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        var inner = place.inside("list")
        inner.environment.selection = selection
        if let clear, let selection {
            inner.page?.clearSelection = clear
            inner.page?.hasSelection = selection.isSet()
        }
        let rows = inner.nodes(of: content)
        if let selection {
            // While a list is edited a row is ticked, also one that leads on otherwise.
            let isTicking =
                selection.isOfSeveral && place.environment.editMode?.wrappedValue.isEditing == true
            rows.forEach { $0.makeSelectable(selection, always: isTicking) }
        }
        let node = Node(.list, "", rows)
        node.addRefresh(place)
        return [node]
    }
}

extension Node {
    /// Lets a row be selected by pressing it.
    fileprivate func makeSelectable(_ selection: ListSelection, always isTicking: Bool) {
        if tags.isEmpty || kind == .section {
            return children.forEach { $0.makeSelectable(selection, always: isTicking) }
        }
        isSelected = selection.contains(tags)
        guard isTicking || press == nil && !isControl else { return }
        let tags = tags
        press = { _ = selection.select(tags) }
    }

    /// Lets a list be pulled down.
    func addRefresh(_ place: Place) {
        if let action = place.environment.refresh { refresh = { await action() } }
    }
}

extension List where SelectionValue == Never {
    /// Rows.
    nonisolated public init(@ViewBuilder content: () -> Content) {
        self.init(nil, clear: nil, content())
    }

    /// A row for each of some data.
    nonisolated public init<Data, RowContent>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == ForEach<Data, Data.Element.ID, RowContent>, Data: RandomAccessCollection,
        RowContent: View, Data.Element: Identifiable
    {
        self.init(nil, clear: nil, ForEach(data, content: rowContent))
    }

    /// A row for each of some data.
    nonisolated public init<Data, ID, RowContent>(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == ForEach<Data, ID, RowContent>, Data: RandomAccessCollection, ID: Hashable,
        RowContent: View
    {
        self.init(nil, clear: nil, ForEach(data, id: id, content: rowContent))
    }
}

extension List {
    /// A row for each of some data, of which one can be selected.
    nonisolated public init<Data, RowContent>(
        _ data: Data, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == ForEach<Data, Data.Element.ID, RowContent>, Data: RandomAccessCollection,
        RowContent: View, Data.Element: Identifiable
    {
        self.init(selection: selection) { ForEach(data, content: rowContent) }
    }

    /// A row for each of some data, of which several can be selected.
    nonisolated public init<Data, RowContent>(
        _ data: Data, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == ForEach<Data, Data.Element.ID, RowContent>, Data: RandomAccessCollection,
        RowContent: View, Data.Element: Identifiable
    {
        self.init(selection: selection) { ForEach(data, content: rowContent) }
    }

    /// A row for each of some data, of which one can be selected.
    nonisolated public init<Data, ID, RowContent>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == ForEach<Data, ID, RowContent>, Data: RandomAccessCollection, ID: Hashable,
        RowContent: View
    {
        self.init(selection: selection) { ForEach(data, id: id, content: rowContent) }
    }

    /// A row for each of some data, of which several can be selected.
    nonisolated public init<Data, ID, RowContent>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == ForEach<Data, ID, RowContent>, Data: RandomAccessCollection, ID: Hashable,
        RowContent: View
    {
        self.init(selection: selection) { ForEach(data, id: id, content: rowContent) }
    }
}

/// Controls below each other.
public struct Form<Content> where Content: View {
    let content: Content

    /// Controls below each other.
    nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

extension Form: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Form: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.list, "", place.inside("form").nodes(of: content))
        node.addRefresh(place)
        return [node]
    }
}
