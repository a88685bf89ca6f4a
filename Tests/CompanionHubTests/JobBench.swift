// SPDX-License-Identifier: Apache-2.0

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
struct JobBench<Machine: JobMachine & ~Copyable> {
    let air: VirtualRadio
    let controllers: [VirtualAir.ControllerID]
    let radio: HostRadio
    let jobs: JobHost
    let job: JobHandle<Machine>
    let feed: EventFeed
    let events: EventFeed.Subscription

    init(
        with address: BluetoothAddress, lease: UInt64 = 600,
        _ device: @escaping @Sendable () -> any SimulatedHost,
        does make: @Sendable (inout JobTable, HubDevice, Moment) -> Job<Machine>
    ) async throws {
        air = VirtualRadio(on: ManualTime.loop)
        controllers = await air.add { [device()] }
        let own = BluetoothAddress(0x00AA_0000_0001, kind: .public)
        radio = HostRadio(loop: air.loop) { [air] (loop) async throws(TransportError) in
            await air.attach(VirtualAir.ControllerConfiguration(address: own), on: loop)
        }
        try await radio.start()
        let clock = HubClock.manual
        feed = EventFeed(startedAt: clock.now())
        events = feed.subscribe()
        let pairings = PairingCoordinator(DeviceRegistry(), feed: feed, clock: clock)
        var patience = JobPatience()
        patience.lease = lease
        jobs = JobHost(patience: patience, pairings: pairings, clock: clock, feed: feed, on: ManualTime.loop)
        {
            [radio = radio.radio] in radio
        }
        let device = HubDevice(id: 1, peer: Peer(address))
        job = await jobs.begin { table, moment in make(&table, device, moment) }
    }

    /// Waits until something of the job is as wanted, by the events that pages get.
    func until<Value>(
        _ read: (JobHandle<Machine>) async throws -> Value, _ isWanted: (Value) -> Bool
    ) async throws -> Value {
        while true {
            let value = try await read(job)
            if isWanted(value) { return value }
            guard let items = await events.next(), !items.isEmpty else { throw NeverHappened() }
        }
    }
}
