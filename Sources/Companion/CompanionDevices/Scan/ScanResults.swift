// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import BluetoothLE
public import Companion

/// The devices that a scan has heard, and which of them to show.
public struct ScanResults: Sendable {
    /// How many devices are remembered; then the one that was silent longest is forgotten.
    public static let limit = 32_768

    private struct Key: Hashable {
        let peer: Peer
        /// What distinguishes advertisers that give no address.
        let data: [UInt8]
    }

    private struct Entry {
        var device: SeenDevice
        var hasChanged = true
        var wasShown = false
    }

    private let filter: ScanFilter
    private let showsAll: Bool
    private var entries = RecencyDictionary<Key, Entry>(limit: limit)

    /// Makes an empty board.
    public init(filter: ScanFilter = ScanFilter(), showsAll: Bool = false) {
        self.filter = filter
        self.showsAll = showsAll
    }

    /// How many devices were heard, whether they are shown or not.
    public var heardCount: Int { entries.count }

    /// The number of devices in words: `3 devices`, `1 of 3 devices fit`.
    public var summary: String {
        let heard = entries.count == 1 ? "1 device" : "\(entries.count) devices"
        return filter.isOpen
            ? heard : "\(entries.values.reduce(0) { $0 + ($1.wasShown ? 1 : 0) }) of \(heard) fit"
    }

    /// The devices to show, strongest first.
    public var shown: [SeenDevice] {
        entries.values.filter(\.wasShown).map(\.device).sorted {
            ($0.strength ?? -.infinity, $1.peer.title) > ($1.strength ?? -.infinity, $0.peer.title)
        }
    }

    /// Adds an advertisement or scan response.
    ///
    /// - Parameters:
    ///   - report: The advertisement or scan response.
    ///   - now: When it was received.
    /// - Returns: The device, when it is to be shown and has changed.
    public mutating func receive(_ report: Advertisement, at now: Timestamp) -> SeenDevice? {
        let key = Key(peer: report.peer, data: report.peer.isAnonymous ? report.data.octets : [])
        let heard = AdvertisementReport(report)
        let (filter, showsAll) = (filter, showsAll)
        return entries.use(key, default: Entry(device: SeenDevice(heard, at: now))) { entry in
            if entry.device.receive(heard, at: now) { entry.hasChanged = true }
            guard showsAll || entry.hasChanged, filter.admits(entry.device) else { return nil }
            entry.hasChanged = false
            entry.wasShown = true
            return entry.device
        }
    }
}
