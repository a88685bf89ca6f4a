// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Who observes the properties of one object.
///
/// Closures of observers run without the lock, so that they may read, change, observe and end what they like.
public final class _KeyValueObservers: @unchecked Sendable {
    /// What happens before a change; it returns what happens after it.
    typealias Observer = () -> () -> Void

    /// A change that goes on.
    package struct Change {
        fileprivate let rest: [(number: Int, body: () -> Void)]
    }

    // All below is read and written under the lock.
    private let lock = NSLock()
    private var last = 0
    private var observers: [Int: (properties: Set<AnyKeyPath>, body: Observer)] = [:]
    private var recordings: [ObjectIdentifier: Set<AnyKeyPath>] = [:]

    /// Makes one without observers.
    package init() {}

    /// Is told that a property is read.
    ///
    /// A key path of a subclass is another than that of the class, and equal to none: which property it reads is seen when it
    /// reads it.
    ///
    /// - Parameter property: The property, as the class that declares it names it: `\CBManager.state`.
    package func access(_ property: AnyKeyPath) {
        lock.withLock {
            if !recordings.isEmpty { recordings[ObjectIdentifier(Thread.current)]?.insert(property) }
        }
    }

    /// Tells observers that a property is about to change.
    ///
    /// - Parameter property: The property, as the class that declares it names it.
    /// - Returns: What ``didChange(_:)`` takes.
    package func willChange(_ property: AnyKeyPath) -> Change {
        let told = lock.withLock {
            observers.filter { $0.value.properties.contains(property) }.sorted { $0.key < $1.key }
        }
        return Change(rest: told.map { ($0.key, $0.value.body()) })
    }

    /// Tells observers that a property has changed.
    ///
    /// - Parameter change: What ``willChange(_:)`` has returned.
    package func didChange(_ change: Change) {
        for one in change.rest where lock.withLock({ observers[one.number] != nil }) { one.body() }
    }

    /// Changes a property, and tells observers before and after.
    ///
    /// - Parameters:
    ///   - property: The property, as the class that declares it names it.
    ///   - body: What changes it.
    /// - Returns: What the closure returns.
    package func change<Result>(_ property: AnyKeyPath, _ body: () -> Result) -> Result {
        let change = willChange(property)
        defer { didChange(change) }
        return body()
    }

    /// Reads something, and says which properties that has read.
    func recording<Value>(_ read: () -> Value) -> (Value, Set<AnyKeyPath>) {
        let thread = ObjectIdentifier(Thread.current)
        let outer = lock.withLock { recordings.updateValue([], forKey: thread) }
        let value = read()
        let read = lock.withLock {
            let read = recordings[thread] ?? []
            recordings[thread] = outer.map { $0.union(read) }
            return read
        }
        return (value, read)
    }

    func add(to properties: Set<AnyKeyPath>, _ body: @escaping Observer) -> Int {
        lock.withLock {
            last += 1
            observers[last] = (properties, body)
            return last
        }
    }

    func remove(_ number: Int) {
        // What the closure holds may end with it, and that may come back here.
        let removed = lock.withLock { observers.removeValue(forKey: number) }
        _ = removed
    }
}
