// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Companion
import FlockFinder

/// Why a value cannot be, as a phrase.
struct BadValue: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// A row of a stranger's table: each value is looked at before it is taken.
struct UntrustedRow: ~Copyable {
    /// Whole numbers that every program can tell apart, and that can be added up without care.
    static let usual: ClosedRange<Int64> = 0...9_007_199_254_740_991
    /// Numbers that rows, deletions and changes of a copy may have; what is counted on from them has room for good.
    static let counted: ClosedRange<Int64> = 0...1 << 40
    /// Numbers of rows.
    static let numbers: ClosedRange<Int64> = 1...counted.upperBound

    private let statement: OpaquePointer

    init(statement: OpaquePointer) { self.statement = statement }

    var count: Int { Int(sqlite3_column_count(statement)) }

    /// Octets of its texts and blobs.
    var octets: Int {
        var sum = 0
        for index in 0..<sqlite3_column_count(statement) {
            switch sqlite3_column_type(statement, index) {
            case SQLITE_TEXT, SQLITE_BLOB: sum += Int(sqlite3_column_bytes(statement, index))
            default: break
            }
        }
        return sum
    }

    private func name(_ index: CInt) -> String {
        sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "value"
    }

    func isNull(_ index: CInt) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

    /// A whole number.
    func integer(_ index: CInt, in range: ClosedRange<Int64> = usual) throws -> Int64 {
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else {
            throw BadValue("its \(name(index)) is not a whole number")
        }
        let value = sqlite3_column_int64(statement, index)
        guard range.contains(value) else {
            throw BadValue("its \(name(index)) is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return value
    }

    /// A whole number, or nothing.
    func integerIfAny(_ index: CInt, in range: ClosedRange<Int64> = usual) throws -> Int64? {
        isNull(index) ? nil : try integer(index, in: range)
    }

    /// A moment between 1970 and the year 9999.
    func time(_ index: CInt) throws -> Timestamp {
        Timestamp(milliseconds: try integer(index, in: Timestamp.storable))
    }

    /// A number that is finite.
    func real(_ index: CInt, in range: ClosedRange<Double> = -1e12...1e12) throws -> Double {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_FLOAT, SQLITE_INTEGER: break
        default: throw BadValue("its \(name(index)) is not a number")
        }
        let value = sqlite3_column_double(statement, index)
        guard range.contains(value) else { throw BadValue("its \(name(index)) is out of range") }
        return value
    }

    /// A number that is finite, or nothing.
    func realIfAny(_ index: CInt, in range: ClosedRange<Double> = -1e12...1e12) throws -> Double? {
        isNull(index) ? nil : try real(index, in: range)
    }

    /// Text without U+0000.
    func text(_ index: CInt, atMost limit: Int) throws -> String {
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT else {
            throw BadValue("its \(name(index)) is not text")
        }
        let text = try characters(index, atMost: limit)
        guard !text.utf8.contains(0) else { throw BadValue("its \(name(index)) has the character U+0000") }
        return text
    }

    /// Text without U+0000 that may be the text of a JSON value, as far as its depth is concerned.
    func json(_ index: CInt, atMost limit: Int) throws -> String {
        let text = try text(index, atMost: limit)
        guard JSONReader.mayBeKept(text.utf8) else {
            throw BadValue("its \(name(index)) is nested more than \(JSONReader.keptDepth) deep")
        }
        return text
    }

    /// Text without U+0000, or nothing.
    func textIfAny(_ index: CInt, atMost limit: Int) throws -> String? {
        isNull(index) ? nil : try text(index, atMost: limit)
    }

    /// Text as ``StoredText`` keeps it.
    func storedText(_ index: CInt, atMost limit: Int) throws -> String {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_TEXT, SQLITE_BLOB: try characters(index, atMost: limit)
        default: throw BadValue("its \(name(index)) is not text")
        }
    }

    /// Text as ``StoredText`` keeps it, or nothing.
    func storedTextIfAny(_ index: CInt, atMost limit: Int) throws -> String? {
        isNull(index) ? nil : try storedText(index, atMost: limit)
    }

    /// Octets.
    func octets(_ index: CInt, atMost limit: Int) throws -> [UInt8] {
        guard sqlite3_column_type(statement, index) == SQLITE_BLOB else {
            throw BadValue("its \(name(index)) is not a blob")
        }
        return try taken(index, atMost: limit)
    }

    private func characters(_ index: CInt, atMost limit: Int) throws -> String {
        guard let text = String(validating: try taken(index, atMost: limit), as: UTF8.self) else {
            throw BadValue("its \(name(index)) is no UTF-8")
        }
        return text
    }

    private func taken(_ index: CInt, atMost limit: Int) throws -> [UInt8] {
        // Asked for as text, it is UTF-8 whatever the file has.
        let begin: UnsafeRawPointer? =
            sqlite3_column_type(statement, index) == SQLITE_TEXT
            ? sqlite3_column_text(statement, index).map { UnsafeRawPointer($0) }
            : sqlite3_column_blob(statement, index)
        let count = Int(sqlite3_column_bytes(statement, index))
        guard count <= limit else { throw BadValue("its \(name(index)) has more than \(limit) octets") }
        guard let begin, count > 0 else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: begin, count: count))
    }
}
