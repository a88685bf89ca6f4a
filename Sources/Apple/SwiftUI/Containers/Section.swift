// SPDX-License-Identifier: Apache-2.0

/// Rows that belong together.
public struct Section<Parent, Content, Footer> {
    let header: Parent
    let content: Content
    let footer: Footer
    var isExpanded: Binding<Bool>?
}

extension Section: View where Parent: View, Content: View, Footer: View {
    /// It is evaluated by itself.
    public typealias Body = Never

    /// Rows with a header and a footer.
    nonisolated public init(
        @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent,
        @ViewBuilder footer: () -> Footer
    ) {
        self.init(header: header(), content: content(), footer: footer())
    }
}

extension Section: Evaluated where Parent: View, Content: View, Footer: View {
    package func nodes(_ place: Place) -> [Node] {
        let headers = place.inside("header").nodes(of: header)
        let title = headers.map(\.spoken).filter { !$0.isEmpty }.joined(separator: ", ")
        let isClosed = isExpanded.map { !$0.wrappedValue } ?? false
        let rows = isClosed ? [] : place.inside("rows").nodes(of: content)
        let notes = isClosed ? [] : place.inside("footer").nodes(of: footer)
        // A header of text is the section's name; what else stands there is a row.
        let controls = headers.flatMap(\.all).filter(\.isControl)
        let section = Node(.section, title, controls + rows)
        if !notes.isEmpty { section.children.append(Node(.footer, "", notes)) }
        if let isExpanded {
            let disclosure = Node(.disclosure, title)
            disclosure.value = isClosed ? "Collapsed" : "Expanded"
            disclosure.press = { isExpanded.wrappedValue.toggle() }
            section.children.insert(disclosure, at: 0)
        }
        return [section]
    }
}

extension Section where Parent == EmptyView, Content: View, Footer: View {
    /// Rows with a footer.
    nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(header: EmptyView(), content: content(), footer: footer())
    }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
    /// Rows with a header.
    nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), content: content(), footer: EmptyView())
    }

    /// Rows with a header that can be hidden.
    nonisolated public init(
        isExpanded: Binding<Bool>, @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent
    ) {
        self.init(header: header(), content: content(), footer: EmptyView(), isExpanded: isExpanded)
    }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    /// Rows.
    nonisolated public init(@ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: EmptyView())
    }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
    /// Rows with a title of the catalogue.
    nonisolated public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), content: content(), footer: EmptyView())
    }

    /// Rows with a title.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, @ViewBuilder content: () -> Content)
    where S: StringProtocol {
        self.init(header: Text(title), content: content(), footer: EmptyView())
    }

    /// Rows with a title of the catalogue that can be hidden.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, isExpanded: Binding<Bool>, @ViewBuilder content: () -> Content
    ) {
        self.init(
            header: Text(titleKey), content: content(), footer: EmptyView(), isExpanded: isExpanded)
    }

    /// Rows with a title that can be hidden.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, isExpanded: Binding<Bool>, @ViewBuilder content: () -> Content
    ) where S: StringProtocol {
        self.init(header: Text(title), content: content(), footer: EmptyView(), isExpanded: isExpanded)
    }
}
