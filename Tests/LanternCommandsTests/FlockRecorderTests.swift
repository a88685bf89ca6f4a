// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionStore
import Detections
import FlockFinder
import FlockFinderCompanion
import FlockFinderDevices
import Testing

@Suite("What comes is stored, then told")
struct FlockRecorderTests {
    @Test func oneCommitForAllThatWaitsAndTheOrderIsKept() async throws {
        let sink = NotingSink()
        let recorder = FlockRecorder(into: sink.save)
        let error = DetectionError(.notJSON, at: 3)
        let reports = try await recorder.receive(
            timed(
                .state(DeviceLink.Report(.connected, peer: Peer(device))), detected(1),
                .parseError(error, raw: [1, 2]), detected(2), .stream(Array("{}".utf8)), .mtu(517)))
        #expect(await sink.commits == [["n1", "n2"]])
        #expect(await sink.failureCommits == [1])
        #expect(await sink.keeps == 1, "All of it is one commit.")
        try #require(reports.count == 5)
        #expect(reports[0] == .state(DeviceLink.Report(.connected, peer: Peer(device))))
        guard case .detection(let first) = reports[1].content,
            case .detection(let second) = reports[3].content
        else {
            Issue.record("\(reports)")
            return
        }
        #expect((first.id, second.id) == (1, 2))
        #expect((first.sighting.ssid, second.sighting.ssid) == ("n1", "n2"))
        #expect(first.sighting.device == device)
        #expect(reports[2] == .parseError(ParseFailure(received: .noon, reason: "\(error)", raw: [1, 2])))
        #expect(reports[4] == .stream("{}"))
    }

    @Test func nothingIsCommittedWhenThereIsNothing() async throws {
        let sink = NotingSink()
        let recorder = FlockRecorder(into: sink.save)
        #expect(try await recorder.receive([]).isEmpty)
        #expect(try await recorder.receive(timed(.mtu(23))).isEmpty)
        #expect(await sink.commits.isEmpty)
    }

    @Test func nothingIsToldThatCouldNotBeStored() async {
        let recorder = FlockRecorder(into: NotingSink(failure: .full(path: "x")).save)
        await #expect(throws: StoreError.full(path: "x")) {
            _ = try await recorder.receive(timed(detected(1)))
        }
        #expect(await recorder.tally.detections == 0)
    }

    @Test func detectionsBeyondTheLimitAreNeitherStoredNorTold() async throws {
        let sink = NotingSink()
        let recorder = FlockRecorder(into: sink.save, limit: 3)
        #expect(try await recorder.receive(timed(detected(1), detected(2))).count == 2)
        #expect(await !recorder.isFull)
        #expect(try await recorder.receive(timed(detected(3), detected(4), detected(5))).count == 1)
        #expect(await recorder.isFull)
        #expect(try await recorder.receive(timed(detected(6))).isEmpty)
        #expect(await sink.commits == [["n1", "n2"], ["n3"]])
        #expect(await recorder.tally.detections == 3)
    }

    @Test func whatTheStoreRefusesIsToldAndNotCounted() async throws {
        let recorder = FlockRecorder(into: try DetectionDatabase().save(each:failures:), limit: 2)
        let bad = Detection(type: .ring, label: "Ring", rssi: -60, confidence: 7, raw: [7])
        let reports = try await recorder.receive(timed(detected(1), .detection(bad), detected(3)))
        #expect(reports.count == 2)
        guard case .parseError(let failure)? = reports.last?.content else {
            Issue.record("\(reports)")
            return
        }
        #expect(failure.failure.raw == [7])
        let tally = await recorder.tally
        #expect((tally.detections, tally.parseErrors) == (1, 1))
    }

    @Test func placeAndTimeAreThoseOfTheMomentOfReceipt() async throws {
        let position = try #require(Position(latitude: 52.5, longitude: 13.4))
        let place = LocationSample(
            position, motion: Sighting.Motion(speed: 12, heading: 90, activity: "driving"))
        let recorder = FlockRecorder(into: NotingSink().save) { time in
            time == .noon ? place : nil
        }
        let reports = try await recorder.receive(timed(detected(1)))
        guard case .detection(let record)? = reports.first?.content else {
            Issue.record("\(reports)")
            return
        }
        #expect((record.sighting.position, record.sighting.motion) == (position, place.motion))
        #expect(record.sighting.received == .noon)
    }

    @Test func theTallyTellsWhatHappened() async throws {
        let recorder = FlockRecorder(into: NotingSink().save)
        #expect(await !recorder.tally.wasTried)
        _ = try await recorder.receive(timed(.state(DeviceLink.Report(.connecting, peer: Peer(device)))))
        #expect(await recorder.tally.wasTried)
        #expect(await !recorder.tally.wasConnected)
        _ = try await recorder.receive(
            timed(
                .state(DeviceLink.Report(.connected, peer: Peer(device))), detected(1), detected(2),
                .parseError(DetectionError(.empty, at: 0), raw: []), .command("PING", nil),
                .command("X", .timeout), .advice(.bluetoothOff)))
        let tally = await recorder.tally
        #expect(tally.wasConnected)
        #expect(tally.kinds == [.flockSafety: 2])
        #expect(tally.parseErrors == 1)
        #expect((tally.commandsWritten, tally.commandFailure) == (1, .timeout))
        #expect(tally.advice == .bluetoothOff)
        #expect(tally.refusal == nil)
    }

    @Test func whatTheDeviceDoesNotKnowIsARefusal() async throws {
        let recorder = FlockRecorder()
        let refusal = Array(#"{"evt":"status","msg":"unknown command: BOGUS","ts":1}"#.utf8)
        // The answer may come before the write is known to have arrived.
        _ = try await recorder.receive(
            timed(.stream(Array("{}".utf8)), .stream(refusal), .command("BOGUS", nil)))
        #expect(await recorder.tally.refusal == "unknown command: BOGUS")
    }
}
