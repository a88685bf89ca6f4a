// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Synchronization

/// Somebody who listens for advertisers: what they asked for, and the stream that they take from.
///
/// Filters here, once for all platforms, what a radio brings.
package final class Scan: Sendable {
    /// How many reports wait before repetitions are replaced.
    package static let softLimit = 512
    /// How long a device that fits is listened to for the rest of what it says.
    static let patience = Duration.milliseconds(500)

    /// What they asked for.
    package let options: ScanOptions
    package let source: ScanStream.Source
    /// Tells this scan from others.
    package let id: ID
    private let filter: Mutex<ScanFilter>
    /// Whether nothing has to be looked at.
    private let passesAll: Bool
    /// Whether what a device says in its advertisement and in its scan response is put together.
    private let merges: Bool
    /// Where each device is reported once.
    private let devices: DiscoveredDevices?
    private let countdown: Countdown
    private let stop: @Sendable () -> Void

    /// A name that lives as long as whoever uses it.
    package final class ID: Sendable, Hashable {
        package static func == (a: ID, b: ID) -> Bool { a === b }
        package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// Makes a scan that has not begun.
    ///
    /// - Parameters:
    ///   - options: What to listen for.
    ///   - backend: Where.
    ///   - merges: Whether what a device says in its advertisement and in its scan response is put together.
    ///   - discovers: Whether each device is reported once, with all that it says.
    init(
        _ options: ScanOptions, _ backend: any RadioBackend, merges: Bool = false, discovers: Bool = false
    ) {
        let merges = merges || discovers
        self.options = options
        self.merges = merges
        let filter = ScanFilter(options, merges: merges)
        passesAll = filter.passesAll
        self.filter = Mutex(filter)
        let id = ID()
        self.id = id
        let countdown = Countdown(on: backend.clock, backend.executor)
        self.countdown = countdown
        let devices = discovers ? DiscoveredDevices(on: backend.clock, backend.executor) : nil
        self.devices = devices
        let stop: @Sendable () -> Void = { [weak backend] in backend?.stop(id) }
        self.stop = stop
        source = ScanStream.Source(
            .coalesce(Self.softLimit) { ReportKey($0.peer, isScanResponse: $0.isScanResponse) },
            abandoned: {
                countdown.stop()
                _ = devices?.stop()
                stop()
            })
    }

    /// Ends it quietly after a while, also when nobody takes out what was heard.
    func end(after duration: Duration) {
        countdown.start(duration) { [self] in
            end(nil)
            stop()
        }
    }

    /// Whether a device has more to say than was heard of it; never where nothing is put together.
    func expectsMore(of peer: Peer) -> Bool {
        options.isActive && filter.withLock { $0.expectsMore(of: peer) }
    }

    /// A PDU with what was heard of its device in the other kind of PDU until now, also after the PDU.
    func merged(_ pdu: Advertisement) -> Advertisement { filter.withLock { $0.merged(pdu) } }

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
                    guard filter.passes(advertisement), isDue(advertisement, &filter) else { continue }
                    wanted.append(merges ? filter.merged(advertisement) : advertisement)
                }
            }
            swap(&advertisements, &wanted)
        }
        source.yield(contentsOf: &advertisements, &wakeUps)
    }

    /// The radio listens no more.
    ///
    /// - Parameter failure: Why; nothing when it was closed.
    package func end(_ failure: BluetoothError?) {
        if let devices { giveOut(devices.stop()) }
        source.finish(throwing: failure)
    }

    /// Whether a PDU has its device reported.
    private func isDue(_ pdu: Advertisement, _ filter: inout ScanFilter) -> Bool {
        guard let devices else { return true }
        let expectsMore = options.isActive && filter.expectsMore(of: pdu.peer)
        return devices.isDue(pdu.peer, expectsMore: expectsMore) { [weak self] in self?.giveOut($0) }
    }

    /// Reports devices with what was heard of them until now.
    private func giveOut(_ peers: [Peer]) {
        for advertisement in filter.withLock({ filter in peers.compactMap { filter.last(of: $0) } }) {
            source.yield(advertisement)
        }
    }
}

/// Decides which PDUs are wanted; remembers up to ``peerLimit`` devices, those that were heard last.
struct ScanFilter {
    static let peerLimit = 16_384

    private struct Heard {
        var hasService = false
        var hasName = false
        /// What it sent last, in its advertisement and in its scan response.
        var data: [[UInt8]?] = [nil, nil]
        /// The last of each, where they are put together.
        var advertisement: Advertisement?
        var scanResponse: Advertisement?
    }

    /// What is asked of a device by all that it has said.
    private struct Criteria {
        let services: Set<BluetoothUUID>
        let name: String?
        let coalesces: Bool
        let merges: Bool

        var areAny: Bool { !services.isEmpty || name != nil || coalesces || merges }

        /// Whether a PDU is wanted after what its device has said before.
        func passes(_ pdu: Advertisement, of device: inout Heard) -> Bool {
            if merges {
                if pdu.isScanResponse { device.scanResponse = pdu } else { device.advertisement = pdu }
            }
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

    init(_ options: ScanOptions, merges: Bool = false) {
        peers = Set(options.peers)
        minimumRSSI = options.minimumRSSI
        criteria = Criteria(
            services: Set(options.services), name: options.name?.lowercased(),
            coalesces: options.duplicates == .coalesced && !merges, merges: merges)
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

    /// A PDU that was wanted, with what its device has said in the other kind of PDU.
    func merged(_ pdu: Advertisement) -> Advertisement {
        guard let device = heard[pdu.peer], let advertisement = device.advertisement,
            let scanResponse = device.scanResponse
        else { return pdu }
        var merged = advertisement.joined(with: scanResponse)
        merged.rssi = pdu.rssi
        return merged
    }

    /// What was heard of a device until now.
    func last(of peer: Peer) -> Advertisement? {
        guard let device = heard[peer] else { return nil }
        return (device.advertisement ?? device.scanResponse).map { merged($0) }
    }

    /// Whether a device that fits sends a PDU that was not heard yet: those that take links by legacy advertising have a scan response.
    func expectsMore(of peer: Peer) -> Bool {
        guard let device = heard[peer] else { return false }
        return switch (device.advertisement, device.scanResponse) {
        case (let advertisement?, nil): advertisement.isConnectable == true && !advertisement.isExtended
        case (nil, _?): true
        default: false
        }
    }
}

extension Advertisement {
    /// This advertisement with what the scan response adds.
    fileprivate func joined(with scanResponse: Advertisement) -> Advertisement {
        var joined = self
        // Padding and what is cut would hide what comes behind.
        let end = data.reduce(0) { $1.range.upperBound }
        joined.data = AdvertisingData(data.octets.prefix(end) + scanResponse.data.octets)
        joined.isTruncated = isTruncated || scanResponse.isTruncated
        joined.txPower = txPower ?? scanResponse.txPower
        return joined
    }
}
