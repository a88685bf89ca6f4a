// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Foundation on Linux has no key-value observing. Apps observe `state`, `isScanning` and a few others: here is as much of it
// as that takes, with the names that Foundation has elsewhere.

/// What an observer wants to be told.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Takes the bits as they are.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value after the change.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The value before the change.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// Once at the beginning, too.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// Before each change, too.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// What kind of change it was; of the properties here, always that a value was set.
public enum NSKeyValueChange: UInt, Sendable {
    /// A value was set.
    case setting = 1
    /// Something was put into a collection.
    case insertion = 2
    /// Something was taken out of a collection.
    case removal = 3
    /// Something in a collection was replaced.
    case replacement = 4
}

/// A change that an observer is told.
public struct NSKeyValueObservedChange<Value> {
    /// What kind of change it was.
    public typealias Kind = NSKeyValueChange

    /// What kind of change it was.
    public let kind: Kind
    /// The value after the change, if it was asked for.
    public let newValue: Value?
    /// The value before the change, if it was asked for.
    public let oldValue: Value?
    /// Where in a collection; always `nil` here.
    public let indexes: IndexSet?
    /// Whether the change is still to come.
    public let isPrior: Bool
}

/// Observes as long as somebody holds it.
public final class NSKeyValueObservation: NSObject {
    private weak var observers: _KeyValueObservers?
    private let number: Int

    init(_ number: Int, of observers: _KeyValueObservers) {
        self.number = number
        self.observers = observers
    }

    deinit { observers?.remove(number) }

    /// Ends it.
    public func invalidate() { observers?.remove(number) }
}

/// An object some of whose properties can be observed.
///
/// A class adopts it with `public let _observers = _KeyValueObservers()`. Of each such property the getter calls
/// ``_KeyValueObservers/access(_:)``, and what changes it ``_KeyValueObservers/change(_:_:)``.
public protocol _KeyValueCodingAndObserving: AnyObject {
    /// Who observes it.
    var _observers: _KeyValueObservers { get }
}

extension _KeyValueCodingAndObserving {
    /// Calls a closure on each change of a property, on the thread that changes it.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - options: What the closure is told, and when.
    ///   - changeHandler: The closure.
    /// - Returns: What observes; it ends when nobody holds it.
    @preconcurrency
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        func tell(_ object: Self, new: Value?, old: Value?, isPrior: Bool = false) {
            changeHandler(
                object,
                NSKeyValueObservedChange(
                    kind: .setting, newValue: new, oldValue: old, indexes: nil, isPrior: isPrior))
        }
        let (value, properties) = _observers.recording { self[keyPath: keyPath] }
        let number = _observers.add(to: properties.union([keyPath])) { [weak self] in
            guard let self else { return {} }
            let old = options.contains(.old) ? self[keyPath: keyPath] : nil
            if options.contains(.prior) { tell(self, new: nil, old: old, isPrior: true) }
            return { [weak self] in
                guard let self else { return }
                tell(self, new: options.contains(.new) ? self[keyPath: keyPath] : nil, old: old)
            }
        }
        if options.contains(.initial) { tell(self, new: options.contains(.new) ? value : nil, old: nil) }
        return NSKeyValueObservation(number, of: _observers)
    }
}
