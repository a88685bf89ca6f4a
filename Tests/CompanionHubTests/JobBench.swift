// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionHub

extension HubClock {
    /// The clock of manual time.
    static var manual: HubClock {
        let loop = ManualTime.loop
        let elapsed: @Sendable () -> Duration = { .microseconds(Int64(loop.now.microseconds)) }
        return HubClock(
            now: { Timestamp(milliseconds: 1_800_000_000_000 + Int64(elapsed() / .milliseconds(1))) },
            elapsed: elapsed,
            sleep: { length in
                try await loop.sleep(
                    until: loop.now.advanced(byMicroseconds: UInt64(length / .microseconds(1))))
            })
    }
}

/// A job that has begun on one simulated device, on an air of its own.
struct JobBench<Work: JobWork> {
    let air: VirtualRadio
    let controllers: [VirtualAir.ControllerID]
    let job: HubJob
    let work: Work
    let feed: EventFeed
    let events: EventFeed.Subscription

    init(
        _ kind: DeviceJob.Kind, with address: BluetoothAddress,
        _ device: @escaping @Sendable () -> any SimulatedHost,
        does make: (DeviceJob, HubClock, EventFeed) -> Work
    ) async throws {
        air = VirtualRadio(on: ManualTime.loop)
        controllers = await air.add { [device()] }
        let own = BluetoothAddress(0x00AA_0000_0001, kind: .public)
        let host = HostRadio(loop: air.loop) { [air] (loop) async throws(TransportError) in
            await air.attach(VirtualAir.ControllerConfiguration(address: own), on: loop)
        }
        try await host.start()
        let clock = HubClock.manual
        feed = EventFeed(startedAt: clock.now())
        events = feed.subscribe()
        let begun = DeviceJob(
            id: 1, kind, with: HubDevice(id: 1, peer: Peer(address)), begun: clock.now(), lease: 30)
        work = make(begun, clock, feed)
        var patience = HubJob.Patience()
        patience.lease = .seconds(600)
        job = HubJob(begun, work, clock: clock, patience: patience)
        let radio = host.radio
        await job.begin(on: { radio }, changed: { _ in })
    }

    /// Waits until something of the work is as wanted, by the events that pages get.
    func until<Value>(_ read: (Work) async -> Value, _ isWanted: (Value) -> Bool) async throws -> Value {
        while true {
            let value = await read(work)
            if isWanted(value) { return value }
            guard let items = await events.next(), !items.isEmpty else { throw NeverHappened() }
        }
    }
}
