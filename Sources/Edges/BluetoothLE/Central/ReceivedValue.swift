// SPDX-License-Identifier: Apache-2.0

/// A value that a peer has sent by itself.
public struct ReceivedValue: Hashable, Sendable {
    /// The handle of the value.
    public var handle: AttributeHandle
    /// The value.
    public var value: [UInt8]
    /// How it was sent.
    public var kind: GATT.ValueKind

    /// Makes a value.
    public init(handle: AttributeHandle, value: [UInt8], kind: GATT.ValueKind) {
        self.handle = handle
        self.value = value
        self.kind = kind
    }
}
