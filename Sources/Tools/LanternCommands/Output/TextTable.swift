// SPDX-License-Identifier: Apache-2.0

/// Columns of text for a person, none of them wider than needed, and together no wider than the terminal.
struct TextTable {
    /// A column.
    struct Column {
        /// Where its text stands.
        enum Alignment {
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

        /// Makes a column.
        ///
        /// - Parameters:
        ///   - header: What stands above it.
        ///   - alignment: Where its text stands.
        ///   - least: The columns of the terminal that it keeps when there is little room; `nil` for all it needs.
        ///   - most: The columns of the terminal that it takes at most.
        ///   - isCutFirst: Whether it gives way before the others do.
        init(
            _ header: String, _ alignment: Alignment = .left, least: Int? = nil, most: Int = .max,
            isCutFirst: Bool = false
        ) {
            self.header = header
            self.alignment = alignment
            self.least = least ?? .max
            self.most = most
            self.isCutFirst = isCutFirst
        }
    }

    /// One text of a row.
    struct Cell {
        let text: String
        let style: Terminal.Style?

        /// Makes a cell.
        ///
        /// - Parameters:
        ///   - text: The text; escaped here.
        ///   - style: How it stands out.
        init(_ text: String, _ style: Terminal.Style? = nil) {
            self.text = TerminalText.escaped(text)
            self.style = style
        }
    }

    private static let gap = 2

    private let columns: [Column]
    private var rows: [(cells: [Cell], style: Terminal.Style?)] = []

    /// Makes a table without rows.
    ///
    /// - Parameter columns: Its columns.
    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - cells: As many as there are columns.
    ///   - style: How the whole row stands out, whatever its cells would.
    mutating func add(_ cells: [Cell], _ style: Terminal.Style? = nil) { rows.append((cells, style)) }

    /// The lines for a terminal as it is now.
    ///
    /// - Parameter terminal: What they are shown on.
    /// - Returns: The headers and a line a row, none wider than the terminal.
    func lines(on terminal: Terminal) -> [String] {
        let widths = widths(in: terminal.columns)
        let header = columns.map { Cell($0.header) }
        return [line(header, widths, .bold, terminal)]
            + rows.map { line($0.cells, widths, $0.style, terminal) }
    }

    private func line(
        _ cells: [Cell], _ widths: [Int], _ style: Terminal.Style?, _ terminal: Terminal
    ) -> String {
        var line = ""
        var room = terminal.columns
        // Nothing follows the last text of a row, so it is not filled up.
        let last = cells.indices.last { !cells[$0].text.isEmpty && widths[$0] > 0 } ?? -1
        for (index, cell) in cells.enumerated() where index <= last && widths[index] > 0 && room > 0 {
            var text = TerminalText.fitted(cell.text, columns: min(widths[index], room))
            switch columns[index].alignment {
            case .left: if index < last { text = TerminalText.padded(text, columns: widths[index]) }
            case .right: text = TerminalText.rightAligned(text, columns: widths[index])
            }
            text = TerminalText.fitted(text, columns: room)
            room -= TerminalText.width(text)
            line += (style ?? cell.style).map { terminal.styled(text, $0) } ?? text
            let gap = index < last ? min(Self.gap, room) : 0
            line += String(repeating: " ", count: gap)
            room -= gap
        }
        return line
    }

    /// How wide each column is: what it needs, less what there is no room for.
    private func widths(in room: Int) -> [Int] {
        var widths = columns.indices.map { index in
            let needed = rows.map { TerminalText.width($0.cells[index].text) }.max() ?? 0
            return min(columns[index].most, max(TerminalText.width(columns[index].header), needed))
        }
        var excess = widths.reduce(0, +) + Self.gap * (columns.count - 1) - min(room, .max / 2)
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
}
