// SPDX-License-Identifier: Apache-2.0

/// A dictionary of bounded size: when it is full, the key that was used least recently makes room for a new one.
///
/// Using a key, adding one and forgetting one take constant time each. Used is what ``use(_:default:_:)`` names;
/// looking does not count.
public struct RecencyDictionary<Key: Hashable, Value> {
    @usableFromInline
    struct Entry {
        @usableFromInline var key: Key
        @usableFromInline var value: Value
        /// The entry used just before this one; -1 for none.
        @usableFromInline var older: Int
        /// The entry used just after this one; -1 for none.
        @usableFromInline var newer: Int

        @inlinable
        init(key: Key, value: Value) {
            self.key = key
            self.value = value
            older = -1
            newer = -1
        }
    }

    @usableFromInline var places: [Key: Int] = [:]
    @usableFromInline var entries: [Entry] = []
    @usableFromInline var oldest = -1
    @usableFromInline var newest = -1

    /// How many keys are kept at most.
    public let limit: Int

    /// Starts empty.
    ///
    /// - Parameter limit: How many keys are kept at most; at least 1.
    @inlinable
    public init(limit: Int) { self.limit = limit > 1 ? limit : 1 }

    /// How many keys there are.
    @inlinable public var count: Int { entries.count }

    /// The values, in no order.
    @inlinable public var values: some Sequence<Value> { entries.lazy.map { $0.value } }

    /// The value of a key, if it is kept.
    @inlinable
    public subscript(key: Key) -> Value? { places[key].map { entries[$0].value } }

    /// Changes the value of a key in place; the key is the one used most recently then.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - initial: The value of a key that was not kept.
    ///   - body: Changes the value.
    /// - Returns: What the body returns.
    @inlinable
    public mutating func use<Result>(
        _ key: Key, default initial: @autoclosure () -> Value, _ body: (inout Value) -> Result
    ) -> Result {
        let place: Int
        if let known = places[key] {
            place = known
            if place != newest {
                unlink(place)
                link(place)
            }
        } else if entries.count < limit {
            place = entries.count
            entries.append(Entry(key: key, value: initial()))
            places[key] = place
            link(place)
        } else {
            place = oldest
            unlink(place)
            places[entries[place].key] = nil
            entries[place] = Entry(key: key, value: initial())
            places[key] = place
            link(place)
        }
        return body(&entries[place].value)
    }

    /// Forgets a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: Its value, if it was kept.
    @inlinable
    @discardableResult
    public mutating func removeValue(forKey key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        unlink(place)
        let last = entries.count - 1
        if place != last {
            // The last entry takes the place of the one that goes.
            let (older, newer) = (entries[last].older, entries[last].newer)
            entries.swapAt(place, last)
            places[entries[place].key] = place
            if older >= 0 { entries[older].newer = place } else { oldest = place }
            if newer >= 0 { entries[newer].older = place } else { newest = place }
        }
        return entries.removeLast().value
    }

    @usableFromInline
    mutating func unlink(_ place: Int) {
        let (older, newer) = (entries[place].older, entries[place].newer)
        if older >= 0 { entries[older].newer = newer } else { oldest = newer }
        if newer >= 0 { entries[newer].older = older } else { newest = older }
    }

    @usableFromInline
    mutating func link(_ place: Int) {
        entries[place].older = newest
        entries[place].newer = -1
        if newest >= 0 { entries[newest].newer = place } else { oldest = place }
        newest = place
    }
}

extension RecencyDictionary.Entry: Sendable where Key: Sendable, Value: Sendable {}
extension RecencyDictionary: Sendable where Key: Sendable, Value: Sendable {}
