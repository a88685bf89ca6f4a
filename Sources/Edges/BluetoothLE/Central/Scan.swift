// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Somebody who listens for advertisers: what they asked for, and the stream that they take from.
///
/// Filters here, once for all platforms, what a radio brings.
package final class Scan: Sendable {
    /// How many reports wait before repetitions are replaced.
    package static let softLimit = 512

    /// What they asked for.
    package let options: ScanOptions
    package let source: ScanStream.Source
    /// Tells this scan from others.
    package let id: ID
    private let filter: Mutex<ScanFilter>

    /// A name that lives as long as whoever uses it.
    package final class ID: Sendable, Hashable {
        package static func == (a: ID, b: ID) -> Bool { a === b }
        package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    init(_ options: ScanOptions, _ backend: any RadioBackend) {
        self.options = options
        filter = Mutex(ScanFilter(options))
        let id = ID()
        self.id = id
        source = ScanStream.Source(
            .coalesce(Self.softLimit) { ReportKey($0.peer, isScanResponse: $0.isScanResponse) },
            abandoned: { [weak backend] in backend?.stop(id) })
    }

    /// Takes in what a radio has heard.
    ///
    /// - Parameters:
    ///   - advertisement: What was heard.
    ///   - wakeUps: Whom to wake when everything was given out.
    package func hear(_ advertisement: Advertisement, _ wakeUps: inout StreamWakeUps) {
        guard filter.withLock({ $0.passes(advertisement) }) else { return }
        source.yield(advertisement, &wakeUps)
    }

    /// The radio listens no more.
    ///
    /// - Parameter failure: Why; nothing when it was closed.
    package func end(_ failure: BluetoothError?) { source.finish(throwing: failure) }
}

/// Tells which PDUs are wanted; remembers up to ``peerLimit`` devices, those that were heard last.
struct ScanFilter {
    static let peerLimit = 16_384

    private struct Heard {
        var hasService = false
        var hasName = false
        /// What it said last, in its advertisement and in its scan response.
        var said: [[UInt8]?] = [nil, nil]
    }

    private let options: ScanOptions
    private let peers: Set<Peer>
    private let services: Set<BluetoothUUID>
    private let name: String?
    private var heard = RecencyMap<Peer, Heard>()

    init(_ options: ScanOptions) {
        self.options = options
        peers = Set(options.peers)
        services = Set(options.services)
        name = options.name?.lowercased()
    }

    private var remembers: Bool { !services.isEmpty || name != nil || options.duplicates == .coalesced }

    /// Whether a PDU is wanted.
    mutating func passes(_ pdu: Advertisement) -> Bool {
        guard peers.isEmpty || peers.contains(pdu.peer) else { return false }
        if let minimum = options.minimumRSSI {
            guard let rssi = pdu.rssi, rssi >= minimum else { return false }
        }
        guard remembers else { return true }
        var device = heard[pdu.peer] ?? Heard()
        defer {
            heard[pdu.peer] = device
            if heard.count > Self.peerLimit { _ = heard.popOldest() }
        }
        if !services.isEmpty, !device.hasService {
            device.hasService = pdu.services.contains { services.contains($0) }
        }
        if let name, !device.hasName {
            device.hasName = pdu.name?.lowercased().contains(name) ?? false
        }
        guard services.isEmpty || device.hasService, name == nil || device.hasName else { return false }
        guard options.duplicates == .coalesced else { return true }
        let kind = pdu.isScanResponse ? 1 : 0
        defer { device.said[kind] = pdu.data.octets }
        return device.said[kind] != pdu.data.octets
    }
}
