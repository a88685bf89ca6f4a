// SPDX-License-Identifier: Apache-2.0

/// Something that is drawn in a chart.
struct Mark {
    /// How it is drawn.
    enum Kind: String { case line, point, bar, area, rule, rectangle, sector }

    /// A value of the mark, or the ends of a range of them.
    struct Extent {
        let first: Plotted
        var last: Plotted?
    }

    let kind: Kind
    var x: Extent?
    var y: Extent?
    /// The part of a circle.
    var angle: Extent?
    /// The values that tell marks apart: by a line, a colour or a symbol.
    var groups: [Plotted] = []
    /// Whether a colour tells what it belongs to, and to what.
    var legend: Plotted?
    var label: Text?
    var value: Text?
    var identifier: String?
    var isHidden = false
    var annotations: [Node] = []
}

extension Mark.Extent {
    init<V>(_ value: PlottableValue<V>) { self.init(first: Plotted(value)) }

    init<V>(_ start: PlottableValue<V>, _ end: PlottableValue<V>) {
        self.init(first: Plotted(start), last: Plotted(end))
    }

    /// The values as they are read.
    func written(_ values: EnvironmentValues) -> String {
        first.written(values) + (last.map { " to " + $0.written(values) } ?? "")
    }

    var all: [Plotted] { [first] + (last.map { [$0] } ?? []) }
}

/// A mark of the chart, for the types of marks.
protocol OneMark: ChartContent, Marking where Body == Never {
    nonisolated var mark: Mark { get }
}

extension OneMark {
    nonisolated func marks(_ place: Place) -> [Mark] { [mark] }
}

/// How large a mark is across.
public struct MarkDimension: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, Sendable {
    /// As there is room.
    public static var automatic: MarkDimension { MarkDimension() }
    /// So many points.
    public static func fixed(_ value: CGFloat) -> MarkDimension { MarkDimension() }
    /// The room, without so many points.
    public static func inset(_ value: CGFloat) -> MarkDimension { MarkDimension() }
    /// A share of the room.
    public static func ratio(_ value: CGFloat) -> MarkDimension { MarkDimension() }
    init() {}
    /// So many points.
    public init(integerLiteral value: Int) {}
    /// So many points.
    public init(floatLiteral value: Double) {}
}

/// How marks at the same place lie upon each other.
public struct MarkStackingMethod: Sendable {
    /// Each on the one before.
    public static var standard: MarkStackingMethod { .init() }
    /// Each on the one before, and all as high as the chart.
    public static var normalized: MarkStackingMethod { .init() }
    /// Each on the one before, round the middle.
    public static var center: MarkStackingMethod { .init() }
    /// All from the same line.
    public static var unstacked: MarkStackingMethod { .init() }
}
