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
        // An exponent of ten has eight bits of its own, so there are numbers that no body is as warm as.
        (0x2A1C, "00 0100007f", ["1e127 °C"]), (0x2A1C, "00 6e010064", ["3.66e102 °C"]),
        (0x2A1C, "00 ffffff7f", ["-1e127 °C"]), (0x2A1C, "00 01000080", ["1e-128 °C"]),
        (0x2A1C, "00 00000080", ["0 °C"]), (0x2A1C, "00 01000006", ["1000000 °C"]),
        // A leap year, one that may be, and a month that may have so many days.
        (0x2A08, "d007 02 1d 00 00 00", ["2000-02-29 00:00:00"]),
        (0x2A08, "0000 02 1d 00 00 00", ["????-02-29 00:00:00"]),
        (0x2A08, "ea07 00 1f 00 00 00", ["2026-??-31 00:00:00"]),
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
        (0x2A19, "ff", ["255, which is not a valid value"]),
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
        (0x2A80, "25", ["37 years"]), (0x2A85, "c607 03 05", ["1990", "March", "5"]),
        (0x2AED, "2f5100", ["2026-11-26"]), (0x2AED, "464d00", ["2024-02-29"]),
        (0x2AED, "6d0100", ["1971-01-01"]),
        (0x2BEF, "000000", ["not known"]), (0x2BEC, "0100 00 f04e00", ["2025-04-30"]),
        // Pace as the tables have it today, and as treadmills of before do.
        (0x2ACD, "6000 e803 2c01 3601", ["10.00 km/h", "300 s", "310 s"]),
        (0x2ACD, "6000 e803 0a 0b", ["10.00 km/h", "1.0 km/min", "1.1 km/min"]),
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
        let value = try #require(StandardValue.decode(octets, of: BluetoothUUID(uuid)))
        #expect(value.misfit == nil)
        #expect(value.fields.map(\.text) == texts)
    }

    @Test(
        "have their number beside the text, where they are one",
        arguments: [
            (0x2A19, "5f", 95), (0x2A07, "f8", -8), (0x2A6E, "2909", 23.45), (0x2A6E, "f6ff", -0.1),
            (0x2B18, "6000", 1.5),
            (0x2A6D, "50c30000", 5000), (0x2A1C, "00 2f0100ff", 30.3), (0x2A6E, "0080", nil),
            (0x2A00, "4b", nil), (0x2A19, "6400", 100), (0x2A37, "10 3e b103 de", 62), (0x2A19, "", nil),
        ] as [(UInt16, String, Double?)])
    func number(uuid: UInt16, hex: String, number: Double?) throws {
        let octets = try #require([UInt8](hexadecimal: hex))
        let value = try #require(StandardValue.decode(octets, of: BluetoothUUID(uuid)))
        #expect(value.fields.first?.number == number)
    }

    @Test(
        "that do not fit say why",
        arguments: [
            (0x2A19, "", "it ends before its Battery Level"),
            (0x2A37, "01 48", "it ends before its Heart Rate"),
            (0x2A00, "ff", "it is no UTF-8 text"),
            (0x2A08, "ea07 0d 01 00 00 00", "there is no such date or time"),
            (0x2A08, "6c07 02 1d 00 00 00", "there is no such date or time"),
            (0x2A08, "ea07 04 1f 00 00 00", "there is no such date or time"),
            (0x2A08, "ea07 0b 1a 18 00 00", "there is no such date or time"),
            (0x2A08, "ea07 0b 1a 00 00", "it ends before its Date Time"),
        ] as [(UInt16, String, String)])
    func misfit(uuid: UInt16, hex: String, why: String) throws {
        let octets = try #require([UInt8](hexadecimal: hex))
        let value = try #require(StandardValue.decode(octets, of: BluetoothUUID(uuid)))
        #expect(value.fields.isEmpty && value.misfit == why)
    }

    /// UUID, octets, what they say all the same, and what does not fit; from the same supplement.
    static let partly: [(UInt16, String, [String], String)] = [
        (0x2A19, "6400", ["100%"], "1 octet too many"), (0x2A19, "5f0000", ["95%"], "2 octets too many"),
        // RR intervals are 1/1024 s.
        (0x2A37, "10 3e b103 de", ["62 /min", "0.9229 s"], "it ends before its second RR-interval"),
        (0x2A37, "10 3e 0004 0008 de", ["62 /min", "1 s 2 s"], "it ends before its third RR-interval"),
        (0x2A37, "10 48 01", ["72 /min"], "it ends before its RR-interval"),
        (0x2A37, "00 48 b103", ["72 /min"], "2 octets too many"),
        (0x2A37, "06", ["contact, contact can be told"], "it ends before its Heart Rate"),
        (
            0x2A2B, "ea07 0b 1a 12 28 02 04 ec 00 aa", ["2026-11-26 18:40:02", "Thursday", "236"],
            "1 octet too many"
        ),
        (
            0x2A2B, "ea07 0b 1a 12 28 02 04", ["2026-11-26 18:40:02", "Thursday"],
            "it ends before its Fractions256"
        ),
        // There is no thirteenth month, nor a 30 February; the rest of the value is as good as before.
        (
            0x2A2B, "ea07 0d 1a 12 28 02 04 ec 01", ["Thursday", "236", "Manual Time Update"],
            "there is no such date or time"
        ),
        (0x2A2B, "ea07 02 1e 12 28 02 01 ec 00", ["Monday", "236"], "there is no such date or time"),
        (
            0x2A2B, "ea07 1f 1a 12 28 02 04 ec 00 aa", ["Thursday", "236"],
            "there is no such date or time, and 1 octet too many"
        ),
        (0x2A1C, "0c 6e0100ff", ["36.6 °C"], "it ends before its Temperature Type"),
        (0x2A1C, "06 6e0100ff ea07 1f 1a 12 28 02 02", ["36.6 °C", "Body"], "there is no such date or time"),
        // What is left of a field is no other field.
        (0x2A04, "0600 0c00 04", ["7.50 ms", "15.00 ms"], "it ends before its Latency"),
        (0x2A35, "04 7800 5000 5d", ["120 mmHg", "80 mmHg"], "it ends before its Mean Arterial Pressure"),
        // Text that is not there is not empty text.
        (0x2A46, "05", ["SMS or MMS"], "it ends before its Number of New Alert"),
        (0x2A46, "05 01 ff", ["SMS or MMS", "1"], "it is no UTF-8 text"),
        // A field of one octet or two: what is nearest.
        (
            0x2AD2, "6402 0000 0000 14 00", ["0.00 km/h", "0 /min", "20"],
            "it ends before its Instantaneous Power"
        ),
        (0x2AD6, "00 14 01 00", ["0", "20", "1"], "1 octet too many"),
        (0x2AD6, "0000 c800 0a", ["0.0", "20.0"], "it ends before its Minimum Increment"),
    ]

    @Test("that fit in part say that part, and why it is not all", arguments: partly)
    func part(uuid: UInt16, hex: String, texts: [String], why: String) throws {
        let octets = try #require([UInt8](hexadecimal: hex))
        let value = try #require(StandardValue.decode(octets, of: BluetoothUUID(uuid)))
        #expect(value.fields.map(\.text) == texts)
        #expect(value.misfit == why)
    }

    @Test("that a descriptor describes say what fits, too")
    func presented() throws {
        let hundredths: [UInt8] = [14, 0xFE, 0x2F, 0x27, 1, 0, 0]
        let value = try #require(StandardValue.decode([0x29, 0x09, 0xAA], presentedAs: hundredths))
        #expect(value.fields.map(\.text) == ["23.45 °C"])
        #expect(value.misfit == "1 octet too many")
    }

    /// The format of a Presentation Format, octets, the unit's number, and what they say.
    ///
    /// Typed from Assigned Numbers, 2.4.1.
    static let formats: [(UInt8, String, UInt16, String)] = [
        (1, "01", 0x2700, "1"), (2, "ff", 0x2700, "3"), (3, "fa", 0x2700, "10"), (4, "ff", 0x27AD, "255%"),
        (5, "01f2", 0x2728, "513 V"), (6, "0102", 0x2728, "513 V"), (7, "010203", 0x2700, "197121"),
        (8, "01000080", 0x2700, "2147483649"), (12, "ff", 0x272F, "-1 °C"), (13, "000f", 0x272F, "-256 °C"),
        (13, "ff07", 0x272F, "2047 °C"), (14, "18fc", 0x272F, "-1000 °C"), (16, "feffffff", 0x2700, "-2"),
        (20, "cdcccc3d", 0x2728, "0.1 V"), (20, "0000c0bf", 0x2728, "-1.5 V"),
        (20, "0000c07f", 0x2728, "not known"),
        (20, "000080ff", 0x2728, "-∞ V"), (21, "182d4454fb210940", 0x2700, "3.141592653589793"),
        (21, "0000000000000040", 0x2700, "2"), (22, "0cff", 0x272F, "-24.4 °C"),
        (23, "6e0100ff", 0x272F, "36.6 °C"),
        (25, "68690000", 0x2700, "hi"), (26, "6800e4000000", 0x2700, "hä"), (26, "3dd8a9dc", 0x2700, "💩"),
    ]

    @Test("that a descriptor describes are decoded by its format", arguments: formats)
    func format(number: UInt8, hex: String, unit: UInt16, text: String) throws {
        let octets = try #require([UInt8](hexadecimal: hex))
        let presentation = [number, 0, UInt8(unit & 0xFF), UInt8(unit >> 8), 1, 0, 0]
        let value = try #require(StandardValue.decode(octets, presentedAs: presentation))
        #expect(value.fields.map(\.text) == [text] && value.misfit == nil)
        #expect(value.fields.first?.isText == (number >= 25))
        let isNumber = number < 25 && text != "not known" && !text.contains("∞")
        #expect((value.fields.first?.number != nil) == isNumber)
    }

    @Test("that are no text in UTF-16 say so", arguments: ["68", "00d8", "6800e4"])
    func noWideText(hex: String) throws {
        let octets = try #require([UInt8](hexadecimal: hex))
        let value = try #require(StandardValue.decode(octets, presentedAs: [26, 0, 0, 0x27, 1, 0, 0]))
        #expect(value.fields.isEmpty && value.misfit == "it is no UTF-16 text")
    }

    @Test("are decoded by a format that was made once as by one of their own")
    func madeOnce() throws {
        let rate = try #require(StandardFormat(of: BluetoothUUID(0x2A37)))
        let level = try #require(StandardFormat(of: BluetoothUUID(0x2AD6)))
        for octets in [[0, 72], [0x10, 72, 0, 4], [1, 62], [], [0, 20, 1], [0, 0, 200, 0, 1, 0]] as [[UInt8]]
        {
            #expect(rate.decode(octets) == StandardValue.decode(octets, of: BluetoothUUID(0x2A37)))
            #expect(level.decode(octets) == StandardValue.decode(octets, of: BluetoothUUID(0x2AD6)))
        }
        #expect(StandardFormat(of: BluetoothUUID(0xFFF1)) == nil)
        #expect(StandardFormat(presentedAs: [0, 0, 0, 0x27, 1, 0, 0]) == nil)
    }

    @Test("that are octets say so")
    func onlyOctets() {
        #expect(StandardValue.decode([5, 1], of: BluetoothUUID(0x2A4B))?.fields.map(\.isOctets) == [true])
        #expect(StandardValue.decode([5], of: BluetoothUUID(0x2A19))?.fields.map(\.isOctets) == [false])
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
                guard let value = StandardValue.decode(octets, of: BluetoothUUID(uuid)) else { continue }
                if value.misfit == nil { decoded += 1 }
            }
        }
        #expect(decoded > 250)
    }

    @Test(
        "print themselves",
        arguments: [
            (0x2A19, [95], "Battery Level: 95%"), (0x2A19, [95, 1], "Battery Level: 95% (1 octet too many)"),
            (0x2A29, Array("A \"B\"\u{1B}".utf8), #"Manufacturer Name: "A \"B\"\u{1B}""#),
        ] as [(UInt16, [UInt8], String)])
    func printed(uuid: UInt16, octets: [UInt8], text: String) throws {
        #expect("\(try #require(StandardValue.decode(octets, of: BluetoothUUID(uuid))))" == text)
    }

    @Test("are asked for a field by its name")
    func fields() throws {
        let value = try #require(StandardValue.decode([0, 72], of: .heartRateMeasurement))
        #expect(value["Heart Rate"]?.number == 72 && value["Energy Expended"] == nil)
    }

    @Test("have a layout that is understood, every one in the table")
    func table() {
        // An empty value of a known layout is a misfit, or nothing; `nil` means that the line is not understood.
        let known = (UInt16(0x2900)...0x2C40).filter {
            StandardValue.decode([], of: BluetoothUUID($0)) != nil
        }
        #expect(known.count == 287)
    }

    @Test("have units and URI schemes with names")
    func names() {
        #expect(AssignedNumbers.name(ofUnit: BluetoothUUID(0x272F)) == "Celsius temperature (degree Celsius)")
        #expect(AssignedNumbers.name(ofUnit: BluetoothUUID(0x2A19)) == nil)
        #expect(AssignedNumbers.name(ofURIScheme: "\u{17}") == "https:")
        #expect(AssignedNumbers.name(ofURIScheme: "\u{1}") == nil)
    }
}
