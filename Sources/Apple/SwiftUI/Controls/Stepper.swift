// SPDX-License-Identifier: Apache-2.0

/// A number to be set step by step.
public struct Stepper<Label> where Label: View {
    let increment: (() -> Void)?
    let decrement: (() -> Void)?
    let value: () -> String?
    let label: Label
    let onEditingChanged: (Bool) -> Void

    /// Steps up and down by these functions.
    nonisolated public init(
        @ViewBuilder label: () -> Label, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.label = label()
        increment = onIncrement
        decrement = onDecrement
        value = { nil }
        self.onEditingChanged = onEditingChanged
    }

    nonisolated private init<V>(
        _ value: Binding<V>, _ bounds: ClosedRange<V>?, _ step: V.Stride, _ label: Label,
        _ onEditingChanged: @escaping (Bool) -> Void
    ) where V: Strideable {
        func go(by stride: V.Stride) {
            let next = value.wrappedValue.advanced(by: stride)
            value.wrappedValue = bounds.map { min($0.upperBound, max($0.lowerBound, next)) } ?? next
        }
        increment = { go(by: step) }
        decrement = { go(by: 0 - step) }
        self.value = { "\(value.wrappedValue)" }
        self.label = label
        self.onEditingChanged = onEditingChanged
    }

    /// Steps of a value.
    nonisolated public init<V>(
        value: Binding<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: Strideable {
        self.init(value, nil, step, label(), onEditingChanged)
    }

    /// Steps of a value within bounds.
    nonisolated public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: Strideable {
        self.init(value, bounds, step, label(), onEditingChanged)
    }
}

extension Stepper: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Stepper: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.stepper, "", place.inside("label").nodes(of: label))
        node.value = value()
        node.adjust = { direction in
            onEditingChanged(true)
            direction == .increment ? increment?() : decrement?()
            onEditingChanged(false)
        }
        node.isEnabled = place.environment.isEnabled
        return [node]
    }
}

extension Stepper where Label == Text {
    /// Steps up and down by these functions, with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.init(
            label: { Text(titleKey) }, onIncrement: onIncrement, onDecrement: onDecrement,
            onEditingChanged: onEditingChanged)
    }

    /// Steps up and down by these functions, with a title.
    nonisolated public init<S>(
        _ title: S, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where S: StringProtocol {
        self.init(
            label: { Text(title) }, onIncrement: onIncrement, onDecrement: onDecrement,
            onEditingChanged: onEditingChanged)
    }

    /// Steps of a value, with a title of the catalogue.
    nonisolated public init<V>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: Strideable {
        self.init(value, nil, step, Text(titleKey), onEditingChanged)
    }

    /// Steps of a value, with a title.
    nonisolated public init<S, V>(
        _ title: S, value: Binding<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where S: StringProtocol, V: Strideable {
        self.init(value, nil, step, Text(title), onEditingChanged)
    }

    /// Steps of a value within bounds, with a title of the catalogue.
    nonisolated public init<V>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: Strideable {
        self.init(value, bounds, step, Text(titleKey), onEditingChanged)
    }

    /// Steps of a value within bounds, with a title.
    nonisolated public init<S, V>(
        _ title: S, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where S: StringProtocol, V: Strideable {
        self.init(value, bounds, step, Text(title), onEditingChanged)
    }
}
