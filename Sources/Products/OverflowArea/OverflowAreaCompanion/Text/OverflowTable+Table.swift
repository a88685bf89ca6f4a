// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
public import CompanionText
import OverflowArea

extension OverflowTable {
    /// The lines that a picture takes, with what stands around it.
    private static let pictureRows = 13

    /// The senders as a table, with a picture of the first one's map where there is room.
    ///
    /// - Parameters:
    ///   - columns: Columns that there are; no line is wider.
    ///   - rows: Lines that there are.
    /// - Returns: The lines.
    public func lines(columns: Int, rows: Int) -> [StyledText] {
        let senders = sorted
        let lines = table(senders).lines(columns: columns)
        guard let map = senders.first?.map, columns >= OverflowMap.pictureColumns,
            rows >= lines.count + Self.pictureRows
        else { return lines }
        return lines + [StyledText()] + map.picture
    }

    private func table(_ senders: [Row]) -> TextTable {
        var table = TextTable([
            .init("dBm", .right), .init("ADDRESS"), .init("PAYLOAD"), .init("MAP"),
            .init("WHAT IT MAY BE", least: 0, isCutFirst: true),
        ])
        for row in senders {
            table.add(
                [
                    .init(row.rssi.map { "\($0)" } ?? "?"), .init(Peer(row.address).title),
                    .init(row.message.map { "\($0.payload) \($0.codec)" } ?? "–"),
                    .init(row.map?.description ?? "–"), .init(Self.meaning(of: row)),
                ], row.isGone ? .dim : nil)
        }
        return table
    }

    /// The services that may be there, or what holds a message up.
    private static func meaning(of row: Row) -> String {
        if row.isGone { return "gone" }
        if let words = row.reason?.words { return words }
        if row.message != nil { return "a message" }
        let names = row.map.map { map in map.flatMap { $0.names } } ?? []
        return names.isEmpty ? "none known" : names.joined(separator: ", ")
    }
}

extension OverflowReceiver.Reason {
    /// What holds a message up; `nil` when nothing says that there is one.
    var words: String? {
        switch self {
        case .polluted: "a message in a polluted position"
        case .unknownPosition: "a message; waiting for its other position"
        case .truncated: "cut off"
        case .noMatch: nil
        }
    }
}
