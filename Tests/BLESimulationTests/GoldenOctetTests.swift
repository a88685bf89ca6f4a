// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

/// What goes over HCI, octet by octet, laid out by hand from Core v5.4, Vol 4, Part E, 7.7 and 7.8.
@Suite("Octets of the controllers")
struct GoldenOctetTests {
    /// 00:A0:00:00:00:02 as it travels.
    private let second = "02 00 00 00 A0 00"

    @Test func extendedAdvertisingIsScannedAndConnected() {
        let bench = Bench(.init(), .extended)
        let (scanner, advertiser) = (bench.add(1), bench.add(2))
        func expect(_ id: ID, _ command: String, _ answer: String, line: Int = #line) {
            #expect(bench.octets(id, sending: command) == [answer], "line \(line)")
        }
        expect(scanner, "01 41 20 08 00 00 01 01 10 00 10 00", "04 0E 04 01 41 20 00")
        expect(scanner, "01 42 20 06 01 00 00 00 00 00", "04 0E 04 01 42 20 00")
        expect(
            advertiser,
            "01 36 20 19 03 01 00 A0 00 00 A0 00 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 02 05 00",
            "04 0E 05 01 36 20 00 00")
        expect(advertiser, "01 37 20 07 03 03 01 03 02 01 06", "04 0E 04 01 37 20 00")
        expect(advertiser, "01 39 20 06 01 01 03 00 00 00", "04 0E 04 01 39 20 00")
        bench.run(milliseconds: 20)
        #expect(
            bench.octets(scanner) == [
                "04 3E 1D 0D 01 01 00 00 \(second) 01 02 05 7F D8 00 00 00 00 00 00 00 00 00 03 02 01 06"
            ])
        expect(scanner, "01 42 20 06 00 00 00 00 00 00", "04 0E 04 01 42 20 00")
        expect(
            scanner,
            "01 43 20 1A 00 00 00 \(second) 01 10 00 10 00 18 00 18 00 00 00 64 00 00 00 00 00",
            "04 0F 04 00 01 43 20")
        bench.run(milliseconds: 150)
        #expect(
            bench.octets(scanner) == [
                "04 3E 1F 0A 00 00 00 00 00 \(second) 00 00 00 00 00 00 00 00 00 00 00 00 18 00 00 00 64 00 00",
                "04 3E 04 14 00 00 01",
            ])
        #expect(
            bench.octets(advertiser) == [
                "04 3E 1F 0A 00 00 00 01 00 01 00 00 00 A0 00 00 00 00 00 00 00 00 00 00 00 00 00 18 00 00 00 64 00 00",
                "04 3E 04 14 00 00 01", "04 3E 06 12 00 03 00 00 02",
            ])
        // The link began on LE 2M, because the set's second packet was on it.
        expect(scanner, "01 30 20 02 00 00", "04 0E 08 01 30 20 00 00 00 02 02")
        expect(scanner, "01 32 20 07 00 00 00 01 01 00 00", "04 0F 04 00 01 32 20")
        bench.run(milliseconds: 500)
        #expect(bench.octets(scanner) == ["04 3E 06 0C 00 00 00 01 01"])
        #expect(bench.octets(advertiser) == ["04 3E 06 0C 00 00 00 01 01"])
        expect(scanner, "01 15 20 02 00 00", "04 0E 0B 01 15 20 00 00 00 FF FF FF FF 1F")
    }

    @Test func legacyAdvertisingIsScannedAndConnected() {
        let bench = Bench()
        let (scanner, advertiser) = (bench.add(1), bench.add(2))
        func expect(_ id: ID, _ command: String, _ answer: String, line: Int = #line) {
            #expect(bench.octets(id, sending: command) == [answer], "line \(line)")
        }
        expect(advertiser, "01 06 20 0F A0 00 A0 00 00 00 00 00 00 00 00 00 00 07 00", "04 0E 04 01 06 20 00")
        expect(
            advertiser, "01 08 20 20 03 02 01 06" + String(repeating: " 00", count: 28),
            "04 0E 04 01 08 20 00")
        expect(
            advertiser, "01 09 20 20 04 03 09 4C 54" + String(repeating: " 00", count: 27),
            "04 0E 04 01 09 20 00")
        expect(advertiser, "01 0A 20 01 01", "04 0E 04 01 0A 20 00")
        expect(scanner, "01 0B 20 07 01 10 00 10 00 00 00", "04 0E 04 01 0B 20 00")
        expect(scanner, "01 0C 20 02 01 01", "04 0E 04 01 0C 20 00")
        bench.run(milliseconds: 20)
        #expect(
            bench.octets(scanner) == [
                "04 3E 0F 02 01 00 00 \(second) 03 02 01 06 D8",
                "04 3E 10 02 01 04 00 \(second) 04 03 09 4C 54 D8",
            ])
        expect(scanner, "01 0C 20 02 00 00", "04 0E 04 01 0C 20 00")
        expect(
            scanner, "01 0D 20 19 10 00 10 00 00 00 \(second) 00 18 00 18 00 00 00 64 00 00 00 00 00",
            "04 0F 04 00 01 0D 20")
        bench.run(milliseconds: 150)
        #expect(
            bench.octets(scanner) == ["04 3E 13 01 00 00 00 00 00 \(second) 18 00 00 00 64 00 00"])
        #expect(
            bench.octets(advertiser) == [
                "04 3E 13 01 00 00 00 01 00 01 00 00 00 A0 00 18 00 00 00 64 00 00"
            ])
        expect(advertiser, "01 06 04 03 00 00 13", "04 0F 04 00 01 06 04")
        bench.run(milliseconds: 100)
        #expect(bench.octets(scanner) == ["04 05 04 00 00 00 13"])
        #expect(bench.octets(advertiser) == ["04 05 04 00 00 00 16"])
    }

    @Test(arguments: [
        // Wrong lengths, and values that no command has.
        ("01 36 20 00", "04 0E 04 01 36 20 12"), ("01 37 20 03 00 03 01", "04 0E 04 01 37 20 12"),
        ("01 37 20 05 00 03 01 02 00", "04 0E 04 01 37 20 12"),
        ("01 39 20 05 01 01 00 00 00", "04 0E 04 01 39 20 12"), ("01 39 20 02 01 00", "04 0E 04 01 39 20 12"),
        ("01 41 20 03 00 00 00", "04 0E 04 01 41 20 12"), ("01 41 20 03 00 00 01", "04 0E 04 01 41 20 12"),
        ("01 42 20 06 02 00 00 00 00 00", "04 0E 04 01 42 20 12"), ("01 43 20 00", "04 0F 04 12 01 43 20"),
        ("01 32 20 00", "04 0F 04 12 01 32 20"), ("01 31 20 03 00 00 01", "04 0E 04 01 31 20 12"),
        ("01 31 20 03 00 08 01", "04 0E 04 01 31 20 11"), ("01 31 20 03 03 00 00", "04 0E 04 01 31 20 00"),
        ("01 14 20 05 00 00 00 00 00", "04 0E 04 01 14 20 12"),
        // Sets and links that are not there.
        ("01 3C 20 01 00", "04 0E 04 01 3C 20 42"),
        ("01 35 20 07 00 01 02 03 04 05 C6", "04 0E 04 01 35 20 42"),
        ("01 39 20 06 01 01 00 00 00 00", "04 0E 04 01 39 20 42"),
        ("01 37 20 05 00 03 01 01 00", "04 0E 04 01 37 20 42"),
        ("01 30 20 02 00 00", "04 0E 06 01 30 20 02 00 00"),
        ("01 15 20 02 07 00", "04 0E 06 01 15 20 02 07 00"),
        // What it is.
        ("01 3A 20 00", "04 0E 06 01 3A 20 00 72 06"), ("01 3B 20 00", "04 0E 05 01 3B 20 00 10"),
        ("01 3D 20 00", "04 0E 04 01 3D 20 00"),
        ("01 03 20 00", "04 0E 0C 01 03 20 00 6F 59 00 00 00 00 00 00"),
        ("01 1C 20 00", "04 0E 0C 01 1C 20 00 FF FF FF FF FF 03 00 00"),
        ("01 4B 20 00", "04 0E 06 01 4B 20 00 00 00"),
        ("01 2F 20 00", "04 0E 0C 01 2F 20 00 FB 00 90 42 FB 00 90 42"),
        // The sample of Core v5.4, Vol 6, Part C, 1: a session key from a long-term key.
        (
            "01 17 20 20 BF 01 FB 9D 4E F3 BC 36 D8 74 F5 39 41 38 68 4C "
                + "13 02 F1 E0 DF CE BD AC 79 68 57 46 35 24 13 02",
            "04 0E 14 01 17 20 00 66 C6 C2 27 8E 3B 8E 05 3E 7E A3 26 52 1B AD 99"
        ),
        // Commands of periodic advertising and privacy, which they do not have.
        ("01 3E 20 07 00 06 00 06 00 00 00", "04 0F 04 01 01 3E 20"),
        ("01 4C 20 00", "04 0F 04 01 01 4C 20"),
    ])
    func eachCommandIsAnsweredSo(command: String, answer: String) {
        let bench = Bench(.init(), .extended)
        let id = bench.add(1)
        #expect(bench.octets(id, sending: command) == [answer])
    }
}
