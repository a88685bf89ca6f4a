// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder

/// Reads detections out of files that an export has written.
public enum DetectionImport {
    /// Reads comma-separated values.
    ///
    /// The first line names the columns, in any order; columns that nobody knows are passed over. Lines may
    /// end in LF, CR LF or CR. The rules of the export for empty cells and apostrophes are undone. Numbers of
    /// rows (`id`) are not kept.
    ///
    /// - Parameters:
    ///   - octets: The file; it is read once, from start to end.
    ///   - body: Takes each detection as soon as it is read.
    /// - Returns: How many detections were read.
    /// - Throws: ``BadInput`` with the line that cannot be used, or what the body throws.
    @discardableResult
    public static func csv(
        _ octets: some Sequence<UInt8>,
        _ body: (Sighting) throws -> Void
    ) throws -> Int {
        var reader = CSVReader(octets.makeIterator())
        guard let header = try reader.nextRow() else {
            throw BadInput("The file is empty; its first line names the columns.")
        }
        let names = header.map { String(decoding: $0.octets, as: UTF8.self) }
        for needed in ["device_type", "rssi", "confidence", "timestamp"] where !names.contains(needed) {
            throw BadInput("The first line names no column \(needed), which every detection needs.")
        }
        var count = 0
        var line = reader.line
        while let cells = try reader.nextRow() {
            // A blank line is one empty cell.
            if cells.count == 1, names.count > 1, cells[0].isMissing {
                line = reader.line
                continue
            }
            guard cells.count == names.count else {
                throw BadInput("Line \(line) has \(cells.count) cells; the first line has \(names.count).")
            }
            let row = CSVRow(line: line, cells: Dictionary(zip(names, cells)) { first, _ in first })
            try body(try row.sighting())
            count += 1
            line = reader.line
        }
        return count
    }
}

/// A cell of a file.
private struct CSVCell {
    var octets: [UInt8] = []
    var isQuoted = false
    /// An empty cell without quotes stands for nothing.
    var isMissing: Bool { octets.isEmpty && !isQuoted }
}

/// One row with its cells by column.
private struct CSVRow {
    let line: Int
    let cells: [String: CSVCell]

    func sighting() throws(BadInput) -> Sighting {
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
            position: position,
            motion: motion)
        if let fault = sighting.fault { throw BadInput("Line \(line) cannot be used: \(fault).") }
        return sighting
    }

    private func position() throws(BadInput) -> Position? {
        guard let latitude = try number("latitude"), let longitude = try number("longitude") else {
            return nil
        }
        guard let position = Position(latitude: latitude, longitude: longitude) else {
            throw BadInput("Line \(line) cannot be used: its latitude or longitude is out of range.")
        }
        return position
    }

    private func text(_ column: String, undoGuard: Bool = true) throws(BadInput) -> String? {
        guard let cell = cells[column], !cell.isMissing else { return nil }
        let isGuarded =
            undoGuard && cell.octets.first == UInt8(ascii: "'")
            && CSV.looksLikeFormula(cell.octets.dropFirst())
        guard
            let text = String(
                validating: isGuarded ? cell.octets.dropFirst() : cell.octets[...], as: UTF8.self)
        else {
            throw bad(column, "UTF-8")
        }
        return text
    }

    private func number(_ column: String) throws(BadInput) -> Double? {
        guard let text = try text(column, undoGuard: false) else { return nil }
        guard let number = Double(text), number.isFinite else { throw bad(column, "a number") }
        return number
    }

    private func bad(_ column: String, _ wanted: String) -> BadInput {
        BadInput("Line \(line) cannot be used: its \(column) is not \(wanted).")
    }
}

/// Splits a file into rows and cells.
private struct CSVReader<Octets: IteratorProtocol<UInt8>> {
    /// The number of the next line.
    private(set) var line = 1
    private var octets: Octets
    private var pending: UInt8?
    private static var longestCell: Int { 1 << 20 }

    init(_ octets: Octets) {
        self.octets = octets
        // A byte order mark says nothing here.
        let first = self.octets.next()
        guard first == 0xEF else {
            pending = first
            return
        }
        _ = self.octets.next()
        _ = self.octets.next()
    }

    /// Gives the next row, or nothing at the end.
    mutating func nextRow() throws(BadInput) -> [CSVCell]? {
        guard let first = take() else { return nil }
        pending = first
        var cells: [CSVCell] = []
        while true {
            let (cell, isLast) = try nextCell()
            cells.append(cell)
            guard cells.count <= 1000 else { throw BadInput("Line \(line) has more than 1000 cells.") }
            if isLast { return cells }
        }
    }

    private mutating func nextCell() throws(BadInput) -> (cell: CSVCell, isLast: Bool) {
        var cell = CSVCell()
        if let first = take() {
            if first == UInt8(ascii: "\"") {
                cell.isQuoted = true
                try readQuoted(into: &cell)
            } else {
                pending = first
            }
        }
        while let octet = take() {
            switch octet {
            case UInt8(ascii: ","): return (cell, false)
            case 0x0A, 0x0D:
                endLine(octet)
                return (cell, true)
            case _ where cell.isQuoted: throw BadInput("Line \(line) has something behind a closing quote.")
            default: try append(octet, to: &cell)
            }
        }
        return (cell, true)
    }

    /// Reads up to the closing quote; two quotes stand for one.
    private mutating func readQuoted(into cell: inout CSVCell) throws(BadInput) {
        let start = line
        while let octet = take() {
            if octet == UInt8(ascii: "\"") {
                let next = take()
                guard next == octet else {
                    pending = next
                    return
                }
            }
            if octet == 0x0A { line += 1 }
            try append(octet, to: &cell)
        }
        throw BadInput("The quote that opens in line \(start) is never closed.")
    }

    private func append(_ octet: UInt8, to cell: inout CSVCell) throws(BadInput) {
        guard cell.octets.count < Self.longestCell else {
            throw BadInput("Line \(line) has a cell of more than 1 MB.")
        }
        cell.octets.append(octet)
    }

    private mutating func endLine(_ octet: UInt8) {
        line += 1
        guard octet == 0x0D else { return }
        let next = take()
        if next != 0x0A { pending = next }
    }

    private mutating func take() -> UInt8? {
        defer { pending = nil }
        return pending ?? octets.next()
    }
}
