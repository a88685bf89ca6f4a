// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion
import OverflowArea

/// The senders of overflow areas that are here, and the last of those that were.
package struct OverflowSenders: Sendable {
    /// How many are remembered.
    package static let limit = 256
    /// How long one may be silent before it is not here any more, in milliseconds.
    package static let silence: Int64 = 60_000
    /// How often it is told that one is still heard, in milliseconds.
    package static let freshness: Int64 = 5000

    fileprivate struct Entry {
        var source: OverflowSource
        var banks = OverflowBanks()
        var heard: Int64
        var moved: Int64?
        var told: Int64?
        var isChanged = true
    }

    private var entries: [Peer: Entry] = [:]

    /// Makes a list without senders.
    package init() {}

    /// The senders, those that are here first, and of each the strongest.
    package var sources: [OverflowSource] {
        entries.values.map { $0.source }.ordered { a, b in
            (a.isHere ? 0 : 1, -(a.rssi ?? -128), a.peer.numbers.0, a.peer.numbers.1)
                < (b.isHere ? 0 : 1, -(b.rssi ?? -128), b.peer.numbers.0, b.peer.numbers.1)
        }
    }

    /// Takes what somebody advertises; what has no overflow area is passed over, and a map that is cut off is noted.
    ///
    /// - Parameters:
    ///   - octets: The advertising data.
    ///   - services: What the system has read of its overflow area, where it keeps that from the octets.
    ///   - peer: Who it is.
    ///   - rssi: How strong it was, in dBm.
    ///   - now: When it came.
    ///   - elapsed: The same by a clock that nobody sets, in milliseconds.
    package mutating func receive(
        _ octets: [UInt8], services: [BluetoothUUID] = [], from peer: Peer, rssi: Int?, at now: Timestamp,
        _ elapsed: Int64
    ) {
        let advertisement = OverflowAdvertisement(advertisingData: octets)
        let map = advertisement.map ?? (services.isEmpty ? nil : OverflowMap(services: services))
        guard map != nil || advertisement.octetsOfCutMap != nil else { return }
        if entries[peer] == nil {
            if entries.count >= Self.limit { makeRoom() }
            entries[peer] = Entry(source: OverflowSource(peer, map: OverflowMap(), at: now), heard: elapsed)
        }
        entries[peer]?.hear(advertisement.octetsOfCutMap, rssi: rssi, at: now, elapsed)
        if let map { entries[peer]?.receive(map, elapsed) }
    }

    /// Takes out what has changed since the last time.
    ///
    /// - Parameter elapsed: The time by a clock that nobody sets, in milliseconds.
    /// - Returns: The senders as they are now.
    package mutating func takeChanges(_ elapsed: Int64) -> [OverflowSource] {
        var changed: [OverflowSource] = []
        for peer in entries.keys {
            if let source = entries[peer]?.takeChange(elapsed) { changed.append(source) }
        }
        // In an order that is the same everywhere.
        return changed.ordered { $0.peer.numbers < $1.peer.numbers }
    }

    private mutating func makeRoom() {
        guard
            let oldest = entries.min(by: {
                ($0.value.heard, $0.key.numbers.0, $0.key.numbers.1)
                    < ($1.value.heard, $1.key.numbers.0, $1.key.numbers.1)
            })
        else { return }
        entries.removeValue(forKey: oldest.key)
    }
}

extension OverflowSenders.Entry {
    fileprivate mutating func hear(
        _ octetsOfCutMap: Int?, rssi: Int?, at now: Timestamp, _ elapsed: Int64
    ) {
        heard = elapsed
        (source.last, source.rssi) = (now, rssi ?? source.rssi)
        if !source.isHere { (source.isHere, isChanged) = (true, true) }
        if source.octetsOfCutMap != octetsOfCutMap {
            (source.octetsOfCutMap, isChanged) = (octetsOfCutMap, true)
        }
    }

    fileprivate mutating func receive(_ map: OverflowMap, _ elapsed: Int64) {
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
                if let moved { payload.stay = Int((elapsed - moved + 500) / 1000) }
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

    fileprivate mutating func takeChange(_ elapsed: Int64) -> OverflowSource? {
        if source.isHere, elapsed - heard >= OverflowSenders.silence {
            (source.isHere, isChanged) = (false, true)
        }
        // That one is still heard is told now and then.
        let isFresh = told.map { elapsed - $0 >= OverflowSenders.freshness && heard > $0 } ?? true
        guard isChanged || isFresh else { return nil }
        (isChanged, told) = (false, elapsed)
        return source
    }
}

extension Peer {
    /// Two numbers to put peers into an order by.
    fileprivate var numbers: (UInt64, UInt64) {
        (identifier?.high ?? 0, address?.value ?? identifier?.low ?? 0)
    }
}
