// SPDX-License-Identifier: Apache-2.0

/// What one structure of advertising data holds: its second octet.
///
/// Spec: CSS v11, Part A, 1; Assigned Numbers 2.3.
@frozen
public struct AdvertisingDataType: RawRepresentable, Hashable, Sendable {
    /// The octet on the wire.
    public let rawValue: UInt8

    /// Wraps an octet.
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
    /// The class of a device that speaks BR/EDR, too.
    public static let classOfDevice = AdvertisingDataType(rawValue: 0x0D)
    /// A hash for pairing out of band, with P-192.
    public static let simplePairingHash192 = AdvertisingDataType(rawValue: 0x0E)
    /// A randomizer for pairing out of band, with P-192.
    public static let simplePairingRandomizer192 = AdvertisingDataType(rawValue: 0x0F)
    /// Maker, product and version; in data for pairing out of band the temporary key.
    public static let deviceIDOrTemporaryKey = AdvertisingDataType(rawValue: 0x10)
    /// What a device says about pairing outside of Bluetooth.
    public static let securityManagerFlags = AdvertisingDataType(rawValue: 0x11)
    /// The connection intervals that the peripheral would like.
    public static let peripheralConnectionIntervalRange = AdvertisingDataType(rawValue: 0x12)
    /// 16-bit UUIDs of services that the peripheral looks for.
    public static let solicitation16 = AdvertisingDataType(rawValue: 0x14)
    /// 128-bit UUIDs of services that the peripheral looks for.
    public static let solicitation128 = AdvertisingDataType(rawValue: 0x15)
    /// Data of a service with a 16-bit UUID.
    public static let serviceData16 = AdvertisingDataType(rawValue: 0x16)
    /// Public addresses of those for whom this is meant.
    public static let publicTargetAddress = AdvertisingDataType(rawValue: 0x17)
    /// Random addresses of those for whom this is meant.
    public static let randomTargetAddress = AdvertisingDataType(rawValue: 0x18)
    /// The appearance.
    public static let appearance = AdvertisingDataType(rawValue: 0x19)
    /// The advertising interval, two octets.
    public static let advertisingInterval = AdvertisingDataType(rawValue: 0x1A)
    /// The device's address.
    public static let deviceAddress = AdvertisingDataType(rawValue: 0x1B)
    /// Which roles the device can take.
    public static let role = AdvertisingDataType(rawValue: 0x1C)
    /// A hash for pairing out of band, with P-256.
    public static let simplePairingHash256 = AdvertisingDataType(rawValue: 0x1D)
    /// A randomizer for pairing out of band, with P-256.
    public static let simplePairingRandomizer256 = AdvertisingDataType(rawValue: 0x1E)
    /// 32-bit UUIDs of services that the peripheral looks for.
    public static let solicitation32 = AdvertisingDataType(rawValue: 0x1F)
    /// Data of a service with a 32-bit UUID.
    public static let serviceData32 = AdvertisingDataType(rawValue: 0x20)
    /// Data of a service with a 128-bit UUID.
    public static let serviceData128 = AdvertisingDataType(rawValue: 0x21)
    /// The confirmation for LE Secure Connections out of band.
    public static let secureConnectionsConfirmation = AdvertisingDataType(rawValue: 0x22)
    /// The random value for LE Secure Connections out of band.
    public static let secureConnectionsRandom = AdvertisingDataType(rawValue: 0x23)
    /// A URI.
    public static let uri = AdvertisingDataType(rawValue: 0x24)
    /// Where the device is in a building.
    public static let indoorPositioning = AdvertisingDataType(rawValue: 0x25)
    /// Transports on which the device can be reached.
    public static let transportDiscoveryData = AdvertisingDataType(rawValue: 0x26)
    /// LE features.
    public static let supportedFeatures = AdvertisingDataType(rawValue: 0x27)
    /// Channels to use from some moment on.
    public static let channelMapUpdate = AdvertisingDataType(rawValue: 0x28)
    /// A part of a mesh provisioning (PB-ADV).
    public static let meshProvisioning = AdvertisingDataType(rawValue: 0x29)
    /// A mesh network PDU.
    public static let meshMessage = AdvertisingDataType(rawValue: 0x2A)
    /// A mesh beacon.
    public static let meshBeacon = AdvertisingDataType(rawValue: 0x2B)
    /// How to receive a broadcast isochronous group.
    public static let bigInfo = AdvertisingDataType(rawValue: 0x2C)
    /// The key to an encrypted broadcast.
    public static let broadcastCode = AdvertisingDataType(rawValue: 0x2D)
    /// Who belongs to a set, for those who know its key.
    public static let resolvableSetIdentifier = AdvertisingDataType(rawValue: 0x2E)
    /// The advertising interval, three or four octets.
    public static let longAdvertisingInterval = AdvertisingDataType(rawValue: 0x2F)
    /// The name of a broadcast.
    public static let broadcastName = AdvertisingDataType(rawValue: 0x30)
    /// Structures that only those with the key can read.
    public static let encryptedData = AdvertisingDataType(rawValue: 0x31)
    /// When to answer periodic advertising.
    public static let periodicResponseTiming = AdvertisingDataType(rawValue: 0x32)
    /// Commands to or answers of electronic shelf labels.
    public static let electronicShelfLabel = AdvertisingDataType(rawValue: 0x34)
    /// A 3D display for glasses.
    public static let threeDInformation = AdvertisingDataType(rawValue: 0x3D)
    /// Data of a company.
    public static let manufacturerSpecific = AdvertisingDataType(rawValue: 0xFF)
}
