// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionText
import Detections
import FlockFinder
import FlockFinderCompanion
import Testing

@testable import CommandIO
@testable import FlockFinderCommands

@Suite("Detections as a table")
struct DetectionTableTests {
    static func record(_ change: (inout Sighting) -> Void = { _ in }) -> DetectionRecord {
        var sighting = Sighting(
            .numbered(1), received: .noon, position: Position(latitude: 52.5208, longitude: 13.4095))
        change(&sighting)
        return DetectionRecord(id: 12, sighting: sighting)
    }

    static func table(_ records: [DetectionRecord], columns: Int) -> [String] {
        TextTable(records, columns: columns, localTime: { $0.localText }).lines(columns: columns)
            .map(Terminal.none.drawn)
    }

    @Test(arguments: [20, 40, 60, 80, 100, 120, 200])
    func noLineIsWiderThanTheTerminal(_ columns: Int) {
        let hostile = Self.record { sighting in
            sighting.label = String(repeating: "灯", count: 100)
            sighting.ssid = String(repeating: "\u{1B}[31m", count: 100)
        }
        for line in Self.table([Self.record(), hostile], columns: columns) {
            #expect(FixedWidthText.width(line) <= columns, "\(line)")
            #expect(!line.contains("\u{1B}"))
        }
    }

    @Test func aWideTableHasEverything() {
        #expect(Self.table([Self.record()], columns: .max)[1].contains(Timestamp.noon.localText))
        let row = Self.table([Self.record()], columns: 160)[1]
        for part in [
            "12", "Flock Safety", "close", "-60", "90%", "58:8E:81:00:00:01", "52.5208,13.4095", "n1",
        ] {
            #expect(row.contains(part), "\(part)")
        }
    }

    @Test(arguments: [60, 70, 80]) func aNarrowTableKeepsWhatFindsTheCameraAgain(_ columns: Int) {
        let row = Self.table([Self.record()], columns: columns)[1]
        #expect(row.contains("12") && row.contains("Flock Safety"))
        #expect(row.contains("58:8E:81:00:00:01") && row.contains("52.5208,13.4095"))
    }

    @Test func cellsStandUnderTheirTitles() throws {
        let table = Self.table([Self.record()], columns: 140)
        let (heading, row) = (table[0], table[1])
        for (title, cell) in [
            ("KIND", "Flock Safety"), ("DISTANCE", "close"), ("MAC", "58:8E"), ("SSID", "n1"),
        ] {
            let at = try #require(heading.firstRange(of: title)).lowerBound
            let cellAt = try #require(row.firstRange(of: cell)).lowerBound
            #expect(
                heading.distance(from: heading.startIndex, to: at)
                    == row.distance(from: row.startIndex, to: cellAt))
        }
    }

    @Test func oneDetectionIsShownWithAllThatIsKnown() {
        let text = DetectionsShowCommand.text(
            Self.record { sighting in
                sighting.extra = #"{"ch":6}"#
                sighting.deviceTime = .uptime(milliseconds: 4821)
                sighting.raw = Array("{\"a\":\"\u{1B}\"}".utf8)
            }, terminal: .none)
        for part in [
            "12", "Flock Safety", "number plates", "close, -60 dBm", "4.821 s", #"{"ch":6}"#, "52.5208",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("\u{1B}"))
    }

    @Test(arguments: [
        (FixDetails(source: .receiver, age: 1200, accuracy: 4), "±4 m, gpsd, 1.2 s old"),
        (FixDetails(source: nil, age: -12_000), "filled in from a fix 12 s later"),
        (FixDetails(source: .fixed), "fixed"),
        (
            FixDetails(source: .browser, age: 0, accuracy: 12.34, altitude: -3.25),
            "±12 m, -3.3 m above the sea, browser, 0 s old"
        ),
    ])
    func theFixIsSaidInWords(fix: FixDetails?, words: String) {
        let text = DetectionsShowCommand.text(Self.record { $0.fix = fix }, terminal: .none)
        #expect(
            text.split(separator: "\n").contains { $0.hasPrefix("fix ") && $0.hasSuffix(" " + words) },
            "\(text)")
    }
}
