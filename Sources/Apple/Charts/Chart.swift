// SPDX-License-Identifier: Apache-2.0

/// A chart: each of its marks is heard by its values.
public struct Chart<Content> where Content: ChartContent {
    let content: Content

    /// A chart of marks.
    nonisolated public init(@ChartContentBuilder content: () -> Content) { self.content = content() }

    /// A chart with marks for each of some data.
    nonisolated public init<Data, C>(
        _ data: Data, @ChartContentBuilder content: @escaping (Data.Element) -> C
    )
    where
        Content == ForEach<Data, Data.Element.ID, C>, Data: RandomAccessCollection, C: ChartContent,
        Data.Element: Identifiable
    {
        self.content = ForEach(data, content: content)
    }

    /// A chart with marks for each of some data.
    nonisolated public init<Data, ID, C>(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ChartContentBuilder content: @escaping (Data.Element) -> C
    )
    where
        Content == ForEach<Data, ID, C>, Data: RandomAccessCollection, ID: Hashable, C: ChartContent
    {
        self.content = ForEach(data, id: id, content: content)
    }
}

extension Chart: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Chart: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let settings = place.environment.chart
        let all = place.inside("marks").marks(of: content)
        let x = ChartScale(settings.x, all.compactMap(\.x))
        let y = ChartScale(settings.y, all.compactMap(\.y))
        let chart = Node(.chart)
        var seen = all
        if settings.scrollable.contains(.horizontal) {
            seen = chart.scroll(x, settings.x, place.state("x", first: nil), seen, \.x)
        }
        if settings.scrollable.contains(.vertical) {
            seen = chart.scroll(y, settings.y, place.state("y", first: nil), seen, \.y)
        }
        chart.children = seen.map { $0.node(settings, place) }
        chart.children += x.axis(settings.x, place.inside("x axis"))
        chart.children += y.axis(settings.y, place.inside("y axis"))
        chart.children += legend(all, settings, place.inside("legend"))
        chart.isEnabled = place.environment.isEnabled
        return [chart]
    }

    /// What says what colours mean.
    private func legend(_ marks: [Mark], _ settings: ChartSettings, _ place: Place) -> [Node] {
        if settings.isLegendHidden { return [] }
        if let legend = settings.legend { return place.nodes(of: legend) }
        var names: [Plotted] = []
        let found = marks.compactMap(\.legend)
        for name in (found.isEmpty ? [] : settings.legendNames) + found
        where !names.contains(where: { $0.position == name.position }) {
            names.append(name)
        }
        return .seen(names.map { $0.written(place.environment) })
    }
}

extension [Node] {
    /// Texts that are seen, and that VoiceOver passes over, since it reads the marks.
    static func seen(_ texts: [String]) -> [Node] {
        if texts.isEmpty { return [] }
        let group = Node(.group, "", texts.map { Node(.text, $0) })
        group.isSilent = true
        return [group]
    }
}

extension Node {
    /// Leaves the marks that are seen, and lets the chart be scrolled by as much as is seen.
    fileprivate func scroll(
        _ scale: ChartScale, _ direction: ChartSettings.Direction, _ own: Binding<Plotted?>, _ marks: [Mark],
        _ extent: KeyPath<Mark, Mark.Extent?>
    ) -> [Mark] {
        guard let visible = direction.visible, let window = scale.window(visible) else { return marks }
        let position = direction.scroll ?? own
        let first = position.wrappedValue.flatMap(scale.place) ?? window.first
        adjust = { way in
            let wanted = first + (way == .increment ? visible : -visible)
            position.wrappedValue = scale.plotted(
                Swift.max(window.first, Swift.min(window.last - window.seen, wanted)))
        }
        return marks.filter { mark in
            let places = mark[keyPath: extent]?.all.compactMap(scale.place) ?? []
            return places.isEmpty || places.contains { $0 >= first && $0 <= first + window.seen }
        }
    }
}

extension Mark {
    /// The mark as VoiceOver reads it.
    fileprivate func node(_ settings: ChartSettings, _ place: Place) -> Node {
        let values = place.environment
        let parts = [x, y, angle].compactMap { $0?.written(values) } + groups.map { $0.written(values) }
        let node = Node(.mark, parts.joined(separator: ", "), annotations)
        node.label = label.map(place.written)
        node.value = value.map(place.written)
        node.identifier = identifier
        node.isSilent = isHidden
        let ways = [(x, settings.x), (y, settings.y), (angle, settings.angle)]
        for case (let extent?, let direction) in ways {
            guard let select = direction.select else { continue }
            node.isSelected = direction.selected?()?.position == extent.first.position
            let press = node.press
            node.press = {
                press?()
                select(extent.first)
            }
        }
        return node
    }
}
