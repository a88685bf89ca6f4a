// SPDX-License-Identifier: Apache-2.0

/// A colour to be chosen.
public struct ColorPicker<Label> where Label: View {
    let selection: Binding<Color>
    let supportsOpacity: Bool
    let label: Label

    /// A colour with a label.
    nonisolated public init(
        selection: Binding<Color>, supportsOpacity: Bool = true, @ViewBuilder label: () -> Label
    ) {
        self.selection = selection
        self.supportsOpacity = supportsOpacity
        self.label = label()
    }
}

extension ColorPicker: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension ColorPicker: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.colorPicker, "", place.inside("label").nodes(of: label))
        node.value = selection.wrappedValue.description
        node.setColor = { color in
            var color = color
            if !supportsOpacity { color.alpha = 1 }
            selection.wrappedValue = color
        }
        node.isEnabled = place.environment.isEnabled
        return [node]
    }
}

extension ColorPicker where Label == Text {
    /// A colour with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Color>, supportsOpacity: Bool = true
    ) {
        self.init(selection: selection, supportsOpacity: supportsOpacity) { Text(titleKey) }
    }

    /// A colour with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, selection: Binding<Color>, supportsOpacity: Bool = true
    ) where S: StringProtocol {
        self.init(selection: selection, supportsOpacity: supportsOpacity) { Text(title) }
    }
}
