// SPDX-License-Identifier: Apache-2.0

/// A number to be set by sliding.
public struct Slider<Label, ValueLabel> where Label: View, ValueLabel: View {
    let read: () -> Double
    let write: (Double) -> Void
    let bounds: ClosedRange<Double>
    let step: Double?
    let label: Label
    let ends: (ValueLabel, ValueLabel)?
    let onEditingChanged: (Bool) -> Void

    nonisolated private init<V>(
        _ value: Binding<V>, _ bounds: ClosedRange<V>, _ step: V.Stride?, _ label: Label,
        _ ends: (ValueLabel, ValueLabel)?, _ onEditingChanged: @escaping (Bool) -> Void
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {
        read = { Double(value.wrappedValue) }
        write = { value.wrappedValue = V($0) }
        self.bounds = Double(bounds.lowerBound)...Double(bounds.upperBound)
        self.step = step.map { Double($0) }
        self.label = label
        self.ends = ends
        self.onEditingChanged = onEditingChanged
    }
}

extension Slider: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Slider: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.slider, "", place.inside("label").nodes(of: label))
        let width = bounds.upperBound - bounds.lowerBound
        let value = read()
        let share = width > 0 ? (value - bounds.lowerBound) / width : 0
        node.value = "\(Int((share * 100).rounded()))%"
        node.set = { target in
            let limited = min(bounds.upperBound, max(bounds.lowerBound, target))
            let steps = step.map { ((limited - bounds.lowerBound) / $0).rounded() * $0 }
            onEditingChanged(true)
            write(min(bounds.upperBound, steps.map { bounds.lowerBound + $0 } ?? limited))
            onEditingChanged(false)
        }
        // VoiceOver goes by a tenth, or by a step where that is more.
        let stride = max(step ?? 0, width / 10)
        node.adjust = { [set = node.set] direction in
            set?(read() + (direction == .increment ? stride : -stride))
        }
        node.isEnabled = place.environment.isEnabled
        return [node]
    }
}

extension Slider {
    /// A slider with labels at its ends.
    nonisolated public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel,
        @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {
        self.init(
            value, bounds, nil, label(), (minimumValueLabel(), maximumValueLabel()), onEditingChanged)
    }

    /// A slider with steps and labels at its ends.
    nonisolated public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel,
        @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {
        self.init(
            value, bounds, step, label(), (minimumValueLabel(), maximumValueLabel()), onEditingChanged)
    }
}

extension Slider where ValueLabel == EmptyView {
    /// A slider.
    nonisolated public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {
        self.init(value, bounds, nil, label(), nil, onEditingChanged)
    }

    /// A slider with steps.
    nonisolated public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {
        self.init(value, bounds, step, label(), nil, onEditingChanged)
    }
}

extension Slider where Label == EmptyView, ValueLabel == EmptyView {
    /// A slider without a label.
    nonisolated public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {
        self.init(value, bounds, nil, EmptyView(), nil, onEditingChanged)
    }

    /// A slider with steps and without a label.
    nonisolated public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {
        self.init(value, bounds, step, EmptyView(), nil, onEditingChanged)
    }
}
