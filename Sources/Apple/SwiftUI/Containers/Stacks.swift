// SPDX-License-Identifier: Apache-2.0

/// Views below each other.
public struct VStack<Content> where Content: View {
    let content: Content

    /// Views below each other.
    nonisolated public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension VStack: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension VStack: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.joined(content) }
}

/// Views beside each other.
public struct HStack<Content> where Content: View {
    let content: Content

    /// Views beside each other.
    nonisolated public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension HStack: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension HStack: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.joined(content) }
}

/// Views upon each other.
public struct ZStack<Content> where Content: View {
    let content: Content

    /// Views upon each other.
    nonisolated public init(
        alignment: Alignment = .center, @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension ZStack: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension ZStack: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.joined(content) }
}

extension Place {
    /// The views of a container, as one node where there are several.
    func joined(_ content: some View) -> [Node] {
        let nodes = inside("stack").nodes(of: content)
        return nodes.count > 1 ? [Node(.group, "", nodes)] : nodes
    }
}
