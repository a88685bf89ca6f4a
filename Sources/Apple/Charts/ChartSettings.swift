// SPDX-License-Identifier: Apache-2.0

/// What modifiers say of charts.
struct ChartSettings {
    /// What modifiers say of one direction.
    struct Direction {
        var isHidden = false
        var axis: [any AxisContent]?
        var title: Text?
        var domain: ChartDomain?
        /// How much is seen at once, where the chart is scrolled.
        var visible: Double?
        /// The first value that is seen.
        var scroll: Binding<Plotted?>?
        var select: ((Plotted) -> Void)?
        var selected: (() -> Plotted?)?
    }

    var x = Direction()
    var y = Direction()
    var angle = Direction()
    var scrollable: Axis.Set = []
    var isLegendHidden = false
    var legend: (any View)?
    var legendNames: [Plotted] = []
}

private struct ChartSettingsKey: EnvironmentKey {
    static var defaultValue: ChartSettings { ChartSettings() }
}

extension EnvironmentValues {
    var chart: ChartSettings {
        get { self[ChartSettingsKey.self] }
        set { self[ChartSettingsKey.self] = newValue }
    }
}

/// The values of a scale.
struct ChartDomain {
    var values: [Plotted]
    /// Whether they are the ends of a range.
    var isRange: Bool
}

/// What the values of a scale can be said by.
public protocol ScaleDomain {}

/// Something that has the values of a scale.
protocol HasDomain {
    var chartDomain: ChartDomain? { get }
}

extension ClosedRange: ScaleDomain where Bound: Plottable {}

extension ClosedRange: HasDomain where Bound: Plottable {
    var chartDomain: ChartDomain? {
        ChartDomain(values: [Plotted(lowerBound), Plotted(upperBound)], isRange: true)
    }
}

extension Array: ScaleDomain where Element: Plottable {}

extension Array: HasDomain where Element: Plottable {
    var chartDomain: ChartDomain? { ChartDomain(values: map { Plotted($0) }, isRange: false) }
}

/// The values that there are.
public struct AutomaticScaleDomain: ScaleDomain, HasDomain {
    var chartDomain: ChartDomain? { nil }
}

extension ScaleDomain where Self == AutomaticScaleDomain {
    /// The values that there are.
    public static var automatic: AutomaticScaleDomain { .init() }
    /// The values that there are, with zero or without.
    public static func automatic(
        includesZero: Bool? = nil, reversed: Bool? = nil
    ) -> AutomaticScaleDomain { .init() }
}

/// How the values of a scale are spread.
public struct ScaleType: Hashable, Sendable {
    let name: String
    /// Evenly.
    public static let linear = ScaleType(name: "linear")
    /// By powers.
    public static let log = ScaleType(name: "log")
    /// Dates.
    public static let date = ScaleType(name: "date")
    /// One after the other.
    public static let category = ScaleType(name: "category")
    /// By roots.
    public static let squareRoot = ScaleType(name: "squareRoot")
    /// By powers, round zero.
    public static let symmetricLog = ScaleType(name: "symmetricLog")
}

extension View {
    nonisolated func charting(_ change: @escaping (inout ChartSettings) -> Void) -> some View {
        transformEnvironment(\.chart, transform: change)
    }

    /// Sets the values of the scale along the chart.
    nonisolated public func chartXScale<Domain>(domain: Domain, type: ScaleType? = nil) -> some View
    where Domain: ScaleDomain { charting { $0.x.domain = (domain as? any HasDomain)?.chartDomain } }

    /// Sets how the values are spread along the chart.
    nonisolated public func chartXScale(type: ScaleType? = nil) -> some View { self }

    /// Sets the values of the scale upwards.
    nonisolated public func chartYScale<Domain>(domain: Domain, type: ScaleType? = nil) -> some View
    where Domain: ScaleDomain { charting { $0.y.domain = (domain as? any HasDomain)?.chartDomain } }

    /// Sets how the values are spread upwards.
    nonisolated public func chartYScale(type: ScaleType? = nil) -> some View { self }

    /// Sets how much is seen at once along the chart.
    nonisolated public func chartXVisibleDomain<P>(length: P) -> some View where P: Plottable, P: Numeric {
        charting { $0.x.visible = Plotted(length).number }
    }

    /// Sets how much is seen at once upwards.
    nonisolated public func chartYVisibleDomain<P>(length: P) -> some View where P: Plottable, P: Numeric {
        charting { $0.y.visible = Plotted(length).number }
    }

    /// Lets a person scroll the chart.
    nonisolated public func chartScrollableAxes(_ axes: Axis.Set) -> some View {
        charting { $0.scrollable = axes }
    }

    /// Keeps the first value that is seen along the chart.
    nonisolated public func chartScrollPosition<P>(x: Binding<P>) -> some View where P: Plottable {
        charting { $0.x.scroll = .plotted(x) }
    }

    /// Keeps the first value that is seen upwards.
    nonisolated public func chartScrollPosition<P>(y: Binding<P>) -> some View where P: Plottable {
        charting { $0.y.scroll = .plotted(y) }
    }

    /// Keeps the value along the chart that a person has chosen.
    nonisolated public func chartXSelection<P>(value: Binding<P?>) -> some View where P: Plottable {
        charting { $0.x.choose(value) }
    }

    /// Keeps the value upwards that a person has chosen.
    nonisolated public func chartYSelection<P>(value: Binding<P?>) -> some View where P: Plottable {
        charting { $0.y.choose(value) }
    }

    /// Keeps the value of a part of a circle that a person has chosen.
    nonisolated public func chartAngleSelection<P>(value: Binding<P?>) -> some View where P: Plottable {
        charting { $0.angle.choose(value) }
    }

    /// Shows what colours mean, or hides it.
    nonisolated public func chartLegend(_ visibility: Visibility) -> some View {
        charting { $0.isLegendHidden = visibility == .hidden }
    }

    /// Shows what colours mean, at a place.
    nonisolated public func chartLegend(
        position: AnnotationPosition = .automatic, alignment: Alignment? = nil, spacing: CGFloat? = nil
    ) -> some View { charting { $0.isLegendHidden = false } }

    /// Shows views that say what colours mean.
    nonisolated public func chartLegend<Content>(
        position: AnnotationPosition = .automatic, alignment: Alignment? = nil, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) -> some View where Content: View {
        let content = content()
        return charting { $0.legend = content }
    }

    /// Says which colour each value has.
    nonisolated public func chartForegroundStyleScale<DataValue, S>(
        _ mapping: KeyValuePairs<DataValue, S>
    ) -> some View where DataValue: Plottable, S: ShapeStyle {
        let names = mapping.map { Plotted($0.key) }
        return charting { $0.legendNames = names }
    }

    /// Says which colours the values have, in their order.
    nonisolated public func chartForegroundStyleScale<DataValue, S>(
        domain: [DataValue], range: [S], type: ScaleType? = nil
    ) -> some View where DataValue: Plottable, S: ShapeStyle {
        let names = domain.map { Plotted($0) }
        return charting { $0.legendNames = names }
    }

    /// Says which colours there are.
    nonisolated public func chartForegroundStyleScale<S>(range: [S], type: ScaleType? = nil) -> some View
    where S: ShapeStyle { self }

    /// Changes the part of the chart where the marks are.
    nonisolated public func chartPlotStyle<Content>(
        @ViewBuilder content: @escaping (ChartPlotContent) -> Content
    ) -> some View where Content: View { self }
}

/// The part of a chart where the marks are.
public struct ChartPlotContent: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension ChartSettings.Direction {
    mutating func choose<P: Plottable>(_ value: Binding<P?>) {
        selected = { value.wrappedValue.map { Plotted($0) } }
        select = { plotted in
            let isAgain = value.wrappedValue.map { Plotted($0).position == plotted.position } ?? false
            value.wrappedValue = isAgain ? nil : plotted.value(as: P.self)
        }
    }
}

extension Binding where Value == Plotted? {
    fileprivate static func plotted<P: Plottable>(_ value: Binding<P>) -> Binding<Plotted?> {
        Binding(
            made: { Plotted(value.wrappedValue) },
            write: { plotted in
                if let new = plotted?.value(as: P.self) { value.wrappedValue = new }
            })
    }
}
