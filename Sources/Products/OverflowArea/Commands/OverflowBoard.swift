// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import OverflowArea

/// The senders that were heard, for the table.
struct OverflowBoard: Sendable {
    /// One sender as it was heard last.
    struct Row: Hashable, Sendable {
        /// The sender.
        let address: BluetoothAddress
        /// How strong it was, in dBm.
        var rssi: Int8?
        /// Its map.
        var map: OverflowMap?
        /// What it says, once that was believed.
        var message: OverflowMessage?
        /// Why the last map came to nothing, if it did.
        var reason: OverflowReceiver.Reason?
        /// Whether it has fallen silent.
        var isGone = false
    }

    /// The receiver bounds those that are there; of the others these are enough.
    private static let limit = 2048

    private var senders = RecencyDictionary<BluetoothAddress, Row>(limit: limit)

    /// How many senders there are.
    var count: Int { senders.count }

    /// Takes what the receiver has told.
    ///
    /// - Parameter output: What it has told.
    mutating func take(_ output: OverflowReceiver.Output) {
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
    var sorted: [Row] {
        senders.values.sorted { a, b in
            (a.isGone ? 1 : 0, -Int(a.rssi ?? .min), a.address.value)
                < (b.isGone ? 1 : 0, -Int(b.rssi ?? .min), b.address.value)
        }
    }
}

/// The senders as a table, with a picture of the first one's map.
struct OverflowTable {
    /// What the table goes to.
    let terminal: Terminal

    /// The lines of the table, none wider than the terminal.
    ///
    /// - Parameter rows: The senders in the order in which they stand.
    /// - Returns: The heading, a line a sender, and the picture where there is room.
    func lines(_ rows: [OverflowBoard.Row]) -> [String] {
        let heading = cells("dBm", "ADDRESS", "PAYLOAD", "MAP", "WHAT IT MAY BE")
        var lines = [terminal.styled(fitted(heading), .bold)]
        for row in rows {
            let text = fitted(
                cells(
                    row.rssi.map { "\($0)" } ?? "?", Peer(row.address).title,
                    row.message.map { "\($0.payload) \($0.codec)" } ?? "–", row.map?.description ?? "–",
                    Self.meaning(of: row)))
            lines.append(row.isGone ? terminal.styled(text, .dim) : text)
        }
        if let map = rows.first?.map, terminal.columns >= OverflowPicture.columns,
            terminal.rows >= lines.count + 13
        {
            lines += [""] + OverflowPicture(map: map, terminal: terminal).lines
        }
        return lines
    }

    private func cells(
        _ strength: String, _ address: String, _ payload: String, _ map: String, _ meaning: String
    ) -> String {
        String(repeating: " ", count: max(0, 4 - strength.count)) + strength + "  "
            + TerminalText.padded(address, columns: 19) + "  "
            + TerminalText.padded(payload, columns: 11) + "  " + TerminalText.padded(map, columns: 32) + "  "
            + meaning
    }

    private func fitted(_ text: String) -> String { TerminalText.fitted(text, columns: terminal.columns) }

    /// The services that may be there, or what holds a message up.
    private static func meaning(of row: OverflowBoard.Row) -> String {
        if row.isGone { return "gone" }
        switch row.reason {
        case .polluted: return "a message in a polluted position"
        case .unknownPosition: return "a message; waiting for its other position"
        case .truncated: return "cut off"
        case .noMatch, nil: break
        }
        if row.message != nil { return "a message" }
        let names = row.map.map { map in map.flatMap(\.names) } ?? []
        return names.isEmpty ? "nobody known" : names.joined(separator: ", ")
    }
}
