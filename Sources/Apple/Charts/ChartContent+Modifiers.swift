// SPDX-License-Identifier: Apache-2.0

/// Marks with something changed.
struct ChangedMarks<Content: ChartContent>: ChartContent {
    typealias Body = Never
    nonisolated(unsafe) let content: Content
    nonisolated(unsafe) let change: (inout Mark, Place) -> Void

    nonisolated init(_ content: Content, _ change: @escaping (inout Mark, Place) -> Void) {
        self.content = content
        self.change = change
    }
}

extension ChangedMarks: Marking {
    nonisolated func marks(_ place: Place) -> [Mark] {
        place.inside("changed").marks(of: content).enumerated().map { index, mark in
            var mark = mark
            change(&mark, place.inside("\(index)"))
            return mark
        }
    }
}

extension ChartContent {
    nonisolated func changed(_ change: @escaping (inout Mark, Place) -> Void) -> some ChartContent {
        ChangedMarks(self, change)
    }

    /// Tells marks apart by colour.
    nonisolated public func foregroundStyle<D>(by value: PlottableValue<D>) -> some ChartContent
    where D: Plottable {
        changed { mark, _ in
            mark.groups.append(Plotted(value))
            mark.legend = Plotted(value)
        }
    }

    /// Tells marks apart by symbol.
    nonisolated public func symbol<D>(by value: PlottableValue<D>) -> some ChartContent where D: Plottable {
        changed { mark, _ in
            mark.groups.append(Plotted(value))
            mark.legend = mark.legend ?? Plotted(value)
        }
    }

    /// Tells marks apart by how their lines are drawn.
    nonisolated public func lineStyle<D>(by value: PlottableValue<D>) -> some ChartContent
    where D: Plottable { symbol(by: value) }

    /// Tells marks apart by the size of their symbol.
    nonisolated public func symbolSize<D>(by value: PlottableValue<D>) -> some ChartContent
    where D: Plottable { changed { mark, _ in mark.groups.append(Plotted(value)) } }

    /// Tells marks apart by where they are beside each other.
    nonisolated public func position<P>(
        by value: PlottableValue<P>, axis: Axis? = nil, span: MarkDimension = .automatic
    ) -> some ChartContent where P: Plottable { changed { mark, _ in mark.groups.append(Plotted(value)) } }

    /// Sets what marks are drawn with.
    nonisolated public func foregroundStyle<S>(_ style: S) -> some ChartContent where S: ShapeStyle {
        changed { _, _ in }
    }
    /// Sets the symbol of points.
    nonisolated public func symbol<S>(_ symbol: S) -> some ChartContent where S: ChartSymbolShape {
        changed { _, _ in }
    }
    /// Sets a view as the symbol of points.
    nonisolated public func symbol<V>(@ViewBuilder symbol: () -> V) -> some ChartContent where V: View {
        let view = symbol()
        return changed { mark, place in mark.annotations += place.inside("symbol").nodes(of: view) }
    }
    /// Sets the size of symbols, in square points.
    nonisolated public func symbolSize(_ area: CGFloat) -> some ChartContent { changed { _, _ in } }
    /// Sets the size of symbols.
    nonisolated public func symbolSize(_ size: CGSize) -> some ChartContent { changed { _, _ in } }
    /// Sets how a line goes from point to point.
    nonisolated public func interpolationMethod(_ method: InterpolationMethod) -> some ChartContent {
        changed { _, _ in }
    }
    /// Sets how lines are drawn.
    nonisolated public func lineStyle(_ style: StrokeStyle) -> some ChartContent { changed { _, _ in } }
    /// Lets marks be seen through.
    nonisolated public func opacity(_ opacity: Double) -> some ChartContent { changed { _, _ in } }
    /// Rounds the corners of marks.
    nonisolated public func cornerRadius(
        _ radius: CGFloat, style: RoundedCornerStyle = .continuous
    ) -> some ChartContent { changed { _, _ in } }
    /// Moves marks.
    nonisolated public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some ChartContent {
        changed { _, _ in }
    }
    /// Moves marks.
    nonisolated public func offset(_ offset: CGSize) -> some ChartContent { changed { _, _ in } }
    /// Says what lies above.
    nonisolated public func zIndex(_ value: Double) -> some ChartContent { changed { _, _ in } }

    /// Puts a view beside each mark.
    nonisolated public func annotation<C>(
        position: AnnotationPosition = .automatic, alignment: Alignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: @escaping () -> C
    ) -> some ChartContent where C: View {
        changed { mark, place in mark.annotations += place.inside("annotation").nodes(of: content()) }
    }

    /// Puts a view beside each mark, made from how large the mark is.
    nonisolated public func annotation<C>(
        position: AnnotationPosition = .automatic, alignment: Alignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: @escaping (AnnotationContext) -> C
    ) -> some ChartContent where C: View {
        annotation { content(AnnotationContext(targetSize: .zero)) }
    }

    /// Puts a view beside each mark, and says what becomes of one that there is no room for.
    nonisolated public func annotation<C>(
        position: AnnotationPosition = .automatic, alignment: Alignment = .center, spacing: CGFloat? = nil,
        overflowResolution: AnnotationOverflowResolution, @ViewBuilder content: @escaping () -> C
    ) -> some ChartContent where C: View { annotation(content: content) }

    /// Says what VoiceOver calls marks.
    nonisolated public func accessibilityLabel(_ label: Text) -> some ChartContent {
        changed { mark, _ in mark.label = label }
    }
    /// Says what VoiceOver calls marks.
    nonisolated public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some ChartContent {
        accessibilityLabel(Text(labelKey))
    }
    /// Says what VoiceOver calls marks.
    @_disfavoredOverload nonisolated public func accessibilityLabel<S>(_ label: S) -> some ChartContent
    where S: StringProtocol { accessibilityLabel(Text(label)) }
    /// Says which value marks have.
    nonisolated public func accessibilityValue(_ valueDescription: Text) -> some ChartContent {
        changed { mark, _ in mark.value = valueDescription }
    }
    /// Says which value marks have.
    nonisolated public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some ChartContent {
        accessibilityValue(Text(valueKey))
    }
    /// Says which value marks have.
    @_disfavoredOverload nonisolated public func accessibilityValue<S>(_ value: S) -> some ChartContent
    where S: StringProtocol { accessibilityValue(Text(value)) }
    /// Gives marks a name for tests.
    nonisolated public func accessibilityIdentifier(_ identifier: String) -> some ChartContent {
        changed { mark, _ in mark.identifier = identifier }
    }
    /// Lets VoiceOver pass marks over.
    nonisolated public func accessibilityHidden(_ hidden: Bool) -> some ChartContent {
        changed { mark, _ in mark.isHidden = hidden }
    }
}

/// Where a view is beside a mark.
public struct AnnotationPosition: Hashable, Sendable {
    let name: String
    /// Where the chart likes.
    public static let automatic = AnnotationPosition(name: "automatic")
    /// Upon it.
    public static let overlay = AnnotationPosition(name: "overlay")
    /// Above.
    public static let top = AnnotationPosition(name: "top")
    /// Below.
    public static let bottom = AnnotationPosition(name: "bottom")
    /// Where lines begin.
    public static let leading = AnnotationPosition(name: "leading")
    /// Where lines end.
    public static let trailing = AnnotationPosition(name: "trailing")
    /// Above, where lines begin.
    public static let topLeading = AnnotationPosition(name: "topLeading")
    /// Above, where lines end.
    public static let topTrailing = AnnotationPosition(name: "topTrailing")
    /// Below, where lines begin.
    public static let bottomLeading = AnnotationPosition(name: "bottomLeading")
    /// Below, where lines end.
    public static let bottomTrailing = AnnotationPosition(name: "bottomTrailing")
}

/// What a view beside a mark is told.
public struct AnnotationContext {
    /// How large the mark is; nothing is drawn here.
    public let targetSize: CGSize
}

/// What becomes of a view beside a mark that there is no room for.
public struct AnnotationOverflowResolution: Sendable {
    /// What becomes of it in one direction.
    public struct Strategy: Sendable {
        /// As the chart likes.
        public static let automatic = Strategy()
        /// It moves into the chart.
        public static func fit(to boundary: Boundary) -> Strategy { Strategy() }
        /// It moves.
        public static let fit = Strategy()
        /// The chart makes room.
        public static let padScale = Strategy()
        /// It stays.
        public static let disabled = Strategy()
    }
    /// What a view stays within.
    public struct Boundary: Sendable {
        /// As the chart likes.
        public static let automatic = Boundary()
        /// The chart.
        public static let chart = Boundary()
        /// The part where marks are.
        public static let plot = Boundary()
    }
    /// As the chart likes.
    public static let automatic = AnnotationOverflowResolution()
    /// What becomes of it in each direction.
    public init(
        x: AnnotationOverflowResolution.Strategy = .automatic,
        y: AnnotationOverflowResolution.Strategy = .automatic
    ) {}
}

/// The form of a symbol.
public protocol ChartSymbolShape: Shape {
    /// How large it is drawn.
    var perceptualUnitRect: CGRect { get }
}

/// One of the usual symbols.
public struct BasicChartSymbolShape: ChartSymbolShape {
    let name: String
    /// How large it is drawn.
    public var perceptualUnitRect: CGRect { CGRect(x: 0, y: 0, width: 1, height: 1) }
    /// The outline: a rectangle but for the circle, since nothing is drawn.
    public func path(in rect: CGRect) -> Path { name == "circle" ? Path(ellipseIn: rect) : Path(rect) }
}

extension ChartSymbolShape where Self == BasicChartSymbolShape {
    /// A circle.
    public static var circle: BasicChartSymbolShape { .init(name: "circle") }
    /// A square.
    public static var square: BasicChartSymbolShape { .init(name: "square") }
    /// A triangle.
    public static var triangle: BasicChartSymbolShape { .init(name: "triangle") }
    /// A square on a corner.
    public static var diamond: BasicChartSymbolShape { .init(name: "diamond") }
    /// A form with five corners.
    public static var pentagon: BasicChartSymbolShape { .init(name: "pentagon") }
    /// A plus sign.
    public static var plus: BasicChartSymbolShape { .init(name: "plus") }
    /// A cross.
    public static var cross: BasicChartSymbolShape { .init(name: "cross") }
    /// A star.
    public static var asterisk: BasicChartSymbolShape { .init(name: "asterisk") }
}

/// How a line goes from point to point.
public struct InterpolationMethod: Sendable {
    /// Straight.
    public static var linear: InterpolationMethod { .init() }
    /// In a curve that does not go beyond the points.
    public static var monotone: InterpolationMethod { .init() }
    /// In a curve.
    public static var catmullRom: InterpolationMethod { .init() }
    /// In a curve, more or less wide.
    public static func catmullRom(alpha: CGFloat) -> InterpolationMethod { .init() }
    /// In a curve.
    public static var cardinal: InterpolationMethod { .init() }
    /// In a curve, more or less tight.
    public static func cardinal(tension: CGFloat) -> InterpolationMethod { .init() }
    /// In steps, from the middle.
    public static var stepCenter: InterpolationMethod { .init() }
    /// In steps, from the beginning.
    public static var stepStart: InterpolationMethod { .init() }
    /// In steps, from the end.
    public static var stepEnd: InterpolationMethod { .init() }
}
