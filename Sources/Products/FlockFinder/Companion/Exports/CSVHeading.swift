// SPDX-License-Identifier: Apache-2.0

/// The first lines of comma-separated values: what stands between cells, and which column is which.
struct CSVHeading: Sendable {
    /// Octets that a line may have.
    static let limit = 1 << 16

    /// What goes on behind the heading.
    private(set) var splitter: CSVSplitter
    private var line: Int
    private var octets: [UInt8] = []
    private var isQuoted = false
    /// What a line `sep=;` says.
    private var separator: UInt8?
    private var isWiGLE = false
    private var wasReturn = false

    init(line: Int) {
        self.line = line
        splitter = CSVSplitter(line: line)
    }

    /// Reads an octet.
    ///
    /// - Returns: The layout of the rows, which begin behind this octet.
    /// - Throws: ``ImportFault``, after which the file cannot be read any further.
    mutating func receive(_ octet: UInt8) throws(ImportFault) -> CSVLayout? {
        let isSecondHalf = wasReturn && octet == 0x0A
        wasReturn = octet == 0x0D
        if isSecondHalf { return nil }
        guard !isQuoted, octet == 0x0A || octet == 0x0D else {
            if octet == UInt8(ascii: "\"") { isQuoted.toggle() }
            octets.append(octet)
            guard octets.count <= Self.limit else {
                throw ImportFault(line, "it has more than \(Self.limit) octets")
            }
            return nil
        }
        return try endLine(octet)
    }

    /// Ends the file.
    ///
    /// - Returns: The layout, of a file that has nothing but its heading.
    /// - Throws: ``ImportFault``.
    mutating func finish() throws(ImportFault) -> CSVLayout? {
        if isQuoted { throw ImportFault(line, "the quote that opens here is never closed") }
        return try endLine(0x0A)
    }

    private mutating func endLine(_ end: UInt8) throws(ImportFault) -> CSVLayout? {
        defer {
            line += 1
            octets = []
        }
        let text = String(decoding: octets, as: UTF8.self)
        // Quoted by a spreadsheet, too.
        if text.drop(while: { $0 == "\"" }).hasPrefix(WiGLE.mark) {
            isWiGLE = true
            return nil
        }
        if octets.count == 5, text.lowercased().hasPrefix("sep=") {
            separator = octets[4]
            return nil
        }
        if octets.isEmpty { return nil }
        splitter = CSVSplitter(line: line, separator: separator ?? Self.commonest(octets))
        var row: CSVSplitter.Row?
        for octet in octets { row = try splitter.receive(octet) }
        if row == nil { row = try splitter.receive(end) }
        guard let row else { throw ImportFault(line, "its first line names no columns") }
        return try CSVLayout(row, isWiGLE: isWiGLE)
    }

    /// What stands between the names: a comma, a semicolon or a tab.
    private static func commonest(_ octets: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for octet in octets {
            if octet == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted { counts[octet, default: 0] += 1 }
        }
        let count = { (octet: UInt8) in counts[octet] ?? 0 }
        let others = [UInt8(ascii: ";"), 0x09].filter { count($0) > count(UInt8(ascii: ",")) }
        return others.max { count($0) < count($1) } ?? UInt8(ascii: ",")
    }
}

/// Which column is which.
struct CSVLayout: Sendable {
    private let columns: [String]
    /// So many cells a row has at least, if all that it must have is there.
    private let least: Int
    private let isWiGLE: Bool

    init(_ heading: CSVSplitter.Row, isWiGLE: Bool) throws(ImportFault) {
        let names = heading.cells.map { String(decoding: $0.octets, as: UTF8.self).trimmed }
        let needed = isWiGLE ? WiGLE.needed : ["device_type", "rssi", "confidence", "timestamp"]
        let missing = needed.filter { !names.contains($0) }
        guard missing.isEmpty else {
            throw ImportFault(heading.line, "no column is named \(missing.joined(separator: ", "))")
        }
        columns = names
        least = 1 + (needed.compactMap { names.firstIndex(of: $0) }.max() ?? 0)
        self.isWiGLE = isWiGLE
    }

    /// What a row says.
    ///
    /// - Returns: The row; `nil` when it is blank.
    /// - Throws: ``ImportFault`` where the rest of the file cannot be read, either.
    func row(_ row: CSVSplitter.Row) throws(ImportFault) -> DetectionFile.Row? {
        // A blank line is one empty cell; spreadsheets make many of it.
        if row.cells.allSatisfy({ $0.isMissing }), row.cells.count > 1 || columns.count > 1 { return nil }
        let surplus = row.cells.dropFirst(columns.count)
        // Spreadsheets leave out empty cells at the end, or add some; a file that ends within a row is another matter.
        let isShort = row.cells.count < columns.count && row.isEnded && row.cells.count >= least
        guard
            row.cells.count == columns.count || isShort
                || !surplus.isEmpty && surplus.allSatisfy({ $0.isMissing })
        else {
            let counts = "it has \(row.cells.count) cells, and the first line has \(columns.count)"
            return .bad(ImportFault(row.line, counts))
        }
        var cells: [String: CSVCell] = [:]
        for (column, cell) in zip(columns, row.cells) where cells[column] == nil { cells[column] = cell }
        let found = CSVRow(line: row.line, cells: cells)
        do throws(ImportFault) {
            return isWiGLE ? try WiGLERow(row: found).imported() : .detection(try found.detection())
        } catch {
            if error.endsFile { throw error }
            return .bad(error)
        }
    }
}
