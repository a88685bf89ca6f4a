// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

/// Whose table it is: what its columns are called, and what a row must have.
enum CSVForm: Sendable {
    /// Ours, and those of FlockFinder's app, whose kinds and confidences are said.
    case detections
    /// What programs write that hear everything: WiGLE's app, its site, Kismet, flock-you.
    case heard

    /// The names of columns by what they hold; of several that a file has, the first one that says something counts.
    var columns: [(column: String, names: [String])] {
        switch self {
        case .detections:
            CSV.columns.dropFirst().map { ($0, [$0] + (Self.ofTheApp[$0] ?? [])) } + [
                ("percent", ["confidence (%)"]), ("miles_an_hour", ["speed (mph)"]),
                ("is_placed", ["location valid"]),
            ]
        case .heard: Self.ofHeard
        }
    }

    /// What the app calls its columns in the list of History.
    private static let ofTheApp = [
        "device_type": ["device type"], "mac_address": ["mac address"], "rssi": ["rssi (dbm)"],
        "heading": ["heading (°)"], "accuracy": ["gps accuracy (m)"], "altitude": ["altitude (m)"],
    ]

    private static let ofHeard: [(column: String, names: [String])] = [
        ("mac", ["mac", "mac_address", "netid", "bssid"]), ("name", ["ssid", "device_name", "name"]),
        ("capabilities", ["authmode", "encryption", "capabilities"]),
        ("time", ["firstseen", "lasttime", "server_timestamp", "detection_time", "iso8601", "timestamp"]),
        ("uptime", ["last_seen_ms", "last_ms", "first_seen_ms", "first_ms", "millis"]),
        ("channel", ["channel", "wifi_channel"]), ("frequency", ["frequency"]), ("rssi", ["rssi"]),
        ("latitude", ["currentlatitude", "latitude", "trilat", "lat", "gps_lat"]),
        ("longitude", ["currentlongitude", "longitude", "trilong", "lon", "lng", "long", "gps_lon"]),
        ("altitude", ["altitudemeters", "altitude", "alt"]),
        ("accuracy", ["accuracymeters", "accuracy", "acc", "gps_accuracy", "gps_acc"]),
        ("maker", ["mfgrid"]), ("kind", ["type", "device_type", "protocol"]),
        ("method", ["method", "detection_method"]),
        ("is_raven", ["is_raven"]),
    ]

    /// The form that fits some columns; `nil` when none does.
    init?(_ names: [String]) {
        let isThere = { (column: String, form: CSVForm) in
            form.columns.first { $0.column == column }?.names.contains { names.contains($0) } ?? false
        }
        let isOurs =
            isThere("device_type", .detections) && isThere("rssi", .detections)
            && isThere("timestamp", .detections)
        if isOurs, isThere("confidence", .detections) || isThere("percent", .detections) {
            self = .detections
        } else if isThere("mac", .heard), isThere("time", .heard) || isThere("uptime", .heard) {
            self = .heard
        } else {
            return nil
        }
    }

    /// What is said where no form fits.
    static func unknown(_ names: [String], mark: String?) -> String {
        if mark != nil {
            return
                "no column is named \(WiGLE.missing(names).joined(separator: ", ")); export the file again, or give its "
                + "columns these names"
        }
        let ours = ["device_type", "rssi", "confidence", "timestamp"].filter { !names.contains($0) }
        return
            "no column is named \(ours.joined(separator: ", ")); what is read are \(ForeignFile.tablesOfDetections)"
    }
}

/// Which cell of a row is what.
struct CSVLayout: Sendable {
    private let form: CSVForm
    /// The columns as they are named, and in lower case.
    private let headings: [String]
    private let names: [String]
    /// What cuts a row into cells.
    private let separator: UInt8
    /// The cells that may say it, the first one first.
    private let places: [(column: String, cells: [Int])]
    /// How the file calls what a column holds.
    private let titles: [String: String]
    /// Where the name of what was heard stands, which may have commas that nobody has quoted.
    private let nameCell: Int?
    /// So many cells a row has at least, if all that it must have is there.
    private let least: Int
    private let isKismet: Bool
    private let isWiGLE: Bool
    /// Whether Lantern has written it.
    private let isOurs: Bool
    private let line: Int

    init(_ heading: CSVSplitter.Row, mark: String?, separator: UInt8) throws(ImportError) {
        let headings = heading.cells.map { FileValue.text($0.octets).trimmed }
        let names = headings.map { $0.lowercased() }
        guard let form = CSVForm(names), mark == nil || WiGLE.missing(names).isEmpty else {
            throw ImportError(heading.line, CSVForm.unknown(names, mark: mark))
        }
        self.names = names
        self.headings = headings
        self.separator = separator
        self.form = form
        line = heading.line
        let places: [(column: String, cells: [Int])] = form.columns.compactMap { column, known in
            let cells = known.compactMap { names.firstIndex(of: $0) }
            return cells.isEmpty ? nil : (column, cells)
        }
        self.places = places
        var titles: [String: String] = [:]
        for (column, cells) in places { titles[column] = headings[cells[0]] }
        self.titles = titles
        let program = mark.map { WireText($0).asciiLowercased }
        isKismet = program?.contains("kismet") ?? false
        isOurs = names.contains("key") || program?.contains("apprelease=lantern") ?? false
        // The line that says so may be gone.
        isWiGLE = mark != nil || names.contains("netid") || form == .heard && WiGLE.missing(names).isEmpty
        let wanted =
            switch form {
            case .detections: ["device_type", "rssi", "timestamp", "confidence", "percent"]
            case .heard: isWiGLE ? ["mac", "time", "kind"] : ["mac"]
            }
        least = 1 + (places.filter { wanted.contains($0.column) }.compactMap { $0.cells.first }.max() ?? 0)
        // Ours quotes what must be quoted; others do not.
        let name = places.first { $0.column == (form == .heard ? "name" : "ssid") }?.cells.first
        nameCell = names.contains("key") ? nil : name
    }

    /// What tells where rows end; nothing of our own tables, which may have line ends in cells.
    var shape: CSVSplitter.Shape? {
        guard !names.contains("key") else { return nil }
        let whole = names.count - (mayLackMakers ? 2 : 0)
        guard form == .heard, let address = firstCell("mac") else {
            return CSVSplitter.Shape(whole: whole, address: nil, least: whole)
        }
        let needed = (isWiGLE ? ["rssi", "time"] : ["rssi"]).compactMap { firstCell($0) }
        return CSVSplitter.Shape(
            whole: whole, address: address, least: 1 + needed.reduce(address) { max($0, $1) })
    }

    /// The cell of a row in which something is looked for first.
    private func firstCell(_ column: String) -> Int? {
        places.first { $0.column == column }?.cells.first
    }

    /// Whether Kismet leaves out the two cells before the last one, although the first line names them.
    private var mayLackMakers: Bool { isWiGLE && names.suffix(3) == ["rcois", "mfgrid", "type"] }

    /// What has to be said of the whole table, once.
    var remarks: [ImportError] {
        guard form == .heard else { return [] }
        var remarks: [ImportError] = []
        let isThere = { (column: String) in places.contains { $0.column == column } }
        if !isThere("latitude") || !isThere("longitude") {
            remarks.append(
                ImportError(
                    line,
                    "no column says where it was; name them CurrentLatitude and CurrentLongitude, or Latitude and Longitude"
                ))
        }
        return remarks
    }

    /// Whether what became of a row has the time of the import, for the row itself has none: of what others have
    /// written, only such rows have a key.
    func hasTimeOfImport(_ row: DetectionFile.Row) -> Bool {
        guard form == .heard, case .detection(let found) = row else { return false }
        return found.key != nil
    }

    /// What a row says.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - now: What a row counts for that has no time.
    /// - Returns: The row; `nil` when it is blank, or names the columns again.
    /// - Throws: ``ImportError`` where the rest of the file cannot be read, either.
    func row(_ row: CSVSplitter.Row, at now: Timestamp?) throws(ImportError) -> DetectionFile.Row? {
        // A blank line is one empty cell; spreadsheets make many of it.
        if row.cells.allSatisfy({ $0.isBlank }), row.cells.count > 1 || names.count > 1 { return nil }
        let isHeading =
            row.cells.count == names.count
            && zip(row.cells, names).allSatisfy { FileValue.text($0.octets).trimmed.lowercased() == $1 }
        if isHeading { return nil }
        var row = row
        fit(&row.cells)
        // Spreadsheets leave out empty cells at the end, or add some; a file that ends within a row is another matter.
        let isShort = row.cells.count < names.count && row.isEnded && row.cells.count >= least
        guard row.cells.count == names.count || isShort else {
            let cells = row.cells.count == 1 ? "1 cell" : "\(row.cells.count) cells"
            return .bad(ImportError(row.line, "it has \(cells), and the first line has \(names.count)"))
        }
        var (cells, titles) = ([String: CSVCell](), self.titles)
        for (column, indices) in places {
            let there = indices.lazy.filter { $0 < row.cells.count }
            guard let first = there.first else { continue }
            let chosen = there.first { !row.cells[$0].octets.isEmpty } ?? first
            if chosen != indices[0] { titles[column] = headings[chosen] }
            cells[column] = row.cells[chosen]
        }
        let found = CSVRow(line: row.line, cells: cells, titles: titles)
        do throws(ImportError) {
            if form == .detections { return .detection(try found.detection()) }
            let heard = HeardRow(
                row: found, isWiGLE: isWiGLE, isKismet: isKismet, isOurs: isOurs, now: now)
            return try heard.imported()
        } catch {
            if error.endsFile { throw error }
            return .bad(error)
        }
    }

    /// Gives a row as many cells as the first line has, where it is known what is missing or too much.
    private func fit(_ cells: inout [CSVCell]) {
        // A name with two commas makes up for them.
        if mayLackMakers, isWithoutMakers(cells) {
            cells.insert(contentsOf: [CSVCell(), CSVCell()], at: cells.count - 1)
        }
        let surplus = cells.count - names.count
        guard surplus > 0 else { return }
        if cells.suffix(surplus).allSatisfy({ $0.isMissing }) {
            cells.removeLast(surplus)
        } else if let nameCell, nameCell < names.count {
            let parts = cells[nameCell...(nameCell + surplus)]
            let text = parts.dropFirst().reduce(into: parts[nameCell].octets) {
                $0 += [separator] + $1.octets
            }
            cells.replaceSubrange(parts.indices, with: [CSVCell(octets: text)])
        }
    }

    /// Whether a row has neither RCOIs nor MfgrId: Kismet leaves them out behind a heading that names them.
    private func isWithoutMakers(_ cells: [CSVCell]) -> Bool {
        guard let time = names.firstIndex(of: "firstseen") else { return false }
        let back = names.count - time
        let isTime = { (index: Int) in
            cells.indices.contains(index) && FileValue.moment(FileValue.text(cells[index].octets)) != nil
        }
        return !isTime(cells.count - back) && isTime(cells.count - back + 2)
    }
}
