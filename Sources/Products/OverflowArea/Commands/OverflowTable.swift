// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionText
import OverflowArea

/// The senders as a table, with a picture of the first one's map.
struct OverflowTable {
    /// What the table goes to.
    let terminal: Terminal

    /// The lines of the table, none wider than the terminal.
    ///
    /// - Parameter rows: The senders in the order in which they stand.
    /// - Returns: The heading, a line a sender, and the picture where there is room.
    func lines(_ rows: [OverflowBoard.Row]) -> [String] {
        var table = TextTable([
            .init("dBm", .right), .init("ADDRESS"), .init("PAYLOAD"), .init("MAP"),
            .init("WHAT IT MAY BE", least: 0, isCutFirst: true),
        ])
        for row in rows {
            table.add(
                [
                    .init(row.rssi.map { "\($0)" } ?? "?"), .init(Peer(row.address).title),
                    .init(row.message.map { "\($0.payload) \($0.codec)" } ?? "–"),
                    .init(row.map?.description ?? "–"), .init(Self.meaning(of: row)),
                ], row.isGone ? .dim : nil)
        }
        var lines = terminal.drawn(table)
        if let map = rows.first?.map, terminal.columns >= OverflowPicture.columns,
            terminal.rows >= lines.count + 13
        {
            lines += [""] + OverflowPicture(map: map, terminal: terminal).lines
        }
        return lines
    }

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
