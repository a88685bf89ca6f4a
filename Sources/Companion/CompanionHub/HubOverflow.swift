// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion
import CompanionCore
import HubModel
package import OverflowArea
package import OverflowAreaCompanion
import OverflowAreaDevices
import Synchronization

/// The overflow areas that a hub's radio hears, by its one scan.
package final class HubOverflow: Sendable {
    private let clock: HubClock
    private let senders = Mutex(OverflowSenders())

    /// Makes one that has heard nobody.
    package init(clock: HubClock) { self.clock = clock }

    /// The senders, those that are here first, and of each the strongest.
    package var sources: [OverflowSource] { senders.withLock { $0.sources } }

    /// Takes a report.
    package func receive(_ advertisement: Advertisement) {
        let (now, elapsed) = (clock.now(), clock.ticks)
        senders.withLock {
            $0.receive(
                advertisement.data.octets, services: advertisement.overflowServices, from: advertisement.peer,
                rssi: advertisement.rssi.map { Int($0) }, at: now, elapsed)
        }
    }

    /// Listens by a scan of its own until the task is cancelled or the radio is lost.
    fileprivate func listen(on radio: Radio, _ options: ScanOptions) async throws(BluetoothError) {
        for try await advertisement in try await radio.scan(options) { receive(advertisement) }
    }

    /// Takes out what has changed since the last time.
    func takeChanges() -> [OverflowSource] {
        let elapsed = clock.ticks
        return senders.withLock { $0.takeChanges(elapsed) }
    }
}

extension Hub {
    /// Listens for overflow areas until the task is cancelled, on a radio that tells of them only where they are asked for.
    ///
    /// A radio that tells all that it hears needs no more than the hub's one scan.
    package func listenForOverflow() async {
        let all = OverflowMap(low: .max, high: .max).tableUUIDs
        while let radio = await radio.usable() {
            if await radio.capabilities.contains(.advertisedOctets) {
                // Until it is closed; the next one may be another.
                for await _ in await radio.states() {}
            } else {
                // Why the radio is lost is the state of the hub's radio.
                try? await overflow.listen(on: radio, ScanOptions(services: all, duplicates: .all))
            }
            do { try await clock.sleep(.seconds(1)) } catch { return }
        }
    }

    /// The senders of overflow areas that it hears or has heard, and what it sends itself.
    package var overflowState: (sources: [OverflowSource], beacon: OverflowBeacon) {
        (overflow.sources, beacon)
    }

    /// The services that may be in an overflow area.
    package var overflowServices: [OverflowServiceJSON] {
        OverflowServiceJSON.all(with: kept.settings.overflow.services)
    }

    /// Advertises a payload as an iPhone in the background would, until somebody ends that or the hub ends.
    ///
    /// - Parameters:
    ///   - payload: What to say.
    ///   - codec: How to put it into the map.
    /// - Returns: The beacon.
    /// - Throws: ``HubError`` that says why it cannot be now.
    package func startBeacon(
        _ payload: OverflowPayload, _ codec: OverflowCodec
    ) async throws(HubError) -> OverflowBeacon {
        let state = await radio.state
        guard ![.missing, .forbidden].contains(state.condition) else {
            throw .notNow("There is no radio to advertise with. \(state.text)")
        }
        await endBeacon()
        guard !isLeaving else { throw .notNow("The hub is about to stop.") }
        guard servingTask == nil else {
            throw .notNow(
                "The hub serves a saved device, and its radio advertises one thing at a time. End that first."
            )
        }
        (beacon.payload, beacon.codec, beacon.reason) = (payload, codec, nil)
        (beacon.map, beacon.since) = (nil, clock.now())
        beaconTask = Task { [radio] in
            guard let radio = await radio.usable() else { return }
            let transmitter = OverflowTransmitter(.payload(payload, codec), intervalMilliseconds: nil) {
                [weak self] advertising in Task { await self?.beaconIsOnAir(advertising.transmission.map) }
            }
            do {
                try await transmitter.run(on: radio)
            } catch {
                guard !Task.isCancelled, !(error is CancellationError) else { return }
                self.beaconFailed("The radio does not advertise any more: \(error)")
            }
        }
        publishBeacon()
        return beacon
    }

    /// Ends the beacon, and returns when nothing of it is on the air any more.
    package func endBeacon() async {
        let task = beaconTask
        beaconTask = nil
        task?.cancel()
        await task?.value
        // Another one may have begun meanwhile.
        guard beaconTask == nil, beacon.payload != nil else { return }
        (beacon.payload, beacon.map, beacon.since) = (nil, nil, nil)
        publishBeacon()
    }

    private func beaconIsOnAir(_ map: OverflowMap) {
        guard beacon.payload != nil, beacon.map != map else { return }
        beacon.map = map
        publishBeacon()
    }

    private func beaconFailed(_ reason: String) {
        beaconTask = nil
        (beacon.payload, beacon.map, beacon.since, beacon.reason) = (nil, nil, nil, reason)
        publishBeacon()
    }

    private func publishBeacon() { feed.publish(OverflowBeaconChanged(beacon), at: clock.now()) }
}
