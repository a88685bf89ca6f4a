// SPDX-License-Identifier: Apache-2.0

/// Whether a disclosure is open where the app does not say.
private final class Opened {
    var isOpen = false
}

/// Views that are hidden until a person opens them.
public struct DisclosureGroup<Label, Content> where Label: View, Content: View {
    let isExpanded: Binding<Bool>?
    let content: () -> Content
    let label: Label
}

extension DisclosureGroup: View {
    /// It is evaluated by itself.
    public typealias Body = Never

    /// Views with a label.
    nonisolated public init(
        @ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label
    ) {
        self.init(isExpanded: nil, content: content, label: label())
    }

    /// Views with a label, opened by a value.
    nonisolated public init(
        isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content,
        @ViewBuilder label: () -> Label
    ) {
        self.init(isExpanded: isExpanded, content: content, label: label())
    }
}

extension DisclosureGroup: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let opened = place.kept("opened") { Opened() }
        let (isExpanded, change) = (isExpanded, place.pass.store.change)
        let isOpen = isExpanded?.wrappedValue ?? opened.isOpen
        let node = Node(.disclosure, "", place.inside("label").nodes(of: label))
        node.text = node.spoken
        node.speaksForChildren = true
        node.value = isOpen ? "Expanded" : "Collapsed"
        node.press = {
            isExpanded?.wrappedValue = !isOpen
            opened.isOpen = !isOpen
            change.mark()
        }
        return [node] + (isOpen ? place.inside("content").nodes(of: content()) : [])
    }
}

extension DisclosureGroup where Label == Text {
    /// Views with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content
    ) {
        self.init(isExpanded: nil, content: content, label: Text(titleKey))
    }

    /// Views with a title of the catalogue, opened by a value.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, isExpanded: Binding<Bool>,
        @ViewBuilder content: @escaping () -> Content
    ) {
        self.init(isExpanded: isExpanded, content: content, label: Text(titleKey))
    }
}
