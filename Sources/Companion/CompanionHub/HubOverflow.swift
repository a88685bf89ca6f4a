// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion
import CompanionDevices
package import OverflowArea
import Synchronization

/// The overflow areas that a hub's radio hears, by its one scan: senders that are here, and the last of those that were.
package final class HubOverflow: Sendable {
    /// How many senders are remembered.
    static let limit = 256
    /// How long one may be silent before it is not here any more.
    static let silence = Duration.seconds(60)
    /// How often it is told that one is still heard.
    static let freshness = Duration.seconds(5)

    fileprivate struct Entry {
        var source: OverflowSource
        var banks = OverflowBanks()
        var heard: Duration
        var moved: Duration?
        var told: Duration?
        var isChanged = true
    }

    private let clock: HubClock
    private let entries = Mutex<[BluetoothAddress: Entry]>([:])

    /// Makes one that has heard nobody.
    package init(clock: HubClock) { self.clock = clock }

    /// The senders, those that are here first, and of each the strongest.
    package var sources: [OverflowSource] {
        entries.withLock { $0.values.map(\.source) }.sorted { a, b in
            (a.isHere ? 0 : 1, -(a.rssi ?? -128), a.address.value)
                < (b.isHere ? 0 : 1, -(b.rssi ?? -128), b.address.value)
        }
    }

    /// Takes a report.
    package func receive(_ advertisement: Advertisement) {
        guard let address = advertisement.peer.address,
            let map = OverflowAdvertisement(advertisingData: advertisement.data.octets).map
        else { return }
        let (now, elapsed) = (clock.now(), clock.elapsed())
        entries.withLock { entries in
            if entries[address] == nil {
                if entries.count >= Self.limit { Self.makeRoom(&entries) }
                entries[address] = Entry(
                    source: OverflowSource(address, map: OverflowMap(), at: now), heard: elapsed)
            }
            entries[address]?.receive(map, rssi: advertisement.rssi.map { Int($0) }, at: now, elapsed)
        }
    }

    /// Takes out what has changed since the last time.
    func takeChanges() -> [OverflowSource] {
        let elapsed = clock.elapsed()
        return entries.withLock { entries in
            var changed: [OverflowSource] = []
            for address in entries.keys {
                if let source = entries[address]?.takeChange(elapsed) { changed.append(source) }
            }
            return changed
        }
    }

    private static func makeRoom(_ entries: inout [BluetoothAddress: Entry]) {
        guard let oldest = entries.min(by: { $0.value.heard < $1.value.heard }) else { return }
        entries.removeValue(forKey: oldest.key)
    }
}

extension HubOverflow.Entry {
    fileprivate mutating func receive(
        _ map: OverflowMap, rssi: Int?, at now: Timestamp, _ elapsed: Duration
    ) {
        heard = elapsed
        (source.last, source.rssi) = (now, rssi ?? source.rssi)
        if !source.isHere { (source.isHere, isChanged) = (true, true) }
        guard map != source.map || source.map.isEmpty else { return }
        isChanged = true
        if !source.map.isEmpty { source.changes += 1 }
        source.map = map
        let before = source.payload
        source.payload = payload(of: map)
        guard var payload = source.payload else { return moved = nil }
        if let before, before.message.payload == payload.message.payload {
            (payload.moves, payload.stay) = (before.moves, before.stay)
            if before.message.position != payload.message.position {
                payload.moves += 1
                if let moved { payload.stay = Int(((elapsed - moved) / .seconds(1)).rounded()) }
                moved = elapsed
            }
        }
        source.payload = payload
    }

    private mutating func payload(of map: OverflowMap) -> OverflowSource.Payload? {
        switch banks.receive(map) {
        case .accepted(let message): return OverflowSource.Payload(message, .clean)
        case .polluted(let message): return OverflowSource.Payload(message, .polluted)
        case .unknownPosition(let message): return OverflowSource.Payload(message, .unknown)
        case .noMatch:
            guard let message = OverflowHamming.message(in: map) else { return nil }
            return OverflowSource.Payload(message, message.correctedBits > 0 ? .corrected : .clean)
        }
    }

    fileprivate mutating func takeChange(_ elapsed: Duration) -> OverflowSource? {
        if source.isHere, elapsed - heard >= HubOverflow.silence {
            (source.isHere, isChanged) = (false, true)
        }
        // That one is still heard is told now and then.
        let isFresh = told.map { elapsed - $0 >= HubOverflow.freshness && heard > $0 } ?? true
        guard isChanged || isFresh else { return nil }
        (isChanged, told) = (false, elapsed)
        return source
    }
}

extension Hub {
    /// The senders of overflow areas that it hears or has heard, and what it sends itself.
    package var overflowState: (sources: [OverflowSource], beacon: OverflowBeacon) {
        (overflow.sources, beacon)
    }

    /// The services that may be in an overflow area.
    package var overflowServices: [OverflowServicePart] {
        OverflowServicePart.all(with: current.overflow.services)
    }

    /// Advertises a payload as an iPhone in the background would, until somebody ends that or the hub ends.
    ///
    /// - Parameters:
    ///   - payload: What to say.
    ///   - codec: How to put it into the map.
    /// - Returns: The beacon.
    /// - Throws: ``HubFault`` that says why it cannot be now.
    package func startBeacon(
        _ payload: OverflowPayload, _ codec: OverflowCodec
    ) async throws(HubFault) -> OverflowBeacon {
        let state = await radio.state
        guard ![.missing, .forbidden].contains(state.condition) else {
            throw .notNow("There is no radio to advertise with. \(state.text)")
        }
        await endBeacon()
        guard !isLeaving else { throw .notNow("The hub is about to stop.") }
        guard servingTask == nil else {
            throw .notNow("The hub serves a saved device, and its radio advertises one thing at a time. End that first.")
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
