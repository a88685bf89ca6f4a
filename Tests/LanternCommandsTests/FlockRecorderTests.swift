// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import FlockFinder
import Testing

@testable import LanternCommands

@Suite("What comes is stored, then told")
struct FlockRecorderTests {
    @Test func oneCommitForAllThatWaitsAndTheOrderIsKept() async throws {
        let sink = NotingSink()
        var recorder = FlockRecorder(into: sink)
        let error = DetectionError(.notJSON, at: 3)
        let news = try await recorder.take(
            timed(
                .state(DeviceLink.Report(.connected, peer: Peer(device))), detected(1),
                .parseError(error, raw: [1, 2]), detected(2), .stream(Array("{}".utf8)), .mtu(517)))
        #expect(await sink.commits == [["n1", "n2"]])
        #expect(await sink.failureCommits == [1])
        try #require(news.count == 5)
        #expect(news[0] == .state(DeviceLink.Report(.connected, peer: Peer(device))))
        guard case .detection(let first) = news[1], case .detection(let second) = news[3] else {
            Issue.record("\(news)")
            return
        }
        #expect((first.id, second.id) == (1, 2))
        #expect((first.sighting.ssid, second.sighting.ssid) == ("n1", "n2"))
        #expect(first.sighting.device == device)
        #expect(news[2] == .parseError(ParseFailure(received: .noon, reason: "\(error)", raw: [1, 2])))
        #expect(news[4] == .stream(Array("{}".utf8)))
    }

    @Test func nothingIsCommittedWhenThereIsNothing() async throws {
        let sink = NotingSink()
        var recorder = FlockRecorder(into: sink)
        #expect(try await recorder.take([]).isEmpty)
        #expect(try await recorder.take(timed(.mtu(23))).isEmpty)
        #expect(await sink.commits.isEmpty)
    }

    @Test func nothingIsToldThatCouldNotBeStored() async {
        var recorder = FlockRecorder(into: NotingSink(failure: .full(path: "x")))
        await #expect(throws: StoreError.full(path: "x")) { _ = try await recorder.take(timed(detected(1))) }
        #expect(recorder.tally.detections == 0)
    }

    @Test func detectionsBeyondTheLimitAreNeitherStoredNorTold() async throws {
        let sink = NotingSink()
        var recorder = FlockRecorder(into: sink, limit: 3)
        #expect(try await recorder.take(timed(detected(1), detected(2))).count == 2)
        #expect(!recorder.isFull)
        #expect(try await recorder.take(timed(detected(3), detected(4), detected(5))).count == 1)
        #expect(recorder.isFull)
        #expect(try await recorder.take(timed(detected(6))).isEmpty)
        #expect(await sink.commits == [["n1", "n2"], ["n3"]])
        #expect(recorder.tally.detections == 3)
    }

    @Test func placeAndTimeAreThoseOfTheMomentOfReceipt() async throws {
        let place = try #require(Position(latitude: 52.5, longitude: 13.4))
        var recorder = FlockRecorder(into: NotingSink()) { time in time == .noon ? place : nil }
        let news = try await recorder.take(timed(detected(1)))
        guard case .detection(let record)? = news.first else {
            Issue.record("\(news)")
            return
        }
        #expect(record.sighting.position == place)
        #expect(record.sighting.received == .noon)
    }

    @Test func theTallyTellsWhatHappened() async throws {
        var recorder = FlockRecorder(into: NotingSink())
        #expect(!recorder.tally.wasTried)
        _ = try await recorder.take(timed(.state(DeviceLink.Report(.connecting, peer: Peer(device)))))
        #expect(recorder.tally.wasTried && !recorder.tally.wasConnected)
        _ = try await recorder.take(
            timed(
                .state(DeviceLink.Report(.connected, peer: Peer(device))), detected(1), detected(2),
                .parseError(DetectionError(.empty, at: 0), raw: []), .command("PING", nil),
                .command("X", .timeout), .advice(.bluetoothOff)))
        let tally = recorder.tally
        #expect(tally.wasConnected)
        #expect(tally.kinds == [.flockSafety: 2])
        #expect(tally.parseErrors == 1)
        #expect((tally.commandsWritten, tally.commandFailure) == (1, .timeout))
        #expect(tally.advice == .bluetoothOff)
    }
}
