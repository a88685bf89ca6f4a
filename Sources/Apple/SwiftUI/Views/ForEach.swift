// SPDX-License-Identifier: Apache-2.0

/// A view for each of some data.
public struct ForEach<Data, ID, Content> where Data: RandomAccessCollection, ID: Hashable {
    /// What there is a view for.
    public var data: Data
    /// Makes the view.
    public var content: (Data.Element) -> Content
    package let id: (Data.Element) -> ID
    var delete: ((IndexSet) -> Void)?
    var move: ((IndexSet, Int) -> Void)?
}

extension ForEach {
    /// Something for each that is not a view.
    nonisolated package init(
        made data: Data, _ content: @escaping (Data.Element) -> Content, id: @escaping (Data.Element) -> ID
    ) {
        self.init(data: data, content: content, id: id)
    }
}

extension ForEach: View where Content: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension ForEach: Evaluated where Content: View {
    package func nodes(_ place: Place) -> [Node] {
        data.enumerated().flatMap { index, element in
            let id = id(element)
            let nodes = place.inside("[\(id)]").nodes(of: content(element))
            for node in nodes where !node.hasOwnTag {
                node.tags = [AnyHashable(id), AnyHashable(Optional(id))]
            }
            place.pass.ids.insert(AnyHashable(id))
            if let move, let first = nodes.first { first.addMoves(index, of: data.count, move) }
            guard let delete else { return nodes }
            let isEditing = place.environment.editMode?.wrappedValue.isEditing ?? false
            return nodes.flatMap { node -> [Node] in
                if node.staysInList { return [node] }
                func button(_ name: String) -> Node {
                    let button = Node(.button, name)
                    button.press = { delete(IndexSet(integer: index)) }
                    return button
                }
                node.attachments.append(.init(kind: .trailingSwipe, nodes: [button("Delete")]))
                return isEditing ? [button("Remove \(node.spoken)"), node] : [node]
            }
        }
    }
}

extension Node {
    /// VoiceOver's actions to move a row.
    func addMoves(_ index: Int, of count: Int, _ move: @escaping (IndexSet, Int) -> Void) {
        if index > 0 {
            actions.append(.init(name: "Move Up") { move(IndexSet(integer: index), index - 1) })
        }
        if index < count - 1 {
            actions.append(.init(name: "Move Down") { move(IndexSet(integer: index), index + 2) })
        }
    }
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    /// A view for each, known by its identity.
    nonisolated public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.init(data: data, content: content) { $0.id }
    }
}

extension ForEach where Content: View {
    /// A view for each, known by what is at a key path.
    nonisolated public init(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(data: data, content: content) { $0[keyPath: id] }
    }
}

extension ForEach where Data == Range<Int>, ID == Int, Content: View {
    /// A view for each number of a range that stays.
    nonisolated public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.init(data: data, content: content) { $0 }
    }
}

extension ForEach where Content: View {
    /// A view with a binding for each, known by its identity.
    nonisolated public init<C>(
        _ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    )
    where
        Data == LazyMapSequence<C.Indices, (C.Index, ID)>, ID == C.Element.ID, C: MutableCollection,
        C: RandomAccessCollection, C.Element: Identifiable, C.Index: Hashable
    {
        self.init(data, id: \.id, content: content)
    }

    /// A view with a binding for each, known by what is at a key path.
    nonisolated public init<C>(
        _ data: Binding<C>, id: KeyPath<C.Element, ID>,
        @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    )
    where
        Data == LazyMapSequence<C.Indices, (C.Index, ID)>, C: MutableCollection, C: RandomAccessCollection,
        C.Index: Hashable
    {
        let values = data.wrappedValue
        self.init(
            data: values.indices.lazy.map { ($0, values[$0][keyPath: id]) },
            content: { index, _ in content(data[index]) },
            id: { $0.1 })
    }
}

/// Views that can be made from data.
public protocol DynamicViewContent: View {
    /// What the data are.
    associatedtype Data: Collection
    /// The data.
    var data: Self.Data { get }
}

extension ForEach: DynamicViewContent where Content: View {}

/// Views of data that a person can change.
protocol Editable {
    var delete: ((IndexSet) -> Void)? { get set }
    var move: ((IndexSet, Int) -> Void)? { get set }
}

extension ForEach: Editable {}

/// Views of data with something to change them.
struct Edited<Content: DynamicViewContent> {
    var content: Content
}

extension Edited: View { typealias Body = Never }

extension Edited: DynamicViewContent {
    var data: Content.Data { content.data }
}

extension Edited: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.nodes(of: content) }
}

extension Edited: Editable {
    var delete: ((IndexSet) -> Void)? {
        get { (content as? any Editable)?.delete }
        set { change { $0.delete = newValue } }
    }

    var move: ((IndexSet, Int) -> Void)? {
        get { (content as? any Editable)?.move }
        set { change { $0.move = newValue } }
    }

    private mutating func change(_ change: (inout any Editable) -> Void) {
        guard var editable = content as? any Editable else { return }
        change(&editable)
        if let changed = editable as? Content { content = changed }
    }
}

extension DynamicViewContent {
    /// Lets a person delete rows.
    nonisolated public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent {
        var edited = Edited(content: self)
        edited.delete = action
        return edited
    }

    /// Lets a person move rows.
    nonisolated public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent {
        var edited = Edited(content: self)
        edited.move = action
        return edited
    }
}

extension RangeReplaceableCollection where Self: MutableCollection {
    /// Removes what is at some offsets; Apple's SwiftUI has it for rows that a person deletes.
    public mutating func remove(atOffsets offsets: IndexSet) {
        for offset in offsets.reversed() { remove(at: index(startIndex, offsetBy: offset)) }
    }
}

extension MutableCollection {
    /// Moves what is at some offsets before another; Apple's SwiftUI has it for rows that a person moves.
    public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
        let all = Array(self)
        let moved = source.map { all[$0] }
        var rest: [Element] = []
        for (offset, element) in all.enumerated() {
            if offset == destination { rest += moved }
            if !source.contains(offset) { rest.append(element) }
        }
        if destination >= all.count { rest += moved }
        var index = startIndex
        for element in rest {
            self[index] = element
            formIndex(after: &index)
        }
    }
}
