// SPDX-License-Identifier: Apache-2.0

import Companion
import GRDB
import Synchronization

/// Rows of a database that cannot be, whoever has written them: they are left out of what is read, and told once.
final class UnusableRows: Sendable {
    /// Rows that are told one by one.
    private static let mostTold = 20
    /// Rows that are read beyond a page at first, so that it is full where some are left out.
    private static let spare = 1000

    private struct State {
        /// What was told, in sentences.
        var told: Set<String> = []
        var tell: (@Sendable (String) -> Void)?
    }

    private let state = Mutex(State())

    /// Says who is told; what was found before is told at once.
    func tell(_ body: @escaping @Sendable (String) -> Void) {
        let before = state.withLock { state in
            state.tell = body
            return state.told.sorted()
        }
        for sentence in before { body(sentence) }
    }

    /// Notes a row.
    func note(_ reason: String) { say("A row of the database cannot be and is left out: \(reason).") }

    /// Notes what was mended or left out otherwise, in a sentence.
    func say(_ sentence: String) {
        let tell = state.withLock { state in
            guard state.told.count < Self.mostTold, state.told.insert(sentence).inserted else {
                return (@Sendable (String) -> Void)?.none
            }
            return state.tell
        }
        tell?(sentence)
    }

    /// What can be made of rows, one by one.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - make: Makes something of a row, or throws ``BadValue``.
    /// - Returns: What was made.
    /// - Throws: What GRDB throws.
    func usable<Value>(
        _ rows: some Cursor<Row>, _ make: (Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        while let row = try rows.next() {
            if let value = try usable(row, make) { values.append(value) }
        }
        return values
    }

    /// What can be made of a page of rows; it is full where there are rows for that.
    ///
    /// - Parameters:
    ///   - limit: How many are wanted at most.
    ///   - database: The database.
    ///   - query: The query, with so many more rows than are wanted.
    ///   - isFull: Whether the page is full with what was made last, however little it has.
    ///   - make: Makes something of a row, or throws ``BadValue``.
    /// - Returns: What was made.
    /// - Throws: What GRDB throws.
    func page<Value>(
        of limit: Int, _ database: Database, query: (_ spare: Int) throws -> SQL,
        isFull: (Value) -> Bool = { _ in false }, _ make: (Row) throws -> Value
    ) throws -> [Value] {
        var spare = Self.spare
        while true {
            let rows = try SQLRequest<Row>(literal: query(spare)).fetchCursor(database)
            var values: [Value] = []
            var read = 0
            while values.count < limit, let row = try rows.next() {
                read += 1
                guard let value = try usable(row, make) else { continue }
                values.append(value)
                if isFull(value) { return values }
            }
            // A page that is not full is taken for the last one.
            if values.count == limit || read < limit + spare { return values }
            spare *= 100
        }
    }

    /// What can be made of a row.
    func usable<Value>(_ row: Row, _ make: (Row) throws -> Value) throws -> Value? {
        do {
            return try make(row)
        } catch let bad as BadValue {
            note(bad.reason)
            return nil
        }
    }
}

extension Row {
    /// A value; nothing where there is none, or one of another kind.
    func stored<Value: DatabaseValueConvertible>(_ index: Int) -> Value? {
        let value: DatabaseValue = self[index]
        return Value.fromDatabaseValue(value)
    }

    /// What a body makes of the row, whose first column is its number; what is wrong with it is said with that.
    ///
    /// - Throws: What the body throws.
    func named<Value>(_ kind: String, _ body: (Row) throws -> Value) throws -> Value {
        let id: Int64? = stored(0)
        do {
            return try body(self)
        } catch let bad as BadValue {
            throw BadValue("\(kind) \(id.map(\.description) ?? "without a number"): \(bad.reason)")
        }
    }

    /// A value that has to be there.
    ///
    /// - Throws: ``BadValue``.
    func needed<Value: DatabaseValueConvertible>(_ index: Int, _ name: String) throws -> Value {
        guard let value: Value = stored(index) else {
            throw BadValue("its \(name) is missing or of another kind")
        }
        return value
    }

    /// A whole number in the usual range, which can be added up without care.
    ///
    /// - Throws: ``BadValue``.
    func number(_ index: Int, _ name: String, in range: ClosedRange<Int64> = UntrustedRow.usual) throws
        -> Int64
    {
        let value: Int64 = try needed(index, name)
        guard range.contains(value) else { throw BadValue("its \(name) \(value) is out of range") }
        return value
    }

    /// A moment between 1970 and the year 9999.
    ///
    /// - Throws: ``BadValue``.
    func time(_ index: Int, _ name: String) throws -> Timestamp {
        Timestamp(milliseconds: try number(index, name, in: Timestamp.storable))
    }

    /// A number that is finite; nothing where there is none.
    func finite(_ index: Int) -> Double? {
        (stored(index) as Double?).flatMap { $0.isFinite ? $0 : nil }
    }

    /// A place, where there is one on Earth.
    func position(_ index: Int) -> Position? {
        guard let latitude: Double = stored(index), let longitude: Double = stored(index + 1) else {
            return nil
        }
        return Position(latitude: latitude, longitude: longitude)
    }
}

extension Int64 {
    /// The nearest number in the usual range.
    var usual: Int64 { Swift.min(Swift.max(self, 0), UntrustedRow.usual.upperBound) }
}
