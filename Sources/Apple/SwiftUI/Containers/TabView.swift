// SPDX-License-Identifier: Apache-2.0

/// What a tab view is made of.
@MainActor @preconcurrency public protocol TabContent<TabValue> {
    /// What a tab is selected by.
    associatedtype TabValue: Hashable
}

/// Something that has tabs, for the evaluation.
protocol TabSource {
    func gather(_ place: Place, into tabs: inout [TabEntry])
}

/// A tab, while it is evaluated.
struct TabEntry {
    let place: Place
    /// What it is selected by, or nothing where its place is enough.
    let value: AnyHashable?
    let label: Node
    var isEnabled = true
    let content: any View
}

/// What a tab is for.
public struct TabRole: Hashable, Sendable {
    let name: String
    /// It searches.
    public static let search = TabRole(name: "search")
}

/// One of several pages that a person chooses from.
public struct Tab<Value, Content, Label> {
    let value: AnyHashable?
    let role: TabRole?
    let content: Content
    let label: Label
}

extension Tab: TabContent where Value: Hashable, Content: View, Label: View {
    /// What it is selected by.
    public typealias TabValue = Value
}

extension Tab: TabSource where Value: Hashable, Content: View, Label: View {
    func gather(_ place: Place, into tabs: inout [TabEntry]) {
        let label = Node(.tab, "", place.inside("label").nodes(of: label))
        if label.spoken.isEmpty, role == .search { label.text = "Search" }
        tabs.append(TabEntry(place: place, value: value, label: label, content: content))
    }
}

/// A tab's title with its picture.
public struct DefaultTabLabel {
    let label: Label<Text, Image>?

    nonisolated init(_ label: Label<Text, Image>?) { self.label = label }
}

extension DefaultTabLabel: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension DefaultTabLabel: Evaluated {
    package func nodes(_ place: Place) -> [Node] { label?.nodes(place) ?? [] }
}

extension Tab where Value: Hashable, Content: View, Label == DefaultTabLabel {
    /// A tab with a title of the catalogue that is selected by a value.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, systemImage: String, value: Value,
        @ViewBuilder content: () -> Content
    ) {
        self.init(titleKey, systemImage: systemImage, value: value, role: nil, content: content)
    }

    /// A tab with a title of the catalogue and a role that is selected by a value.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, systemImage: String, value: Value, role: TabRole?,
        @ViewBuilder content: () -> Content
    ) {
        self.init(
            value: AnyHashable(value), role: role, content: content(),
            label: DefaultTabLabel(SwiftUI.Label(titleKey, systemImage: systemImage)))
    }

    /// A tab with a title that is selected by a value.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, systemImage: String, value: Value, @ViewBuilder content: () -> Content
    ) where S: StringProtocol {
        self.init(title, systemImage: systemImage, value: value, role: nil, content: content)
    }

    /// A tab with a title and a role that is selected by a value.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, systemImage: String, value: Value, role: TabRole?, @ViewBuilder content: () -> Content
    ) where S: StringProtocol {
        self.init(
            value: AnyHashable(value), role: role, content: content(),
            label: DefaultTabLabel(SwiftUI.Label(title, systemImage: systemImage)))
    }

    /// A tab with a role, which gives it its title, that is selected by a value.
    nonisolated public init(value: Value, role: TabRole?, @ViewBuilder content: () -> Content) {
        self.init(
            value: AnyHashable(value), role: role, content: content(), label: DefaultTabLabel(nil))
    }
}

extension Tab where Value: Hashable, Content: View, Label: View {
    /// A tab with a label that is selected by a value.
    nonisolated public init(
        value: Value, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
    ) {
        self.init(value: AnyHashable(value), role: nil, content: content(), label: label())
    }

    /// A tab with a label and a role that is selected by a value.
    nonisolated public init(
        value: Value, role: TabRole?, @ViewBuilder content: () -> Content,
        @ViewBuilder label: () -> Label
    ) {
        self.init(value: AnyHashable(value), role: role, content: content(), label: label())
    }
}

extension Tab where Value == Never, Content: View, Label == DefaultTabLabel {
    /// A tab with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content
    ) {
        self.init(titleKey, systemImage: systemImage, role: nil, content: content)
    }

    /// A tab with a title of the catalogue and a role.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, systemImage: String, role: TabRole?,
        @ViewBuilder content: () -> Content
    ) {
        self.init(
            value: nil, role: role, content: content(),
            label: DefaultTabLabel(SwiftUI.Label(titleKey, systemImage: systemImage)))
    }

    /// A tab with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, systemImage: String, @ViewBuilder content: () -> Content
    ) where S: StringProtocol {
        self.init(
            value: nil, role: nil, content: content(),
            label: DefaultTabLabel(SwiftUI.Label(title, systemImage: systemImage)))
    }

    /// A tab with a role, which gives it its title.
    nonisolated public init(role: TabRole?, @ViewBuilder content: () -> Content) {
        self.init(value: nil, role: role, content: content(), label: DefaultTabLabel(nil))
    }
}

/// Pages of which one is shown.
public struct TabView<SelectionValue, Content> where SelectionValue: Hashable, Content: View {
    let read: () -> AnyHashable?
    let write: (AnyHashable) -> Void
    let content: Content
}

extension TabView: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension TabView {
    /// Tabs of which one is selected by a value.
    nonisolated public init<C>(
        selection: Binding<SelectionValue>, @TabContentBuilder<SelectionValue> content: () -> C
    ) where Content == TabContentBuilder<SelectionValue>.Content<C>, C: TabContent {
        self.init(
            read: { AnyHashable(selection.wrappedValue) },
            write: { value in
                if let value = value.base as? SelectionValue { selection.wrappedValue = value }
            }, content: .init(content: content()))
    }
}

extension TabView where SelectionValue == Never {
    /// Tabs.
    nonisolated public init<C>(@TabContentBuilder<Never> content: () -> C)
    where Content == TabContentBuilder<Never>.Content<C>, C: TabContent {
        self.init(read: { nil }, write: { _ in }, content: .init(content: content()))
    }
}

/// Which tab is shown where the app does not say.
final class TabChoice {
    var index = 0
}

extension TabView: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        var tabs: [TabEntry] = []
        (content as? any TabSource)?.gather(place.inside("tabs"), into: &tabs)
        guard !tabs.isEmpty else { return [] }
        let choice = place.kept("tab") { TabChoice() }
        let selected = read()
        let named = selected.flatMap { value in tabs.firstIndex { $0.value == value } }
        let index = named ?? min(choice.index, tabs.count - 1)
        let change = place.pass.store.change
        for (position, tab) in tabs.enumerated() {
            tab.label.isSelected = position == index
            tab.label.isEnabled = tab.isEnabled
            tab.label.press = {
                if let value = tab.value { write(value) }
                choice.index = position
                change.mark()
            }
            // What another tab keeps is there when it is shown again.
            if position != index { place.pass.asleep.append(tab.place.path) }
        }
        let tab = tabs[index]
        let page = tab.place.inside("content").nodes(of: tab.content)
        return page + [Node(.tabBar, "", tabs.map(\.label))]
    }
}
