// SPDX-License-Identifier: Apache-2.0

import BLEWire
import CoreBluetooth
import Testing

@Suite("UUIDs as Apple has them") struct UUIDTests {
    private static let long = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"

    @Test(
        "are read from text, and print in the same form in upper case",
        arguments: [
            ("180d", "180D", 2),
            ("0aF0", "0AF0", 2),
            ("12345678", "12345678", 4),
            ("0000180d", "0000180D", 4),
            ("0000180d-0000-1000-8000-00805f9b34fb", "0000180D-0000-1000-8000-00805F9B34FB", 16),
            ("6e400001-b5a3-f393-e0a9-e50e24dcca9e", long, 16),
        ])
    func text(_ text: String, _ printed: String, _ width: Int) {
        #expect(CBUUID(string: text).uuidString == printed)
        #expect("\(CBUUID(string: text))" == printed)
        #expect(CBUUID(string: text).data.count == width)
        #expect(CBUUID(string: text).width == width)
    }

    @Test(
        "are made of octets, the most significant first, and give them back",
        arguments: [
            ([0x18, 0x0D], "180D"),
            ([0x00, 0x00, 0x18, 0x0D], "0000180D"),
            ([0x12, 0x34, 0x56, 0x78], "12345678"),
            (
                [
                    0x6E, 0x40, 0x00, 0x01, 0xB5, 0xA3, 0xF3, 0x93, 0xE0, 0xA9, 0xE5, 0x0E, 0x24, 0xDC, 0xCA,
                    0x9E,
                ], long
            ),
        ] as [([UInt8], String)])
    func octets(_ octets: [UInt8], _ printed: String) {
        // A slice does not begin at 0.
        let data = Data([0xFF] + octets).dropFirst()
        #expect(CBUUID(data: data).uuidString == printed)
        #expect(CBUUID(data: data).data == Data(octets))
    }

    @Test("are equal in each form, and one in a set") func equal() throws {
        let short = CBUUID(string: "180D")
        let full = CBUUID(string: "0000180D-0000-1000-8000-00805F9B34FB")
        #expect(short == full)
        #expect(short.hash == full.hash)
        #expect(Set([short, full, CBUUID(string: "180F")]).count == 2)
        #expect([short: 1][full] == 1)
        #expect(short != CBUUID(string: "180F"))
        #expect(!short.isEqual("180D"))
        #expect(try #require(short.copy() as? CBUUID) == short)
    }

    @Test("take Foundation's, and ours") func others() throws {
        let uuid = try #require(UUID(uuidString: Self.long))
        #expect(CBUUID(nsuuid: uuid).uuidString == Self.long)
        #expect(CBUUID(nsuuid: uuid) == CBUUID(string: Self.long))
        #expect(CBUUID(BluetoothUUID(0x180D)) == CBUUID(string: "180D"))
        #expect(CBUUID(string: "180D").value == BluetoothUUID(0x180D))
        // What comes from our own stack has the shortest form, as it has on the air.
        #expect(CBUUID("0000180D-0000-1000-8000-00805F9B34FB" as BluetoothUUID).uuidString == "180D")
        #expect(CBUUID(BluetoothUUID(short32: 0x1234_5678)).uuidString == "12345678")
        #expect(CBUUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E" as BluetoothUUID).uuidString == Self.long)
    }

    @Test(
        "are not read from other text",
        arguments: [
            "", "180", "180DA", "0x180D", "{180D}", "18-0D", "18 0D", "180G", "urn:uuid:\(long)", "-",
            "--------", "6E400001B5A3F393E0A9E50E24DCCA9E",
            "6E4000-01B5A3-F393-E0A9-E50E24DCCA9E", "６Ｅ４０",
        ])
    func refused(_ text: String) {
        #expect(CBUUID.value(of: text) == nil)
    }

    @Test("of other text and other counts of octets end the program") func ended() async {
        await #expect(processExitsWith: .failure) { _ = CBUUID(string: "heart rate") }
        await #expect(processExitsWith: .failure) { _ = CBUUID(data: Data([1, 2, 3])) }
    }

    @Test("of descriptors have the assigned numbers") func descriptors() {
        let numbers = [
            CBUUIDCharacteristicExtendedPropertiesString, CBUUIDCharacteristicUserDescriptionString,
            CBUUIDClientCharacteristicConfigurationString, CBUUIDServerCharacteristicConfigurationString,
            CBUUIDCharacteristicFormatString, CBUUIDCharacteristicAggregateFormatString,
            CBUUIDCharacteristicValidRangeString, CBUUIDCharacteristicObservationScheduleString,
        ].map { CBUUID(string: $0).value.short }
        #expect(numbers == [0x2900, 0x2901, 0x2902, 0x2903, 0x2904, 0x2905, 0x2906, 0x2910])
        #expect(CBUUID(string: CBUUIDL2CAPPSMCharacteristicString).data.count == 16)
    }
}
