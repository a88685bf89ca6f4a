// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionText
import FlockFinder

/// Detections as a table for people, no wider than the terminal.
struct DetectionTable: Sendable {
    private struct Column {
        var title: String
        var columns: Int
        var isNumber = false
        /// Columns of least rank are left out first on a narrow terminal.
        var rank: Int
        var text: @Sendable (DetectionRecord) -> String
    }

    private static let allColumns: [Column] = [
        Column(title: "ID", columns: 5, isNumber: true, rank: 9) { "\($0.id)" },
        Column(title: "RECEIVED", columns: 19, rank: 5) { $0.sighting.received.localText },
        Column(title: "KIND", columns: 12, rank: 8) { $0.sighting.label },
        Column(title: "DISTANCE", columns: 10, rank: 4) { $0.proximity.words },
        Column(title: "DBM", columns: 4, isNumber: true, rank: 1) { "\($0.sighting.rssi)" },
        Column(title: "SURE", columns: 5, isNumber: true, rank: 2) {
            "\(Int(($0.sighting.confidence * 100).rounded())) %"
        },
        // What finds the camera again stays when room is short.
        Column(title: "MAC", columns: 17, rank: 7) { $0.sighting.mac ?? "–" },
        Column(title: "PLACE", columns: 20, rank: 6) { $0.sighting.position?.text ?? "–" },
        Column(title: "SSID", columns: 12, rank: 3) { $0.sighting.ssid ?? "–" },
    ]
    private static let gap = "  "

    private let terminal: Terminal
    private let columns: [Column]

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - terminal: What it is shown on.
    ///   - numbers: The highest number of a detection in it.
    init(terminal: Terminal, numbers: Int64 = 0) {
        self.terminal = terminal
        var columns = Self.allColumns
        columns[0].columns = max(columns[0].columns, "\(numbers)".count)
        if Self.width(columns) > terminal.columns {
            columns[1] = Column(title: "RECEIVED", columns: 16, rank: 5) {
                String($0.sighting.received.localText.dropLast(3))
            }
        }
        while Self.width(columns) > terminal.columns, let least = columns.map(\.rank).min(), columns.count > 3
        {
            columns.removeAll { $0.rank == least }
        }
        // The last column gets what is left over.
        if let last = columns.indices.last, !columns[last].isNumber {
            columns[last].columns += max(0, min(terminal.columns, 4096) - Self.width(columns))
        }
        self.columns = columns
    }

    /// The titles, as a line.
    var heading: String {
        terminal.styled(line(columns.map(\.title)), .bold) + "\n"
    }

    /// A detection, as a line.
    func row(_ record: DetectionRecord) -> String {
        let cells = columns.map { PrintableText.escaped($0.text(record)) }
        let style = TextStyle(record.sighting.type)
        var text = ""
        for (index, cell) in fitted(cells).enumerated() {
            text += index == 0 ? "" : Self.gap
            text += columns[index].title == "KIND" ? terminal.styled(cell, style) : cell
        }
        return text + "\n"
    }

    private func line(_ cells: [String]) -> String { fitted(cells).joined(separator: Self.gap) }

    /// The cells cut and padded to their columns, but for blanks at the end of the line.
    private func fitted(_ cells: [String]) -> [String] {
        zip(cells, columns).enumerated().map { index, pair in
            let (cell, column) = pair
            let cut = FixedWidthText.fitted(cell, columns: column.columns)
            if column.isNumber {
                return FixedWidthText.rightAligned(cut, columns: column.columns)
            }
            return index == cells.count - 1 ? cut : FixedWidthText.padded(cut, columns: column.columns)
        }
    }

    private static func width(_ columns: [Column]) -> Int {
        columns.reduce(0) { $0 + $1.columns } + max(0, columns.count - 1) * gap.count
    }
}

extension Position {
    /// For people: five digits behind the point, which is a metre.
    var text: String { "\(Self.rounded(latitude)),\(Self.rounded(longitude))" }

    private static func rounded(_ degrees: Double) -> String { "\((degrees * 100_000).rounded() / 100_000)" }
}
