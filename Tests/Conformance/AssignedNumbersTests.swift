// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

@testable import BLEAssignedNumbers

@Suite("assigned numbers")
struct AssignedNumbersTests {
    @Test(
        "names services",
        arguments: [
            ("1800", "Generic Access"), ("1801", "Generic Attribute"), ("1802", "Immediate Alert"),
            ("1805", "Current Time"), ("1807", "Next DST Change"), ("180a", "Device Information"),
            ("180d", "Heart Rate"), ("180f", "Battery"), ("1812", "Human Interface Device"),
            ("1859", "Mesh Proxy Solicitation"), ("6e400001-b5a3-f393-e0a9-e50e24dcca9e", "Nordic UART"),
            ("0000180f-0000-1000-8000-00805f9b34fb", "Battery"),
        ])
    func services(uuid: String, name: String) throws {
        #expect(AssignedNumbers.name(ofService: try #require(BluetoothUUID(uuid))) == name)
    }

    @Test(
        "names characteristics",
        arguments: [
            ("2a00", "Device Name"), ("2a01", "Appearance"), ("2a05", "Service Changed"),
            ("2a06", "Alert Level"), ("2a19", "Battery Level"), ("2a29", "Manufacturer Name String"),
            ("2a2b", "Current Time"), ("2b2a", "Database Hash"), ("2b29", "Client Supported Features"),
            ("2bf5", "LE GATT Security Levels"),
        ])
    func characteristics(uuid: String, name: String) throws {
        #expect(AssignedNumbers.name(ofCharacteristic: try #require(BluetoothUUID(uuid))) == name)
    }

    @Test(
        "names descriptors",
        arguments: [
            (0x2900, "Characteristic Extended Properties"), (0x2901, "Characteristic User Description"),
            (0x2902, "Client Characteristic Configuration"), (0x2904, "Characteristic Presentation Format"),
            (0x2908, "Report Reference"), (0x290F, "Complete BR-EDR Transport Block Data"),
            (0x2915, "IMD Trigger Setting"),
        ] as [(UInt16, String)])
    func descriptors(uuid: UInt16, name: String) {
        #expect(AssignedNumbers.name(ofDescriptor: BluetoothUUID(uuid)) == name)
    }

    @Test(
        "names companies",
        arguments: [
            (0x0000, "Ericsson AB"), (0x0006, "Microsoft"), (0x004C, "Apple, Inc."), (0x0059, "Nordic"),
            (0x00E0, "Google"), (0x02E5, "Espressif"), (0xFFFF, "Reserved for tests"),
        ] as [(UInt16, String)])
    func companies(company: UInt16, beginning: String) throws {
        let name = try #require(AssignedNumbers.name(ofCompany: company))
        #expect(name.hasPrefix(beginning))
    }

    @Test(
        "names appearances, by their category when need be",
        arguments: [
            (0x0000, "Unknown"), (0x0040, "Phone"), (0x00C2, "Smartwatch"), (0x03C1, "Keyboard"),
            (0x007F, "Phone"), (0x0D00, "Continuous Glucose Monitor"),
        ] as [(UInt16, String)])
    func appearances(appearance: UInt16, name: String) {
        #expect(AssignedNumbers.name(ofAppearance: appearance) == name)
    }

    @Test(
        "names types of advertising data",
        arguments: [
            (0x01, "Flags"), (0x07, "Complete List of 128-bit Service or Service Class UUIDs"),
            (0x09, "Complete Local Name"), (0x0A, "TX Power Level"), (0x16, "Service Data 16-bit UUID"),
            (0xFF, "Manufacturer Specific Data"),
        ] as [(UInt8, String)])
    func advertisingTypes(type: UInt8, name: String) {
        #expect(AssignedNumbers.name(ofAdvertisingType: type) == name)
    }

    @Test("has no name for what nobody has assigned")
    func unknown() {
        #expect(AssignedNumbers.name(ofService: BluetoothUUID(0x0000)) == nil)
        #expect(AssignedNumbers.name(ofService: BluetoothUUID(0x2A19)) == nil)
        #expect(AssignedNumbers.name(ofService: BluetoothUUID(short32: 0x0001_180F)) == nil)
        #expect(AssignedNumbers.name(ofCharacteristic: BluetoothUUID(0xFFFF)) == nil)
        #expect(AssignedNumbers.name(ofCharacteristic: BluetoothUUID(high: .max, low: .max)) == nil)
        #expect(AssignedNumbers.name(ofDescriptor: BluetoothUUID(high: 0, low: 0)) == nil)
        #expect(AssignedNumbers.name(ofCompany: 0xFFFE) == nil)
        #expect(AssignedNumbers.name(ofAppearance: 0xFFFF) == nil)
        #expect(AssignedNumbers.name(ofAdvertisingType: 0x00) == nil)
    }

    @Test("finds every line of every kind", arguments: NumberKind.allCases)
    func everyLine(kind: NumberKind) {
        let lines = NumberLines.withText { NumberLines.all(kind, in: $0) }
        #expect(!lines.isEmpty)
        for (number, name) in lines {
            #expect(!name.isEmpty)
            #expect(NumberLines.withText { NumberLines.name(of: number, kind, in: $0) } == name)
            #expect(!name.unicodeScalars.contains { $0.properties.generalCategory == .control })
            // Nobody asks for a number that is written otherwise.
            #expect((kind == .type ? [2] : [4, 32]).contains(number.utf8.count))
        }
        for (before, after) in zip(lines, lines.dropFirst()) { #expect(before.number < after.number) }
    }

    @Test("lists services and characteristics as it names them")
    func lists() {
        #expect(AssignedNumbers.services.allSatisfy { AssignedNumbers.name(ofService: $0.uuid) == $0.name })
        #expect(
            AssignedNumbers.characteristics.allSatisfy {
                AssignedNumbers.name(ofCharacteristic: $0.uuid) == $0.name
            })
        let services = NumberLines.withText { NumberLines.all(.service, in: $0) }
        #expect(AssignedNumbers.services.count == services.count)
    }
}
