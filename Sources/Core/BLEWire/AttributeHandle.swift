// SPDX-License-Identifier: Apache-2.0

/// The number of an attribute in a server's database; 0 is none.
///
/// Spec: Core v5.4, Vol 3, Part F, 3.2.2.
@frozen
public struct AttributeHandle: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: UInt16

    /// Wraps a number.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Wraps a number written in code.
    @inlinable
    public init(integerLiteral value: UInt16) { rawValue = value }

    /// Reads two octets, least significant first.
    ///
    /// - Parameter reader: Where to read.
    /// - Throws: ``DecodeError`` when fewer than two octets are left.
    @inlinable
    public init(decoding reader: inout ByteReader) throws(DecodeError) {
        rawValue = try reader.readUInt16()
    }

    /// The lowest handle that an attribute may have.
    public static let first: AttributeHandle = 0x0001
    /// The highest handle that an attribute may have.
    public static let last: AttributeHandle = 0xFFFF

    /// Orders by number.
    @inlinable
    public static func < (a: AttributeHandle, b: AttributeHandle) -> Bool { a.rawValue < b.rawValue }

    /// The handle after this one; `nil` after the last.
    @inlinable
    public var next: AttributeHandle? {
        rawValue == .max ? nil : AttributeHandle(rawValue: rawValue &+ 1)
    }
}
