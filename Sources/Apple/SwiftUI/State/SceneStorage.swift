// SPDX-License-Identifier: Apache-2.0

/// A value that a scene keeps, so that it is there when the app starts again.
@propertyWrapper public struct SceneStorage<Value>: DynamicProperty {
    private let link = Shared<Store?>(nil)
    private let key: String
    private let first: Value
    private let get: (Any) -> Value?
    private let put: (Value) -> Any?

    private init(
        _ key: String, _ first: Value, get: @escaping (Any) -> Value?, put: @escaping (Value) -> Any?
    ) {
        (self.key, self.first, self.get, self.put) = (key, first, get, put)
    }

    /// The value now.
    public var wrappedValue: Value {
        get { link.target?.scene[key].flatMap(get) ?? first }
        nonmutating set {
            link.target?.scene[key] = put(newValue)
            link.target?.change.mark()
        }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> {
        let copy = self
        return Binding(read: { copy.wrappedValue }, write: { copy.wrappedValue = $0 })
    }
}

extension SceneStorage: Installed {
    func install(_ place: Place) { link.target = place.pass.store }
}

extension SceneStorage {
    private init(_ key: String, _ first: Value) {
        self.init(key, first, get: { $0 as? Value }, put: { $0 })
    }

    /// A truth value.
    public init(wrappedValue: Value, _ key: String) where Value == Bool { self.init(key, wrappedValue) }
    /// A whole number.
    public init(wrappedValue: Value, _ key: String) where Value == Int { self.init(key, wrappedValue) }
    /// A number.
    public init(wrappedValue: Value, _ key: String) where Value == Double { self.init(key, wrappedValue) }
    /// A text.
    public init(wrappedValue: Value, _ key: String) where Value == String { self.init(key, wrappedValue) }
    /// An address.
    public init(wrappedValue: Value, _ key: String) where Value == URL { self.init(key, wrappedValue) }
    /// Octets.
    public init(wrappedValue: Value, _ key: String) where Value == Data { self.init(key, wrappedValue) }

    /// A value that is kept as a whole number.
    public init(wrappedValue: Value, _ key: String) where Value: RawRepresentable, Value.RawValue == Int {
        self.init(
            key, wrappedValue, get: { ($0 as? Int).flatMap(Value.init(rawValue:)) }, put: { $0.rawValue })
    }

    /// A value that is kept as a text.
    public init(wrappedValue: Value, _ key: String) where Value: RawRepresentable, Value.RawValue == String {
        self.init(
            key, wrappedValue, get: { ($0 as? String).flatMap(Value.init(rawValue:)) }, put: { $0.rawValue })
    }
}

extension SceneStorage where Value: ExpressibleByNilLiteral {
    private init<Wrapped>(optional key: String) where Value == Wrapped? {
        self.init(key, nil, get: { ($0 as? Wrapped).map { .some($0) } }, put: { $0 })
    }

    /// A truth value, if there is one.
    public init(_ key: String) where Value == Bool? { self.init(optional: key) }
    /// A whole number, if there is one.
    public init(_ key: String) where Value == Int? { self.init(optional: key) }
    /// A number, if there is one.
    public init(_ key: String) where Value == Double? { self.init(optional: key) }
    /// A text, if there is one.
    public init(_ key: String) where Value == String? { self.init(optional: key) }
    /// An address, if there is one.
    public init(_ key: String) where Value == URL? { self.init(optional: key) }
    /// Octets, if there are some.
    public init(_ key: String) where Value == Data? { self.init(optional: key) }
}
