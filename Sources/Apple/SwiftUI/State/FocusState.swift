// SPDX-License-Identifier: Apache-2.0

/// Which control has the keyboard.
@propertyWrapper public struct FocusState<Value>: DynamicProperty where Value: Hashable {
    /// What a control is told its focus by.
    @propertyWrapper public struct Binding {
        let slot: Shared<StateSlot<Value>>

        /// The focus now.
        public var wrappedValue: Value {
            get { slot.target.value }
            nonmutating set { slot.target.set(newValue) }
        }

        /// The binding itself.
        public var projectedValue: FocusState<Value>.Binding { self }
    }

    private let link: Shared<StateSlot<Value>>

    /// Whether the one control has the focus.
    public init() where Value == Bool { link = Shared(StateSlot(false)) }

    /// Which of several controls has the focus.
    public init<T>() where Value == T?, T: Hashable { link = Shared(StateSlot(nil)) }

    /// The focus now.
    public var wrappedValue: Value {
        get { link.target.value }
        nonmutating set { link.target.set(newValue) }
    }

    /// What a control is told its focus by.
    public var projectedValue: FocusState<Value>.Binding { Binding(slot: link) }
}

extension FocusState: Sendable where Value: Sendable {}
extension FocusState.Binding: Sendable where Value: Sendable {}

extension FocusState: Installed {
    func install(_ place: Place) {
        let first = link.target
        link.target = place.kept("focus") { first }
        link.target.change = place.pass.store.change
    }
}

extension View {
    /// Says which value of the focus stands for the view.
    nonisolated public func focused<Value>(
        _ binding: FocusState<Value>.Binding, equals value: Value
    ) -> some View where Value: Hashable {
        each { node, _ in
            node.isSelected = binding.wrappedValue == value
            node.focus = { binding.wrappedValue = value }
        }
    }

    /// Says whether the view has the focus.
    nonisolated public func focused(_ condition: FocusState<Bool>.Binding) -> some View {
        focused(condition, equals: true)
    }
}
