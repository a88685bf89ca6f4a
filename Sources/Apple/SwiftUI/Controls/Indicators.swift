// SPDX-License-Identifier: Apache-2.0

/// How far something has come.
public struct ProgressView<Label, CurrentValueLabel> where Label: View, CurrentValueLabel: View {
    let share: Double?
    let label: Label?
    let current: CurrentValueLabel?
    var clock: Clock?
}

extension ProgressView: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension ProgressView: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.progress, "", label.map { place.inside("label").nodes(of: $0) } ?? [])
        let written = current.map { place.inside("value").nodes(of: $0).map(\.spoken).joined() }
        let share = clock.map { $0.countsDown ? 1 - $0.share(place.now) : $0.share(place.now) } ?? share
        node.value = written ?? share.map { "\(Int(($0 * 100).rounded()))%" }
        // VoiceOver says that something goes on where nobody says what.
        if node.children.isEmpty { node.text = share == nil ? "In progress" : "Progress" }
        return [node]
    }
}

extension ProgressView where CurrentValueLabel == EmptyView {
    /// Something goes on.
    nonisolated public init() where Label == EmptyView {
        self.init(share: nil, label: nil, current: nil)
    }

    /// Something goes on, with a label.
    nonisolated public init(@ViewBuilder label: () -> Label) {
        self.init(share: nil, label: label(), current: nil)
    }

    /// Something goes on, with a title of the catalogue.
    nonisolated public init(_ titleKey: LocalizedStringKey) where Label == Text {
        self.init(share: nil, label: Text(titleKey), current: nil)
    }

    /// Something goes on, with a title.
    @_disfavoredOverload nonisolated public init<S>(_ title: S) where Label == Text, S: StringProtocol {
        self.init(share: nil, label: Text(title), current: nil)
    }

    /// How far something has come.
    nonisolated public init<V>(value: V?, total: V = 1.0) where Label == EmptyView, V: BinaryFloatingPoint {
        self.init(share: value.map { Double($0 / total) }, label: nil, current: nil)
    }

    /// How far something has come, with a label.
    nonisolated public init<V>(value: V?, total: V = 1.0, @ViewBuilder label: () -> Label)
    where V: BinaryFloatingPoint {
        self.init(share: value.map { Double($0 / total) }, label: label(), current: nil)
    }

    /// How far something has come, with a title of the catalogue.
    nonisolated public init<V>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1.0)
    where Label == Text, V: BinaryFloatingPoint {
        self.init(share: value.map { Double($0 / total) }, label: Text(titleKey), current: nil)
    }

    /// How far something has come, with a title.
    @_disfavoredOverload nonisolated public init<S, V>(_ title: S, value: V?, total: V = 1.0)
    where Label == Text, S: StringProtocol, V: BinaryFloatingPoint {
        self.init(share: value.map { Double($0 / total) }, label: Text(title), current: nil)
    }
}

extension ProgressView {
    /// How far something has come, with labels.
    nonisolated public init<V>(
        value: V?, total: V = 1.0, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) where V: BinaryFloatingPoint {
        self.init(
            share: value.map { Double($0 / total) }, label: label(), current: currentValueLabel())
    }
}

/// A name with its value.
public struct LabeledContent<Label, Content> {
    let label: Label
    let content: Content
}

extension LabeledContent: View where Label: View, Content: View {
    /// It is evaluated by itself.
    public typealias Body = Never

    /// A name with its value.
    nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.init(label: label(), content: content())
    }
}

extension LabeledContent: Evaluated where Label: View, Content: View {
    package func nodes(_ place: Place) -> [Node] {
        let labels = place.inside("label").nodes(of: label)
        let values = place.inside("content").nodes(of: content)
        return [Node(.group, "", labels + values)]
    }
}

extension LabeledContent where Label == Text, Content: View {
    /// A title of the catalogue with a value.
    nonisolated public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(label: Text(titleKey), content: content())
    }

    /// A title with a value.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, @ViewBuilder content: () -> Content)
    where S: StringProtocol {
        self.init(label: Text(title), content: content())
    }
}

extension LabeledContent where Label == Text, Content == Text {
    /// A title of the catalogue with a text.
    @_disfavoredOverload nonisolated public init<S>(_ titleKey: LocalizedStringKey, value: S)
    where S: StringProtocol {
        self.init(label: Text(titleKey), content: Text(value))
    }

    /// A title with a text.
    @_disfavoredOverload nonisolated public init<S1, S2>(_ title: S1, value: S2)
    where S1: StringProtocol, S2: StringProtocol {
        self.init(label: Text(title), content: Text(value))
    }

    /// A title with a value in a format.
    @_disfavoredOverload nonisolated public init<S, F>(_ title: S, value: F.FormatInput, format: F)
    where S: StringProtocol, F: FormatStyle, F.FormatInput: Equatable, F.FormatOutput == String {
        self.init(label: Text(title), content: Text(value, format: format))
    }

    /// A title of the catalogue with a value in a format.
    nonisolated public init<F>(_ titleKey: LocalizedStringKey, value: F.FormatInput, format: F)
    where F: FormatStyle, F.FormatInput: Equatable, F.FormatOutput == String {
        self.init(label: Text(titleKey), content: Text(value, format: format))
    }
}

/// What is shown where there is nothing.
public struct ContentUnavailableView<Label, Description, Actions>
where Label: View, Description: View, Actions: View {
    let label: Label
    let description: Description
    let actions: Actions

    /// A label, with what it means and what can be done.
    nonisolated public init(
        @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        self.label = label()
        self.description = description()
        self.actions = actions()
    }
}

extension ContentUnavailableView: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension ContentUnavailableView: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let parts =
            place.inside("label").nodes(of: label) + place.inside("description").nodes(of: description)
            + place.inside("actions").nodes(of: actions)
        return [Node(.unavailable, "", parts)]
    }
}

extension ContentUnavailableView
where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    /// A title of the catalogue with a symbol and what it means.
    nonisolated public init(
        _ title: LocalizedStringKey, systemImage name: String, description: Text? = nil
    ) {
        self.init {
            SwiftUI.Label(title, systemImage: name)
        } description: {
            description
        } actions: {
            EmptyView()
        }
    }

    /// A title with a symbol and what it means.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, systemImage name: String, description: Text? = nil
    )
    where S: StringProtocol {
        self.init {
            SwiftUI.Label(title, systemImage: name)
        } description: {
            description
        } actions: {
            EmptyView()
        }
    }
}

extension ContentUnavailableView
where
    Label == SearchUnavailableContent.Label,
    Description == SearchUnavailableContent.Description, Actions == SearchUnavailableContent.Actions
{
    /// A search that has found nothing.
    public static var search: ContentUnavailableView<Label, Description, Actions> { search(text: "") }

    /// A search for a text that has found nothing.
    public static func search(text: String) -> ContentUnavailableView<Label, Description, Actions> {
        ContentUnavailableView {
            Label(text: text)
        } description: {
            Description()
        } actions: {
            Actions()
        }
    }
}

/// What is shown where a search has found nothing.
public struct SearchUnavailableContent {
    /// Says so.
    public struct Label { let text: String }
    /// Says what can be done.
    public struct Description {}
    /// There is nothing to press.
    public struct Actions {}
}

extension SearchUnavailableContent.Label: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension SearchUnavailableContent.Label: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        [Node(.text, text.isEmpty ? "No Results" : "No Results for “\(text)”")]
    }
}

extension SearchUnavailableContent.Description: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension SearchUnavailableContent.Description: Evaluated {
    package func nodes(_ place: Place) -> [Node] { [Node(.text, "Check the spelling or try a new search.")] }
}

extension SearchUnavailableContent.Actions: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension SearchUnavailableContent.Actions: Evaluated {
    package func nodes(_ place: Place) -> [Node] { [] }
}
