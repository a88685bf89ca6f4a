// SPDX-License-Identifier: Apache-2.0

/// Controls that belong together.
public struct ControlGroup<Content> where Content: View {
    let content: Content
}

extension ControlGroup: View {
    /// It is evaluated by itself.
    public typealias Body = Never

    /// Controls that belong together.
    nonisolated public init(@ViewBuilder content: () -> Content) { self.init(content: content()) }
}

extension ControlGroup: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        place.joined(content)
    }
}

/// Controls with what they are called together.
public struct LabeledControlGroupContent<Content, Label> where Content: View, Label: View {
    let content: Content
    let label: Label
}

extension LabeledControlGroupContent: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension LabeledControlGroupContent: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.group, "", place.inside("controls").nodes(of: content))
        // The label is seen in menus only, and heard before the controls.
        node.label = place.inside("label").nodes(of: label).map(\.spoken).joined(separator: ", ")
        return [node]
    }
}

extension ControlGroup {
    /// Controls with a label.
    nonisolated public init<C, L>(@ViewBuilder content: () -> C, @ViewBuilder label: () -> L)
    where Content == LabeledControlGroupContent<C, L>, C: View, L: View {
        self.init(content: .init(content: content(), label: label()))
    }

    /// Controls with a title of the catalogue.
    nonisolated public init<C>(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> C)
    where Content == LabeledControlGroupContent<C, Text>, C: View {
        self.init(content: content) { Text(titleKey) }
    }

    /// Controls with a title.
    @_disfavoredOverload nonisolated public init<C, S>(_ title: S, @ViewBuilder content: () -> C)
    where Content == LabeledControlGroupContent<C, Text>, C: View, S: StringProtocol {
        self.init(content: content) { Text(title) }
    }

    /// Controls with a title of the catalogue and a symbol.
    nonisolated public init<C>(
        _ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> C
    ) where Content == LabeledControlGroupContent<C, Label<Text, Image>>, C: View {
        self.init(content: content) { Label(titleKey, systemImage: systemImage) }
    }

    /// Controls with a title and a symbol.
    @_disfavoredOverload nonisolated public init<C, S>(
        _ title: S, systemImage: String, @ViewBuilder content: () -> C
    ) where Content == LabeledControlGroupContent<C, Label<Text, Image>>, C: View, S: StringProtocol {
        self.init(content: content) { Label(title, systemImage: systemImage) }
    }
}

/// Views in a box.
public struct GroupBox<Label, Content> where Label: View, Content: View {
    let label: Label
    let content: Content
}

extension GroupBox: View {
    /// It is evaluated by itself.
    public typealias Body = Never

    /// Views with a label.
    nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.init(label: label(), content: content())
    }
}

extension GroupBox: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let titles = place.inside("label").nodes(of: label)
        titles.forEach { $0.isHeading = true }
        return [Node(.group, "", titles + place.inside("content").nodes(of: content))]
    }
}

extension GroupBox where Label == EmptyView {
    /// Views without a label.
    nonisolated public init(@ViewBuilder content: () -> Content) {
        self.init(label: EmptyView(), content: content())
    }
}

extension GroupBox where Label == Text {
    /// Views with a title of the catalogue.
    nonisolated public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(label: Text(titleKey), content: content())
    }

    /// Views with a title.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, @ViewBuilder content: () -> Content)
    where S: StringProtocol {
        self.init(label: Text(title), content: content())
    }
}
