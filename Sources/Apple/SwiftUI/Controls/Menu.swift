// SPDX-License-Identifier: Apache-2.0

/// A button that opens a list of others.
public struct Menu<Label, Content> where Label: View, Content: View {
    let content: Content
    let label: Label
}

extension Menu: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Menu: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.menu, "", place.inside("label").nodes(of: label))
        node.menu = place.inside("items").nodes(of: content)
        node.path = place.path
        node.isEnabled = place.environment.isEnabled
        return [node]
    }
}

extension Menu {
    /// A menu with a label.
    nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.init(content: content(), label: label())
    }

    /// A menu with a title of the catalogue.
    nonisolated public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content)
    where Label == Text {
        self.init(content: content(), label: Text(titleKey))
    }

    /// A menu with a title.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, @ViewBuilder content: () -> Content)
    where Label == Text, S: StringProtocol {
        self.init(content: content(), label: Text(title))
    }

    /// A menu with a title of the catalogue and a symbol.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content
    ) where Label == SwiftUI.Label<Text, Image> {
        self.init(content: content(), label: SwiftUI.Label(titleKey, systemImage: systemImage))
    }
}

/// Leads to an address.
public struct Link<Label> where Label: View {
    let url: URL
    let label: Label
}

extension Link: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Link: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.link, "", place.inside("label").nodes(of: label))
        let (open, url) = (place.environment.openURL, url)
        node.press = { MainActor.assumeIsolated { open(url) } }
        node.isEnabled = place.environment.isEnabled
        return [node]
    }
}

extension Link {
    /// An address with a label.
    nonisolated public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.init(url: destination, label: label())
    }
}

extension Link where Label == Text {
    /// An address with a title of the catalogue.
    nonisolated public init(_ titleKey: LocalizedStringKey, destination: URL) {
        self.init(url: destination, label: Text(titleKey))
    }

    /// An address with a title.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, destination: URL) where S: StringProtocol {
        self.init(url: destination, label: Text(title))
    }
}
