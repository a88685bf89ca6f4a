// SPDX-License-Identifier: Apache-2.0

/// Views below each other, made when they are seen.
public struct LazyVStack<Content> where Content: View {
    let content: Content

    /// Views below each other, made when they are seen.
    nonisolated public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension LazyVStack: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension LazyVStack: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.joined(content) }
}

/// Views beside each other, made when they are seen.
public struct LazyHStack<Content> where Content: View {
    let content: Content

    /// Views beside each other, made when they are seen.
    nonisolated public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension LazyHStack: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension LazyHStack: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.joined(content) }
}

/// Views in columns.
public struct LazyVGrid<Content> where Content: View {
    let content: Content

    /// Views in columns.
    nonisolated public init(
        columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension LazyVGrid: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension LazyVGrid: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.joined(content) }
}

/// Views in rows and columns.
public struct Grid<Content> where Content: View {
    let content: Content

    /// Views in rows and columns.
    nonisolated public init(
        alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension Grid: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Grid: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.joined(content) }
}

/// A row of a grid.
public struct GridRow<Content> where Content: View {
    let content: Content

    /// A row of a grid.
    nonisolated public init(
        alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension GridRow: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension GridRow: Evaluated {
    package func nodes(_ place: Place) -> [Node] { place.joined(content) }
}

/// Views that are scrolled.
public struct ScrollView<Content> where Content: View {
    let content: Content

    /// Views that are scrolled.
    nonisolated public init(
        _ axes: Axis.Set = .vertical, showsIndicators: Bool = true,
        @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension ScrollView: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension ScrollView: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        guard place.environment.refresh != nil else { return place.joined(content) }
        let node = Node(.group, "", place.inside("stack").nodes(of: content))
        node.addRefresh(place)
        return [node]
    }
}

/// The first of some views that fits; here the first.
public struct ViewThatFits<Content> where Content: View {
    let content: Content

    /// The first of some views that fits; here the first.
    nonisolated public init(
        in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension ViewThatFits: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension ViewThatFits: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        Array(place.inside("fitting").nodes(of: content).prefix(1))
    }
}

/// A column of a grid.
public struct GridItem: Sendable {
    /// How wide a column is.
    public enum Size: Sendable {
        /// So many points.
        case fixed(CGFloat)
        /// One column with what room there is.
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        /// As many columns as there is room for.
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }

    /// How wide it is.
    public var size: GridItem.Size
    /// How far the next one is away.
    public var spacing: CGFloat?
    /// Where in the column views are.
    public var alignment: Alignment?

    /// A column.
    public init(
        _ size: GridItem.Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil
    ) {
        self.size = size
        self.spacing = spacing
        self.alignment = alignment
    }
}

/// Which views stay when the rest is scrolled.
public struct PinnedScrollableViews: OptionSet, Sendable {
    /// The number of the set.
    public let rawValue: UInt32
    /// The set with a number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The headers of sections.
    public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
    /// The footers of sections.
    public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}
