// SPDX-License-Identifier: Apache-2.0

/// The handle of a characteristic's value or of a descriptor: what can be read and written.
///
/// Not that of a declaration, which is an `AttributeHandle` beside it. Platforms that keep handles to themselves
/// make them up.
@frozen
public struct ValueHandle: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt16

    /// Wraps a number.
    ///
    /// - Parameter rawValue: The number.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Wraps the handle of an attribute that is known to hold a value.
    ///
    /// - Parameter attribute: The attribute's handle.
    @inlinable
    public init(_ attribute: AttributeHandle) { rawValue = attribute.rawValue }

    /// The handle of a characteristic's value.
    ///
    /// - Parameter characteristic: The characteristic.
    @inlinable
    public init(_ characteristic: GATT.Characteristic) { self.init(characteristic.valueHandle) }

    /// The handle of a descriptor.
    ///
    /// - Parameter descriptor: The descriptor.
    @inlinable
    public init(_ descriptor: GATT.Descriptor) { self.init(descriptor.handle) }

    /// The handle as that of any attribute.
    @inlinable
    public var attribute: AttributeHandle { AttributeHandle(rawValue: rawValue) }

    /// Orders by number.
    @inlinable
    public static func < (a: ValueHandle, b: ValueHandle) -> Bool { a.rawValue < b.rawValue }
}

extension ValueHandle: CustomStringConvertible {
    /// Four hex digits, as in `0x0014`.
    public var description: String { attribute.description }
}

/// A value that a peer has sent by itself.
public struct ReceivedValue: Hashable, Sendable {
    /// The handle of the value.
    public var handle: ValueHandle
    /// The value.
    public var value: [UInt8]
    /// How it was sent.
    public var kind: GATT.ValueKind

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - handle: The handle of the value.
    ///   - value: The value.
    ///   - kind: How it was sent.
    public init(handle: ValueHandle, value: [UInt8], kind: GATT.ValueKind) {
        self.handle = handle
        self.value = value
        self.kind = kind
    }
}
