// SPDX-License-Identifier: Apache-2.0

/// About which devices an app is told that they are connected.
public struct CBConnectionEventMatchingOption: RawRepresentable, Hashable, Sendable {
    /// The key.
    public let rawValue: String

    /// Takes a key as it is.
    ///
    /// - Parameter rawValue: The key.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Those with one of these services: an array of ``CBUUID``.
    public static let serviceUUIDs = CBConnectionEventMatchingOption(
        rawValue: "kCBConnectionEventMatchingOptionServiceUUIDs")
    /// These: an array of `UUID`.
    public static let peripheralUUIDs = CBConnectionEventMatchingOption(
        rawValue: "kCBConnectionEventMatchingOptionPeripheralUUIDs")
}
