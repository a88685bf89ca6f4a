// SPDX-License-Identifier: Apache-2.0

/// A line from point to point.
public struct LineMark: OneMark {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let mark: Mark

    /// A point of the line.
    nonisolated public init<X, Y>(
        x: PlottableValue<X>, y: PlottableValue<Y>
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .line, x: .init(x), y: .init(y))
    }

    /// A point of one of several lines.
    nonisolated public init<X, Y, S>(
        x: PlottableValue<X>, y: PlottableValue<Y>, series: PlottableValue<S>
    ) where X: Plottable, Y: Plottable, S: Plottable {
        mark = Mark(kind: .line, x: .init(x), y: .init(y), groups: [Plotted(series)])
    }
}

/// A point.
public struct PointMark: OneMark {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let mark: Mark

    /// A point.
    nonisolated public init<X, Y>(
        x: PlottableValue<X>, y: PlottableValue<Y>
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .point, x: .init(x), y: .init(y))
    }

    /// A point at a height of the chart.
    nonisolated public init<X>(
        x: PlottableValue<X>, y: CGFloat? = nil
    ) where X: Plottable {
        mark = Mark(kind: .point, x: .init(x))
    }

    /// A point at a width of the chart.
    nonisolated public init<Y>(
        x: CGFloat? = nil, y: PlottableValue<Y>
    ) where Y: Plottable {
        mark = Mark(kind: .point, y: .init(y))
    }
}

/// A bar.
public struct BarMark: OneMark {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let mark: Mark

    /// A bar to a value.
    nonisolated public init<X, Y>(
        x: PlottableValue<X>, y: PlottableValue<Y>, width: MarkDimension = .automatic,
        height: MarkDimension = .automatic, stacking: MarkStackingMethod = .standard
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .bar, x: .init(x), y: .init(y))
    }

    /// A bar from one value to another, along the chart.
    nonisolated public init<X, Y>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, y: PlottableValue<Y>,
        height: MarkDimension = .automatic
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .bar, x: .init(xStart, xEnd), y: .init(y))
    }

    /// A bar from one value to another, upwards.
    nonisolated public init<X, Y>(
        x: PlottableValue<X>, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>,
        width: MarkDimension = .automatic
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .bar, x: .init(x), y: .init(yStart, yEnd))
    }

    /// A bar from one value to another, at a height of the chart.
    nonisolated public init<X>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, yStart: CGFloat? = nil, yEnd: CGFloat? = nil
    ) where X: Plottable {
        mark = Mark(kind: .bar, x: .init(xStart, xEnd))
    }

    /// A bar from one value to another, at a width of the chart.
    nonisolated public init<Y>(
        xStart: CGFloat? = nil, xEnd: CGFloat? = nil, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>
    ) where Y: Plottable {
        mark = Mark(kind: .bar, y: .init(yStart, yEnd))
    }

    /// A bar of the chart's height.
    nonisolated public init<X>(
        x: PlottableValue<X>, yStart: CGFloat? = nil, yEnd: CGFloat? = nil, width: MarkDimension = .automatic,
        stacking: MarkStackingMethod = .standard
    ) where X: Plottable {
        mark = Mark(kind: .bar, x: .init(x))
    }

    /// A bar of the chart's width.
    nonisolated public init<Y>(
        xStart: CGFloat? = nil, xEnd: CGFloat? = nil, y: PlottableValue<Y>,
        height: MarkDimension = .automatic, stacking: MarkStackingMethod = .standard
    ) where Y: Plottable {
        mark = Mark(kind: .bar, y: .init(y))
    }
}

/// What lies under a line.
public struct AreaMark: OneMark {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let mark: Mark

    /// A point of the line.
    nonisolated public init<X, Y>(
        x: PlottableValue<X>, y: PlottableValue<Y>, stacking: MarkStackingMethod = .standard
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .area, x: .init(x), y: .init(y))
    }

    /// A point of one of several lines.
    nonisolated public init<X, Y, S>(
        x: PlottableValue<X>, y: PlottableValue<Y>, series: PlottableValue<S>,
        stacking: MarkStackingMethod = .standard
    ) where X: Plottable, Y: Plottable, S: Plottable {
        mark = Mark(kind: .area, x: .init(x), y: .init(y), groups: [Plotted(series)])
    }

    /// A part of what lies between two lines.
    nonisolated public init<X, Y>(
        x: PlottableValue<X>, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .area, x: .init(x), y: .init(yStart, yEnd))
    }

    /// A part of what lies between two of several lines.
    nonisolated public init<X, Y, S>(
        x: PlottableValue<X>, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>, series: PlottableValue<S>
    ) where X: Plottable, Y: Plottable, S: Plottable {
        mark = Mark(kind: .area, x: .init(x), y: .init(yStart, yEnd), groups: [Plotted(series)])
    }

    /// A part of what lies between two lines that go up.
    nonisolated public init<X, Y>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, y: PlottableValue<Y>
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .area, x: .init(xStart, xEnd), y: .init(y))
    }

    /// A part of what lies between two of several lines that go up.
    nonisolated public init<X, Y, S>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, y: PlottableValue<Y>, series: PlottableValue<S>
    ) where X: Plottable, Y: Plottable, S: Plottable {
        mark = Mark(kind: .area, x: .init(xStart, xEnd), y: .init(y), groups: [Plotted(series)])
    }
}

/// A straight line.
public struct RuleMark: OneMark {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let mark: Mark

    /// A line upwards.
    nonisolated public init<X>(
        x: PlottableValue<X>, yStart: CGFloat? = nil, yEnd: CGFloat? = nil
    ) where X: Plottable {
        mark = Mark(kind: .rule, x: .init(x))
    }

    /// A line along the chart.
    nonisolated public init<Y>(
        xStart: CGFloat? = nil, xEnd: CGFloat? = nil, y: PlottableValue<Y>
    ) where Y: Plottable {
        mark = Mark(kind: .rule, y: .init(y))
    }

    /// A line upwards from one value to another.
    nonisolated public init<X, Y>(
        x: PlottableValue<X>, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .rule, x: .init(x), y: .init(yStart, yEnd))
    }

    /// A line along the chart from one value to another.
    nonisolated public init<X, Y>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, y: PlottableValue<Y>
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .rule, x: .init(xStart, xEnd), y: .init(y))
    }
}

/// A rectangle.
public struct RectangleMark: OneMark {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let mark: Mark

    /// A rectangle at a place.
    nonisolated public init<X, Y>(
        x: PlottableValue<X>, y: PlottableValue<Y>, width: MarkDimension = .automatic,
        height: MarkDimension = .automatic
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .rectangle, x: .init(x), y: .init(y))
    }

    /// A rectangle between values.
    nonisolated public init<X, Y>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .rectangle, x: .init(xStart, xEnd), y: .init(yStart, yEnd))
    }

    /// A rectangle from one value to another, upwards.
    nonisolated public init<X, Y>(
        x: PlottableValue<X>, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>,
        width: MarkDimension = .automatic
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .rectangle, x: .init(x), y: .init(yStart, yEnd))
    }

    /// A rectangle from one value to another, along the chart.
    nonisolated public init<X, Y>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, y: PlottableValue<Y>,
        height: MarkDimension = .automatic
    ) where X: Plottable, Y: Plottable {
        mark = Mark(kind: .rectangle, x: .init(xStart, xEnd), y: .init(y))
    }

    /// A rectangle of the chart's height.
    nonisolated public init<X>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, yStart: CGFloat? = nil, yEnd: CGFloat? = nil
    ) where X: Plottable {
        mark = Mark(kind: .rectangle, x: .init(xStart, xEnd))
    }

    /// A rectangle of the chart's width.
    nonisolated public init<Y>(
        xStart: CGFloat? = nil, xEnd: CGFloat? = nil, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>
    ) where Y: Plottable {
        mark = Mark(kind: .rectangle, y: .init(yStart, yEnd))
    }

    /// A rectangle of the chart's height at a value.
    nonisolated public init<X>(
        x: PlottableValue<X>, yStart: CGFloat? = nil, yEnd: CGFloat? = nil,
        width: MarkDimension = .automatic
    ) where X: Plottable { mark = Mark(kind: .rectangle, x: .init(x)) }

    /// A rectangle of the chart's width at a value.
    nonisolated public init<Y>(
        xStart: CGFloat? = nil, xEnd: CGFloat? = nil, y: PlottableValue<Y>,
        height: MarkDimension = .automatic
    ) where Y: Plottable { mark = Mark(kind: .rectangle, y: .init(y)) }
}

/// A part of a circle.
public struct SectorMark: OneMark {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let mark: Mark

    /// A part that is as large as a value.
    nonisolated public init<V>(
        angle: PlottableValue<V>, innerRadius: MarkDimension = .automatic,
        outerRadius: MarkDimension = .automatic, angularInset: CGFloat? = nil
    ) where V: Plottable {
        mark = Mark(kind: .sector, angle: .init(angle))
    }
}
