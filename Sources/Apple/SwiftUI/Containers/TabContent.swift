// SPDX-License-Identifier: Apache-2.0

/// Makes the tabs of a tab view.
@resultBuilder public struct TabContentBuilder<TabValue> where TabValue: Hashable {
    /// The tabs as a view.
    public struct Content<C>: View where C: TabContent {
        /// It is evaluated by itself.
        public typealias Body = Never

        nonisolated(unsafe) let content: C

        nonisolated init(content: C) { self.content = content }
    }

    /// A tab as it is.
    public static func buildExpression<Content>(_ content: Content) -> Content
    where TabValue == Content.TabValue, Content: TabContent {
        content
    }

    /// One tab.
    public static func buildBlock<C>(_ content: C) -> C where TabValue == C.TabValue, C: TabContent {
        content
    }

    /// Several tabs.
    public static func buildBlock<each C>(_ content: repeat each C) -> TupleTabContent<
        TabValue, (repeat each C)
    > where repeat each C: TabContent {
        TupleTabContent((repeat each content))
    }

    /// A tab that may be absent.
    public static func buildIf<C>(_ content: C?) -> C? where TabValue == C.TabValue, C: TabContent {
        content
    }

    /// The first of two tabs.
    public static func buildEither<T, F>(first: T) -> _ConditionalContent<T, F>
    where TabValue == T.TabValue, T: TabContent, F: TabContent, T.TabValue == F.TabValue {
        _ConditionalContent(storage: .first(first))
    }

    /// The second of two tabs.
    public static func buildEither<T, F>(second: F) -> _ConditionalContent<T, F>
    where TabValue == F.TabValue, T: TabContent, F: TabContent, T.TabValue == F.TabValue {
        _ConditionalContent(storage: .second(second))
    }
}

extension TabContentBuilder.Content: TabSource {
    nonisolated func gather(_ place: Place, into tabs: inout [TabEntry]) {
        (content as? any TabSource)?.gather(place, into: &tabs)
    }
}

/// Several tabs.
public struct TupleTabContent<TabValue, T>: TabContent where TabValue: Hashable {
    nonisolated(unsafe) let content: T

    nonisolated init(_ content: T) { self.content = content }
}

extension TupleTabContent: TabSource {
    nonisolated func gather(_ place: Place, into tabs: inout [TabEntry]) {
        for (index, one) in Mirror(reflecting: content).children.enumerated() {
            (one.value as? any TabSource)?.gather(place.inside("\(index)"), into: &tabs)
        }
    }
}

extension Optional: TabContent where Wrapped: TabContent {
    /// What a tab is selected by.
    public typealias TabValue = Wrapped.TabValue
}

extension Optional: TabSource where Wrapped: TabContent {
    func gather(_ place: Place, into tabs: inout [TabEntry]) {
        flatMap { $0 as? any TabSource }?
            .gather(place.inside("some"), into: &tabs)
    }
}

extension _ConditionalContent: TabContent
where TrueContent: TabContent, FalseContent: TabContent, TrueContent.TabValue == FalseContent.TabValue {
    /// What a tab is selected by.
    public typealias TabValue = TrueContent.TabValue
}

extension _ConditionalContent: TabSource
where TrueContent: TabContent, FalseContent: TabContent, TrueContent.TabValue == FalseContent.TabValue {
    func gather(_ place: Place, into tabs: inout [TabEntry]) {
        switch storage {
        case .first(let tab): (tab as? any TabSource)?.gather(place.inside("true"), into: &tabs)
        case .second(let tab): (tab as? any TabSource)?.gather(place.inside("false"), into: &tabs)
        }
    }
}

/// Tabs that belong together, with a header in a sidebar.
public struct TabSection<Header, Content, Footer, SelectionValue> where SelectionValue: Hashable {
    let content: Content
}

extension TabSection: TabContent where Header: View, Content: TabContent, Footer: View {
    /// What a tab is selected by.
    public typealias TabValue = SelectionValue
}

extension TabSection: TabSource where Header: View, Content: TabContent, Footer: View {
    func gather(_ place: Place, into tabs: inout [TabEntry]) {
        (content as? any TabSource)?.gather(place.inside("section"), into: &tabs)
    }
}

extension TabSection where Header == Text, Content: TabContent, Footer == EmptyView {
    /// Tabs with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, @TabContentBuilder<SelectionValue> content: () -> Content
    ) where SelectionValue == Content.TabValue {
        self.content = content()
    }

    /// Tabs with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, @TabContentBuilder<SelectionValue> content: () -> Content
    ) where SelectionValue == Content.TabValue, S: StringProtocol {
        self.content = content()
    }
}

/// A tab with something changed.
struct ChangedTab<Content: TabContent> {
    let content: Content
    let change: (inout TabEntry) -> Void
}

extension ChangedTab: TabContent { typealias TabValue = Content.TabValue }

extension ChangedTab: TabSource {
    func gather(_ place: Place, into tabs: inout [TabEntry]) {
        let first = tabs.count
        (content as? any TabSource)?.gather(place, into: &tabs)
        for index in first..<tabs.count { change(&tabs[index]) }
    }
}

extension TabContent {
    /// Puts a number on the tab; none for zero.
    nonisolated public func badge(_ count: Int) -> some TabContent<TabValue> {
        ChangedTab(content: self) { $0.label.badge = count == 0 ? nil : "\(count)" }
    }

    /// Puts a text on the tab.
    nonisolated public func badge(_ label: Text?) -> some TabContent<TabValue> {
        ChangedTab(content: self) { $0.label.badge = label?.written(in: $0.place) }
    }

    /// Keeps the tab from being selected.
    nonisolated public func disabled(_ disabled: Bool) -> some TabContent<TabValue> {
        ChangedTab(content: self) { if disabled { $0.isEnabled = false } }
    }

    /// Gives the tab a name for tests.
    nonisolated public func accessibilityIdentifier(_ identifier: String) -> some TabContent<TabValue> {
        ChangedTab(content: self) { $0.label.identifier = identifier }
    }
}

/// How a tab view is shown.
@MainActor @preconcurrency public protocol TabViewStyle {}

/// As its surroundings like.
public struct DefaultTabViewStyle: TabViewStyle {
    /// The style.
    nonisolated public init() {}
}

/// With a sidebar where there is room.
public struct SidebarAdaptableTabViewStyle: TabViewStyle {
    /// The style.
    nonisolated public init() {}
}

/// With pages that are leafed through.
public struct PageTabViewStyle: TabViewStyle {
    /// The style.
    nonisolated public init() {}
}

extension TabViewStyle where Self == DefaultTabViewStyle {
    /// As its surroundings like.
    @MainActor @preconcurrency public static var automatic: DefaultTabViewStyle { .init() }
}

extension TabViewStyle where Self == SidebarAdaptableTabViewStyle {
    /// With a sidebar where there is room.
    @MainActor @preconcurrency public static var sidebarAdaptable: SidebarAdaptableTabViewStyle { .init() }
}

extension TabViewStyle where Self == PageTabViewStyle {
    /// With pages that are leafed through.
    @MainActor @preconcurrency public static var page: PageTabViewStyle { .init() }
}

extension View {
    /// Sets how tab views are shown.
    nonisolated public func tabViewStyle<S>(_ style: S) -> some View where S: TabViewStyle { self }
}
