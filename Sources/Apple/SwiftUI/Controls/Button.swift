// SPDX-License-Identifier: Apache-2.0

/// What a button is for.
public struct ButtonRole: Equatable, Sendable {
    let name: String
    /// It destroys something.
    public static let destructive = ButtonRole(name: "destructive")
    /// It leaves everything as it is.
    public static let cancel = ButtonRole(name: "cancel")
}

/// Something to press.
public struct Button<Label> where Label: View {
    let role: ButtonRole?
    let action: @MainActor () -> Void
    let label: Label

    /// A button with a label.
    @preconcurrency nonisolated public init(
        action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
    ) {
        self.init(role: nil, action: action, label: label)
    }

    /// A button with a label and a role.
    @preconcurrency nonisolated public init(
        role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
    ) {
        self.role = role
        self.action = action
        self.label = label()
    }
}

extension Button: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Button: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.button, "", place.inside("label").nodes(of: label))
        let action = action
        node.press = { MainActor.assumeIsolated { action() } }
        node.role = role
        node.isEnabled = place.environment.isEnabled
        node.path = place.path
        return [node]
    }
}

extension Button where Label == Text {
    /// A button with a title of the catalogue.
    @preconcurrency nonisolated public init(
        _ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void
    ) {
        self.init(action: action) { Text(titleKey) }
    }

    /// A button with a title.
    @_disfavoredOverload @preconcurrency nonisolated public init<S>(
        _ title: S, action: @escaping @MainActor () -> Void
    )
    where S: StringProtocol {
        self.init(action: action) { Text(title) }
    }

    /// A button with a title of the catalogue and a role.
    @preconcurrency nonisolated public init(
        _ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { Text(titleKey) }
    }

    /// A button with a title and a role.
    @_disfavoredOverload @preconcurrency nonisolated public init<S>(
        _ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) where S: StringProtocol {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where Label == SwiftUI.Label<Text, Image> {
    /// A button with a title of the catalogue and a symbol.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void
    ) {
        self.init(action: action) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }

    /// A button with a title and a symbol.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, systemImage: String, action: @escaping @MainActor () -> Void
    )
    where S: StringProtocol {
        self.init(action: action) { SwiftUI.Label(title, systemImage: systemImage) }
    }

    /// A button with a title of the catalogue, a symbol and a role.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, systemImage: String, role: ButtonRole?,
        action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }

    /// A button with a title, a symbol and a role.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, systemImage: String, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) where S: StringProtocol {
        self.init(role: role, action: action) { SwiftUI.Label(title, systemImage: systemImage) }
    }
}
