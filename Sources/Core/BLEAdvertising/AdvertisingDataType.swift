// SPDX-License-Identifier: Apache-2.0

/// What one structure of advertising data holds: its second octet.
///
/// Spec: CSS v11, Part A, 1; Assigned Numbers 2.3.
@frozen
public struct AdvertisingDataType: RawRepresentable, Hashable, Sendable {
    /// The octet on the wire.
    public let rawValue: UInt8

    /// Wraps an octet.
    ///
    /// - Parameter rawValue: The octet on the wire.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Flags.
    public static let flags = AdvertisingDataType(rawValue: 0x01)
    /// Some of the 16-bit service UUIDs.
    public static let incompleteServices16 = AdvertisingDataType(rawValue: 0x02)
    /// All of the 16-bit service UUIDs.
    public static let completeServices16 = AdvertisingDataType(rawValue: 0x03)
    /// Some of the 32-bit service UUIDs.
    public static let incompleteServices32 = AdvertisingDataType(rawValue: 0x04)
    /// All of the 32-bit service UUIDs.
    public static let completeServices32 = AdvertisingDataType(rawValue: 0x05)
    /// Some of the 128-bit service UUIDs.
    public static let incompleteServices128 = AdvertisingDataType(rawValue: 0x06)
    /// All of the 128-bit service UUIDs.
    public static let completeServices128 = AdvertisingDataType(rawValue: 0x07)
    /// The beginning of the name.
    public static let shortenedLocalName = AdvertisingDataType(rawValue: 0x08)
    /// The whole name.
    public static let completeLocalName = AdvertisingDataType(rawValue: 0x09)
    /// The transmit power in dBm.
    public static let txPowerLevel = AdvertisingDataType(rawValue: 0x0A)
    /// The connection intervals that the peripheral would like.
    public static let peripheralConnectionIntervalRange = AdvertisingDataType(rawValue: 0x12)
    /// 16-bit UUIDs of services that the peripheral looks for.
    public static let solicitation16 = AdvertisingDataType(rawValue: 0x14)
    /// 128-bit UUIDs of services that the peripheral looks for.
    public static let solicitation128 = AdvertisingDataType(rawValue: 0x15)
    /// Data of a service with a 16-bit UUID.
    public static let serviceData16 = AdvertisingDataType(rawValue: 0x16)
    /// The appearance.
    public static let appearance = AdvertisingDataType(rawValue: 0x19)
    /// The advertising interval.
    public static let advertisingInterval = AdvertisingDataType(rawValue: 0x1A)
    /// 32-bit UUIDs of services that the peripheral looks for.
    public static let solicitation32 = AdvertisingDataType(rawValue: 0x1F)
    /// Data of a service with a 32-bit UUID.
    public static let serviceData32 = AdvertisingDataType(rawValue: 0x20)
    /// Data of a service with a 128-bit UUID.
    public static let serviceData128 = AdvertisingDataType(rawValue: 0x21)
    /// A URI.
    public static let uri = AdvertisingDataType(rawValue: 0x24)
    /// Data of a company.
    public static let manufacturerSpecific = AdvertisingDataType(rawValue: 0xFF)
}
