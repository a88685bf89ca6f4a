// SPDX-License-Identifier: Apache-2.0

/// Where a search field is.
public struct SearchFieldPlacement: Sendable {
    /// Where the title's bar has one.
    public struct NavigationBarDrawerDisplayMode: Sendable {
        /// It goes when one scrolls.
        public static let automatic = NavigationBarDrawerDisplayMode()
        /// It stays.
        public static let always = NavigationBarDrawerDisplayMode()
    }
    /// Where the system likes.
    public static let automatic = SearchFieldPlacement()
    /// In the bars.
    public static let toolbar = SearchFieldPlacement()
    /// In the sidebar.
    public static let sidebar = SearchFieldPlacement()
    /// Below the title.
    public static let navigationBarDrawer = SearchFieldPlacement()
    /// Below the title.
    public static func navigationBarDrawer(
        displayMode: SearchFieldPlacement.NavigationBarDrawerDisplayMode
    ) -> SearchFieldPlacement { SearchFieldPlacement() }
}

/// When the scopes of a search are shown.
public struct SearchScopeActivation: Sendable {
    /// When the system likes.
    public static let automatic = SearchScopeActivation()
    /// When something is written.
    public static let onTextEntry = SearchScopeActivation()
    /// When the search begins.
    public static let onSearchPresentation = SearchScopeActivation()
}

/// A search that a person sees.
private struct Searched<Content: View> {
    let content: Content
    let text: Binding<String>
    let isPresented: Binding<Bool>?
    let prompt: Text?
}

extension Searched: View { typealias Body = Never }

extension Searched: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let (text, isPresented) = (text, isPresented)
        var inner = place.inside("content")
        inner.environment.isSearching = isPresented?.wrappedValue ?? !text.wrappedValue.isEmpty
        let dismiss = {
            text.wrappedValue = ""
            isPresented?.wrappedValue = false
        }
        nonisolated(unsafe) let action = dismiss
        inner.environment.dismissSearch = DismissSearchAction { action() }
        let field = Node(.searchField)
        field.label = prompt?.written(in: place) ?? "Search"
        field.value = text.wrappedValue
        field.enter = {
            isPresented?.wrappedValue = true
            text.wrappedValue = $0
        }
        field.submit = place.environment.submitAction(.search)
        return inner.nodes(of: content) + [field]
    }
}

extension View {
    /// Lets a person search, with a prompt.
    nonisolated public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
    ) -> some View {
        Searched(content: self, text: text, isPresented: nil, prompt: prompt)
    }

    /// Lets a person search, with a prompt of the catalogue.
    nonisolated public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View {
        Searched(content: self, text: text, isPresented: nil, prompt: Text(prompt))
    }

    /// Lets a person search, with a prompt.
    @_disfavoredOverload nonisolated public func searchable<S>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: S
    ) -> some View where S: StringProtocol {
        Searched(content: self, text: text, isPresented: nil, prompt: Text(prompt))
    }

    /// Lets a person search while a value is true, with a prompt.
    nonisolated public func searchable(
        text: Binding<String>, isPresented: Binding<Bool>, placement: SearchFieldPlacement = .automatic,
        prompt: Text? = nil
    ) -> some View {
        Searched(content: self, text: text, isPresented: isPresented, prompt: prompt)
    }

    /// Lets a person search while a value is true, with a prompt of the catalogue.
    nonisolated public func searchable(
        text: Binding<String>, isPresented: Binding<Bool>, placement: SearchFieldPlacement = .automatic,
        prompt: LocalizedStringKey
    ) -> some View {
        Searched(content: self, text: text, isPresented: isPresented, prompt: Text(prompt))
    }

    /// Lets a person choose where to search.
    nonisolated public func searchScopes<V, S>(
        _ scope: Binding<V>, @ViewBuilder scopes: () -> S
    ) -> some View where V: Hashable, S: View {
        let picker = Picker(selection: scope, content: scopes) { Text(verbatim: "Scope") }
        return altered { place, nodes in nodes + place.inside("scopes").nodes(of: picker) }
    }

    /// Lets a person choose where to search, shown at a time.
    nonisolated public func searchScopes<V, S>(
        _ scope: Binding<V>, activation: SearchScopeActivation, @ViewBuilder _ scopes: () -> S
    ) -> some View where V: Hashable, S: View {
        searchScopes(scope, scopes: scopes)
    }

    /// Does something when a field is left by its return key.
    nonisolated public func onSubmit(
        of triggers: SubmitTriggers = .text, _ action: @escaping (() -> Void)
    ) -> some View {
        surrounded { $0.submit.append((triggers, action)) }
    }
}

/// Which fields tell that they are left.
public struct SubmitTriggers: OptionSet, Sendable {
    /// The number of the set.
    public let rawValue: Int
    /// The set with a number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Fields of text.
    public static let text = SubmitTriggers(rawValue: 1)
    /// Fields of searches.
    public static let search = SubmitTriggers(rawValue: 2)
}
