// SPDX-License-Identifier: Apache-2.0

import BLEWire
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
    /// Whether nothing has to be looked at.
    private let passesAll: Bool

    /// A name that lives as long as whoever uses it.
    package final class ID: Sendable, Hashable {
        package static func == (a: ID, b: ID) -> Bool { a === b }
        package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    init(_ options: ScanOptions, _ backend: any RadioBackend) {
        self.options = options
        let filter = ScanFilter(options)
        passesAll = filter.passesAll
        self.filter = Mutex(filter)
        let id = ID()
        self.id = id
        source = ScanStream.Source(
            .coalesce(Self.softLimit) { ReportKey($0.peer, isScanResponse: $0.isScanResponse) },
            abandoned: { [weak backend] in backend?.stop(id) })
    }

    /// Handles what a radio has heard.
    ///
    /// - Parameters:
    ///   - advertisements: What was heard; what is left of it afterwards is of no use.
    ///   - wakeUps: Whom to wake when everything was given out.
    package func hear(_ advertisements: inout FIFO<Advertisement>, _ wakeUps: inout StreamWakeUps) {
        if !passesAll {
            var wanted = FIFO<Advertisement>()
            filter.withLock { filter in
                while let advertisement = advertisements.popFirst() {
                    if filter.passes(advertisement) { wanted.append(advertisement) }
                }
            }
            swap(&advertisements, &wanted)
        }
        source.yield(contentsOf: &advertisements, &wakeUps)
    }

    /// The radio listens no more.
    ///
    /// - Parameter failure: Why; nothing when it was closed.
    package func end(_ failure: BluetoothError?) { source.finish(throwing: failure) }
}

/// Decides which PDUs are wanted; remembers up to ``peerLimit`` devices, those that were heard last.
struct ScanFilter {
    static let peerLimit = 16_384

    private struct Heard {
        var hasService = false
        var hasName = false
        /// What it sent last, in its advertisement and in its scan response.
        var data: [[UInt8]?] = [nil, nil]
    }

    /// What is asked of a device by all that it has said.
    private struct Criteria {
        let services: Set<BluetoothUUID>
        let name: String?
        let coalesces: Bool

        var areAny: Bool { !services.isEmpty || name != nil || coalesces }

        /// Whether a PDU is wanted after what its device has said before.
        func passes(_ pdu: Advertisement, of device: inout Heard) -> Bool {
            if !services.isEmpty, !device.hasService {
                let isAmong = services.contains
                device.hasService =
                    pdu.services.contains(where: isAmong) || pdu.overflowServices.contains(where: isAmong)
            }
            if let name, !device.hasName {
                device.hasName = pdu.name?.lowercased().contains(name) ?? false
            }
            guard services.isEmpty || device.hasService, name == nil || device.hasName else { return false }
            guard coalesces else { return true }
            let kind = pdu.isScanResponse ? 1 : 0
            defer { device.data[kind] = pdu.data.octets }
            return device.data[kind] != pdu.data.octets
        }
    }

    private let peers: Set<Peer>
    private let minimumRSSI: Int8?
    private let criteria: Criteria
    private var heard = RecencyDictionary<Peer, Heard>(limit: peerLimit)

    init(_ options: ScanOptions) {
        peers = Set(options.peers)
        minimumRSSI = options.minimumRSSI
        criteria = Criteria(
            services: Set(options.services), name: options.name?.lowercased(),
            coalesces: options.duplicates == .coalesced)
    }

    /// Whether every PDU is wanted.
    var passesAll: Bool { peers.isEmpty && minimumRSSI == nil && !criteria.areAny }

    /// Whether a PDU is wanted.
    mutating func passes(_ pdu: Advertisement) -> Bool {
        guard peers.isEmpty || peers.contains(pdu.peer) else { return false }
        if let minimumRSSI {
            guard let rssi = pdu.rssi, rssi >= minimumRSSI else { return false }
        }
        guard criteria.areAny else { return true }
        return heard.use(pdu.peer, default: Heard()) { [criteria] in criteria.passes(pdu, of: &$0) }
    }
}
