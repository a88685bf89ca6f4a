// SPDX-License-Identifier: Apache-2.0

package import BLEWire
public import Foundation

/// The UUID of a service, a characteristic or a descriptor.
///
/// One of 16 or 32 bits is equal to the one of 128 bits that the Bluetooth base makes of it. Which of them it was made as it
/// keeps, as on Apple's systems: ``data``, ``uuidString`` and advertisements have it in that form.
open class CBUUID: NSObject, NSCopying {
    /// The same as our own stack knows it.
    package let value: BluetoothUUID
    /// Octets of the form that it was made in: 2, 4 or 16.
    package let width: Int

    /// Wraps a UUID of our own stack, in its shortest form.
    package convenience init(_ value: BluetoothUUID) {
        self.init(value, width: value.short != nil ? 2 : value.short32 != nil ? 4 : 16)
    }

    private init(_ value: BluetoothUUID, width: Int) {
        self.value = value
        self.width = width
    }

    /// Reads 4 or 8 hex digits, or 32 that are set apart with hyphens.
    ///
    /// Any other text ends the program, as it does on Apple's systems.
    ///
    /// - Parameter theString: The text.
    public convenience init(string theString: String) {
        guard let value = Self.value(of: theString) else {
            fatalError("“\(theString)” is no UUID: it takes 4 or 8 hex digits, or 32 with hyphens.")
        }
        self.init(value, width: theString.utf8.count == 36 ? 16 : theString.utf8.count / 2)
    }

    /// Reads 2, 4 or 16 octets, the most significant first.
    ///
    /// Any other count ends the program, as it does on Apple's systems.
    ///
    /// - Parameter theData: The octets.
    public convenience init(data theData: Data) {
        guard let value = BluetoothUUID(writtenOctets: Array(theData)) else {
            fatalError("\(theData.count) octets are no UUID: it takes 2, 4 or 16.")
        }
        self.init(value, width: theData.count)
    }

    /// Takes the 16 octets of Foundation's UUID.
    ///
    /// - Parameter theUUID: The UUID.
    public convenience init(nsuuid theUUID: UUID) {
        self.init(data: withUnsafeBytes(of: theUUID.uuid) { Data($0) })
    }

    /// The octets, the most significant first: as many as it was made of.
    open var data: Data {
        let octets = value.writtenOctets
        return Data(width == 2 ? octets[2..<4] : octets[..<width])
    }

    /// Upper-case hex digits: 4, 8, or 32 with hyphens, as many as it was made of.
    open var uuidString: String {
        switch width {
        case 16:
            NSUUID(uuidBytes: Array(data)).uuidString
        default:
            data.map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined().uppercased()
        }
    }

    open override var description: String { uuidString }

    open override var hash: Int { value.hashValue }

    open override func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.value == value }

    /// Returns the same object, since nothing changes it.
    ///
    /// - Parameter zone: Means nothing.
    /// - Returns: The object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Reads a text as ``init(string:)`` does, and returns `nil` for any other.
    package static func value(of text: String) -> BluetoothUUID? {
        // Ours reads more spellings: braces, for one.
        guard [4, 8, 36].contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || isHexDigit($0) })
        else { return nil }
        return BluetoothUUID(text)
    }

    private static func isHexDigit(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }
}

/// The UUID of the descriptor Characteristic Extended Properties.
public let CBUUIDCharacteristicExtendedPropertiesString: String = "2900"

/// The UUID of the descriptor Characteristic User Description.
public let CBUUIDCharacteristicUserDescriptionString: String = "2901"

/// The UUID of the descriptor Client Characteristic Configuration.
public let CBUUIDClientCharacteristicConfigurationString: String = "2902"

/// The UUID of the descriptor Server Characteristic Configuration.
public let CBUUIDServerCharacteristicConfigurationString: String = "2903"

/// The UUID of the descriptor Characteristic Presentation Format.
public let CBUUIDCharacteristicFormatString: String = "2904"

/// The UUID of the descriptor Characteristic Aggregate Format.
public let CBUUIDCharacteristicAggregateFormatString: String = "2905"

/// The UUID of the descriptor Valid Range.
public let CBUUIDCharacteristicValidRangeString: String = "2906"

/// The UUID of the descriptor Observation Schedule.
public let CBUUIDCharacteristicObservationScheduleString: String = "2910"

/// The UUID of the characteristic in which a device names the PSM of its L2CAP channel.
public let CBUUIDL2CAPPSMCharacteristicString: String = "ABDD3056-28FA-441D-A470-55A75A52553A"
