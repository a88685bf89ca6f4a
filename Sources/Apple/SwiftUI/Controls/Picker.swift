// SPDX-License-Identifier: Apache-2.0

/// A choice of one of several values.
public struct Picker<Label, SelectionValue, Content>
where Label: View, SelectionValue: Hashable, Content: View {
    let selection: Binding<SelectionValue>
    let label: Label
    let content: Content

    /// A choice with a label.
    nonisolated public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content,
        @ViewBuilder label: () -> Label
    ) {
        self.selection = selection
        self.content = content()
        self.label = label()
    }
}

extension Picker: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Picker: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.picker, "", place.inside("label").nodes(of: label))
        let selection = selection
        let now = AnyHashable(selection.wrappedValue)
        let options = place.inside("options").nodes(of: content).flatMap(\.tagged)
        node.choices = options.compactMap { option in
            guard let value = option.tags.lazy.compactMap({ $0.base as? SelectionValue }).first else {
                return nil
            }
            return Node.Choice(name: option.spoken, isSelected: AnyHashable(value) == now) {
                selection.wrappedValue = value
            }
        }
        node.value = node.choices.first { $0.isSelected }?.name
        node.isEnabled = place.environment.isEnabled
        return [node]
    }
}

extension Node {
    /// The nodes with tags, which are not within others.
    var tagged: [Node] { tags.isEmpty ? children.flatMap(\.tagged) : [self] }
}

extension Picker where Label == Text {
    /// A choice with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(selection: selection, content: content) { Text(titleKey) }
    }

    /// A choice with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) where S: StringProtocol {
        self.init(selection: selection, content: content) { Text(title) }
    }
}

extension Picker where Label == SwiftUI.Label<Text, Image> {
    /// A choice with a title of the catalogue and a symbol.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, systemImage: String, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(selection: selection, content: content) {
            SwiftUI.Label(titleKey, systemImage: systemImage)
        }
    }

    /// A choice with a title and a symbol.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, systemImage: String, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) where S: StringProtocol {
        self.init(selection: selection, content: content) {
            SwiftUI.Label(title, systemImage: systemImage)
        }
    }
}

extension View {
    /// Says which value the view stands for, in a picker or a list.
    nonisolated public func tag<V>(_ tag: V, includeOptional: Bool = true) -> some View where V: Hashable {
        each { node, _ in
            node.tags = [AnyHashable(tag)] + (includeOptional ? [AnyHashable(Optional(tag))] : [])
            node.hasOwnTag = true
        }
    }
}
