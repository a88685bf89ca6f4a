// SPDX-License-Identifier: Apache-2.0

/// Appends values in wire order, little-endian.
@frozen
public struct ByteWriter: Sendable {
    /// What was written so far.
    public var octets: [UInt8]

    /// Starts empty.
    ///
    /// - Parameter capacity: Octets to make room for at once.
    @inlinable
    public init(capacity: Int = 0) {
        octets = []
        if capacity > 0 { octets.reserveCapacity(capacity) }
    }

    /// Appends one octet.
    ///
    /// - Parameter value: The octet.
    @inlinable
    public mutating func write(_ value: UInt8) { octets.append(value) }

    /// Appends one signed octet.
    ///
    /// - Parameter value: The value.
    @inlinable
    public mutating func write(_ value: Int8) { octets.append(UInt8(bitPattern: value)) }

    /// Appends two octets, least significant first.
    ///
    /// - Parameter value: The value.
    @inlinable
    public mutating func write(_ value: UInt16) {
        octets.append(UInt8(truncatingIfNeeded: value))
        octets.append(UInt8(truncatingIfNeeded: value &>> 8))
    }

    /// Appends the low three octets of a value, least significant first.
    ///
    /// - Parameter value: The value; its top octet is dropped.
    @inlinable
    public mutating func writeUInt24(_ value: UInt32) {
        write(UInt16(truncatingIfNeeded: value))
        octets.append(UInt8(truncatingIfNeeded: value &>> 16))
    }

    /// Appends four octets, least significant first.
    ///
    /// - Parameter value: The value.
    @inlinable
    public mutating func write(_ value: UInt32) {
        write(UInt16(truncatingIfNeeded: value))
        write(UInt16(truncatingIfNeeded: value &>> 16))
    }

    /// Appends eight octets, least significant first.
    ///
    /// - Parameter value: The value.
    @inlinable
    public mutating func write(_ value: UInt64) {
        write(UInt32(truncatingIfNeeded: value))
        write(UInt32(truncatingIfNeeded: value &>> 32))
    }

    /// Appends octets as they are.
    ///
    /// - Parameter value: The octets.
    @inlinable
    public mutating func write(_ value: [UInt8]) { octets.append(contentsOf: value) }

    /// Appends a part of an array as it is.
    ///
    /// - Parameter value: The octets.
    @inlinable
    public mutating func write(_ value: ArraySlice<UInt8>) { octets.append(contentsOf: value) }
}
