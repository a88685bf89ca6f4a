// SPDX-License-Identifier: Apache-2.0

/// What marks an axis at a value.
@MainActor @preconcurrency public protocol AxisMark {
    /// What it is made of.
    associatedtype Body: AxisMark
    /// What it is made of.
    @AxisMarkBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: AxisMark {}

extension AxisMark where Body == Never {
    /// Not there: it is evaluated by itself.
    public var body: Never { fatalError("\(Self.self) has no body") }
}

/// What has the texts at a value itself, and not by its body.
protocol AxisMarkEvaluated {
    nonisolated func nodes(_ place: Place, _ value: AxisValue) -> [Node]
}

extension Place {
    fileprivate func axisNodes<M: AxisMark>(of mark: M, at value: AxisValue) -> [Node] {
        if let evaluated = mark as? any AxisMarkEvaluated { return evaluated.nodes(self, value) }
        // As for views: everything is evaluated on the main actor.
        nonisolated(unsafe) let mark = mark
        nonisolated(unsafe) var body: M.Body?
        MainActor.assumeIsolated { body = mark.body }
        return body.map { axisNodes(of: $0, at: value) } ?? []
    }
}

/// Several marks, or none.
public struct _AxisMarkParts: AxisMark, AxisMarkEvaluated {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let parts: [any AxisMark]
    nonisolated init(_ parts: [any AxisMark]) { self.parts = parts }

    nonisolated func nodes(_ place: Place, _ value: AxisValue) -> [Node] {
        parts.enumerated().flatMap { place.inside("\($0)").axisNodes(of: $1, at: value) }
    }
}

/// Makes one mark of several.
@resultBuilder public struct AxisMarkBuilder {
    /// A mark as it is.
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: AxisMark {
        content
    }

    /// One mark.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: AxisMark { content }

    /// Several marks.
    public static func buildBlock<each Content>(_ content: repeat each Content) -> some AxisMark
    where repeat each Content: AxisMark {
        var parts: [any AxisMark] = []
        for part in repeat each content { parts.append(part) }
        return _AxisMarkParts(parts)
    }

    /// A mark that may be absent.
    public static func buildIf<Content>(_ content: Content?) -> some AxisMark where Content: AxisMark {
        _AxisMarkParts(content.map { [$0] } ?? [])
    }

    /// The first of two marks.
    public static func buildEither<T, F>(first: T) -> BuilderConditional<T, F>
    where T: AxisMark, F: AxisMark { .init(first: first, second: nil) }

    /// The second of two marks.
    public static func buildEither<T, F>(second: F) -> BuilderConditional<T, F>
    where T: AxisMark, F: AxisMark { .init(first: nil, second: second) }
}

extension BuilderConditional: AxisMark where TrueContent: AxisMark, FalseContent: AxisMark {}

extension BuilderConditional: AxisMarkEvaluated where TrueContent: AxisMark, FalseContent: AxisMark {
    nonisolated func nodes(_ place: Place, _ value: AxisValue) -> [Node] {
        let firsts = first.map { place.inside("true").axisNodes(of: $0, at: value) } ?? []
        return firsts + (second.map { place.inside("false").axisNodes(of: $0, at: value) } ?? [])
    }
}

/// A line through the chart at a value.
public struct AxisGridLine: AxisMark, AxisMarkEvaluated {
    /// It is evaluated by itself.
    public typealias Body = Never
    /// A line.
    nonisolated public init(centered: Bool? = nil, stroke: StrokeStyle? = nil) {}
    nonisolated func nodes(_ place: Place, _ value: AxisValue) -> [Node] { [] }
}

/// A short line at a value.
public struct AxisTick: AxisMark, AxisMarkEvaluated {
    /// How long it is.
    public struct Length: Sendable {
        /// As the chart likes.
        public static let automatic = Length()
        /// As a text is high.
        public static let label = Length()
        /// As the longest text, and some points more.
        public static func longestLabel(extendPastBy: CGFloat = 0) -> Length { Length() }
    }

    /// It is evaluated by itself.
    public typealias Body = Never
    /// A line.
    nonisolated public init(
        centered: Bool? = nil, length: AxisTick.Length = .automatic, stroke: StrokeStyle? = nil
    ) {}
    /// A line of so many points.
    nonisolated public init(centered: Bool? = nil, length: CGFloat, stroke: StrokeStyle? = nil) {}
    nonisolated func nodes(_ place: Place, _ value: AxisValue) -> [Node] { [] }
}

/// A text at a value.
public struct AxisValueLabel<Content>: AxisMark where Content: View {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let content: Content?
    nonisolated(unsafe) let write: ((Plotted, EnvironmentValues) -> String?)?

    nonisolated init(_ content: Content?, _ write: ((Plotted, EnvironmentValues) -> String?)? = nil) {
        self.content = content
        self.write = write
    }
}

extension AxisValueLabel: AxisMarkEvaluated {
    nonisolated func nodes(_ place: Place, _ value: AxisValue) -> [Node] {
        if let content { return place.inside("label").nodes(of: content) }
        let values = place.environment
        return [Node(.text, write?(value.plotted, values) ?? value.plotted.written(values))]
    }
}

/// What happens to texts that there is no room for.
public struct AxisValueLabelCollisionResolution: Sendable {
    /// As the chart likes.
    public static let automatic = AxisValueLabelCollisionResolution()
    /// Some are left out.
    public static func greedy(priority: Double = 0, minimumSpacing: CGFloat? = nil)
        -> AxisValueLabelCollisionResolution
    { .init() }
    /// They are shown all the same.
    public static let disabled = AxisValueLabelCollisionResolution()
}

/// Which way a text runs.
public struct AxisValueLabelOrientation: Sendable {
    /// As the chart likes.
    public static let automatic = AxisValueLabelOrientation()
    /// As usual.
    public static let horizontal = AxisValueLabelOrientation()
    /// Downwards.
    public static let vertical = AxisValueLabelOrientation()
    /// Upwards.
    public static let verticalReversed = AxisValueLabelOrientation()
}

extension AxisValueLabel where Content == EmptyView {
    /// The value as text.
    nonisolated public init(
        centered: Bool? = nil, anchor: UnitPoint? = nil, multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic, offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic, horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil
    ) { self.init(nil) }

    /// The value as text in a format.
    nonisolated public init<Format>(
        format: Format, centered: Bool? = nil, anchor: UnitPoint? = nil,
        multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic, offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic, horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil
    ) where Format: FormatStyle, Format.FormatInput: Plottable, Format.FormatOutput == String {
        self.init(nil, Plotted.writer(format))
    }
}

extension AxisValueLabel where Content == Text {
    /// A text of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, centered: Bool? = nil, anchor: UnitPoint? = nil
    ) { self.init(Text(titleKey)) }

    /// A text.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, centered: Bool? = nil, anchor: UnitPoint? = nil
    ) where S: StringProtocol { self.init(Text(title)) }
}

extension AxisValueLabel {
    /// A view.
    nonisolated public init(
        centered: Bool? = nil, anchor: UnitPoint? = nil, multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic, offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic, horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) { self.init(content()) }
}

extension Plotted {
    /// Writes values in a format, those that it is for.
    static func writer<F>(_ format: F) -> (Plotted, EnvironmentValues) -> String?
    where F: FormatStyle, F.FormatInput: Plottable, F.FormatOutput == String {
        { plotted, values in
            plotted.value(as: F.FormatInput.self).map { format.locale(values.locale).format($0) }
        }
    }
}

/// Marks of an axis at values.
public struct AxisMarks<Content>: AxisContent where Content: AxisMark {
    /// It is evaluated by itself.
    public typealias Body = Never
    nonisolated(unsafe) let values: AxisMarkValues
    nonisolated(unsafe) let content: ((AxisValue) -> Content)?
    nonisolated(unsafe) let write: ((Plotted, EnvironmentValues) -> String?)?

    nonisolated init(
        _ values: AxisMarkValues, _ content: ((AxisValue) -> Content)?,
        _ write: ((Plotted, EnvironmentValues) -> String?)? = nil
    ) {
        self.values = values
        self.content = content
        self.write = write
    }

    /// Marks at values.
    nonisolated public init(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic, @AxisMarkBuilder content: @escaping (AxisValue) -> Content
    ) { self.init(values, content) }

    /// The same marks at values.
    nonisolated public init(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic, @AxisMarkBuilder content: @escaping () -> Content
    ) { self.init(values, { _ in content() }) }

    /// Marks at these values.
    nonisolated public init<Value>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic, values: [Value],
        @AxisMarkBuilder content: @escaping (AxisValue) -> Content
    ) where Value: Plottable { self.init(.init(kind: .explicit(values.map { Plotted($0) })), content) }

    /// The same marks at these values.
    nonisolated public init<Value>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic, values: [Value],
        @AxisMarkBuilder content: @escaping () -> Content
    ) where Value: Plottable {
        self.init(.init(kind: .explicit(values.map { Plotted($0) })), { _ in content() })
    }
}

extension AxisMarks where Content == Never {
    /// The values as text.
    nonisolated public init(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic, stroke: StrokeStyle? = nil
    ) { self.init(values, nil) }

    /// These values as text.
    nonisolated public init<Value>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic, values: [Value],
        stroke: StrokeStyle? = nil
    ) where Value: Plottable {
        self.init(.init(kind: .explicit(values.map { Plotted($0) })), nil)
    }

    /// The values as text in a format.
    nonisolated public init<Format>(
        format: Format, preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic, stroke: StrokeStyle? = nil
    ) where Format: FormatStyle, Format.FormatInput: Plottable, Format.FormatOutput == String {
        self.init(values, nil, Plotted.writer(format))
    }
}

extension AxisMarks: AxisEvaluated {
    nonisolated func nodes(_ place: Place, _ scale: ChartScale) -> [Node] {
        let marked = scale.marked(values, place.environment.calendar)
        return marked.enumerated().flatMap { index, plotted in
            let value = AxisValue(plotted: plotted, index: index, count: marked.count)
            let inner = place.inside("\(index)")
            if let content { return inner.axisNodes(of: content(value), at: value) }
            return AxisValueLabel<EmptyView>(nil, write).nodes(inner, value)
        }
    }
}
