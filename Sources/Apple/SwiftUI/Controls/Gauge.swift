// SPDX-License-Identifier: Apache-2.0

/// A value within a range.
public struct Gauge<Label, CurrentValueLabel, BoundsLabel, MarkedValueLabels>
where Label: View, CurrentValueLabel: View, BoundsLabel: View, MarkedValueLabels: View {
    let share: Double
    let label: Label
    let current: CurrentValueLabel?
    let bounds: [BoundsLabel]
    let marked: MarkedValueLabels?

    private init<V: BinaryFloatingPoint>(
        _ value: V, _ range: ClosedRange<V>, _ label: Label, _ current: CurrentValueLabel?,
        _ bounds: [BoundsLabel], _ marked: MarkedValueLabels?
    ) {
        let width = Double(range.upperBound - range.lowerBound)
        let limited = min(range.upperBound, max(range.lowerBound, value))
        share = width > 0 ? Double(limited - range.lowerBound) / width : 0
        self.label = label
        self.current = current
        self.bounds = bounds
        self.marked = marked
    }
}

extension Gauge: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Gauge: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.gauge, "", place.inside("label").nodes(of: label))
        let written = current.map { place.inside("value").nodes(of: $0).map(\.spoken).joined() }
        node.value = written.flatMap { $0.isEmpty ? nil : $0 } ?? "\(Int((share * 100).rounded()))%"
        return [node]
    }
}

extension Gauge {
    /// A value with a label.
    nonisolated public init<V>(value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label)
    where
        CurrentValueLabel == EmptyView, BoundsLabel == EmptyView, MarkedValueLabels == EmptyView,
        V: BinaryFloatingPoint
    {
        self.init(value, bounds, label(), nil, [], nil)
    }

    /// A value with a label, written as the app likes.
    nonisolated public init<V>(
        value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) where BoundsLabel == EmptyView, MarkedValueLabels == EmptyView, V: BinaryFloatingPoint {
        self.init(value, bounds, label(), currentValueLabel(), [], nil)
    }

    /// A value with a label, written as the app likes, with marks.
    nonisolated public init<V>(
        value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel,
        @ViewBuilder markedValueLabels: () -> MarkedValueLabels
    ) where BoundsLabel == EmptyView, V: BinaryFloatingPoint {
        self.init(value, bounds, label(), currentValueLabel(), [], markedValueLabels())
    }

    /// A value with a label, written as the app likes, with labels at the ends.
    nonisolated public init<V>(
        value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel,
        @ViewBuilder minimumValueLabel: () -> BoundsLabel, @ViewBuilder maximumValueLabel: () -> BoundsLabel
    ) where MarkedValueLabels == EmptyView, V: BinaryFloatingPoint {
        self.init(
            value, bounds, label(), currentValueLabel(), [minimumValueLabel(), maximumValueLabel()], nil)
    }

    /// A value with a label, written as the app likes, with labels at the ends and marks.
    nonisolated public init<V>(
        value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel,
        @ViewBuilder minimumValueLabel: () -> BoundsLabel, @ViewBuilder maximumValueLabel: () -> BoundsLabel,
        @ViewBuilder markedValueLabels: () -> MarkedValueLabels
    ) where V: BinaryFloatingPoint {
        self.init(
            value, bounds, label(), currentValueLabel(), [minimumValueLabel(), maximumValueLabel()],
            markedValueLabels())
    }
}
