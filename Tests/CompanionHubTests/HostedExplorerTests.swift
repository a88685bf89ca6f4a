// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Companion
import CompanionCore
import CompanionDevices
import CompanionText
import SimulatedDevices
import Testing

@testable import CompanionHub

typealias ExplorerBench = JobBench<ExplorerJob>

extension JobBench where Machine == ExplorerJob {
    /// A strap that is explored; at another address than its own there is nobody.
    init(
        every interval: UInt64 = 1000, to address: BluetoothAddress = SimulatedStrap.address,
        lease: UInt64 = 600
    ) async throws {
        try await self.init(with: address, lease: lease) {
            SimulatedStrap.make(every: interval)
        } does: { table, device, moment in
            table.beginExplorer(device, mayWrite: false, at: moment)
        }
    }

    /// Waits until it is as wanted.
    func until(_ isWanted: (HubExplorer) -> Bool) async throws -> HubExplorer {
        try await until({ try await $0.shown }, isWanted)
    }

    /// The handle of a value.
    func handle(_ uuid: UInt16) async throws -> AttributeHandle {
        let tree = try #require(try await job.state.tree)
        let characteristic = try #require(tree.services.characteristic(BluetoothUUID(uuid)))
        return characteristic.valueHandle
    }
}

@Suite("A device that a page explores, on the air", .manualTime, .timeLimit(.minutes(5)))
struct HostedExplorerTests {
    @Test func everythingThatCanBeReadIsReadAndWhatIsRefusedSaysWhy() async throws {
        let bench = try await ExplorerBench()
        let ready = try await bench.until { $0.step == .ready }
        #expect(ready.job.phase == .open && ready.mtu == 517 && ready.progress.read == ready.progress.all)
        #expect(ready.phy?.tx == "2m" || ready.phy?.tx == "1m")
        #expect(ready.timing != nil && ready.trouble == nil && ready.values == 0)
        let tree = try #require(try await bench.job.state.tree)
        let texts = tree.services.flatMap(\.characteristics).compactMap { tree[$0.valueHandle].octets }
        #expect(texts.contains(Array("Nordlicht GmbH & Söhne, Werk 3".utf8)))
        // More than a packet holds.
        #expect(texts.contains { $0.count == 400 })
        let refused = tree.readings.values.compactMap { $0.error }
        #expect(
            refused == ["the link must be encrypted first"]
                || refused == ["the link must be authenticated first"])
        // The page is told how strong the link is.
        _ = try await bench.until { $0.rssi != nil }
        try await bench.job.end()
        let ended = try await bench.job.shown
        #expect(ended.job.phase == .ended && ended.job.reason == nil && ended.rssi == nil)
        await #expect(throws: HubError.self) { try await bench.job.read(3) }
        // What is known of it stays to be seen and saved.
        #expect(try await bench.job.state.tree != nil)
    }

    @Test func valuesAreReadWrittenAndRefusedInWords() async throws {
        let bench = try await ExplorerBench()
        _ = try await bench.until { $0.step == .ready }
        let place = try await bench.job.read(try await bench.handle(0x2A38))
        #expect(place.octets == [1] && place.kind == .read && place.plotted == nil && place.number == 1)
        let point = try await bench.handle(0x2A39)
        let done = try await bench.job.write([1], to: point, isAnswered: true)
        #expect(done.error == nil && done.kind == .write)
        let refused = try await bench.job.write([2], to: point, isAnswered: true)
        #expect(refused.error == "application error 0x80" && refused.errorCode?.rawValue == 0x80)
        #expect(try await bench.job.shown.trouble == "Writing was refused: application error 0x80.")
        let unreadable = try await bench.job.read(point)
        #expect(unreadable.octets == nil && unreadable.error == "reading is not permitted")
        let nothing = try await bench.job.read(60_000)
        #expect(nothing.error == "there is nothing with this handle")
        await #expect(
            throws: HubError.badValue("Only the value of a characteristic can be subscribed to.")
        ) {
            try await bench.job.watch(1, isOn: true)
        }
        let silent = try await bench.handle(0x2A38)
        await #expect(throws: HubError.notNow("This value is not sent by itself. Read it instead.")) {
            try await bench.job.watch(silent, isOn: true)
        }
        let logged = try await bench.job.logged()
        #expect(logged.values.map(\.number) == [5, 4, 3, 2, 1] && logged.total == 5)
        let ofPoint = try await bench.job.logged(of: Int(point.rawValue), before: 5, limit: 2)
        #expect(ofPoint.values.map(\.number) == [4, 3] && ofPoint.total == 3)
        try await bench.job.end()
    }

    @Test func whatItSendsIsToldWithItsNumber() async throws {
        let bench = try await ExplorerBench()
        _ = try await bench.until { $0.step == .ready }
        let rate = try await bench.handle(0x2A37)
        try await bench.job.watch(rate, isOn: true)
        let some = try await bench.until { $0.values >= 3 }
        #expect(some.watched == [Int(rate.rawValue)])
        let newest = try #require(try await bench.job.logged(of: Int(rate.rawValue), limit: 1).values.first)
        #expect(newest.kind == .notify && newest.plotted?.unit != nil)
        #expect(newest.plotted.map { (60...80).contains($0.number) } == true)
        try await bench.job.watch(rate, isOn: false)
        let before = try await bench.job.shown.values
        try await ManualTime.pass(milliseconds: 5000)
        #expect(try await bench.job.shown.values - before <= 1)
        // The tree shows the newest, too.
        let last = try #require(try await bench.job.logged(of: Int(rate.rawValue), limit: 1).values.first)
        let tree = try #require(try await bench.job.state.tree)
        #expect(tree[rate].octets == last.octets)
        try await bench.job.end()
    }

    @Test func aDeviceThatTalksWithoutEndFillsNoFeed() async throws {
        let bench = try await ExplorerBench(every: 1)
        _ = try await bench.until { $0.step == .ready }
        let first = bench.feed.lastID
        try await bench.job.watch(try await bench.handle(0x2A37), isOn: true)
        try await ManualTime.pass(milliseconds: 20_000)
        let explorer = try await bench.job.shown
        // All of it is in the log, as far as that goes.
        #expect(explorer.values > 5000)
        #expect(explorer.logged <= 10_000 && explorer.dropped == explorer.values - explorer.logged)
        // Five and ten times a second at most, and the beginning.
        #expect(bench.feed.lastID - first < 20 * 16)
        try await bench.job.end()
    }

    @Test func oneThatGoesAwayEndsItWithAReasonAlsoForWhoWaits() async throws {
        let bench = try await ExplorerBench()
        _ = try await bench.until { $0.step == .ready }
        let handle = try await bench.handle(0x2A19)
        await bench.air.move(bench.controllers[0], to: VirtualAir.Position(x: 100_000))
        // Who waits is resumed when the link is given up.
        await #expect(throws: HubError.notNow(JobText.linkLost)) { try await bench.job.read(handle) }
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason?.contains("Bring it near") == true)
    }

    @Test func oneThatIsNotThereIsSaidToBeSo() async throws {
        let bench = try await ExplorerBench(to: BluetoothAddress(0xC0FF_EE00_0000, kind: .random))
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(
            ended.job.reason
                == "The device did not answer within 15 seconds. Check that it is near, switched on and not connected to something else."
        )
        #expect(ended.step == .connecting)
        #expect(try await bench.job.state.tree == nil)
    }

    @Test func aPageThatIsGoneEndsItAndWhatIsKnownStays() async throws {
        let bench = try await ExplorerBench(lease: 20)
        _ = try await bench.until { $0.step == .ready }
        try await bench.job.watch(try await bench.handle(0x2A37), isOn: true)
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == "Its page was closed or asleep, so Lantern has disconnected from it.")
        #expect(ended.watched.isEmpty && ended.values > 0)
        #expect(try await !bench.job.logged().values.isEmpty)
    }

    @Test func aPageThatSavesItIsThere() async throws {
        let bench = try await ExplorerBench(lease: 20)
        _ = try await bench.until { $0.step == .ready }
        for _ in 0..<3 {
            #expect(try await !bench.job.file { _ in nil }.isEmpty)
            try await ManualTime.pass(milliseconds: 15_000)
            #expect(try await bench.job.shown.job.phase == .open)
        }
        try await bench.job.end()
    }

    @Test func aRadioThatStopsEndsIt() async throws {
        let bench = try await ExplorerBench()
        _ = try await bench.until { $0.step == .ready }
        await bench.radio.close()
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason?.isEmpty == false)
    }

    @Test func endedBeforeItHasBegunItIsOverAtOnce() async throws {
        let bench = try await ExplorerBench()
        try await bench.job.end("The hub was stopped.")
        let ended = try await bench.job.shown.job
        #expect(ended.phase == .ended && ended.reason == "The hub was stopped.")
    }

    @Test func aDeviceThatDoesNotPairSaysSo() async throws {
        let bench = try await ExplorerBench()
        _ = try await bench.until { $0.step == .ready }
        await #expect(throws: HubError.self) { try await bench.job.pair() }
        #expect(try await !bench.job.shown.isPairing)
        try await bench.job.end()
    }

    @Test func ofTooMuchTheNewestOfEachIsToldAndTheRestIsCounted() throws {
        var limits = ExplorerLog.Limits()
        (limits.values, limits.told, limits.octets) = (50, 5, 400)
        var log = ExplorerLog(limits: limits)
        func append(_ handle: UInt16, _ count: Int) {
            log.append(
                AttributeJSON(AttributeHandle(rawValue: handle), nil), .notify,
                Array(repeating: 1, count: count), at: Timestamp(milliseconds: 0))
        }
        append(7, 1)
        for _ in 0..<99 { append(8, 1) }
        let (values, leftOut) = log.takeNews()
        // The quiet one is not lost among the others.
        #expect(values.map(\.number) == [1, 97, 98, 99, 100] && leftOut == 95)
        // What is left out is counted, also of one attribute alone.
        #expect(values.map(\.count) == [1, 96, 97, 98, 99] && log.count(of: 8) == 99)
        #expect(log.count == 50 && log.dropped == 50 && !log.hasNews)
        #expect(log.values(of: nil, before: nil, limit: 3).map(\.number) == [100, 99, 98])
        #expect(log.values(of: 7, before: nil, limit: 3).isEmpty)
        // Octets count, too, and the last one is kept whatever it has.
        append(8, 390)
        #expect(log.count == 11)
        append(8, 512)
        #expect(log.count == 1 && log.total == 102)
    }
}
