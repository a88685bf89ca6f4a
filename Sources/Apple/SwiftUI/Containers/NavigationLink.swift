// SPDX-License-Identifier: Apache-2.0

/// What leads to another page.
public struct NavigationLink<Label, Destination> where Label: View, Destination: View {
    enum Target {
        case view(Destination)
        case value(AnyHashable?)
    }

    let target: Target
    let label: Label

    /// Leads to a view.
    nonisolated public init(
        @ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label
    ) {
        target = .view(destination())
        self.label = label()
    }
}

extension NavigationLink: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension NavigationLink: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.navigationLink, "", place.inside("label").nodes(of: label))
        node.isEnabled = place.environment.isEnabled
        let page = place.page
        switch target {
        case .view(let view):
            if let page {
                let (state, change, path) = (page.state, page.change, place.path)
                if state.open.contains(path) {
                    page.pushed = .init(path: path, view: view) {
                        state.open.remove(path)
                        change.mark()
                    }
                }
                node.press = {
                    state.open.insert(path)
                    change.mark()
                }
            }
        case .value(let value):
            let selection = place.environment.selection
            if let value {
                node.tags = [value]
                node.hasOwnTag = true
                node.press = {
                    if selection?.select([value]) == true { return }
                    page?.push(value)
                }
            } else {
                node.isEnabled = false
            }
        }
        return [node]
    }
}

extension NavigationLink where Label == Text {
    /// Leads to a view, with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination
    ) {
        self.init(destination: destination) { Text(titleKey) }
    }

    /// Leads to a view, with a title.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, @ViewBuilder destination: () -> Destination)
    where S: StringProtocol {
        self.init(destination: destination) { Text(title) }
    }
}

extension NavigationLink where Destination == Never {
    /// Leads to the page of a value.
    nonisolated public init<P>(value: P?, @ViewBuilder label: () -> Label) where P: Hashable {
        target = .value(value.map { AnyHashable($0) })
        self.label = label()
    }

    /// Leads to the page of a value, with a title of the catalogue.
    nonisolated public init<P>(_ titleKey: LocalizedStringKey, value: P?) where Label == Text, P: Hashable {
        self.init(value: value) { Text(titleKey) }
    }

    /// Leads to the page of a value, with a title.
    @_disfavoredOverload nonisolated public init<S, P>(_ title: S, value: P?)
    where Label == Text, S: StringProtocol, P: Hashable {
        self.init(value: value) { Text(title) }
    }
}
