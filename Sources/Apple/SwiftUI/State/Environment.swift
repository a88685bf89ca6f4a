// SPDX-License-Identifier: Apache-2.0

/// A value of the environment that has a name of its own.
public protocol EnvironmentKey {
    /// What the value is.
    associatedtype Value
    /// The value where none was set.
    static var defaultValue: Self.Value { get }
}

/// A value that a view reads of what surrounds it.
@propertyWrapper public struct Environment<Value>: DynamicProperty {
    private let read: (EnvironmentValues) -> Value
    private let link = Shared<Value?>(nil)

    /// The value at a key path.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        read = { $0[keyPath: keyPath] }
    }

    /// The object of a type, which has to be there.
    public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {
        read = {
            guard let object = $0[objectType] else {
                fatalError("No Observable object of type \(objectType) found: .environment(_:) is missing.")
            }
            return object
        }
    }

    /// The object of a type, if there is one.
    public init<T>(_ objectType: T.Type) where Value == T?, T: AnyObject, T: Observable {
        read = { $0[objectType] }
    }

    /// The value as it was when the view was last evaluated.
    public var wrappedValue: Value { link.target ?? read(EnvironmentValues()) }
}

extension Environment: @unchecked Sendable where Value: Sendable {}

extension Environment: Installed {
    func install(_ place: Place) { link.target = read(place.environment) }
}

extension View {
    /// Sets a value of the environment.
    nonisolated public func environment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
    ) -> some View {
        surrounded { $0[keyPath: keyPath] = value }
    }

    /// Puts an observable object into the environment.
    nonisolated public func environment<T>(_ object: T?) -> some View where T: AnyObject, T: Observable {
        surrounded { $0[T.self] = object }
    }

    /// Changes a value of the environment.
    nonisolated public func transformEnvironment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
    ) -> some View {
        surrounded { transform(&$0[keyPath: keyPath]) }
    }
}
