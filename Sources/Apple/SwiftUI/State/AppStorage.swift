// SPDX-License-Identifier: Apache-2.0

/// A value in the user's defaults.
@propertyWrapper public struct AppStorage<Value>: DynamicProperty {
    private let read: () -> Value
    private let write: (Value) -> Void
    private let link = Shared<Change?>(nil)

    private init(read: @escaping () -> Value, write: @escaping (Value) -> Void) {
        self.read = read
        self.write = write
    }

    /// The value now.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set {
            write(newValue)
            link.target?.mark()
        }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> {
        let copy = self
        return Binding(read: { copy.wrappedValue }, write: { copy.wrappedValue = $0 })
    }

    private init(key: String, _ store: UserDefaults?, _ value: Value, _ get: @escaping (Any) -> Value?) {
        let store = store ?? .standard
        self.init(
            read: { store.object(forKey: key).flatMap(get) ?? value },
            write: { store.set($0, forKey: key) })
    }
}

extension AppStorage: Installed {
    func install(_ place: Place) { link.target = place.pass.store.change }
}

extension AppStorage {
    /// A truth value.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Bool {
        self.init(key: key, store, wrappedValue) { $0 as? Bool }
    }

    /// A whole number.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Int {
        self.init(key: key, store, wrappedValue) { $0 as? Int }
    }

    /// A number.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Double {
        self.init(key: key, store, wrappedValue) { $0 as? Double }
    }

    /// A text.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == String {
        self.init(key: key, store, wrappedValue) { $0 as? String }
    }

    /// Octets.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Data {
        self.init(key: key, store, wrappedValue) { $0 as? Data }
    }

    /// A value that is kept as a text.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == String {
        let store = store ?? .standard
        self.init(
            read: { store.string(forKey: key).flatMap(Value.init(rawValue:)) ?? wrappedValue },
            write: { store.set($0.rawValue, forKey: key) })
    }

    /// A value that is kept as a whole number.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == Int {
        let store = store ?? .standard
        self.init(
            read: { (store.object(forKey: key) as? Int).flatMap(Value.init(rawValue:)) ?? wrappedValue },
            write: { store.set($0.rawValue, forKey: key) })
    }
}

extension AppStorage where Value: ExpressibleByNilLiteral {
    /// A text, if there is one.
    public init(_ key: String, store: UserDefaults? = nil) where Value == String? {
        let store = store ?? .standard
        self.init(read: { store.string(forKey: key) }, write: { store.set($0, forKey: key) })
    }

    /// A truth value, if there is one.
    public init(_ key: String, store: UserDefaults? = nil) where Value == Bool? {
        let store = store ?? .standard
        self.init(read: { store.object(forKey: key) as? Bool }, write: { store.set($0, forKey: key) })
    }

    /// A whole number, if there is one.
    public init(_ key: String, store: UserDefaults? = nil) where Value == Int? {
        let store = store ?? .standard
        self.init(read: { store.object(forKey: key) as? Int }, write: { store.set($0, forKey: key) })
    }
}

/// A number that grows with the size of text.
@propertyWrapper public struct ScaledMetric<Value>: DynamicProperty where Value: BinaryFloatingPoint {
    private let base: Value
    private let link = Shared(DynamicTypeSize.large)

    /// A number that grows as a style of text does.
    public init(wrappedValue: Value, relativeTo textStyle: Font.TextStyle) { base = wrappedValue }

    /// A number that grows as the body's text does.
    public init(wrappedValue: Value) { base = wrappedValue }

    /// The number for the size of text now; by steps of a tenth, of a quarter for accessibility.
    public var wrappedValue: Value {
        let all = DynamicTypeSize.allCases
        let steps = (all.firstIndex(of: link.target) ?? 0) - (all.firstIndex(of: .large) ?? 0)
        let beyond = max(0, steps - 3)
        return base * Value(1 + Double(steps - beyond) * 0.1 + Double(beyond) * 0.25)
    }
}

extension ScaledMetric: Installed {
    func install(_ place: Place) { link.target = place.environment.dynamicTypeSize }
}
