// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Foundation
import Testing

/// Our CSV as spreadsheets save it again.
@Suite struct SpreadsheetTests {
    private static let sightings: [Sighting] = [
        Sighting(
            type: .ring, label: "Ring", mac: "A4:83:E7:36:3C:A5", ssid: "=1+1; \"a\"\tb", rssi: -71,
            confidence: 0.5,
            received: Timestamp(milliseconds: 1_704_307_200_001),
            position: Position(latitude: 52.5, longitude: -13.25),
            fix: FixDetails(source: .receiver, age: 10, accuracy: 3.5)),
        Sighting(
            type: .raven, label: "Raven (Gunshot Detector)", rssi: -62, confidence: 1,
            received: Timestamp(milliseconds: 1_704_307_200_002)),
    ]

    /// The cells of our file, to be written otherwise.
    private static func cells() -> [[String]] {
        let lines = String(decoding: ExportFormat.csv.file(sightings).octets, as: UTF8.self)
            .split(separator: "\n")
        // No cell of these has a comma.
        return lines.map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map { cell in
                var cell = String(cell)
                if cell.hasPrefix("\"") {
                    cell = String(cell.dropFirst().dropLast()).replacing("\"\"", with: "\"")
                }
                return cell
            }
        }
    }

    private static func file(
        _ separator: String, end: String = "\r\n", quotesAll: Bool = false, head: String = ""
    ) -> [UInt8] {
        let lines = cells().map { row in
            row.map { cell in
                let needs = cell.contains("\"") || cell.contains(separator)
                guard quotesAll && !cell.isEmpty || needs else { return cell }
                return "\"" + cell.replacing("\"", with: "\"\"") + "\""
            }.joined(separator: separator) + end
        }
        return Array((head + lines.joined()).utf8)
    }

    @Test(arguments: [",", ";", "\t"], ["\n", "\r\n", "\r"])
    func everySeparatorAndLineEndIsRead(separator: String, end: String) throws {
        for quotesAll in [false, true] {
            for head in ["", "\u{FEFF}"] {
                let file = Self.file(separator, end: end, quotesAll: quotesAll, head: head)
                #expect(try readBack(file) == Self.sightings)
                #expect(rows(file, pieces: 1) == rows(file))
            }
        }
    }

    @Test func aLineThatNamesTheSeparatorIsHeeded() throws {
        #expect(try readBack(Self.file(";", head: "sep=;\r\n")) == Self.sightings)
        #expect(try readBack(Self.file("|", head: "\u{FEFF}SEP=|\n")) == Self.sightings)
    }

    @Test func emptyCellsMayBeLeftOutOrAddedAtTheEnd() throws {
        let text = """
            device_type,rssi,confidence,timestamp,ssid,note
            Ring,-1,1,2024-01-01
            Ring,-2,1,2024-01-01,,
            Ring,-3,1,2024-01-01,,,,,
            ,,,,,
            Ring,-4,1,2024-01-01,a

            """
        let back = try readBack(text.utf8)
        #expect(back.map(\.rssi) == [-1, -2, -3, -4])
        #expect(back.map(\.ssid) == [nil, nil, nil, "a"])
    }

    /// What is left of a row where a download has ended is not taken for all of it.
    @Test func aFileThatEndsWithinARowSaysSo() {
        let text = "device_type,rssi,confidence,timestamp,note\nRing,-1,1,2024-01-01"
        #expect(throws: ImportError(2, "it has 4 cells, and the first line has 5")) {
            try readBack(text.utf8)
        }
    }

    @Test(arguments: [
        "device_type;rssi;confidence;timestamp\nRing;-1;0,9;2024-01-01\nRing;-1;0,8;2024-01-01\n",
        "device_type,rssi,confidence,timestamp\nRing,-1,\"0,9\",2024-01-01\nRing,-1,1,2024-01-01\n",
    ])
    func decimalCommasAreRefusedWithOneSentence(text: String) {
        let found = rows(text.utf8)
        guard found.count == 1, case .broken(let fault) = found[0] else {
            Issue.record("\(found)")
            return
        }
        #expect(fault.line == 2)
        #expect(
            fault.reason
                == "its confidence has a comma where a point must be; save the file with decimal points, as in 0.9"
        )
    }

    @Test func utf16IsRefusedWithWhatToDo() {
        let octets: [UInt8] = [0xFF, 0xFE] + "device_type".utf16.flatMap { [UInt8($0), 0] }
        #expect(rows(octets) == [.broken(ImportError(1, "it is in UTF-16; save it in UTF-8"))])
    }

    @Test func aHeadingWithoutOurColumnsIsRefused() {
        guard case .broken(let fault)? = rows("a;b;c\n1;2;3\n".utf8).first else {
            Issue.record("it is taken")
            return
        }
        #expect(fault.line == 1)
        #expect(
            fault.reason.hasPrefix(
                "no column is named device_type, rssi, confidence, timestamp; what is read"))
        #expect(rows("\"a".utf8) == [.broken(ImportError(1, "the quote that opens here is never closed"))])
        let long = rows(String(repeating: "a,", count: 100_000).utf8, pieces: 4096)
        #expect(long == [.broken(ImportError(1, "it has more than 65536 octets"))])
    }
}
