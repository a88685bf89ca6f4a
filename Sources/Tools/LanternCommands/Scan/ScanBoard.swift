// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Companion

/// All devices that were heard, and which of them to tell about.
struct ScanBoard: Sendable {
    /// Devices that are remembered; when there are more, the one that was silent longest is forgotten.
    static let limit = 32_768

    private struct Key: Hashable {
        let peer: Peer
        /// What tells advertisers apart that give no address.
        let data: [UInt8]
    }

    private struct Entry {
        var device: SeenDevice
        var isNews = true
        var wasTold = false
    }

    private let filter: ScanFilter
    private let tellsAll: Bool
    private var entries = RecencyDictionary<Key, Entry>(limit: limit)

    /// Makes an empty board.
    ///
    /// - Parameters:
    ///   - filter: Which devices are wanted.
    ///   - tellsAll: Whether each report is told, not only news.
    init(filter: ScanFilter, tellsAll: Bool) {
        self.filter = filter
        self.tellsAll = tellsAll
    }

    /// How many devices were heard, wanted or not.
    var heardCount: Int { entries.count }

    /// How many devices there are, in words.
    var summary: String {
        let heard = entries.count == 1 ? "1 device" : "\(entries.count) devices"
        return filter.isOpen
            ? heard : "\(entries.values.reduce(0) { $0 + ($1.wasTold ? 1 : 0) }) of \(heard) fit"
    }

    /// The devices that were told about, strongest first.
    var told: [SeenDevice] {
        entries.values.filter(\.wasTold).map(\.device).sorted {
            ($0.strength ?? -.infinity, $1.peer.title) > ($1.strength ?? -.infinity, $0.peer.title)
        }
    }

    /// Takes a report.
    ///
    /// - Parameters:
    ///   - report: The advertisement or scan response.
    ///   - now: When it came.
    /// - Returns: The device, when it is wanted and there is something to tell about it.
    mutating func take(_ report: Advertisement, at now: Timestamp) -> SeenDevice? {
        let key = Key(peer: report.peer, data: report.peer.isAnonymous ? report.data.octets : [])
        let (filter, tellsAll) = (filter, tellsAll)
        return entries.use(key, default: Entry(device: SeenDevice(report, at: now))) { entry in
            if entry.device.take(report, at: now) { entry.isNews = true }
            guard tellsAll || entry.isNews, filter.admits(entry.device) else { return nil }
            entry.isNews = false
            entry.wasTold = true
            return entry.device
        }
    }
}
