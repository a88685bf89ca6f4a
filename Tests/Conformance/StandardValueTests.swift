// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEWire
import Testing

@Suite("Standard values")
struct StandardValueTests {
    /// UUID, octets and what they say, worked out by hand from the GATT Specification Supplement.
    static let values: [(UInt16, String, [String])] = [
        (0x2A19, "5f", ["95%"]),
        (0x2A00, "4bc3bc", ["Kü"]),
        (0x2A01, "c200", ["Smartwatch"]),
        (0x2A04, "0600 0c00 0400 9001", ["7.50 ms", "15.00 ms", "4", "4000 ms"]),
        (0x2A04, "ffff ffff 0000 ffff", ["not known", "not known", "0", "not known"]),
        (0x2A05, "0100ffff", ["0x0001", "0xffff"]),
        (0x2A07, "f8", ["-8 dBm"]),
        (0x2A08, "ea07 0b 15 0e 03 20", ["2026-11-21 14:03:32"]),
        (0x2A08, "0000 00 00 00 00 00", ["????-??-?? 00:00:00"]),
        (0x2A0E, "04", ["60 min"]), (0x2A0E, "80", ["not known"]),
        (
            0x2A2B, "ea07 0b 15 0e 03 20 06 80 03",
            ["2026-11-21 14:03:32", "Saturday", "128", "Manual Time Update, External Reference Time Update"]
        ),
        (0x2A12, "03", ["0.375 s"]),
        (0x2A1C, "00 2f0100ff", ["30.3 °C"]), (0x2A1C, "00 ffff7f00", ["not known"]),
        (0x2A1C, "05 60000000 02", ["96 °F", "Body"]),
        (0x2A1C, "00 6e0100ff", ["36.6 °C"]), (0x2A1C, "04 ffff7f00 02", ["not known", "Body"]),
        (0x2A1C, "01 00008000", ["not known"]),
        (0x2A0F, "80 ff", ["not known", "DST offset unknown"]),
        (0x2A0F, "16 02", ["330 min", "Half an hour Daylight Time"]),
        (0x2A12, "fe", ["more than 31.625 s"]),
        (0x2A14, "01 ff ff 00", ["Network Time Protocol", "not known", "255 d or more", "0 h"]),
        (
            0x2A18, "0b 0100 ea070b1a0b162d 0000 58b0 11 0000",
            [
                "1", "2026-11-26 11:22:45", "0 min", "88 mg/dl",
                "Type: Capillary Whole blood, Location: Finger", "no fault",
            ]
        ),
        (0x2A19, "ff", ["255, which is no such value"]),
        (
            0x2A35, "16 7800 5000 5d00 ea070b1a0b162d 4800 0000",
            [
                "120 mmHg", "80 mmHg", "93 mmHg", "2026-11-26 11:22:45", "72 /min",
                "Cuff Fit Detection Flag: Cuff fits properly, "
                    + "Pulse Rate Range Detection Flags: Pulse rate is within the range, "
                    + "Measurement Position Detection Flag: Proper measurement position",
            ]
        ),
        (0x2A4A, "1101 00 03", ["0x0111", "0", "remote wake, normally connectable"]),
        (0x2A4B, "05010906", ["05010906"]), (0x2A4E, "01", ["Report"]),
        (0x2A63, "2000 fa00 320a 002c", ["Torque at: the wheel", "250 W", "2610", "11 s"]),
        (0x2A98, "b036", ["70.000 kg"]),
        (
            0x2ACC, "02450000 08200000",
            [
                "Cadence, Stride Count, Heart Rate Measurement, Power Measurement",
                "Power, Indoor Bike Simulation",
            ]
        ),
        (0x2B13, "40", ["1.00 s"]), (0x2B13, "00", ["0 s"]), (0x2B13, "ff", ["not known"]),
        (0x2A23, "0504030201 0a0b0c", ["0x0102030405", "0x0c0b0a"]),
        (0x2A37, "00 48", ["72 /min"]), (0x2A37, "06 48", ["contact, contact can be told", "72 /min"]),
        (0x2A37, "19 2c01 6400 0004 0008", ["300 /min", "100 J", "1 s 2 s"]),
        (0x2A38, "01", ["Chest"]), (0x2A38, "ee", ["238"]),
        (0x2A35, "00 7800 5000 5d00", ["120 mmHg", "80 mmHg", "93 mmHg"]),
        (0x2A35, "00 ff07 fe07 0208", ["not known", "+∞ mmHg", "-∞ mmHg"]),
        (0x2A50, "02 d104 0100 2301", ["USB", "0x04d1", "0x0001", "0x0123"]),
        (0x2A6D, "50c30000", ["5000.0 Pa"]), (0x2A6E, "2909", ["23.45 °C"]), (0x2A6E, "f6ff", ["-0.10 °C"]),
        (0x2A6E, "0080", ["not known"]), (0x2A6F, "8813", ["50.00%"]),
        (0x2B18, "4000", ["1 V"]), (0x2B18, "6000", ["1.5 V"]),
        (0x2902, "0000", ["off"]), (0x2902, "0300", ["notifications on, indications on"]),
        (
            0x2904, "0e fe 2f27 01 0000",
            ["sint16", "-2", "Celsius temperature (degree Celsius)", "1", "0x0000"]
        ),
        (0x2908, "0102", ["1", "output"]),
        (0x2A5B, "03 01000000 0004 0200 0002", ["1", "1 s", "2", "0.5 s"]),
        (0x2B29, "05", ["robust caching, multiple notifications"]), (0x2B29, "00", []),
    ]

    @Test("say what they mean", arguments: values)
    func meaning(uuid: UInt16, hex: String, texts: [String]) throws {
        let octets = try #require([UInt8](hexadecimal: hex))
        guard case .fields(let fields)? = StandardValue.decode(octets, of: BluetoothUUID(uuid)) else {
            Issue.record("\(String(describing: StandardValue.decode(octets, of: BluetoothUUID(uuid))))")
            return
        }
        #expect(fields.map(\.text) == texts)
    }

    @Test(
        "have their number beside the text, where they are one",
        arguments: [
            (0x2A19, "5f", 95), (0x2A07, "f8", -8), (0x2A6E, "2909", 23.45), (0x2A6E, "f6ff", -0.1),
            (0x2B18, "6000", 1.5),
            (0x2A6D, "50c30000", 5000), (0x2A1C, "00 2f0100ff", 30.3), (0x2A6E, "0080", nil),
            (0x2A00, "4b", nil),
        ] as [(UInt16, String, Double?)])
    func number(uuid: UInt16, hex: String, number: Double?) throws {
        let octets = try #require([UInt8](hexadecimal: hex))
        guard case .fields(let fields)? = StandardValue.decode(octets, of: BluetoothUUID(uuid)) else {
            Issue.record("it is not decoded")
            return
        }
        #expect(fields.first?.number == number)
    }

    @Test(
        "that do not fit say why",
        arguments: [
            (0x2A19, "", "it ends before its Battery Level"), (0x2A19, "5f00", "1 octet too many"),
            (0x2A19, "5f0000", "2 octets too many"), (0x2A37, "01 48", "it ends before its Heart Rate"),
            (0x2A00, "ff", "it is no UTF-8 text"),
            (0x2A08, "ea07 0d 01 00 00 00", "there is no such date or time"),
            (0x2A37, "10 48 01", "it ends before its RR-interval"),
        ] as [(UInt16, String, String)])
    func misfit(uuid: UInt16, hex: String, why: String) throws {
        let octets = try #require([UInt8](hexadecimal: hex))
        #expect(StandardValue.decode(octets, of: BluetoothUUID(uuid)) == .misfit(why))
    }

    @Test("are known for standard UUIDs only")
    func unknown() {
        #expect(StandardValue.decode([1], of: BluetoothUUID(0xFFF1)) == nil)
        #expect(StandardValue.decode([1], of: BluetoothUUID(high: 1, low: 2)) == nil)
    }

    @Test("of any length give fields or a reason, whatever the octets")
    func anyOctets() {
        var state: UInt64 = 1
        var decoded = 0
        for uuid in UInt16(0x2900)...0x2C40 {
            // What has no layout is not looked at.
            let lengths = StandardValue.decode([], of: BluetoothUUID(uuid)) == nil ? 1..<2 : 0..<24
            for count in lengths {
                var octets: [UInt8] = []
                for _ in 0..<count {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    octets.append(UInt8(truncatingIfNeeded: state >> 33))
                }
                if case .fields? = StandardValue.decode(octets, of: BluetoothUUID(uuid)) { decoded += 1 }
            }
        }
        #expect(decoded > 250)
    }

    @Test("have a layout that is understood, every one in the table")
    func table() {
        // An empty value of a known layout is a misfit, or nothing; `nil` means that the line is not understood.
        let known = (UInt16(0x2900)...0x2C40).filter {
            StandardValue.decode([], of: BluetoothUUID($0)) != nil
        }
        #expect(known.count == 281)
    }

    @Test("have units and URI schemes with names")
    func names() {
        #expect(AssignedNumbers.name(ofUnit: BluetoothUUID(0x272F)) == "Celsius temperature (degree Celsius)")
        #expect(AssignedNumbers.name(ofUnit: BluetoothUUID(0x2A19)) == nil)
        #expect(AssignedNumbers.name(ofURIScheme: "\u{17}") == "https:")
        #expect(AssignedNumbers.name(ofURIScheme: "\u{1}") == nil)
    }
}
