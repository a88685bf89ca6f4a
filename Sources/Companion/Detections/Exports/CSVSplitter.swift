// SPDX-License-Identifier: Apache-2.0

/// Cuts comma-separated values into rows, octet by octet.
///
/// A quote that is never closed, or behind which something stands, is a character like any other: its line is read again
/// without quotes, and so are the lines after it that were taken for a part of it. Where programs write no line ends into
/// cells, a line that is a row by itself ends what was open before it, too.
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

    /// What tells that a line is a row by itself, whatever quotes are open, in tables of programs that write no line ends
    /// into cells.
    struct Shape: Sendable {
        /// So many cells in the line in which a quote opens are a row.
        let whole: Int
        /// Where a row has its address; `nil` where it may have none.
        let address: Int?
        /// So many cells a row has up to what it must have.
        let least: Int

        /// Whether a line that follows an open quote is a row by itself: it has an address in its place, or begins
        /// another file.
        func isRow(_ cells: [CSVCell]) -> Bool {
            guard let address, let first = cells.first else { return false }
            if first.octets.starts(with: WiGLE.mark.utf8) { return true }
            guard cells.count >= least, cells.indices.contains(address) else { return false }
            var octets = cells[address].octets[...]
            let mark = UInt8(ascii: "\"")
            if octets.count > 2, octets.first == mark, octets.last == mark {
                octets = octets.dropFirst().dropLast()
            }
            return FileValue.address(FileValue.text(octets).trimmed) != nil
        }
    }

    /// A row, and the line in which it begins.
    struct Row {
        let line: Int
        var cells: [CSVCell]
        /// Whether a line end has come behind it.
        var isEnded = true
    }

    /// What stands between two cells.
    let separator: UInt8
    private let shape: Shape?
    private var lineEnd: LineEnd
    /// The line that is read.
    private(set) var line: Int
    private var place = Place.plain
    private var rowLine: Int
    private var cells: [CSVCell] = []
    private var cell = CSVCell()
    private var rowOctets = 0
    /// A CR of which it is not known whether it belongs to a line end.
    private var isReturnOpen = false
    /// The row as it is written, from its first quote on with all that was before it.
    private var written: [UInt8] = []
    /// Where the last line of that begins.
    private var lineStart = 0
    private var rows: [Row] = []
    private var given = 0

    init(line: Int, separator: UInt8 = UInt8(ascii: ","), lineEnd: LineEnd = .lineFeed, shape: Shape? = nil) {
        self.separator = separator
        self.lineEnd = lineEnd
        self.shape = shape
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
    /// - Throws: ``ImportError``, after which the file cannot be read any further.
    mutating func receive(_ octet: UInt8) throws(ImportError) {
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
    /// - Throws: ``ImportError``.
    mutating func finish() throws(ImportError) {
        isReturnOpen = false
        if lineStart > 0, isRow(written[...]) { try readAgain(before: lineStart) }
        while place == .quoted { try readAgain() }
        guard rowOctets > 0 else { return }
        try endRow()
        rows[rows.count - 1].isEnded = false
    }

    /// Handles an octet of which it is known that it is no half of a line end.
    private mutating func take(_ octet: UInt8) throws(ImportError) {
        rowOctets += 1
        if rowOctets > Self.rowLimit.octets {
            guard place == .quoted, written.contains(where: isLineEnd) else {
                throw ImportError(rowLine, "it has more than \(Self.rowLimit.octets) octets")
            }
            written.append(octet)
            return try readAgain()
        }
        if !written.isEmpty { written.append(octet) }
        switch (place, octet) {
        case (.quoted, UInt8(ascii: "\"")): place = .closing
        case (.quoted, _) where isLineEnd(octet):
            line += 1
            if isRow(written.dropLast()) { return try readAgain(before: lineStart) }
            lineStart = written.count
            cell.octets.append(octet)
        case (.quoted, _): cell.octets.append(octet)
        case (.closing, UInt8(ascii: "\"")):
            // Two quotes stand for one.
            cell.octets.append(octet)
            place = .quoted
        case (_, separator): try endCell()
        case (_, _) where isLineEnd(octet):
            line += 1
            if lineStart > 0, isRow(written.dropLast()) { return try readAgain(before: lineStart) }
            try endRow()
        case (.closing, _): try readAgain()
        case (.plain, UInt8(ascii: "\"")) where cell.octets.isEmpty:
            if written.isEmpty {
                for cell in cells { written += cell.octets + [separator] }
                written.append(octet)
            }
            cell.isQuoted = true
            place = .quoted
        case (.plain, _):
            cell.octets.append(octet)
            // A file that was put behind another one may begin with a byte order mark.
            if octet == 0xBF, cells.isEmpty, cell.octets == Self.byteOrderMark { cell.octets = [] }
        }
    }

    /// What some programs put in front of UTF-8.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether the last line of what is written is a row by itself.
    private func isRow(_ written: ArraySlice<UInt8>) -> Bool {
        guard let shape else { return false }
        let cells = literal(written[lineStart...])
        return lineStart == 0 ? cells.count >= shape.whole : shape.isRow(cells)
    }

    private func isLineEnd(_ octet: UInt8) -> Bool { octet == (lineEnd == .carriageReturn ? 0x0D : 0x0A) }

    /// The cells of a line in which quotes are characters like any other.
    private func literal(_ octets: some Collection<UInt8>) -> [CSVCell] {
        var line = Array(octets)
        if lineEnd == .lineFeed, line.last == 0x0D { line.removeLast() }
        if line.starts(with: Self.byteOrderMark) { line.removeFirst(3) }
        return line.split(separator: separator, omittingEmptySubsequences: false).map {
            CSVCell(octets: Array($0))
        }
    }

    /// Takes the first line of what is there for a row in which quotes mean nothing, and reads on behind it.
    ///
    /// - Parameter begin: Where a row begins, so that all lines before it are taken so.
    /// - Throws: ``ImportError``.
    private mutating func readAgain(before begin: Int = 0) throws(ImportError) {
        var rest = written[...]
        line = rowLine
        (place, cell, cells, written, lineStart, rowOctets) = (.plain, CSVCell(), [], [], 0, 0)
        repeat {
            let end = rest.firstIndex(where: isLineEnd)
            let row = Row(
                line: rowLine, cells: literal(rest[..<(end ?? rest.endIndex)]), isEnded: end != nil)
            guard row.cells.count <= Self.rowLimit.cells else {
                throw ImportError(rowLine, "it has more than \(Self.rowLimit.cells) cells")
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
            rest = rest[(end + 1)...]
        } while rest.startIndex < begin
        for octet in rest { try receive(octet) }
    }

    private mutating func endCell() throws(ImportError) {
        cells.append(cell)
        cell = CSVCell()
        place = .plain
        guard cells.count <= Self.rowLimit.cells else {
            throw ImportError(rowLine, "it has more than \(Self.rowLimit.cells) cells")
        }
    }

    private mutating func endRow() throws(ImportError) {
        try endCell()
        rows.append(Row(line: rowLine, cells: cells))
        (cells, written) = ([], [])
        (lineStart, rowOctets) = (0, 0)
        rowLine = line
    }
}
