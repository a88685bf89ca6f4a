// SPDX-License-Identifier: Apache-2.0

/// Cuts comma-separated values into rows, octet by octet.
///
/// A quote that is never closed, or behind which something stands, is a character like any other: its line is read again
/// without quotes, and so are the lines after it that were taken for a part of it.
struct CSVSplitter: Sendable {
    /// What ends a row.
    enum LineEnd: Sendable {
        /// LF, or CR LF; CR alone belongs to a cell.
        case lineFeed
        /// CR.
        case carriageReturn
        /// CR LF if LF is the next octet, else CR.
        case openReturn
    }

    private enum Place {
        /// Before or in a cell without quotes.
        case plain
        /// Between quotes.
        case quoted
        /// Behind what may be a closing quote.
        case closing
    }

    /// Octets that a row may have, and cells.
    static let rowLimit = (octets: 1 << 18, cells: 1000)

    /// A row, and the line in which it begins.
    struct Row {
        let line: Int
        var cells: [CSVCell]
        /// Whether a line end has come behind it.
        var isEnded = true
    }

    /// What stands between two cells.
    let separator: UInt8
    /// So many cells in one line are a row, even if a quote is open; programs that write no line end into a cell have a
    /// number here.
    private let wholeRow: Int?
    private var lineEnd: LineEnd
    private var line: Int
    private var place = Place.plain
    private var rowLine: Int
    private var cells: [CSVCell] = []
    private var cell = CSVCell()
    private var rowOctets = 0
    /// A CR of which it is not known whether it belongs to a line end.
    private var isReturnOpen = false
    /// The row as it is written, from its first quote on with all that was before it.
    private var written: [UInt8] = []
    private var rows: [Row] = []
    private var given = 0

    init(line: Int, separator: UInt8 = UInt8(ascii: ","), lineEnd: LineEnd = .lineFeed, wholeRow: Int? = nil)
    {
        self.separator = separator
        self.lineEnd = lineEnd
        self.wholeRow = wholeRow
        self.line = line
        rowLine = line
    }

    /// Whether a row is complete.
    var hasRow: Bool { given < rows.count }

    /// The next row that is complete.
    mutating func next() -> Row? {
        guard given < rows.count else {
            if given > 0 { (rows, given) = ([], 0) }
            return nil
        }
        given += 1
        return rows[given - 1]
    }

    /// Reads an octet.
    ///
    /// - Throws: ``ImportFault``, after which the file cannot be read any further.
    mutating func receive(_ octet: UInt8) throws(ImportFault) {
        if lineEnd == .openReturn {
            lineEnd = octet == 0x0A ? .lineFeed : .carriageReturn
            if octet == 0x0A { return }
        }
        if isReturnOpen {
            isReturnOpen = false
            if octet != 0x0A { try take(0x0D) }
        }
        if octet == 0x0D, lineEnd == .lineFeed, place != .quoted {
            isReturnOpen = true
            return
        }
        try take(octet)
    }

    /// Ends the file.
    ///
    /// - Throws: ``ImportFault``.
    mutating func finish() throws(ImportFault) {
        isReturnOpen = false
        while place == .quoted { try readAgain() }
        guard rowOctets > 0 else { return }
        try endRow()
        rows[rows.count - 1].isEnded = false
    }

    /// Handles an octet of which it is known that it is no half of a line end.
    private mutating func take(_ octet: UInt8) throws(ImportFault) {
        rowOctets += 1
        if rowOctets > Self.rowLimit.octets {
            guard place == .quoted, written.contains(where: isLineEnd) else {
                throw ImportFault(rowLine, "it has more than \(Self.rowLimit.octets) octets")
            }
            written.append(octet)
            return try readAgain()
        }
        if !written.isEmpty { written.append(octet) }
        switch (place, octet) {
        case (.quoted, UInt8(ascii: "\"")): place = .closing
        case (.quoted, _):
            if octet == 0x0A { line += 1 }
            if isLineEnd(octet), let wholeRow, rowLine == line - 1,
                literal(written.dropLast()).count >= wholeRow
            {
                return try readAgain()
            }
            cell.octets.append(octet)
        case (.closing, UInt8(ascii: "\"")):
            // Two quotes stand for one.
            cell.octets.append(octet)
            place = .quoted
        case (_, separator): try endCell()
        case (_, _) where isLineEnd(octet):
            line += 1
            try endRow()
        case (.closing, _): try readAgain()
        case (.plain, UInt8(ascii: "\"")) where cell.octets.isEmpty:
            if written.isEmpty {
                for cell in cells { written += cell.octets + [separator] }
                written.append(octet)
            }
            cell.isQuoted = true
            place = .quoted
        case (.plain, _): cell.octets.append(octet)
        }
    }

    private func isLineEnd(_ octet: UInt8) -> Bool { octet == (lineEnd == .carriageReturn ? 0x0D : 0x0A) }

    /// The cells of a line in which quotes are characters like any other.
    private func literal(_ octets: some Collection<UInt8>) -> [CSVCell] {
        var line = Array(octets)
        if lineEnd == .lineFeed, line.last == 0x0D { line.removeLast() }
        return line.split(separator: separator, omittingEmptySubsequences: false).map {
            CSVCell(octets: Array($0))
        }
    }

    /// Takes the first line of what is there for a row in which quotes mean nothing, and reads on behind it.
    private mutating func readAgain() throws(ImportFault) {
        let rest = written
        let end = rest.firstIndex(where: isLineEnd)
        let row = Row(line: rowLine, cells: literal(rest[..<(end ?? rest.count)]), isEnded: end != nil)
        line = rowLine
        (place, cell, cells, written, rowOctets) = (.plain, CSVCell(), [], [], 0)
        guard row.cells.count <= Self.rowLimit.cells else {
            throw ImportFault(rowLine, "it has more than \(Self.rowLimit.cells) cells")
        }
        guard let end else {
            // More of the line is to come, without another quote.
            cells = Array(row.cells.dropLast())
            cell.octets = row.cells.last?.octets ?? []
            rowOctets = rest.count
            return
        }
        rows.append(row)
        line += 1
        rowLine = line
        for octet in rest[(end + 1)...] { try receive(octet) }
    }

    private mutating func endCell() throws(ImportFault) {
        cells.append(cell)
        cell = CSVCell()
        place = .plain
        guard cells.count <= Self.rowLimit.cells else {
            throw ImportFault(rowLine, "it has more than \(Self.rowLimit.cells) cells")
        }
    }

    private mutating func endRow() throws(ImportFault) {
        try endCell()
        rows.append(Row(line: rowLine, cells: cells))
        (cells, written) = ([], [])
        rowOctets = 0
        rowLine = line
    }
}
