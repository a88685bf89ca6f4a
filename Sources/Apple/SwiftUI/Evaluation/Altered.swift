// SPDX-License-Identifier: Apache-2.0

/// A view whose nodes a modifier changes.
struct Altered<Content: View> {
    let content: Content
    let alter: (Place, [Node]) -> [Node]
}

extension Altered: View { typealias Body = Never }

extension Altered: Evaluated {
    package func nodes(_ place: Place) -> [Node] { alter(place, place.inside("content").nodes(of: content)) }
}

/// A view whose place a modifier changes.
struct Surrounded<Content: View> {
    let content: Content
    let change: (inout Place) -> Void
}

extension Surrounded: View { typealias Body = Never }

extension Surrounded: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        var inner = place.inside("content")
        change(&inner)
        return inner.nodes(of: content)
    }
}

/// A view that is evaluated by a function.
package struct Made {
    let make: (Place) -> [Node]

    nonisolated package init(make: @escaping (Place) -> [Node]) { self.make = make }
}

extension Made: View { package typealias Body = Never }

extension Made: Evaluated {
    package func nodes(_ place: Place) -> [Node] { make(place) }
}

extension View {
    /// The nodes of the view, changed.
    nonisolated func altered(_ alter: @escaping (Place, [Node]) -> [Node]) -> Altered<Self> {
        Altered(content: self, alter: alter)
    }

    /// Changes each node of the view.
    nonisolated func each(_ change: @escaping (Node, Place) -> Void) -> Altered<Self> {
        altered { place, nodes in
            for node in nodes { change(node, place) }
            return nodes
        }
    }

    /// Changes the one node that the view is; several become one.
    nonisolated func asOne(_ change: @escaping (Node, Place) -> Void) -> Altered<Self> {
        altered { place, nodes in
            guard !nodes.isEmpty else { return [] }
            let node = Node.joining(nodes)
            change(node, place)
            return [node]
        }
    }

    /// Changes the environment of the view.
    nonisolated func surrounded(_ change: @escaping (inout EnvironmentValues) -> Void) -> Surrounded<Self> {
        Surrounded(content: self) { change(&$0.environment) }
    }

    /// Does something each time that the view is evaluated.
    nonisolated func noted(_ note: @escaping (Place) -> Void) -> Altered<Self> {
        altered { place, nodes in
            note(place)
            return nodes
        }
    }
}
