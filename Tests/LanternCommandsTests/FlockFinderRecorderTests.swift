// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinderCompanion
import OverflowArea
import Testing

@testable import CompanionDevices
@testable import FlockFinderDevices

@Suite("The way from the queue to the screen", .timeLimit(.minutes(5)))
struct FlockFinderRecorderTests {
    static func run(showing log: HappeningLog) -> FlockFinderRecorder {
        FlockFinderRecorder(
            now: { .noon },
            show: { reports in
                for case .detection(let event) in reports.map(\.content) {
                    log.note("shown \(event.id ?? 0)")
                }
            }, untilEnd: { _ in })
    }

    @Test func eachDetectionIsStoredBeforeItIsShownAndNoneIsLost() async throws {
        let log = HappeningLog()
        let queue = EventQueue<TimedEvent>(capacity: 64)
        let count = 5000
        let producer = Task {
            for number in 1...count { await queue.append(TimedEvent(event: detected(number), time: .noon)) }
            await queue.finish()
        }
        let recorder = FlockRecorder(into: NotingSink(log: log).save)
        let tally = try await Self.run(showing: log).consume(queue, recorder) {}
        await producer.value
        #expect(tally.detections == count)
        var stored: Set<String> = []
        var shown = 0
        for happening in log.all {
            let number = happening.split(separator: " ")[1]
            if happening.hasPrefix("stored") {
                stored.insert(String(number))
            } else {
                shown += 1
                #expect(stored.contains(String(number)))
                #expect(number == "\(shown)")
            }
        }
        #expect(shown == count)
    }

    @Test func whenEnoughHasComeItIsToldOnceAndTheRestIsDropped() async throws {
        let log = HappeningLog()
        let queue = EventQueue<TimedEvent>(capacity: 1)
        let producer = Task {
            for number in 1...20 { await queue.append(TimedEvent(event: detected(number), time: .noon)) }
            await queue.finish()
        }
        let recorder = FlockRecorder(into: NotingSink().save, limit: 5)
        let tally = try await Self.run(showing: log).consume(queue, recorder) { log.note("full") }
        await producer.value
        #expect(tally.detections == 5)
        #expect(log.all == ["shown 1", "shown 2", "shown 3", "shown 4", "shown 5", "full"])
    }

    @Test func aDiskThatFailsEndsItAndShowsNothing() async {
        let log = HappeningLog()
        let queue = EventQueue<TimedEvent>(capacity: 4)
        await queue.append(TimedEvent(event: detected(1), time: .noon))
        let recorder = FlockRecorder(into: NotingSink(failure: .full(path: "x")).save)
        await #expect(throws: StoreError.full(path: "x")) {
            _ = try await Self.run(showing: log).consume(queue, recorder) {}
        }
        #expect(log.all.isEmpty)
    }

    @Test func whatIsSetAsideAtTheEndIsFollowedByAllThatStillWaits() async {
        let log = HappeningLog()
        let queue = EventQueue<TimedEvent>(capacity: 1)
        let producer = Task {
            for number in 1...3 { await queue.append(TimedEvent(event: detected(number), time: .noon)) }
            await queue.finish()
        }
        let error = StoreError.setAside(path: "x", rows: 1, reason: "another program has locked it")
        let recorder = FlockRecorder(into: { sightings, _ async throws(StoreError) in
            for sighting in sightings { log.note("kept \(sighting.ssid ?? "")") }
            throw error
        })
        await #expect(throws: error) {
            _ = try await Self.run(showing: log).consume(queue, recorder) {}
        }
        await producer.value
        #expect(log.all == ["kept n1", "kept n2", "kept n3"])
    }
}
