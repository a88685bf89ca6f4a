// SPDX-License-Identifier: Apache-2.0

/// What can be done with a characteristic.
public struct CBCharacteristicProperties: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Takes the bits as they are.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Its value can be advertised.
    public static let broadcast = CBCharacteristicProperties(rawValue: 0x01)
    /// It can be read.
    public static let read = CBCharacteristicProperties(rawValue: 0x02)
    /// It can be written without an answer.
    public static let writeWithoutResponse = CBCharacteristicProperties(rawValue: 0x04)
    /// It can be written with an answer.
    public static let write = CBCharacteristicProperties(rawValue: 0x08)
    /// Its value is sent when it changes.
    public static let notify = CBCharacteristicProperties(rawValue: 0x10)
    /// Its value is sent when it changes, and each is acknowledged.
    public static let indicate = CBCharacteristicProperties(rawValue: 0x20)
    /// It can be written with a signature.
    public static let authenticatedSignedWrites = CBCharacteristicProperties(rawValue: 0x40)
    /// A descriptor says more.
    public static let extendedProperties = CBCharacteristicProperties(rawValue: 0x80)
    /// Only who has an encrypted connection is notified; for services of an app's own.
    public static let notifyEncryptionRequired = CBCharacteristicProperties(rawValue: 0x100)
    /// Only who has an encrypted connection is sent indications; for services of an app's own.
    public static let indicateEncryptionRequired = CBCharacteristicProperties(rawValue: 0x200)
}

/// What others may do with an attribute of an app's own.
public struct CBAttributePermissions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Takes the bits as they are.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// It may be read.
    public static let readable = CBAttributePermissions(rawValue: 0x01)
    /// It may be written.
    public static let writeable = CBAttributePermissions(rawValue: 0x02)
    /// It may be read over an encrypted connection.
    public static let readEncryptionRequired = CBAttributePermissions(rawValue: 0x04)
    /// It may be written over an encrypted connection.
    public static let writeEncryptionRequired = CBAttributePermissions(rawValue: 0x08)
}
