// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import BluetoothLE
import Companion
import CompanionStore
import FlockFinder
import Foundation
import Testing

@testable import CompanionHub
@testable import Detections
@testable import HubModel

@Suite("A clock that somebody sets", .timeLimit(.minutes(5)))
struct ClockSetTests {
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    @Test func agesCountUntilItIsSetAndAgainADayLater() {
        var watch = ClockWatch()
        #expect(watch.isTrusted)
        watch.look(at(0), elapsed: .seconds(5))
        // A minute off, as after a busy moment, is no fault; nor is a machine that has slept for a week.
        watch.look(at(660), elapsed: .seconds(605))
        watch.look(at(600_660), elapsed: .seconds(600_605))
        #expect(watch.isTrusted)
        for change in [-3600, 61, 86_400 * 400] as [Int64] {
            watch = ClockWatch()
            watch.look(at(1_000_000), elapsed: .zero)
            watch.look(at(1_000_600 + change), elapsed: .seconds(600))
            #expect(!watch.isTrusted)
            watch.look(at(1_000_600 + change + 86_399), elapsed: .seconds(600 + 86_399))
            #expect(!watch.isTrusted)
            watch.look(at(1_000_600 + change + 86_400), elapsed: .seconds(600 + 86_400))
            #expect(watch.isTrusted)
        }
        // Set again before the day is over: the day begins anew.
        watch.look(at(0), elapsed: .seconds(87_001))
        watch.look(at(50_000), elapsed: .seconds(137_001))
        watch.look(at(0), elapsed: .seconds(137_002))
        watch.look(at(86_000), elapsed: .seconds(223_002))
        #expect(!watch.isTrusted)
    }

    @Test func retentionTakesNothingAwayByAClockThatWasSet() async throws {
        let folder = NSTemporaryDirectory() + "lantern-clock-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try DetectionDatabase(path: folder + "/lantern.sqlite", createIfMissing: true)
        let time = SteppedClock()
        var options = Hub.Options(name: "test", version: "1", captureFile: folder + "/capture.btsnoop")
        options.retentionInterval = .seconds(6 * 3600)
        // Nothing else is to wake up.
        options.publishInterval = .seconds(1_000_000)
        options.patience.look = .seconds(1_000_000)
        let hub = Hub(options, store: store, radio: ScriptedSource(), clock: time.clock)
        let work = Task { await hub.run() }
        let now = time.clock.now()
        let sighting = Sighting(type: .ring, label: "Ring", rssi: -60, confidence: 1, received: now)
        _ = try await store.save(sighting)
        _ = try await hub.change(settings: JSONReader.read(Array(#"{"retention_days":2}"#.utf8)))
        /// Lets so many looks at what is too old pass.
        func pass(_ count: Int) async throws {
            for _ in 0..<count {
                let before = time.lengths.filter { $0 == options.retentionInterval }.count
                try await eventually { time.lengths.contains(options.retentionInterval) }
                try await time.advance(by: options.retentionInterval)
                try await eventually {
                    time.lengths.filter { $0 == options.retentionInterval }.count > before
                }
            }
        }
        try await pass(1)
        // A year ahead: it is not old, the clock is wrong.
        time.set(by: .seconds(86_400 * 365))
        try await pass(3)
        #expect(try await store.count() == 1)
        // And back: what comes meanwhile is in the future, and stays.
        var later = sighting
        later.received = time.clock.now()
        _ = try await store.save(later)
        time.set(by: .seconds(-86_400 * 365))
        try await pass(1)
        #expect(try await store.count() == 2)
        #expect(
            try await store.records(page: DetectionPage(order: .newestFirst, limit: 10)).map(\.id) == [2, 1])
        // Three days later the first one is old by a clock that nobody has set for a day.
        try await pass(3 * 4 + 1)
        try await eventually { try await store.count() == 1 }
        work.cancel()
        await work.value
        try await store.close()
    }

    @Test func reportsAreCountedAnewWhenItIsSetBack() {
        var rate = ReportRate()
        for second in 0..<120 { rate.count(at: at(10_000 + Int64(second))) }
        #expect(rate.total(at: at(10_119)) == 60)
        rate.count(at: at(5000))
        #expect(rate.total(at: at(5000)) == 1)
        for second in 1..<90 { rate.count(at: at(5000 + Int64(second))) }
        #expect(rate.total(at: at(5089)) == 60)
    }

    @Test func devicesAreToldAndGoWhenItIsSetBack() throws {
        let board = DeviceRegistry()
        var builder = AdvertisingDataBuilder(limit: 255)
        try builder.appendServices([FlockFinderUUID.service])
        let report = Advertisement(
            peer: Peer(BluetoothAddress(1, kind: .public)), rssi: -60, isConnectable: true,
            isScanResponse: false,
            data: AdvertisingData(builder.octets))
        board.receive(report, at: at(100_000))
        // Its name was waited for when the clock went back.
        #expect(board.takeChanges(at: at(99_980)).changed.map(\.kind) == [.flockFinder])
        // As after an hour of silence; it is there again when it is heard again.
        #expect(board.takeChanges(at: at(96_400)).gone.count == 1)
        board.receive(report, at: at(96_400))
        #expect(board.takeChanges(at: at(96_402)).changed.count == 1)
    }
}
