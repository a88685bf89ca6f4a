// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import BluetoothLE
public import Companion

/// All devices that were heard, and which of them to report.
public struct ScanBoard: Sendable {
    /// Devices that are remembered; when there are more, the one that was silent longest is forgotten.
    public static let limit = 32_768

    private struct Key: Hashable {
        let peer: Peer
        /// What tells advertisers apart that give no address.
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
    ///
    /// - Parameters:
    ///   - filter: Which devices are wanted.
    ///   - showsAll: Whether each report is shown, not only changes.
    public init(filter: ScanFilter, showsAll: Bool) {
        self.filter = filter
        self.showsAll = showsAll
    }

    /// How many devices were heard, wanted or not.
    public var heardCount: Int { entries.count }

    /// How many devices there are, in words.
    public var summary: String {
        let heard = entries.count == 1 ? "1 device" : "\(entries.count) devices"
        return filter.isOpen
            ? heard : "\(entries.values.reduce(0) { $0 + ($1.wasShown ? 1 : 0) }) of \(heard) fit"
    }

    /// The devices that were reported, strongest first.
    public var shown: [SeenDevice] {
        entries.values.filter(\.wasShown).map(\.device).sorted {
            ($0.strength ?? -.infinity, $1.peer.title) > ($1.strength ?? -.infinity, $0.peer.title)
        }
    }

    /// Takes a report.
    ///
    /// - Parameters:
    ///   - report: The advertisement or scan response.
    ///   - now: When it came.
    /// - Returns: The device, when it is wanted and there is something to report of it.
    public mutating func receive(_ report: Advertisement, at now: Timestamp) -> SeenDevice? {
        let key = Key(peer: report.peer, data: report.peer.isAnonymous ? report.data.octets : [])
        let heard = HeardReport(report)
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
