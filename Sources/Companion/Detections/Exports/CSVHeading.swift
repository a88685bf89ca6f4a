// SPDX-License-Identifier: Apache-2.0

/// Reads what stands before the rows of a table: lines of WiGLE, of a spreadsheet or of remarks, and the names of the columns.
struct CSVHeading: Sendable {
    /// Octets that a line may have.
    static let limit = 1 << 16

    /// The line that is read.
    private(set) var line: Int
    private var octets: [UInt8] = []
    private var isQuoted = false
    /// What a line `sep=;` says.
    private var separator: UInt8?
    /// What the line of WiGLE says.
    private var mark: String?
    /// Where that is.
    private var markLine: Int
    private var wasReturn = false

    init(line: Int, mark: String? = nil) {
        self.line = line
        self.mark = mark
        markLine = line - 1
    }

    /// Reads an octet.
    ///
    /// - Returns: The layout of the rows and what cuts them, which begin behind this octet.
    /// - Throws: ``ImportError``, after which the file cannot be read any further.
    mutating func receive(_ octet: UInt8) throws(ImportError) -> (CSVSplitter, CSVLayout)? {
        let isSecondHalf = wasReturn && octet == 0x0A
        wasReturn = octet == 0x0D
        if isSecondHalf { return nil }
        guard !isQuoted, octet == 0x0A || octet == 0x0D else {
            if octet == UInt8(ascii: "\"") { isQuoted.toggle() }
            octets.append(octet)
            guard octets.count <= Self.limit else {
                throw ImportError(line, "it has more than \(Self.limit) octets")
            }
            return nil
        }
        return try endLine(octet)
    }

    /// Ends the file, of which there may be nothing but the heading.
    ///
    /// - Throws: ``ImportError``, also where nothing names the columns.
    mutating func finish() throws(ImportError) {
        if isQuoted { throw ImportError(line, "the quote that opens here is never closed") }
        if try endLine(0x0A) != nil { return }
        guard mark != nil else { throw ImportError(1, "the file is empty") }
        throw ImportError(
            markLine,
            "the names of the columns are missing behind this line; the file seems to be cut off, so export it again"
        )
    }

    private mutating func endLine(_ end: UInt8) throws(ImportError) -> (CSVSplitter, CSVLayout)? {
        defer {
            line += 1
            octets = []
        }
        if octets.starts(with: CSVSplitter.byteOrderMark) { octets.removeFirst(3) }
        let text = FileValue.text(octets)
        // Quoted by a spreadsheet, too.
        let begin = text.drop { $0 == "\"" }
        if begin.hasPrefix(WiGLE.mark) {
            mark = String(begin)
            markLine = line
            return nil
        }
        if octets.count == 5, text.lowercased().hasPrefix("sep=") {
            separator = octets[4]
            return nil
        }
        if octets.isEmpty || octets[0] == UInt8(ascii: "#") { return nil }
        var names = CSVSplitter(line: line, separator: separator ?? Self.commonest(octets))
        for octet in octets { try names.receive(octet) }
        try names.finish()
        guard let row = names.next() else { throw ImportError(line, "its first line names no columns") }
        let layout = try CSVLayout(row, mark: mark, separator: names.separator)
        let splitter = CSVSplitter(
            line: line + 1, separator: names.separator, lineEnd: end == 0x0D ? .openReturn : .lineFeed,
            shape: layout.shape)
        return (splitter, layout)
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
