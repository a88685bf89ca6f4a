// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Names that people know for the numbers that travel.
///
/// They come from the Bluetooth SIG's Assigned Numbers and from well-known makers. A number without a name gives `nil`.
public enum AssignedNumbers {
    /// All services that have a name, in the order of their UUIDs.
    public static var services: [(uuid: BluetoothUUID, name: String)] {
        all(.service)
    }

    /// All characteristics that have a name, in the order of their UUIDs.
    public static var characteristics: [(uuid: BluetoothUUID, name: String)] {
        all(.characteristic)
    }

    /// The name of a service.
    ///
    /// - Parameter service: The service's UUID.
    /// - Returns: For example "Battery" for 180F.
    public static func name(ofService service: BluetoothUUID) -> String? {
        name(of: service, .service)
    }

    /// The name of a characteristic.
    ///
    /// - Parameter characteristic: The characteristic's UUID.
    /// - Returns: For example "Battery Level" for 2A19.
    public static func name(ofCharacteristic characteristic: BluetoothUUID) -> String? {
        name(of: characteristic, .characteristic)
    }

    /// The name of a descriptor.
    ///
    /// - Parameter descriptor: The descriptor's UUID.
    /// - Returns: For example "Client Characteristic Configuration" for 2902.
    public static func name(ofDescriptor descriptor: BluetoothUUID) -> String? {
        name(of: descriptor, .descriptor)
    }

    /// The name of a company.
    ///
    /// - Parameter company: The company identifier of manufacturer specific data.
    /// - Returns: For example "Apple, Inc." for 004C.
    public static func name(ofCompany company: UInt16) -> String? {
        name(of: digits(company, 4), .company)
    }

    /// The name of what a device says it looks like.
    ///
    /// - Parameter appearance: The category in the upper ten bits, the kind in the lower six.
    /// - Returns: For example "Smartwatch" for 00C2; the category's name when the kind has none.
    public static func name(ofAppearance appearance: UInt16) -> String? {
        name(of: digits(appearance, 4), .appearance)
            ?? name(of: digits(appearance & 0xFFC0, 4), .appearance)
    }

    /// The name of a type of advertising data.
    ///
    /// - Parameter type: The octet behind the length of an AD structure.
    /// - Returns: For example "Flags" for 01.
    public static func name(ofAdvertisingType type: UInt8) -> String? {
        name(of: digits(type, 2), .type)
    }

    /// The name of a unit of values.
    ///
    /// - Parameter unit: The unit's UUID.
    /// - Returns: For example "thermodynamic temperature (kelvin)" for 2705.
    public static func name(ofUnit unit: BluetoothUUID) -> String? { name(of: unit, .unit) }

    /// The name of the scheme of a URI in advertising data.
    ///
    /// - Parameter scheme: The character that stands for the scheme.
    /// - Returns: For example "https:" for U+0017; nothing for U+0001, whose URIs have their own.
    public static func name(ofURIScheme scheme: Unicode.Scalar) -> String? {
        name(of: digits(scheme.value, 4), .scheme)
    }

    private static func all(_ kind: NumberKind) -> [(uuid: BluetoothUUID, name: String)] {
        NumberLines.withText { NumberLines.all(kind, in: $0) }.compactMap { line in
            BluetoothUUID(line.number).map { ($0, line.name) }
        }
    }

    /// What the text says of a UUID.
    static func name(of uuid: BluetoothUUID, _ kind: NumberKind) -> String? {
        if let short = uuid.short { return name(of: digits(short, 4), kind) }
        return name(of: digits(uuid.high, 16) + digits(uuid.low, 16), kind)
    }

    private static func name(of digits: String, _ kind: NumberKind) -> String? {
        NumberLines.withText { NumberLines.name(of: digits, kind, in: $0) }
    }

    static func digits(_ number: some FixedWidthInteger, _ width: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
