// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import SimulatedDevices
import Testing

@testable import CompanionHub

@Suite("A device that a page explores", .manualTime, .timeLimit(.minutes(5)))
struct ExplorerWorkTests {
    /// A device that is connected to, on an air of its own.
    private struct Bench {
        let air: VirtualRadio
        let controllers: [VirtualAir.ControllerID]
        let job: HubJob
        let work: ExplorerWork
        let events: EventFeed.Subscription
        let feed: EventFeed
        let host: HostRadio

        /// Waits until it is as wanted, by the events that pages get.
        func until(_ isWanted: (HubExplorer) -> Bool) async throws -> HubExplorer {
            while true {
                let explorer = await work.explorer
                if isWanted(explorer) { return explorer }
                guard let items = await events.next(), !items.isEmpty else { throw NeverHappened() }
            }
        }

        /// The handle of a value.
        func handle(_ uuid: UInt16) async throws -> Int {
            let services = try #require(await work.tree).services
            let characteristic = try #require(services.characteristic(BluetoothUUID(uuid)))
            return Int(characteristic.valueHandle.rawValue)
        }
    }

    private func bench(
        _ patience: HubJob.Patience? = nil, every interval: UInt64 = 1000,
        to address: BluetoothAddress = SimulatedStrap.address, mayWrite: Bool = false
    ) async throws -> Bench {
        let air = VirtualRadio(on: ManualTime.loop)
        let controllers = await air.add { [SimulatedStrap.make(every: interval)] }
        let own = BluetoothAddress(0x00AA_0000_0001, kind: .public)
        let host = HostRadio(loop: air.loop) { (loop) async throws(TransportError) in
            await air.attach(VirtualAir.ControllerConfiguration(address: own), on: loop)
        }
        try await host.start()
        let clock = HubClock.manual
        let feed = EventFeed(startedAt: clock.now())
        let events = feed.subscribe()
        let desk = PairingCoordinator(DeviceRegistry(), feed: feed, clock: clock)
        let job = DeviceJob(
            id: 1, .explorer, with: HubDevice(id: 1, peer: Peer(address)), begun: clock.now(), lease: 30)
        let work = ExplorerWork(
            job, mayWrite: mayWrite, desk: desk, clock: clock, feed: feed)
        var usual = HubJob.Patience()
        usual.lease = .seconds(600)
        let running = HubJob(job, work, clock: clock, patience: patience ?? usual)
        let radio = host.radio
        await running.begin(on: { radio }, changed: { _ in })
        return Bench(
            air: air, controllers: controllers, job: running, work: work, events: events, feed: feed,
            host: host)
    }

    @Test func everythingThatCanBeReadIsReadAndWhatIsRefusedSaysWhy() async throws {
        let bench = try await bench()
        let ready = try await bench.until { $0.step == .ready }
        #expect(ready.job.phase == .open && ready.mtu == 517 && ready.progress.read == ready.progress.all)
        #expect(ready.phy?.tx == "2m" || ready.phy?.tx == "1m")
        #expect(ready.timing != nil && ready.trouble == nil && ready.values == 0)
        let tree = try #require(await bench.work.tree)
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
        await bench.job.end()
        let ended = await bench.work.explorer
        #expect(ended.job.phase == .ended && ended.job.reason == nil && ended.rssi == nil)
        await #expect(throws: HubFault.self) { try await bench.work.read(3) }
        // What is known of it stays to be seen and saved.
        #expect(await bench.work.tree != nil)
    }

    @Test func valuesAreReadWrittenAndRefusedInWords() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.step == .ready }
        let place = try await bench.work.read(try await bench.handle(0x2A38))
        #expect(place.octets == [1] && place.kind == .read && place.plotted == nil && place.number == 1)
        let point = try await bench.handle(0x2A39)
        let done = try await bench.work.write([1], to: point, isAnswered: true)
        #expect(done.error == nil && done.kind == .write)
        let refused = try await bench.work.write([2], to: point, isAnswered: true)
        #expect(refused.error == "application error 0x80" && refused.errorCode?.rawValue == 0x80)
        #expect(await bench.work.explorer.trouble == "Writing was refused: application error 0x80.")
        let unreadable = try await bench.work.read(point)
        #expect(unreadable.octets == nil && unreadable.error == "reading is not permitted")
        let nothing = try await bench.work.read(60_000)
        #expect(nothing.error == "there is nothing with this handle")
        await #expect(throws: HubFault.badValue("A handle is a number from 1 to 65535.")) {
            try await bench.work.read(65_536)
        }
        await #expect(throws: HubFault.badValue("Only the value of a characteristic can be subscribed to.")) {
            try await bench.work.watch(1, isOn: true)
        }
        await #expect(throws: HubFault.notNow("2a38 neither notifies nor indicates.")) {
            try await bench.work.watch(try await bench.handle(0x2A38), isOn: true)
        }
        #expect(await bench.work.logged().map(\.number) == [5, 4, 3, 2, 1])
        #expect(await bench.work.logged(of: point, before: 5, limit: 2).map(\.number) == [4, 3])
        await bench.job.end()
    }

    @Test func whatItSendsIsToldWithItsNumber() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.step == .ready }
        let rate = try await bench.handle(0x2A37)
        try await bench.work.watch(rate, isOn: true)
        let some = try await bench.until { $0.values >= 3 }
        #expect(some.watched == [rate])
        let newest = try #require(await bench.work.logged(of: rate, limit: 1).first)
        #expect(newest.kind == .notify && newest.plotted?.unit != nil)
        #expect(newest.plotted.map { (60...80).contains($0.number) } == true)
        try await bench.work.watch(rate, isOn: false)
        let before = await bench.work.explorer.values
        try await ManualTime.pass(milliseconds: 5000)
        #expect(await bench.work.explorer.values - before <= 1)
        // The tree shows the newest, too.
        let last = try #require(await bench.work.logged(of: rate, limit: 1).first)
        let value = try #require(await bench.work.tree)[AttributeHandle(rawValue: UInt16(rate))]
        #expect(value.octets == last.octets)
        await bench.job.end()
    }

    @Test func aDeviceThatTalksWithoutEndFillsNoFeed() async throws {
        let bench = try await bench(every: 1)
        _ = try await bench.until { $0.step == .ready }
        let first = bench.feed.lastID
        try await bench.work.watch(try await bench.handle(0x2A37), isOn: true)
        try await ManualTime.pass(milliseconds: 20_000)
        let explorer = await bench.work.explorer
        // All of it is in the log, as far as that goes.
        #expect(explorer.values > 5000)
        #expect(explorer.logged <= 10_000 && explorer.dropped == explorer.values - explorer.logged)
        // Five and ten times a second at most, and the beginning.
        #expect(bench.feed.lastID - first < 20 * 16)
        await bench.job.end()
    }

    @Test func oneThatGoesAwayEndsItWithAReasonAlsoForWhoWaits() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.step == .ready }
        let handle = try await bench.handle(0x2A19)
        await bench.air.move(bench.controllers[0], to: VirtualAir.Position(x: 100_000))
        // Who waits is resumed when the link is given up.
        await #expect(throws: HubFault.self) { try await bench.work.read(handle) }
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason?.contains("Bring it near") == true)
        #expect(await !bench.work.isUnderWay)
    }

    @Test func oneThatIsNotThereIsSaidToBeSo() async throws {
        let bench = try await bench(to: BluetoothAddress(0xC0FF_EE00_0000, kind: .random))
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(
            ended.job.reason
                == "The device did not answer within 15 seconds. Check that it is near, switched on and not connected to something else."
        )
        #expect(ended.step == .connecting)
        #expect(await bench.work.tree == nil)
    }

    @Test func aPageThatIsGoneEndsItAndWhatIsKnownStays() async throws {
        var patience = HubJob.Patience()
        patience.lease = .seconds(20)
        let bench = try await bench(patience)
        _ = try await bench.until { $0.step == .ready }
        try await bench.work.watch(try await bench.handle(0x2A37), isOn: true)
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == "Its page was closed or asleep, so Lantern has disconnected from it.")
        #expect(ended.watched.isEmpty && ended.values > 0)
        #expect(await !bench.work.logged().isEmpty)
    }

    @Test func aRadioThatStopsEndsIt() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.step == .ready }
        await bench.host.close()
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason?.isEmpty == false)
    }

    @Test func endedBeforeItHasBegunItIsOverAtOnce() async throws {
        let bench = try await bench()
        await bench.job.end("The hub was stopped.")
        #expect(await bench.work.explorer.job.reason == "The hub was stopped.")
        #expect(await bench.work.explorer.job.phase == .ended)
    }

    @Test func aDeviceThatDoesNotPairSaysSo() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.step == .ready }
        await #expect(throws: HubFault.self) { try await bench.work.pair() }
        #expect(await !bench.work.explorer.isPairing)
        await bench.job.end()
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
