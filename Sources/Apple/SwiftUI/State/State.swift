// SPDX-License-Identifier: Apache-2.0

/// A property that takes part in the evaluation of its view.
public protocol DynamicProperty {
    /// Called before the view's body is evaluated.
    mutating func update()
}

extension DynamicProperty {
    /// Does nothing.
    public mutating func update() {}
}

/// A value that a view keeps, by its place on the screen.
@propertyWrapper public struct State<Value>: DynamicProperty {
    private let link: Shared<StateSlot<Value>>

    /// A state that begins with a value.
    public init(wrappedValue value: Value) { link = Shared(StateSlot(value)) }

    /// A state that begins with a value.
    public init(initialValue value: Value) { self.init(wrappedValue: value) }

    /// The value now; setting it evaluates the view again.
    public var wrappedValue: Value {
        get { link.target.value }
        nonmutating set { link.target.set(newValue) }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> {
        let slot = link.target
        return Binding(read: { slot.value }, write: { slot.set($0) })
    }
}

extension State: Sendable where Value: Sendable {}

extension State where Value: ExpressibleByNilLiteral {
    /// A state that begins with nothing.
    public init() { self.init(wrappedValue: nil) }
}

extension State: Installed {
    func install(_ place: Place) {
        let first = link.target
        link.target = place.kept("state") { StateSlot(first.value) }
        link.target.change = place.pass.store.change
    }
}

/// What the copies of a property share.
///
/// Views are evaluated on the main actor, which is where this is set.
final class Shared<Target>: @unchecked Sendable {
    var target: Target
    init(_ target: Target) { self.target = target }
}

/// Where a value is kept between evaluations.
///
/// Apple's state may be set from any thread; what is set here from two at once is not guarded, since the app
/// sets it on the main actor.
final class StateSlot<Value>: @unchecked Sendable {
    private(set) var value: Value
    var change: Change?

    init(_ value: Value) { self.value = value }

    func set(_ value: Value) {
        self.value = value
        change?.mark()
    }

    /// Sets the value where nobody has to be told.
    func quietly(_ value: Value) { self.value = value }
}
