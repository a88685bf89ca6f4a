// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import Detections
import FlockFinder
import Foundation
import Testing

@testable import CommandIO
@testable import FlockFinderCommands
@testable import LanternCommands

@Suite("Filters and formats of detections")
struct DetectionFilterTests {
    @Test func withoutOptionsEverythingFits() throws {
        #expect(try FilterOptions.parse([]).filter == DetectionFilter())
    }

    @Test func eachOptionIsACondition() throws {
        let filter = try FilterOptions.parse([
            "--type", "ring", "--type", "FLOCK_SAFETY", "--since", "2026-11-21T00:00Z", "--until",
            "2026-11-21T18:30+01:00", "--min-confidence", "0.5", "--near=-33.5,151,250", "--text", "100%",
        ]).filter
        #expect(filter.types == [.ring, .flockSafety])
        #expect(filter.since == Timestamp("2026-11-21T00:00:00.000Z"))
        #expect(
            filter.until == Timestamp("2026-11-21T17:31:00.000Z"),
            "the minute that is written is part of the span")
        #expect(filter.minimumConfidence == 0.5)
        #expect(filter.near?.metres == 250)
        #expect(filter.near?.center == Position(latitude: -33.5, longitude: 151))
        #expect(filter.text == "100%")
    }

    @Test("Times without a zone are local, and the last day belongs to them")
    func localTimes() throws {
        let filter = try FilterOptions.parse(["--since", "2026-11-21", "--until", "2026-11-21"]).filter
        let day = try #require(
            Calendar(identifier: .gregorian).date(
                from: DateComponents(timeZone: .current, year: 2026, month: 11, day: 21)))
        #expect(filter.since == Timestamp(day))
        #expect(filter.since?.localText == "2026-11-21 00:00:00")
        #expect(filter.until?.localText == "2026-11-22 00:00:00")
        let second = try FilterOptions.parse(["--until", "2026-11-21 18:30:59"]).filter
        #expect(second.until?.localText == "2026-11-21 18:31:00")
    }

    @Test(arguments: [
        ["--type", "spaceship"], ["--type", ""], ["--min-confidence", "much"], ["--min-confidence", "1.01"],
        ["--min-confidence", "nan"], ["--near", "52.5"], ["--near", "91,0,10"], ["--near=0,0,-1"],
        ["--since", "yesterday-ish"], ["--until", "2026-13-01"],
    ])
    func whatMakesNoSenseIsWrongUsage(_ arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try FilterOptions.parse(arguments) }
        if let error { #expect(FilterOptions.exitCode(for: error) == .validationFailure) }
    }

    @Test func exportKnowsThreeFormats() throws {
        for name in ["csv", "json", "gpx", "GPX"] {
            let command = try DetectionsExportCommand.parse(["--format", name])
            #expect(command.format?.rawValue == name.lowercased())
        }
        #expect(throws: (any Error).self) { try DetectionsExportCommand.parse(["--format", "xml"]) }
        #expect(throws: (any Error).self) { try DetectionsExportCommand.parse([]) }
        #expect(try DetectionsExportCommand.parse(["--output", "a/cameras.GPX"]).format == .gpx)
    }

    @Test(arguments: [
        (["XDG_DATA_HOME": "/data", "HOME": "/home/a"], "/data/lantern"),
        (["XDG_DATA_HOME": "data", "HOME": "/home/a"], "/home/a/.local/share/lantern"),
        (["XDG_DATA_HOME": "", "HOME": "/home/a"], "/home/a/.local/share/lantern"),
        (["HOME": "/home/a"], "/home/a/.local/share/lantern"),
    ])
    func theDataFolderIsWhereXDGWantsIt(_ environment: [String: String], _ path: String) {
        #expect(DataFolder.path(environment: environment) == path)
    }

    @Test(arguments: [
        ("/a/b-c_1.sqlite", "/a/b-c_1.sqlite"), ("/a b", "'/a b'"), ("/it's", #"'/it'\''s'"#),
        ("/$HOME", "'/$HOME'"),
    ])
    func pathsAreWordsForTheShell(_ path: String, _ word: String) {
        #expect(DataFolder.shellQuoted(path) == word)
    }
}
