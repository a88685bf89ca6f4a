// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// What is wrong with a JSON file that a person has given us, and in which line.
struct JSONFault: Error, Hashable {
    /// The line, from 1.
    let line: Int
    /// What is wrong, as part of a sentence.
    let reason: String

    init(_ line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }
}

/// A JSON value that knows in which line it begins, so that whoever wrote it by hand is told where to look.
struct JSONNode: Hashable, Sendable {
    /// The value.
    enum Value: Hashable, Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case text(String)
        case array([JSONNode])
        case object([Member])
    }

    /// A key and what it stands for.
    struct Member: Hashable, Sendable {
        let key: String
        let node: JSONNode
    }

    let line: Int
    let value: Value

    /// What stands behind a key of an object, if it is there and not null.
    func member(_ key: String) throws(JSONFault) -> JSONNode? {
        guard case .object(let members) = value else { throw JSONFault(line, "an object is expected here") }
        guard let found = members.last(where: { $0.key == key })?.node, found.value != .null else {
            return nil
        }
        return found
    }

    /// What stands behind a key that must be there.
    func needed(_ key: String) throws(JSONFault) -> JSONNode {
        guard let found = try member(key) else { throw JSONFault(line, "\"\(key)\" is missing") }
        return found
    }

    /// The elements behind a key; none when it is missing.
    func list(_ key: String) throws(JSONFault) -> [JSONNode] {
        guard let found = try member(key) else { return [] }
        guard case .array(let elements) = found.value else {
            throw JSONFault(found.line, "\"\(key)\" must be an array")
        }
        return elements
    }

    /// The text.
    func text(_ what: String) throws(JSONFault) -> String {
        guard case .text(let text) = value else { throw JSONFault(line, "\(what) must be text") }
        return text
    }

    /// True or false.
    func flag(_ what: String) throws(JSONFault) -> Bool {
        guard case .bool(let flag) = value else { throw JSONFault(line, "\(what) must be true or false") }
        return flag
    }

    /// A whole number of a range, also as text in hex: `18` or `"0x12"`.
    func number(_ what: String, in range: ClosedRange<Int>) throws(JSONFault) -> Int {
        let number: Int? =
            switch value {
            case .number(let number): Int(exactly: number)
            case .text(let text) where text.hasPrefix("0x") && !text.hasPrefix("0x+"):
                Int(text.dropFirst(2), radix: 16)
            default: nil
            }
        guard let number, range.contains(number) else {
            throw JSONFault(line, "\(what) must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number of a range, which need not be whole.
    func number(_ what: String, in range: ClosedRange<Double>) throws(JSONFault) -> Double {
        guard case .number(let number) = value, range.contains(number) else {
            throw JSONFault(
                line, "\(what) must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }

    /// Refuses an object with other keys than these: a slip in writing must not go unnoticed.
    func allow(only keys: [String]) throws(JSONFault) {
        guard case .object(let members) = value else { throw JSONFault(line, "an object is expected here") }
        if let unknown = members.first(where: { !keys.contains($0.key) }) {
            throw JSONFault(
                unknown.node.line,
                "\"\(unknown.key)\" is not known here; what is: \(keys.joined(separator: ", "))")
        }
    }

    /// A UUID.
    func uuid(_ what: String) throws(JSONFault) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(try text(what)) else {
            throw JSONFault(line, "\(what) must be a UUID of 4, 8 or 32 hex digits")
        }
        return uuid
    }

    /// Octets in hex.
    func octets(_ what: String, atMost limit: Int) throws(JSONFault) -> [UInt8] {
        guard let octets = [UInt8](hexadecimal: try text(what)) else {
            throw JSONFault(line, "\(what) must have two hex digits for each octet")
        }
        guard octets.count <= limit else {
            throw JSONFault(
                line, "\(what) has \(octets.count) octets, and \(limit) are the most there can be")
        }
        return octets
    }
}
