// SPDX-License-Identifier: Apache-2.0

import Companion

/// Columns of text for a person, none of them wider than needed, and together no wider than the terminal.
package struct TextTable: Sendable {
    /// A column.
    package struct Column: Sendable {
        /// Where its text stands.
        package enum Alignment: Sendable {
            case left
            case right
        }

        let header: String
        let alignment: Alignment
        /// The columns of the terminal that it keeps when there is little room.
        let least: Int
        /// The columns of the terminal that it takes at most.
        let most: Int
        /// Whether it gives way before the others do.
        let isCutFirst: Bool
        /// The columns that it takes whatever is in it, so that it stays where it is from table to table.
        var fixed: Int?
        /// Where there is little room, columns of least rank are left out first; `nil` for never.
        var rank: Int?

        /// Makes a column.
        ///
        /// - Parameters:
        ///   - header: What stands above it.
        ///   - alignment: Where its text stands.
        ///   - least: The columns of the terminal that it keeps when there is little room; `nil` for all it needs.
        ///   - most: The columns of the terminal that it takes at most.
        ///   - isCutFirst: Whether it gives way before the others do.
        package init(
            _ header: String, _ alignment: Alignment = .left, least: Int? = nil, most: Int = .max,
            isCutFirst: Bool = false
        ) {
            self.header = header
            self.alignment = alignment
            self.least = least ?? .max
            self.most = most
            self.isCutFirst = isCutFirst
        }

        /// Makes a column that is as wide in one table as in the next, or is left out.
        ///
        /// - Parameters:
        ///   - header: What stands above it.
        ///   - alignment: Where its text stands.
        ///   - columns: The columns of the terminal that it takes.
        ///   - rank: Those of least rank are left out first.
        package init(_ header: String, _ alignment: Alignment = .left, fixed columns: Int, rank: Int) {
            self.init(header, alignment, least: columns, most: columns)
            fixed = columns
            self.rank = rank
        }
    }

    /// One text of a row.
    package struct Cell: Sendable {
        let text: String
        let style: TextStyle?

        /// Makes a cell.
        ///
        /// - Parameters:
        ///   - text: The text; escaped here.
        ///   - style: How it stands out.
        package init(_ text: String, _ style: TextStyle? = nil) {
            self.text = PrintableText.escaped(text)
            self.style = style
        }
    }

    private static let gap = 2

    /// A table of which less is left is no help.
    private static let fewestColumns = 3

    private let columns: [Column]
    private let hasHeading: Bool
    private let isBroken: Bool
    private var rows: [(cells: [Cell], style: TextStyle?)] = []

    /// Makes a table without rows.
    package init(_ columns: [Column], hasHeading: Bool = true, isBroken: Bool = false) {
        self.columns = columns
        self.hasHeading = hasHeading
        self.isBroken = isBroken
    }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - cells: As many as there are columns.
    ///   - style: How the whole row stands out, whatever its cells would.
    package mutating func add(_ cells: [Cell], _ style: TextStyle? = nil) { rows.append((cells, style)) }

    /// The heading and a line a row.
    ///
    /// - Parameter room: Columns that there are; no line is wider.
    /// - Returns: The lines.
    package func lines(columns room: Int) -> [StyledText] {
        if isBroken, Self.total(widths(in: .max)) > room { return blocks(columns: room) }
        let widths = widths(in: room)
        let heading = hasHeading ? [line(columns.map { Cell($0.header) }, widths, .bold, room)] : []
        return heading + rows.map { line($0.cells, widths, $0.style, room) }
    }

    /// Each row as its first text, and below it the others with what stands above them.
    private func blocks(columns room: Int) -> [StyledText] {
        let margin = (columns.map { FixedWidthText.width($0.header) }.max() ?? 0) + 4
        var lines: [StyledText] = []
        for (cells, style) in rows {
            if !lines.isEmpty { lines.append(StyledText()) }
            for (index, cell) in cells.enumerated() where !cell.text.isEmpty {
                var text = StyledText(cell.text, style ?? cell.style)
                if index > 0 {
                    let title = FixedWidthText.padded("  " + columns[index].header, columns: margin)
                    text = (StyledText(.faint(title)) + text).indented(by: margin)
                }
                lines += text.wrapped(columns: room)
            }
        }
        return lines
    }

    private func line(_ cells: [Cell], _ widths: [Int], _ style: TextStyle?, _ room: Int) -> StyledText {
        var line = StyledText()
        var room = room
        // Nothing follows the last text of a row, so it is not filled up.
        let last = cells.indices.last { !cells[$0].text.isEmpty && widths[$0] > 0 } ?? -1
        for (index, cell) in cells.enumerated() where index <= last && widths[index] > 0 && room > 0 {
            var text = FixedWidthText.fitted(cell.text, columns: min(widths[index], room))
            switch columns[index].alignment {
            case .left: if index < last { text = FixedWidthText.padded(text, columns: widths[index]) }
            case .right: text = FixedWidthText.rightAligned(text, columns: widths[index])
            }
            text = FixedWidthText.fitted(text, columns: room)
            room -= FixedWidthText.width(text)
            let gap = index < last ? min(Self.gap, room) : 0
            line = line + StyledText(text, style ?? cell.style) + String(repeating: " ", count: gap)
            room -= gap
        }
        return line
    }

    /// How wide each column is: what it needs, less what there is no room for.
    private func widths(in room: Int) -> [Int] {
        var widths = columns.indices.map { index in
            if let fixed = columns[index].fixed { return fixed }
            let needed = rows.map { FixedWidthText.width($0.cells[index].text) }.max() ?? 0
            let header = hasHeading ? FixedWidthText.width(columns[index].header) : 0
            return min(columns[index].most, max(header, needed))
        }
        leaveOut(&widths, room)
        var excess = Self.total(widths) - min(room, .max / 2)
        // Those that give way first, and then from the right, each down to its least.
        let order =
            columns.indices.filter { columns[$0].isCutFirst }
            + columns.indices.reversed().filter { !columns[$0].isCutFirst }
        for index in order where excess > 0 {
            let cut = min(excess, max(0, widths[index] - columns[index].least))
            widths[index] -= cut
            excess -= cut
            // A column that is gone needs no gap.
            if cut > 0, widths[index] == 0 { excess -= Self.gap }
        }
        return widths
    }

    /// Leaves out columns of low rank, one after the other, until all fit.
    private func leaveOut(_ widths: inout [Int], _ room: Int) {
        while Self.total(widths) > room, widths.count(where: { $0 > 0 }) > Self.fewestColumns {
            let ranked = columns.indices.filter { columns[$0].rank != nil && widths[$0] > 0 }
            guard let least = ranked.min(by: { columns[$0].rank ?? 0 < columns[$1].rank ?? 0 }) else {
                return
            }
            widths[least] = 0
        }
        // Nothing stands behind the last one, so it may go on to the edge.
        guard let last = widths.indices.last(where: { widths[$0] > 0 }), columns[last].fixed != nil,
            columns[last].alignment == .left
        else { return }
        widths[last] += max(0, min(room, .max / 2) - Self.total(widths))
    }

    /// What columns take, with the gaps between those that are there.
    private static func total(_ widths: [Int]) -> Int {
        let shown = widths.filter { $0 > 0 }
        return shown.reduce(0, +) + gap * max(0, shown.count - 1)
    }
}
