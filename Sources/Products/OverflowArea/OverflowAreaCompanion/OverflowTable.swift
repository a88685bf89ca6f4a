// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import OverflowArea

/// The senders that were heard, for the table.
public struct OverflowTable: Sendable {
    /// One sender as it was heard last.
    public struct Row: Hashable, Sendable {
        /// The sender.
        public let address: BluetoothAddress
        /// How strong it was, in dBm.
        public var rssi: Int8?
        /// Its map.
        public var map: OverflowMap?
        /// What it says, once that was believed.
        public var message: OverflowMessage?
        /// Why the last map was ignored, if it was.
        public var reason: OverflowReceiver.Reason?
        /// Whether it has fallen silent.
        public var isGone = false
    }

    /// The receiver bounds those that are there; of the others these are enough.
    package static let limit = 2048

    private var senders = RecencyDictionary<BluetoothAddress, Row>(limit: limit)

    /// Makes an empty board.
    public init() {}

    /// How many senders there are.
    public var count: Int { senders.count }

    /// Adds a report of a receiver.
    ///
    /// - Parameter output: What it says.
    public mutating func receive(_ output: OverflowReceiver.Output) {
        senders.use(output.address, default: Row(address: output.address)) { row in
            row.rssi = output.rssi
            row.isGone = false
            switch output.event {
            case .map(let map):
                row.map = map
                row.reason = nil
            case .payload(let message): row.message = message
            case .ignored(let reason): row.reason = reason
            case .gone: row.isGone = true
            }
        }
    }

    /// The senders, those that are there first, and then by strength.
    public var sorted: [Row] {
        senders.values.ordered { a, b in
            (a.isGone ? 1 : 0, -Int(a.rssi ?? .min), a.address.value)
                < (b.isGone ? 1 : 0, -Int(b.rssi ?? .min), b.address.value)
        }
    }
}
