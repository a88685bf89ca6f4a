// SPDX-License-Identifier: Apache-2.0

/// The values of pages, of any type.
public struct NavigationPath {
    var values: [AnyHashable]

    /// No page but the first.
    public init() { values = [] }

    /// A page for each value.
    public init<S>(_ elements: S) where S: Sequence, S.Element: Hashable {
        values = elements.map { AnyHashable($0) }
    }

    /// How many pages lie on the first.
    public var count: Int { values.count }
    /// Whether there is only the first page.
    public var isEmpty: Bool { values.isEmpty }
    /// Adds a page.
    public mutating func append<V>(_ value: V) where V: Hashable { values.append(AnyHashable(value)) }
    /// Takes the last pages away.
    public mutating func removeLast(_ k: Int = 1) { values.removeLast(k) }
}

extension NavigationPath: Equatable {}

/// Pages upon each other.
public struct NavigationStack<Data, Root> where Root: View {
    let values: () -> [AnyHashable]?
    let set: ([AnyHashable]) -> Void
    let root: Root
}

extension NavigationStack: View {
    /// It is evaluated by itself.
    public typealias Body = Never

    /// Pages whose values nobody else needs.
    nonisolated public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {
        self.init(values: { nil }, set: { _ in }, root: root())
    }

    /// Pages by values of any type.
    nonisolated public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root)
    where Data == NavigationPath {
        self.init(
            values: { path.wrappedValue.values },
            set: {
                var changed = NavigationPath()
                changed.values = $0
                path.wrappedValue = changed
            }, root: root())
    }

    /// Pages by values of one type.
    nonisolated public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where
        Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection,
        Data.Element: Hashable
    {
        self.init(
            values: { path.wrappedValue.map { AnyHashable($0) } },
            set: { path.wrappedValue = Data($0.compactMap { $0.base as? Data.Element }) },
            root: root())
    }
}

/// What a stack keeps itself.
final class StackState {
    var values: [AnyHashable] = []
    /// The links whose page is open.
    var open: Set<String> = []
}

/// One page of a stack, while it is evaluated.
final class NavigationPage {
    /// Something that lies on this page.
    struct Pushed {
        let path: String
        let view: any View
        let pop: () -> Void
    }

    /// Says which view a value stands for; shared by the pages of a stack.
    final class Destinations {
        var views: [ObjectIdentifier: (Any) -> any View] = [:]
    }

    let destinations: Destinations
    let push: (AnyHashable) -> Void
    let state: StackState
    let change: Change
    var pushed: Pushed?
    /// In the column of a split view: clears the list's selection.
    var clearSelection: (() -> Void)?
    var hasSelection = false

    init(
        _ destinations: Destinations, _ state: StackState, change: Change,
        push: @escaping (AnyHashable) -> Void
    ) {
        self.destinations = destinations
        self.state = state
        self.change = change
        self.push = push
    }

}

extension NavigationStack: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let state = place.kept("stack") { StackState() }
        let change = place.pass.store.change
        let set: ([AnyHashable]) -> Void = { values in
            if self.values() == nil { state.values = values } else { self.set(values) }
            change.mark()
        }
        let current = values() ?? state.values
        return place.pages(root, current, state, set: set)
    }
}

extension Place {
    /// The top one of pages; those below are evaluated, and lie hidden.
    func pages(
        _ root: any View, _ values: [AnyHashable], _ state: StackState,
        set: @escaping ([AnyHashable]) -> Void
    ) -> [Node] {
        let destinations = NavigationPage.Destinations()
        var rest = values
        var next = NavigationPage.Pushed(path: "root", view: root) {}
        var depth = 0
        while true {
            var inner = inside("page \(depth) \(next.path)")
            let used = values.count - rest.count
            let page = NavigationPage(destinations, state, change: pass.store.change) { value in
                set(Array(values.prefix(used)) + [value])
            }
            inner.page = page
            let isOnTop = depth > 0
            // Pages are dismissed where they are evaluated: on the main actor.
            nonisolated(unsafe) let pop = next.pop
            if isOnTop {
                inner.environment.dismiss = DismissAction { pop() }
                inner.environment.isPresented = true
                inner.environment.editMode = inner.state("editMode", first: .inactive)
            }
            let mark = pass.lifecycles.count
            let nodes = inner.nodes(of: next.view)
            if let pushed = page.pushed {
                next = pushed
            } else if let value = rest.first {
                rest.removeFirst()
                guard let make = destinations.views[ObjectIdentifier(type(of: value.base))] else {
                    return nodes + [Node(.text, "No navigationDestination for \(type(of: value.base))")]
                }
                next = NavigationPage.Pushed(path: "\(value.base)", view: make(value.base)) {
                    set(Array(values.prefix(used)))
                }
            } else {
                return isOnTop ? [.back(pop)] + nodes : nodes
            }
            for index in mark..<pass.lifecycles.count { pass.lifecycles[index].isCovered = true }
            depth += 1
        }
    }
}

extension Node {
    /// What leads to the page below.
    static func back(_ pop: @escaping () -> Void) -> Node {
        let node = Node(.back, "Back")
        node.press = pop
        return node
    }
}

extension View {
    /// Says which page a value stands for.
    nonisolated public func navigationDestination<D, C>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View where D: Hashable, C: View {
        noted { place in
            place.page?.destinations.views[ObjectIdentifier(D.self)] = { value in
                (value as? D).map { AnyView(destination($0)) } ?? AnyView(EmptyView())
            }
        }
    }

    /// Shows a page while a value is true.
    nonisolated public func navigationDestination<V>(
        isPresented: Binding<Bool>, @ViewBuilder destination: () -> V
    ) -> some View where V: View {
        let view = destination()
        return noted { place in
            guard isPresented.wrappedValue else { return }
            place.page?.pushed = .init(path: place.path, view: view) { isPresented.wrappedValue = false }
        }
    }

    /// Shows a page while there is an item.
    nonisolated public func navigationDestination<D, C>(
        item: Binding<D?>, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View where D: Hashable, C: View {
        noted { place in
            guard let value = item.wrappedValue else { return }
            place.page?.pushed = .init(path: place.path, view: destination(value)) {
                item.wrappedValue = nil
            }
        }
    }
}
