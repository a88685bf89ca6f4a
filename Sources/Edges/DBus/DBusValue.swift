// SPDX-License-Identifier: Apache-2.0

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value of a D-Bus message.
///
/// D-Bus Specification, "Type System".
public indirect enum DBusValue: Hashable, Sendable {
    /// `y`.
    case octet(UInt8)
    /// `b`.
    case bool(Bool)
    /// `n`.
    case int16(Int16)
    /// `q`.
    case uint16(UInt16)
    /// `i`.
    case int32(Int32)
    /// `u`.
    case uint32(UInt32)
    /// `x`.
    case int64(Int64)
    /// `t`.
    case uint64(UInt64)
    /// `d`.
    case double(Double)
    /// `s`.
    case string(String)
    /// `o`.
    case path(String)
    /// `g`.
    case signature(String)
    /// `h`.
    case descriptor(DBusDescriptor)
    /// `ay`.
    case octets([UInt8])
    /// An array of anything but octets, with the signature of its elements.
    case array([DBusValue], of: String)
    /// `a{..}`, with the signatures of its keys and values.
    case dictionary([DBusValue: DBusValue], key: String, value: String)
    /// `(..)`.
    case structure([DBusValue])
    /// `v`.
    case variant(DBusValue)

    /// The most common dictionary: names with values of any type.
    ///
    /// - Parameter entries: What is in it.
    /// - Returns: `a{sv}`.
    public static func options(_ entries: [String: DBusValue]) -> DBusValue {
        let values = entries.map { (DBusValue.string($0.key), DBusValue.variant($0.value)) }
        return .dictionary(Dictionary(values) { $1 }, key: "s", value: "v")
    }

    /// Its complete type.
    public var signature: String {
        switch self {
        case .octet: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .octets: "ay"
        case .array(_, let element): "a" + element
        case .dictionary(_, let key, let value): "a{" + key + value + "}"
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .variant: "v"
        }
    }
}

// What a value is, for whoever expects one type; `nil` when it is of another. Variants are looked into.
extension DBusValue {
    /// The value without the variants around it.
    public var content: DBusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// The truth value.
    public var bool: Bool? { if case .bool(let value) = content { value } else { nil } }
    /// The text, or the path.
    public var string: String? {
        switch content {
        case .string(let text), .path(let text): text
        default: nil
        }
    }
    /// The octets.
    public var octets: [UInt8]? { if case .octets(let value) = content { value } else { nil } }
    /// The whole number, of whatever size.
    public var integer: Int? {
        switch content {
        case .octet(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(exactly: value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }
    /// The texts, or paths; `nil` as well when there is anything else among them.
    public var strings: [String]? {
        guard case .array(let values, _) = content else { return nil }
        let strings = values.compactMap(\.string)
        return strings.count == values.count ? strings : nil
    }
    /// The entries, by key.
    public var entries: [DBusValue: DBusValue]? {
        if case .dictionary(let entries, _, _) = content { entries } else { nil }
    }
    /// The entries, by names; `nil` as well when a key is something else.
    public var named: [String: DBusValue]? {
        guard let entries else { return nil }
        var named: [String: DBusValue] = [:]
        for (key, value) in entries {
            guard let name = key.string else { return nil }
            named[name] = value.content
        }
        return named
    }
    /// The descriptor.
    public var descriptor: DBusDescriptor? {
        if case .descriptor(let value) = content { value } else { nil }
    }
}

/// A descriptor that came in a message, closed when nobody holds it any more.
public final class DBusDescriptor: Hashable, Sendable {
    /// The number, as long as this lives.
    public let number: CInt

    /// Takes a descriptor over.
    public init(owning number: CInt) { self.number = number }

    deinit { close(number) }

    /// Whether both are the same descriptor.
    public static func == (a: DBusDescriptor, b: DBusDescriptor) -> Bool { a === b }

    /// Hashes which descriptor it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
