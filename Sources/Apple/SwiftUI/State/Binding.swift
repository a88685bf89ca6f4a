// SPDX-License-Identifier: Apache-2.0

/// A value that somebody else keeps.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void
    /// The transaction that goes with what is set.
    public var transaction = Transaction()

    /// A binding that reads and writes by these functions; Apple's takes them of any isolation, and calls them on the main actor.
    @preconcurrency public init(
        get: @escaping @MainActor @Sendable () -> Value, set: @escaping @MainActor @Sendable (Value) -> Void
    ) {
        read = {
            nonisolated(unsafe) var value: [Value] = []
            MainActor.assumeIsolated { value = [get()] }
            return value[0]
        }
        write = { new in
            nonisolated(unsafe) let value = new
            MainActor.assumeIsolated { set(value) }
        }
    }

    init(read: @escaping () -> Value, write: @escaping (Value) -> Void) {
        self.read = read
        self.write = write
    }

    /// A binding for the modules that are built upon this one.
    package init(made read: @escaping () -> Value, write: @escaping (Value) -> Void) {
        self.init(read: read, write: write)
    }

    /// A binding whose value stays.
    public static func constant(_ value: Value) -> Binding<Value> {
        Binding(read: { value }, write: { _ in })
    }

    /// The value now.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// The binding itself.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    /// A binding to a part of the value.
    public subscript<Subject>(
        dynamicMember keyPath: WritableKeyPath<Value, Subject>
    ) -> Binding<Subject> {
        let (read, write) = (read, write)
        return Binding<Subject>(
            read: { read()[keyPath: keyPath] },
            write: {
                var value = read()
                value[keyPath: keyPath] = $0
                write(value)
            })
    }

    /// The binding, with an animation for what it sets.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> { self }

    /// The binding, with a transaction for what it sets.
    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        var copy = self
        copy.transaction = transaction
        return copy
    }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

extension Binding: DynamicProperty {}

extension Binding: Identifiable where Value: Identifiable {
    /// The identity of the value.
    public var id: Value.ID { wrappedValue.id }
}

extension Binding {
    /// A binding to a value that may be absent.
    public init<V>(_ base: Binding<V>) where Value == V? {
        self.init(
            read: { base.wrappedValue },
            write: { value in
                if let value { base.wrappedValue = value }
            })
    }

    /// A binding to the value, if there is one.
    public init?(_ base: Binding<Value?>) {
        guard let first = base.wrappedValue else { return nil }
        self.init(read: { base.wrappedValue ?? first }, write: { base.wrappedValue = $0 })
    }

    /// A binding to the value as one of any type.
    public init<V>(_ base: Binding<V>) where Value == AnyHashable, V: Hashable {
        self.init(
            read: { AnyHashable(base.wrappedValue) },
            write: { value in
                if let value = value.base as? V { base.wrappedValue = value }
            })
    }
}

extension Binding: Sequence where Value: MutableCollection {
    /// A binding to each of the values.
    public typealias Element = Binding<Value.Element>
    /// The bindings, one by one.
    public typealias Iterator = IndexingIterator<Binding<Value>>
    /// Some of the bindings.
    public typealias SubSequence = Slice<Binding<Value>>
}

extension Binding: Collection where Value: MutableCollection {
    /// The index of the collection.
    public typealias Index = Value.Index
    /// The indices of the collection.
    public typealias Indices = Value.Indices
    /// The first index.
    public var startIndex: Value.Index { wrappedValue.startIndex }
    /// The index after the last.
    public var endIndex: Value.Index { wrappedValue.endIndex }
    /// The indices of the values.
    public var indices: Value.Indices { wrappedValue.indices }

    /// The next index.
    public func index(after index: Value.Index) -> Value.Index { wrappedValue.index(after: index) }

    /// Goes to the next index.
    public func formIndex(after index: inout Value.Index) { wrappedValue.formIndex(after: &index) }

    /// A binding to the value at an index.
    public subscript(position: Value.Index) -> Binding<Value.Element> {
        let base = self
        return Binding<Value.Element>(
            read: { base.wrappedValue[position] }, write: { base.wrappedValue[position] = $0 })
    }
}

extension Binding: BidirectionalCollection
where Value: BidirectionalCollection, Value: MutableCollection {
    /// The index before.
    public func index(before index: Value.Index) -> Value.Index { wrappedValue.index(before: index) }

    /// Goes to the index before.
    public func formIndex(before index: inout Value.Index) { wrappedValue.formIndex(before: &index) }
}

extension Binding: RandomAccessCollection where Value: MutableCollection, Value: RandomAccessCollection {}

/// Makes bindings to what an observable object has.
@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
    /// The object.
    public var wrappedValue: Value

    /// The object itself, to make bindings with.
    public var projectedValue: Bindable<Value> { self }

    /// Bindings to what an object has.
    public init(wrappedValue: Value) where Value: AnyObject, Value: Observable {
        self.wrappedValue = wrappedValue
    }

    /// Bindings to what an object has.
    public init(_ wrappedValue: Value) where Value: AnyObject, Value: Observable {
        self.wrappedValue = wrappedValue
    }

    /// Bindings to what an object has.
    public init(projectedValue: Bindable<Value>) where Value: AnyObject, Value: Observable {
        self = projectedValue
    }

    /// A binding to a property.
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> where Value: AnyObject {
        let object = wrappedValue
        return Binding<Subject>(
            read: { object[keyPath: keyPath] }, write: { object[keyPath: keyPath] = $0 })
    }
}

extension Bindable: Identifiable where Value: Identifiable {
    /// The identity of the object.
    public var id: Value.ID { wrappedValue.id }
}

extension Bindable: Sendable where Value: Sendable {}
