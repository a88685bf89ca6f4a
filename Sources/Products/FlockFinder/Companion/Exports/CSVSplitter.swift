// SPDX-License-Identifier: Apache-2.0

/// Splits a file into rows and cells, octet by octet.
struct CSVSplitter: Sendable {
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
    private let separator: UInt8
    private var line: Int
    private var place = Place.plain
    private var rowLine: Int
    private var quoteLine: Int
    private var cells: [CSVCell] = []
    private var cell = CSVCell()
    private var rowOctets = 0
    /// Whether the last octet was a CR, with which a LF is one line end.
    private var wasReturn = false

    init(line: Int, separator: UInt8 = UInt8(ascii: ",")) {
        self.separator = separator
        self.line = line
        rowLine = line
        quoteLine = line
    }

    /// Reads an octet.
    ///
    /// - Returns: A row that it has ended.
    /// - Throws: ``ImportFault``, after which the file cannot be read any further.
    mutating func receive(_ octet: UInt8) throws(ImportFault) -> Row? {
        let isSecondHalf = wasReturn && octet == 0x0A
        wasReturn = false
        if isSecondHalf { return nil }
        rowOctets += 1
        guard rowOctets <= Self.rowLimit.octets else {
            throw ImportFault(rowLine, "it has more than \(Self.rowLimit.octets) octets")
        }
        switch (place, octet) {
        case (.quoted, UInt8(ascii: "\"")): place = .closing
        case (.quoted, _):
            if octet == 0x0A { line += 1 }
            cell.octets.append(octet)
        case (.closing, UInt8(ascii: "\"")):
            // Two quotes stand for one.
            cell.octets.append(octet)
            place = .quoted
        case (_, separator): try endCell()
        case (_, 0x0A), (_, 0x0D):
            wasReturn = octet == 0x0D
            line += 1
            return try endRow()
        case (.closing, _): throw ImportFault(line, "something stands behind a closing quote")
        case (.plain, UInt8(ascii: "\"")) where cell.octets.isEmpty:
            cell.isQuoted = true
            quoteLine = line
            place = .quoted
        case (.plain, _): cell.octets.append(octet)
        }
        return nil
    }

    /// Ends the file.
    ///
    /// - Returns: The row that it has ended.
    /// - Throws: ``ImportFault``.
    mutating func finish() throws(ImportFault) -> Row? {
        if place == .quoted { throw ImportFault(quoteLine, "the quote that opens here is never closed") }
        guard rowOctets > 0 else { return nil }
        var row = try endRow()
        row.isEnded = false
        return row
    }

    private mutating func endCell() throws(ImportFault) {
        cells.append(cell)
        cell = CSVCell()
        place = .plain
        guard cells.count <= Self.rowLimit.cells else {
            throw ImportFault(rowLine, "it has more than \(Self.rowLimit.cells) cells")
        }
    }

    private mutating func endRow() throws(ImportFault) -> Row {
        try endCell()
        defer {
            cells = []
            rowOctets = 0
            rowLine = line
        }
        return Row(line: rowLine, cells: cells)
    }
}
