// SPDX-License-Identifier: Apache-2.0

/// What was read of a value: all of it, or its first part.
public struct ReadValue: Hashable, Sendable {
    /// The value, or its first part.
    public let octets: [UInt8]
    /// Why no more has come; `nil` when this is all.
    ///
    /// After ``BluetoothError/refused(_:)`` it may be all, too: some devices refuse so to go on where a value has ended.
    public let cutShortBy: BluetoothError?

    /// Makes a value.
    public init(_ octets: [UInt8], cutShortBy error: BluetoothError? = nil) {
        self.octets = octets
        cutShortBy = error
    }
}
