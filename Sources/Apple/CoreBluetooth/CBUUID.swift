// SPDX-License-Identifier: Apache-2.0

package import BLEWire
public import Foundation

/// The UUID of a service, a characteristic or a descriptor.
///
/// One of 16 or 32 bits stands for the one of 128 bits that the Bluetooth base makes of it: the two are equal and print
/// the same.
open class CBUUID: NSObject, NSCopying {
    /// The same as our own stack knows it.
    package let value: BluetoothUUID

    /// Wraps a UUID of our own stack.
    package init(_ value: BluetoothUUID) { self.value = value }

    /// Reads 4, 8 or 32 hex digits; the 32 may be set apart with hyphens.
    ///
    /// Any other text ends the program, as it does on Apple's systems.
    ///
    /// - Parameter theString: The text.
    public convenience init(string theString: String) {
        guard let value = Self.value(of: theString) else {
            fatalError("“\(theString)” is no UUID: it takes 4, 8 or 32 hex digits, as in \"180D\".")
        }
        self.init(value)
    }

    /// Reads 2, 4 or 16 octets, the most significant first.
    ///
    /// Any other count ends the program, as it does on Apple's systems.
    ///
    /// - Parameter theData: The octets.
    public convenience init(data theData: Data) {
        func number(_ octets: Data) -> UInt64 { octets.reduce(0) { $0 << 8 | UInt64($1) } }
        switch theData.count {
        case 2, 4: self.init(BluetoothUUID(short32: UInt32(number(theData))))
        case 16:
            self.init(BluetoothUUID(high: number(theData.prefix(8)), low: number(theData.suffix(8))))
        default: fatalError("\(theData.count) octets are no UUID: it takes 2, 4 or 16.")
        }
    }

    /// Takes the octets of Foundation's UUID.
    ///
    /// - Parameter theUUID: The UUID.
    public convenience init(nsuuid theUUID: UUID) {
        self.init(data: withUnsafeBytes(of: theUUID.uuid) { Data($0) })
    }

    /// The octets of the shortest form, the most significant first: 2, 4 or 16.
    open var data: Data {
        func octets(_ number: some FixedWidthInteger) -> Data {
            withUnsafeBytes(of: number.bigEndian) { Data($0) }
        }
        if let short = value.short { return octets(short) }
        if let short32 = value.short32 { return octets(short32) }
        return octets(value.high) + octets(value.low)
    }

    /// The shortest form in upper-case hex digits: 4 or 8 of them, or 32 with hyphens.
    open var uuidString: String { value.description.uppercased() }

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
        guard text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || isHexDigit($0) }) else { return nil }
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
