// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import FlockFinder

/// A cell of a file.
struct CSVCell: Sendable {
    var octets: [UInt8] = []
    var isQuoted = false
    /// An empty cell without quotes stands for nothing.
    var isMissing: Bool { octets.isEmpty && !isQuoted }
    /// Whether it has nothing but blanks, without quotes.
    var isBlank: Bool { !isQuoted && octets.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}

/// One row with its cells by column.
struct CSVRow {
    let line: Int
    let cells: [String: CSVCell]
    /// Whether text may have an apostrophe in front that is none of its own.
    var hasGuards = true
    /// How the file calls what a column holds.
    var titles: [String: String] = [:]

    func detection() throws(ImportError) -> ImportedDetection {
        var key: DetectionKey?
        if let text = text("key") {
            key = DetectionKey(text)
            if key == nil { throw bad("key", "32 hex digits") }
        }
        guard let mark = SourceMark(rawValue: text("mark") ?? SourceMark.none.rawValue) else {
            throw bad("mark", "one of \(SourceMark.words)")
        }
        let detection = ImportedDetection(
            try sighting(), key: key, mark: mark, note: text("note") ?? "")
        if let fault = detection.fault { throw ImportError(line, fault) }
        return detection
    }

    private func sighting() throws(ImportError) -> Sighting {
        let label = text("device_type") ?? ""
        let position = try self.position()
        var speed = try number("speed")
        if speed == nil { speed = try number("miles_an_hour").map { $0 / FileValue.milesAnHour } }
        let motion = Sighting.Motion(
            speed: FileValue.known(speed), heading: FileValue.heading(try number("heading")),
            activity: text("activity"))
        guard let stamp = text("timestamp"),
            let received = FileValue.moment(stamp) ?? FileValue.unix(stamp)
        else {
            throw bad("timestamp", "a time such as 2026-11-21T14:03:32.123Z")
        }
        let strength = text("rssi", undoGuard: false).flatMap { Double(decimal: $0.trimmed.utf8) }
        guard let rssi = strength.flatMap({ Int(exactly: $0) }) else { throw bad("rssi", "a whole number") }
        let confidence = try self.confidence()
        // Ours says what it means.
        let name = cells["key"] == nil ? FileValue.name(text("ssid")) : text("ssid")
        let sighting = Sighting(
            type: DetectionType(label: WireText(label)), label: label,
            mac: FileValue.addressIfAny(text("mac_address")?.trimmed), ssid: name, rssi: rssi,
            confidence: confidence, received: received, position: position, motion: motion,
            fix: position == nil ? nil : try fix())
        if let fault = sighting.fault { throw ImportError(line, fault) }
        return sighting
    }

    /// How sure the program is, from 0 to 1; also of `90%` and `90`.
    private func confidence() throws(ImportError) -> Double {
        let isPercent = text("confidence", undoGuard: false) == nil && cells["percent"] != nil
        let column = isPercent ? "percent" : "confidence"
        let written = text(column, undoGuard: false)?.trimmed ?? ""
        if written.utf8.last == UInt8(ascii: "%") {
            guard let percent = Double(decimal: written.utf8.dropLast()) else {
                throw bad(column, "a number")
            }
            return percent / 100
        }
        guard let number = try number(column) else { throw bad(column, "a number") }
        return isPercent ? number / 100 : FileValue.share(ofPercent: number) ?? number
    }

    private func position() throws(ImportError) -> Position? {
        guard let latitude = try number("latitude"), let longitude = try number("longitude"),
            !Position.isNowhere(latitude, longitude), isPlaced
        else { return nil }
        guard let position = Position(latitude: latitude, longitude: longitude) else {
            throw ImportError(line, "its latitude or longitude is out of range")
        }
        return position
    }

    /// Whether the program takes the place for one.
    private var isPlaced: Bool {
        guard let word = text("is_placed")?.trimmed.lowercased() else { return true }
        return !["no", "false", "0", "n"].contains(word)
    }

    private func fix() throws(ImportError) -> FixDetails? {
        let word = text("fix_source")
        let source = word.flatMap(Fix.Source.init(keyword:))
        if word != nil, source == nil {
            throw bad("fix_source", "one of \(Fix.Source.words.joined(separator: ", "))")
        }
        var age: Int64?
        if let text = text("fix_age_ms", undoGuard: false) {
            age = Int64(text)
            if age == nil { throw bad("fix_age_ms", "a whole number") }
        }
        return FixDetails(
            source: source, age: age, accuracy: FileValue.known(try number("accuracy")),
            altitude: try number("altitude"))
    }

    private func text(_ column: String, undoGuard: Bool = true) -> String? {
        guard let cell = cells[column], !cell.isMissing else { return nil }
        let isGuarded =
            undoGuard && hasGuards && cell.octets.first == UInt8(ascii: "'")
            && Spreadsheet.looksLikeFormula(cell.octets.dropFirst())
        return FileValue.text(isGuarded ? cell.octets.dropFirst() : cell.octets[...])
    }

    private func number(_ column: String) throws(ImportError) -> Double? {
        guard let text = text(column, undoGuard: false)?.trimmed, !FileValue.isUnknown(text) else {
            return nil
        }
        guard let number = Double(decimal: text.utf8) else {
            let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.,eE".utf8.contains($0) }
            guard isDecimal, text.utf8.contains(UInt8(ascii: ",")) else { throw bad(column, "a number") }
            // All numbers of the file are written so.
            throw ImportError(
                line,
                "its \(titles[column] ?? column) has a comma where a point must be; save the file with decimal points, as in 0.9",
                endsFile: true)
        }
        return number
    }

    private func bad(_ column: String, _ wanted: String) -> ImportError {
        ImportError(line, "its \(titles[column] ?? column) is not \(wanted)")
    }
}
