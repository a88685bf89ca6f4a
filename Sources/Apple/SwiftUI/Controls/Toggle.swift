// SPDX-License-Identifier: Apache-2.0

/// Something to switch on and off.
public struct Toggle<Label> where Label: View {
    let isOn: Binding<Bool>
    let label: Label

    /// A switch with a label.
    nonisolated public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }
}

extension Toggle: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Toggle: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.toggle, "", place.inside("label").nodes(of: label))
        let isOn = isOn
        node.isOn = isOn.wrappedValue
        node.press = { isOn.wrappedValue.toggle() }
        node.isEnabled = place.environment.isEnabled
        return [node]
    }
}

extension Toggle where Label == Text {
    /// A switch with a title of the catalogue.
    nonisolated public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(titleKey) }
    }

    /// A switch with a title.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, isOn: Binding<Bool>) where S: StringProtocol {
        self.init(isOn: isOn) { Text(title) }
    }
}

extension Toggle where Label == SwiftUI.Label<Text, Image> {
    /// A switch with a title of the catalogue and a symbol.
    nonisolated public init(_ titleKey: LocalizedStringKey, systemImage: String, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }

    /// A switch with a title and a symbol.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, systemImage: String, isOn: Binding<Bool>)
    where S: StringProtocol {
        self.init(isOn: isOn) { SwiftUI.Label(title, systemImage: systemImage) }
    }
}
