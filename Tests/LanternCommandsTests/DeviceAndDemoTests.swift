// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import FlockFinder
import FlockFinderCompanion
import FlockFinderDevices
import FlockFinderSimulated
import Foundation
import Testing

@testable import CommandIO
@testable import FlockFinderCommands
@testable import LanternCommands

@Suite("Our device and the demo")
struct DeviceAndDemoTests {
    static func script(_ text: String) throws -> DetectionScript {
        let path = FileManager.default.temporaryDirectory.path + "/lantern-\(UUID().uuidString)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try FlockFinderRunCommand.script(at: path)
    }

    @Test func aScriptIsReadFromItsFile() throws {
        let script = try Self.script("{\"type\":\"Ring\",\"after_ms\":5}\n\n{\"type\":\"Axis\"}\n")
        #expect(script.lines.map(\.afterMilliseconds) == [5, 0])
    }

    @Test func aBadScriptIsWrongUsageAndNamesItsLine() {
        let bad = #expect(throws: CommandError.self) { try Self.script("{\"a\":1}\n{\"type\":\"Ring\"\n") }
        #expect(bad?.status == .wrongUsage)
        #expect(bad?.sentence.contains("Line 2") == true)
        let missing = #expect(throws: CommandError.self) {
            try FlockFinderRunCommand.script(at: "/no/such/script")
        }
        #expect(missing?.status == .wrongUsage)
        #expect(missing?.sentence.contains("/no/such/script") == true)
    }

    @Test func anUnknownKindIsWrongUsage() {
        let error = #expect(throws: (any Error).self) { try DeviceRunCommand.parse(["toaster"]) }
        if let error { #expect(DeviceRunCommand.exitCode(for: error) == .validationFailure) }
        #expect(DeviceRunCommand.helpMessage().contains("flockfinder"))
    }

    @Test func whatHappensToTheDeviceIsALineEach() throws {
        let link = LinkID(rawValue: 1)
        let events: [FlockFinderDevice.Event] = [
            .connected(link, Peer(device)), .detections(link, isOn: true), .stream(link, isOn: false),
            .command(link, "PING\u{1B}"), .sent(Array(#"{"type":"Ring"}"#.utf8), clients: 1), .scriptFinished,
            .disconnected(link),
        ]
        for isJSON in [true, false] {
            let text = TextOutput()
            let printer = EventPrinter(to: text.output(.plain(columns: 80)), isJSON: isJSON)
            for event in events { try printer.show(event.report.event, at: .noon) }
            #expect(text.lines.count == events.count)
            #expect(!text.text.contains("\u{1B}"))
        }
        #expect(
            String(decoding: events[4].report.event.json(at: .noon), as: UTF8.self)
                == #"{"event":"flock_object_sent","time":"2026-11-21T12:00:00.000Z","clients":1,"#
                + #""object":{"type":"Ring"}}"#)
    }

    @Test func theDemoDrivesAnOvalAtTheSpeedOfItsCar() throws {
        let route = DemoRoute(start: .noon)
        let first = try #require(route.position(at: .noon))
        for seconds in [1, 60, 3600] as [Int64] {
            let at = Timestamp(milliseconds: Timestamp.noon.milliseconds + seconds * 1000)
            let here = try #require(route.position(at: at))
            let next = try #require(route.position(at: Timestamp(milliseconds: at.milliseconds + 1000)))
            #expect((8...20).contains(here.distance(to: next)))
            #expect(here.distance(to: first) < 2200)
        }
    }

    @Test func theSummaryCountsKindsAndSaysWhereThingsLie() {
        var tally = FlockRecorder.Tally()
        tally.detections = 4
        tally.kinds = [.ring: 1, .flockSafety: 3]
        let summary = DemoSummary(
            tally: tally, database: "/d/lantern.sqlite", export: "/d/lantern.gpx", program: "build/lantern")
        let text = summary.text(on: .plain(columns: 80))
        #expect(text.contains("4 detections of 2 kinds"))
        #expect(text.contains("Database  /d/lantern.sqlite") && text.contains("GPX file  /d/lantern.gpx"))
        #expect(text.contains("  build/lantern detections list --database /d/lantern.sqlite"))
        let lines = text.split(separator: "\n")
        let flock = lines.firstIndex { $0.contains("Flock Safety") && $0.contains("3") }
        let ring = lines.firstIndex { $0.contains("Ring") && $0.contains("1") }
        #expect(flock != nil && ring != nil && flock ?? 0 < ring ?? 0)
        #expect(!text.contains("\u{1B}"))
    }
}
