// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A JSON value that knows in which line it begins, so that a fault can say where to look.
public struct JSONNode: Hashable, Sendable {
    /// The kinds of JSON values.
    public enum Value: Hashable, Sendable {
        /// Nothing.
        case null
        /// True or false.
        case bool(Bool)
        /// A number.
        case number(Double)
        /// Text.
        case text(String)
        /// Values in order.
        case array([JSONNode])
        /// Keys with their values, in the order in which they are written.
        case object([Member])
    }

    /// A key and its value.
    public struct Member: Hashable, Sendable {
        /// The key.
        public let key: String
        /// What it stands for.
        public let node: JSONNode

        /// Makes a member.
        public init(key: String, node: JSONNode) {
            self.key = key
            self.node = node
        }
    }

    /// The line in which it begins, from 1.
    public let line: Int
    /// The column in which it begins, from 1.
    public let column: Int
    /// The value.
    public let value: Value

    /// Makes a value.
    public init(line: Int, column: Int = 1, value: Value) {
        self.line = line
        self.column = column
        self.value = value
    }

    /// A fault that begins where the value does.
    ///
    /// - Parameter reason: What is wrong, as part of a sentence.
    /// - Returns: The fault.
    public func fault(_ reason: String) -> JSONDecodingError {
        JSONDecodingError(line, column: column, reason)
    }

    /// The value of a key of an object; `nil` when it is missing or null.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value; `nil` when it is not there or null.
    /// - Throws: ``JSONDecodingError``.
    public func member(_ key: String) throws(JSONDecodingError) -> JSONNode? {
        guard case .object(let members) = value else { throw fault("an object is expected here") }
        guard let found = members.last(where: { $0.key == key })?.node, found.value != .null else {
            return nil
        }
        return found
    }

    /// The value of a key, whatever it is; `nil` when there is none, and where this is no object.
    package func value(of key: String) -> Value? {
        guard case .object(let members) = value else { return nil }
        return members.last { $0.key == key }?.node.value
    }

    /// The value of a key that must be there.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value.
    /// - Throws: ``JSONDecodingError``.
    public func needed(_ key: String) throws(JSONDecodingError) -> JSONNode {
        guard let found = try member(key) else { throw fault("\"\(key)\" is missing") }
        return found
    }

    /// The elements of a list; none when its key is missing.
    ///
    /// - Parameter key: The key.
    /// - Returns: The elements.
    /// - Throws: ``JSONDecodingError``.
    public func list(_ key: String) throws(JSONDecodingError) -> [JSONNode] {
        guard let found = try member(key) else { return [] }
        return try found.elements("\"\(key)\"")
    }

    /// The text.
    ///
    /// - Parameter what: What it is, for the error.
    /// - Returns: The text.
    /// - Throws: ``JSONDecodingError``.
    public func text(_ what: String) throws(JSONDecodingError) -> String {
        guard case .text(let text) = value else { throw fault("\(what) must be text") }
        return text
    }

    /// True or false.
    ///
    /// - Parameter what: What it is, for the error.
    /// - Returns: The value.
    /// - Throws: ``JSONDecodingError``.
    public func flag(_ what: String) throws(JSONDecodingError) -> Bool {
        guard case .bool(let flag) = value else { throw fault("\(what) must be true or false") }
        return flag
    }

    /// A whole number of a range, also as text in hex: `18` or `"0x12"`.
    ///
    /// - Parameters:
    ///   - what: What it is, for the error.
    ///   - range: What it may be.
    /// - Returns: The number.
    /// - Throws: ``JSONDecodingError``.
    public func number(_ what: String, in range: ClosedRange<Int>) throws(JSONDecodingError) -> Int {
        let number: Int? =
            switch value {
            case .number(let number): Int(exactly: number)
            case .text(let text) where text.hasPrefix("0x") && !text.hasPrefix("0x+"):
                Int(text.dropFirst(2), radix: 16)
            default: nil
            }
        guard let number, range.contains(number) else {
            throw fault("\(what) must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number of a range, which need not be whole.
    ///
    /// - Parameters:
    ///   - what: What it is, for the error.
    ///   - range: What it may be.
    /// - Returns: The number.
    /// - Throws: ``JSONDecodingError``.
    public func number(_ what: String, in range: ClosedRange<Double>) throws(JSONDecodingError) -> Double {
        guard case .number(let number) = value, range.contains(number) else {
            // Ranges that stop only where numbers do are none that a person needs to know.
            let isWide = max(range.lowerBound.magnitude, range.upperBound.magnitude) > 1e15
            let limits = isWide ? "" : " from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
            throw fault("\(what) must be a number\(limits)")
        }
        return number
    }

    /// Refuses an object with other keys than these: a slip in writing must not go unnoticed.
    ///
    /// - Parameter keys: All keys that may stand here.
    /// - Throws: ``JSONDecodingError``.
    public func allow(only keys: [String]) throws(JSONDecodingError) {
        guard case .object(let members) = value else { throw fault("an object is expected here") }
        if let unknown = members.first(where: { !keys.contains($0.key) }) {
            throw unknown.node.fault(
                "\"\(unknown.key.shortened)\" is not known here; known are: \(keys.joined(separator: ", "))")
        }
    }

    /// A UUID.
    ///
    /// - Parameter what: What it is, for the error.
    /// - Returns: The UUID.
    /// - Throws: ``JSONDecodingError``.
    public func uuid(_ what: String) throws(JSONDecodingError) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(try text(what)) else {
            throw fault("\(what) must be a UUID of 4, 8 or 32 hex digits")
        }
        return uuid
    }

    /// Octets in hex.
    ///
    /// - Parameters:
    ///   - what: What it is, for the error.
    ///   - limit: How many there may be.
    /// - Returns: The octets.
    /// - Throws: ``JSONDecodingError``.
    public func octets(_ what: String, atMost limit: Int) throws(JSONDecodingError) -> [UInt8] {
        guard let octets = [UInt8](hexadecimal: try text(what)) else {
            throw fault("\(what) must have two hex digits for each octet")
        }
        guard octets.count <= limit else {
            throw fault("\(what) has \(octets.count) octets, and at most \(limit) are allowed")
        }
        return octets
    }
}
