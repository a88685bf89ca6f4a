// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder

/// A cell of a file.
struct CSVCell: Sendable {
    var octets: [UInt8] = []
    var isQuoted = false
    /// An empty cell without quotes stands for nothing.
    var isMissing: Bool { octets.isEmpty && !isQuoted }
}

/// One row with its cells by column.
struct CSVRow {
    let line: Int
    let cells: [String: CSVCell]

    func detection() throws(ImportFault) -> ImportedDetection {
        var key: DetectionKey?
        if let text = try text("key") {
            key = DetectionKey(text)
            if key == nil { throw bad("key", "32 hex digits") }
        }
        guard let mark = SourceMark(rawValue: try text("mark") ?? SourceMark.none.rawValue) else {
            throw bad("mark", "one of \(SourceMark.words)")
        }
        return ImportedDetection(
            try sighting(), key: key, mark: mark, note: try text("note") ?? "")
    }

    private func sighting() throws(ImportFault) -> Sighting {
        let label = try text("device_type") ?? ""
        let position = try self.position()
        let motion = Sighting.Motion(
            speed: try number("speed"), heading: try number("heading"), activity: try text("activity"))
        guard let stamp = try text("timestamp"), let received = Timestamp(stamp) else {
            throw bad("timestamp", "a time such as 2026-11-21T14:03:32.123Z")
        }
        guard let rssi = Int(try text("rssi", undoGuard: false) ?? "") else {
            throw bad("rssi", "a whole number")
        }
        guard let confidence = try number("confidence") else { throw bad("confidence", "a number") }
        let sighting = Sighting(
            type: DetectionType(label: WireText(label)), label: label, mac: try text("mac_address"),
            ssid: try text("ssid"), rssi: rssi, confidence: confidence, received: received,
            position: position, motion: motion, fix: position == nil ? nil : try fix())
        if let fault = sighting.fault { throw ImportFault(line, fault) }
        return sighting
    }

    private func position() throws(ImportFault) -> Position? {
        guard let latitude = try number("latitude"), let longitude = try number("longitude") else {
            return nil
        }
        guard let position = Position(latitude: latitude, longitude: longitude) else {
            throw ImportFault(line, "its latitude or longitude is out of range")
        }
        return position
    }

    private func fix() throws(ImportFault) -> FixDetails? {
        let word = try text("fix_source")
        let source = word.flatMap(Fix.Source.init(keyword:))
        if word != nil, source == nil {
            throw bad("fix_source", "one of \(Fix.Source.words.joined(separator: ", "))")
        }
        var age: Int64?
        if let text = try text("fix_age_ms", undoGuard: false) {
            age = Int64(text)
            if age == nil { throw bad("fix_age_ms", "a whole number") }
        }
        return FixDetails(
            source: source, age: age, accuracy: try number("accuracy"), altitude: try number("altitude"))
    }

    private func text(_ column: String, undoGuard: Bool = true) throws(ImportFault) -> String? {
        guard let cell = cells[column], !cell.isMissing else { return nil }
        let isGuarded =
            undoGuard && cell.octets.first == UInt8(ascii: "'")
            && CSV.looksLikeFormula(cell.octets.dropFirst())
        let octets = isGuarded ? cell.octets.dropFirst() : cell.octets[...]
        guard let text = String(validating: octets, as: UTF8.self) else { throw bad(column, "UTF-8") }
        return text
    }

    private func number(_ column: String) throws(ImportFault) -> Double? {
        guard let text = try text(column, undoGuard: false) else { return nil }
        guard let number = Double(decimal: text.utf8) else { throw bad(column, "a number") }
        return number
    }

    private func bad(_ column: String, _ wanted: String) -> ImportFault {
        ImportFault(line, "its \(column) is not \(wanted)")
    }
}

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
        let cells: [CSVCell]
    }

    private var line: Int
    private var place = Place.plain
    private var rowLine: Int
    private var quoteLine: Int
    private var cells: [CSVCell] = []
    private var cell = CSVCell()
    private var rowOctets = 0
    /// Whether the last octet was a CR, with which a LF is one line end.
    private var wasReturn = false

    init(line: Int) {
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
        case (_, UInt8(ascii: ",")): try endCell()
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
        return rowOctets == 0 ? nil : try endRow()
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
