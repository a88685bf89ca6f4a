// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Companion
import CompanionCore
import CompanionDevices
import CompanionHub
import CompanionText
import LEDBulb
import LEDBulbCompanion
import LEDBulbSimulated
import NightlightCompanion
import NightlightSimulated
import SimulatedDevices
import Synchronization
import Testing
import WiFiSetSimulated

@Suite("Jobs on devices, as a hub carries them on", .manualTime, .timeLimit(.minutes(5)))
struct JobHostTests {
    /// What a host has told who follows it.
    private final class Told: Sendable {
        private let all = Mutex<[DeviceJob]>([])

        func note(_ output: JobOutput) {
            if case .changed(let job) = output { all.withLock { $0.append(job) } }
        }
        var phases: [DeviceJob.Phase] { all.withLock { $0.map(\.phase) } }
    }

    /// A host with the radio of an air of its own, on which there are devices.
    private struct Bench {
        let air: VirtualRadio
        let controllers: [VirtualAir.ControllerID]
        let jobs: JobHost
        let events: EventFeed.Subscription
        let told = Told()

        init(_ devices: @escaping @Sendable () -> [any SimulatedHost]) async throws {
            air = VirtualRadio(on: ManualTime.loop)
            controllers = await air.add(devices)
            let own = BluetoothAddress(0x00AA_0000_0001, kind: .public)
            let host = HostRadio(loop: air.loop) { [air] (loop) async throws(TransportError) in
                await air.attach(VirtualAir.ControllerConfiguration(address: own), on: loop)
            }
            try await host.start()
            let feed = EventFeed(startedAt: HubClock.manual.now())
            events = feed.subscribe()
            jobs = JobHostTests.host(feed) { [radio = host.radio] in radio }
            await jobs.follow { [told] in told.note($0) }
        }

        /// Waits until something is so, by the events that pages get.
        func until(_ isSo: () async throws -> Bool) async throws {
            while try await !isSo() {
                guard let items = await events.next(), !items.isEmpty else { throw NeverHappened() }
            }
        }

        /// Has a page take part in a job on the lamp that goes on.
        func join(_ page: String) async -> JobHandle<LampJob>? {
            await jobs.join { table, moment in table.joinLamp(1, for: page, at: moment) }
        }

        /// Has a page look at the lamp, as a hub does.
        func look(_ page: String) async -> JobHandle<LampJob> {
            if let lamp = await join(page) { return lamp }
            return await jobs.begin { table, moment in
                let lamp = table.beginLamp(
                    JobHostTests.device(1, SimulatedNightlight.address), clock: LocalClock(), at: moment)
                lamp.look(page, at: moment)
                return lamp
            }
        }
    }

    /// How many links a bulb has.
    private final class Links: Sendable {
        private let all = Mutex(0)

        func receive(_ event: LEDBulbDevice.Event) {
            switch event {
            case .connected: all.withLock { $0 += 1 }
            case .disconnected: all.withLock { $0 -= 1 }
            default: break
            }
        }
        var count: Int { all.withLock { $0 } }
    }

    /// Somebody who reads a value, and the fault with which that was answered.
    private final class Reader: Sendable {
        private let state = Mutex<HubError?>(nil)

        func read(_ handle: AttributeHandle, of job: JobHandle<ExplorerJob>) async {
            do throws(HubError) {
                _ = try await job.read(handle)
            } catch {
                state.withLock { $0 = error }
            }
        }
        var fault: HubError? { state.withLock { $0 } }
    }

    private static func device(
        _ id: Int = 1, _ address: BluetoothAddress = SimulatedStrap.address
    ) -> HubDevice {
        HubDevice(id: id, peer: Peer(address))
    }

    private static func host(_ feed: EventFeed, radio: @escaping @Sendable () async -> Radio?) -> JobHost {
        let clock = HubClock.manual
        let pairings = PairingCoordinator(DeviceRegistry(), feed: feed, clock: clock)
        var patience = JobPatience()
        patience.lease = 600
        return JobHost(
            patience: patience, pairings: pairings, clock: clock, feed: feed, on: ManualTime.loop,
            radio: radio)
    }

    /// A host whose radio never comes.
    private static func waitingHost() -> JobHost {
        host(EventFeed(startedAt: HubClock.manual.now())) {
            await Wait.untilCancelled()
            return nil
        }
    }

    // MARK: How long a job goes on

    @Test func aPageThatIsGoneEndsItByTheAlarm() async throws {
        let bench = try await ExplorerBench(lease: 20)
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == JobText.pageGone)
        // Its link was closed in a moment.
        let length = HubClock.manual.now().milliseconds - ended.job.begun.milliseconds
        #expect((20_000..<21_000).contains(length))
        #expect(await bench.jobs.current.isEmpty)
    }

    @Test func aPageThatSaysInTimeThatItIsThereKeepsIt() async throws {
        let bench = try await ExplorerBench(lease: 20)
        _ = try await bench.until { $0.job.phase == .open }
        for _ in 0..<5 {
            try await ManualTime.pass(milliseconds: 15_000)
            #expect(try await bench.jobs.keep(bench.job.id).phase == .open)
        }
        try await ManualTime.pass(milliseconds: 19_000)
        #expect(try await bench.job.shown.job.phase == .open)
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == JobText.pageGone)
        // What has ended stays so.
        #expect(try await bench.jobs.keep(bench.job.id).phase == .ended)
    }

    // MARK: How it is ended

    @Test func whoEndsItWaitsUntilTheLinkIsGoneAndThatWasHandled() async throws {
        let links = Links()
        let bench = try await JobBench(with: SimulatedBulb.address) {
            SimulatedBulb.make { event, _ in links.receive(event) }
        } does: { table, device, moment in
            table.beginBulb(device, speaking: nil, at: moment)
        }
        let (told, clock) = (Told(), HubClock.manual)
        await bench.jobs.follow { output in
            // As long as a database may take; nobody cancels it here.
            try? await clock.sleep(.seconds(1))
            told.note(output)
        }
        _ = try await bench.until({ try await $0.shown }) { $0.said != nil }
        #expect(links.count == 1)
        try await bench.job.end()
        #expect(told.phases == [.open, .ended] && links.count == 0)
        let ended = try await bench.job.shown.job
        #expect(ended.phase == .ended && ended.reason == nil)

        // What has ended stays so, and nobody waits for that.
        let now = ManualTime.loop.now
        try await bench.job.end("Once more.")
        #expect(ManualTime.loop.now == now && told.phases == [.open, .ended])
        #expect(try await bench.job.shown.job.reason == nil)
    }

    @Test func twoWhoEndItAtOnceBothWait() async throws {
        let bench = try await Bench { [SimulatedStrap.make()] }
        let explorer = await bench.jobs.explore(Self.device())
        try await bench.until { try await explorer.shown.job.phase == .open }
        let ends = ["The first.", "The second."].map { reason in begin { try await explorer.end(reason) } }
        for end in ends { try await end.value }
        #expect(bench.told.phases == [.open, .ended])
        // The first reason counts, whoever that was.
        let reason = try #require(try await explorer.shown.job.reason)
        #expect(["The first.", "The second."].contains(reason))
    }

    @Test func whatWaitsForARadioIsEndedWithTheReason() async throws {
        let (jobs, told) = (Self.waitingHost(), Told())
        await jobs.follow { told.note($0) }
        let explorer = await jobs.explore(Self.device(1))
        let wifi = await jobs.begin { table, moment in
            table.beginWiFi(Self.device(2), services: [], at: moment)
        }
        let lamp = await jobs.begin { table, moment in
            table.beginLamp(Self.device(3), clock: LocalClock(), at: moment)
        }
        let bulb = await jobs.begin { table, moment in
            table.beginBulb(Self.device(4), speaking: nil, at: moment)
        }
        try await ManualTime.pass(milliseconds: 1000)
        let current = await jobs.current
        #expect(current.map(\.id) == [explorer.id, wifi.id, lamp.id, bulb.id])
        #expect(current.allSatisfy { $0.phase == .connecting } && told.phases.isEmpty)
        await jobs.endAll("The hub was stopped.")
        #expect(await jobs.current.isEmpty)
        #expect(told.phases == [.ended, .ended, .ended, .ended])
        let ended = [
            try await explorer.shown.job, try await wifi.shown.job, try await lamp.shown.job,
            try await bulb.shown.job,
        ]
        #expect(ended.allSatisfy { $0.phase == .ended && $0.reason == "The hub was stopped." })
    }

    @Test func whatIsOpenIsEndedWithTheReasonToo() async throws {
        let bench = try await Bench { [SimulatedStrap.make(), SimulatedWiFiSet.make()] }
        let explorer = await bench.jobs.explore(Self.device(1))
        let wifi = await bench.jobs.begin { table, moment in
            table.beginWiFi(Self.device(2, SimulatedWiFiSet.address), services: [], at: moment)
        }
        try await bench.until { await bench.jobs.current.allSatisfy { $0.phase == .open } }
        await bench.jobs.endAll("The hub was stopped.")
        #expect(await bench.jobs.current.isEmpty)
        let ended = [try await explorer.shown.job, try await wifi.shown.job]
        #expect(ended.allSatisfy { $0.phase == .ended && $0.reason == "The hub was stopped." })
    }

    @Test func aRadioThatDoesNotComeEndsIt() async throws {
        let feed = EventFeed(startedAt: HubClock.manual.now())
        let events = feed.subscribe()
        let jobs = Self.host(feed) { nil }
        let explorer = await jobs.explore(Self.device())
        while try await explorer.shown.job.phase != .ended {
            guard await events.next() != nil else { throw NeverHappened() }
        }
        #expect(try await explorer.shown.job.reason == nil)
        #expect(await jobs.current.isEmpty)
    }

    // MARK: What is remembered

    @Test func whatIsUnknownHasEnded() async throws {
        let jobs = Self.waitingHost()
        await #expect(throws: HubError.noJob) { try await jobs.keep(7) }
        await #expect(throws: HubError.noJob) { try await jobs.end(7) }
        await #expect(throws: HubError.noJob) { try await (jobs.job(7) as JobHandle<LampJob>).shown }
        // One of another kind is as good as none.
        let id = await jobs.explore(Self.device()).id
        await #expect(throws: HubError.noJob) { try await (jobs.job(id) as JobHandle<LampJob>).shown }
        let explorer: JobHandle<ExplorerJob> = jobs.job(id)
        #expect(explorer.id == id)
        try await explorer.end()
    }

    @Test func eightThatHaveEndedAreRemembered() async throws {
        let jobs = Self.waitingHost()
        var ended: [Int64] = []
        for number in 1...9 {
            let explorer = await jobs.explore(Self.device())
            try await explorer.end("It was number \(number).")
            ended.append(explorer.id)
        }
        let oldest = ended.removeFirst()
        await #expect(throws: HubError.noJob) { try await jobs.keep(oldest) }
        await #expect(throws: HubError.noJob) { try await (jobs.job(oldest) as JobHandle<ExplorerJob>).shown }
        for (number, id) in zip(2...9, ended) {
            let job = try await jobs.keep(id)
            #expect(job.phase == .ended && job.reason == "It was number \(number).")
        }
    }

    // MARK: Several pages, several devices

    @Test func twoWhoWantTheSameLampShareOneJob() async throws {
        let bench = try await Bench { [SimulatedNightlight.make()] }
        #expect(await bench.join("first")?.id == nil)
        let first = await bench.look("first")
        // Also before it is connected to.
        let second = await bench.look("second")
        #expect(second.id == first.id)
        try await bench.until { try await first.shown.job.phase == .open }
        #expect(await bench.look("first").id == first.id)
        #expect(await bench.jobs.current.map(\.id) == [first.id])
        #expect(try await first.shown.viewers == 2)
        try await second.leave("second")
        #expect(try await first.shown.job.phase == .open)
        try await first.end()
        #expect(bench.told.phases == [.open, .ended])
    }

    @Test func whoWantsALampThatIsBeingLeftGetsNothingUntilThatIsDone() async throws {
        let bench = try await Bench { [SimulatedNightlight.make()] }
        let lamp = await bench.look("first")
        try await bench.until { try await lamp.shown.job.phase == .open }
        try await lamp.leave("first")
        // Its link is not gone yet.
        #expect(try await lamp.shown.job.phase == .open)
        let joined = await bench.join("second")
        #expect(joined?.id == nil && bench.told.phases == [.open, .ended])
        let ended = try await lamp.shown.job
        #expect(ended.phase == .ended && ended.reason == nil)
        // Now the lamp can be connected to anew.
        let next = await bench.look("second")
        #expect(next.id > lamp.id)
        try await bench.until { try await next.shown.job.phase == .open }
        #expect(try await next.shown.viewers == 1)
        try await next.end()
    }

    @Test func jobsOnTwoDevicesEachGetWhatIsTheirs() async throws {
        let bench = try await Bench { [SimulatedStrap.make(), SimulatedWiFiSet.make()] }
        let explorer = await bench.jobs.explore(Self.device(1))
        let wifi = await bench.jobs.begin { table, moment in
            table.beginWiFi(Self.device(2, SimulatedWiFiSet.address), services: [], at: moment)
        }
        #expect(await bench.jobs.current.map(\.id) == [explorer.id, wifi.id])
        try await bench.until { try await explorer.shown.step == .ready }
        try await bench.until { try await wifi.shown.lists == 1 }
        let tree = try #require(try await explorer.state.tree)
        _ = try #require(tree.services.characteristic(BluetoothUUID(0x2A37)))
        #expect(try await wifi.state.networks.first?.network.ssid == "Lantern Home")
        // What becomes of one is nothing to the other.
        await bench.air.move(bench.controllers[0], to: VirtualAir.Position(x: 100_000))
        try await bench.until { try await explorer.shown.job.phase == .ended }
        #expect(await bench.jobs.current.map(\.id) == [wifi.id])
        try await wifi.list()
        try await bench.until { try await wifi.shown.lists == 2 }
        #expect(try await wifi.shown.job.phase == .open)
        try await wifi.end()
    }

    // MARK: Who waits for a device

    /// A device that is explored and has gone away, and the handle of one of its values.
    private func vanished() async throws -> (bench: ExplorerBench, handle: AttributeHandle) {
        let bench = try await ExplorerBench()
        _ = try await bench.until { $0.step == .ready }
        let handle = try await bench.handle(0x2A19)
        await bench.air.move(bench.controllers[0], to: VirtualAir.Position(x: 100_000))
        return (bench, handle)
    }

    @Test func whoWaitsForADeviceThatVanishesIsTold() async throws {
        let (bench, handle) = try await vanished()
        let job = bench.job
        // One is under way then, and the others wait for it.
        let reads = (1...3).map { _ in begin { try await job.read(handle) } }
        for read in reads {
            await #expect(throws: HubError.notNow(JobText.linkLost)) { try await read.value }
        }
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == "The link to the device was lost. Bring it near and try again.")
    }

    @Test func whoWaitsForADeviceWhenSomebodyEndsItIsTold() async throws {
        let (bench, handle) = try await vanished()
        let job = bench.job
        let read = begin { try await job.read(handle) }
        try await ManualTime.pass(milliseconds: 1)
        try await job.end()
        await #expect(throws: HubError.notNow(JobText.linkLost)) { try await read.value }
        #expect(try await job.shown.job.reason == nil)
    }

    @Test func whoWaitsForADeviceWhenTheRadioIsClosedIsTold() async throws {
        let bench = try await ExplorerBench()
        _ = try await bench.until { $0.step == .ready }
        let (job, reader, handle) = (bench.job, Reader(), try await bench.handle(0x2A19))
        await bench.air.move(bench.controllers[0], to: VirtualAir.Position(x: 100_000))
        begin { await reader.read(handle, of: job) }
        try await ManualTime.pass(milliseconds: 1)
        await bench.radio.close()
        try await ManualTime.pass(milliseconds: 40_000)
        // Not waited for: who is forgotten would wait for ever.
        #expect(reader.fault == .notNow(JobText.linkLost))
        let ended = try await job.shown.job
        #expect(ended.phase == .ended && ended.reason != nil)
    }
}

extension JobHost {
    fileprivate func explore(_ device: HubDevice) -> JobHandle<ExplorerJob> {
        begin { table, moment in table.beginExplorer(device, mayWrite: false, at: moment) }
    }
}
