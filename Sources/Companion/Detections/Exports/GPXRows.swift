// SPDX-License-Identifier: Apache-2.0

import Companion

/// Reads detections and drives out of GPX that comes in parts.
///
/// Waypoints that an export of ours, or FlockFinder's app, has written are detections; each segment of a track is a drive.
/// Other waypoints, routes, segments of one point and points at 0,0 are passed over.
struct GPXRows: Sendable {
    private struct Point: Sendable {
        let line: Int
        var values: [String: String]
        /// What our own extension says.
        var own: [String: String]?
        var isInOwn = false
        /// Octets of all that was read of it.
        var octets = 0

        /// How many values it has.
        var count: Int { values.count + (own?.count ?? 0) }
    }

    /// What is wrong with points of a track, told once it is at its end.
    private struct Faults: Sendable {
        /// Points that were taken.
        var taken = 0
        /// How many there are of each kind, and the first of them: in which line, and what it says.
        var kinds: [(reason: String, line: Int, sample: String, count: Int)] = []

        mutating func add(_ reason: String, _ line: Int, sample: String = "") {
            if let index = kinds.firstIndex(where: { $0.reason == reason }) {
                kinds[index].count += 1
            } else {
                kinds.append((reason, line, sample, 1))
            }
        }
    }

    /// Octets that a point may have, and values: as many as a row of a table.
    static let limit = CSVSplitter.rowLimit

    /// Points of one drive; a longer track goes on as another.
    let longestDrive: Int
    private var pieces = XMLPieces()
    private var isRoot = true
    private var point: Point?
    private var text = ""
    private var track: (line: Int, fixes: [Fix])?
    private var faults = Faults()
    private var hasRoute = false
    private var waiting: [DetectionFile.Row] = []
    /// Why the file cannot be read any further.
    private var fault: ImportError?

    init(longestDrive: Int) { self.longestDrive = longestDrive }

    /// Takes the next part of the file.
    mutating func receive(_ octets: [UInt8]) { pieces.receive(octets) }

    /// Takes the end of the file.
    mutating func finish() { pieces.finish() }

    /// Reads on to the next row.
    ///
    /// - Returns: The row; `nil` at the end, or when more has to come first.
    /// - Throws: ``ImportError``, after which the file cannot be read any further.
    mutating func next() throws(ImportError) -> DetectionFile.Row? {
        while true {
            if let row = waiting.popLast() { return row }
            if let fault { throw fault }
            let piece: XMLPieces.Piece?
            do throws(BadInput) { piece = try pieces.next() } catch {
                fault = ImportError(pieces.line, error.description)
                endTrack()
                continue
            }
            guard let piece else { return nil }
            switch piece {
            case .start(let name, let attributes): try start(name, attributes)
            case .text(let part): try note(part)
            case .end(let name): if let row = try end(name) { return row }
            }
        }
    }

    /// The line that is read.
    var line: Int { mutating get { pieces.line } }

    /// Whether nothing of a document has come.
    var isEmpty: Bool { isRoot }

    private mutating func start(_ name: String, _ attributes: [String: String]) throws(ImportError) {
        guard !isRoot || name == "gpx" else {
            throw ImportError(pieces.line, ForeignFile.xml(name, for: .detections))
        }
        isRoot = false
        text = ""
        switch name {
        case "wpt", "trkpt":
            var values: [String: String] = [:]
            values["latitude"] = attributes["lat"]
            values["longitude"] = attributes["lon"]
            point = Point(line: pieces.line, values: values)
        case "trk": faults = Faults()
        case "trkseg": track = (pieces.line, [])
        case "detection" where point != nil:
            point?.own = [:]
            point?.isInOwn = true
        default: break
        }
    }

    /// Keeps text of a point; others say nothing here.
    private mutating func note(_ part: String) throws(ImportError) {
        guard point != nil else { return }
        try count(part.utf8.count)
        text += part
    }

    /// Counts what a point has, before it is kept.
    private mutating func count(_ octets: Int) throws(ImportError) {
        point?.octets += octets
        guard let point else { return }
        guard point.octets <= Self.limit.octets else {
            throw ImportError(point.line, "a point has more than \(Self.limit.octets) octets")
        }
        guard point.count <= Self.limit.cells else {
            throw ImportError(point.line, "a point has more than \(Self.limit.cells) values")
        }
    }

    private mutating func end(_ name: String) throws(ImportError) -> DetectionFile.Row? {
        defer { text = "" }
        switch name {
        case "wpt":
            defer { point = nil }
            return point.map(Self.detection)
        case "trkpt":
            defer { point = nil }
            return point.flatMap { place($0) }
        case "trkseg":
            defer { track = nil }
            return track.flatMap { Self.drive($0) }
        case "trk": tellFaults()
        case "rte":
            if !hasRoute {
                let reason =
                    "a route is a plan, not a drive: its points have no times; what is recorded is a track"
                waiting.append(.noted(ImportError(pieces.line, reason)))
            }
            hasRoute = true
            return .passed
        case "detection": point?.isInOwn = false
        default:
            try count(name.utf8.count)
            if point?.isInOwn == true {
                point?.own?[name] = text
            } else if point?.values[name] == nil {
                // The elements of the format come before its extensions, which may have others of these names.
                // A label may begin and end with blanks; nothing else does.
                point?.values[name] = name == "type" ? text : text.trimmed
            }
        }
        return nil
    }

    /// Ends the file where it is, with what was read of a track.
    mutating func stop() -> [DetectionFile.Row] {
        endTrack()
        defer { waiting = [] }
        return waiting.reversed()
    }

    /// What a recorder has written before it was switched off is a drive, too, with what is wrong with it.
    private mutating func endTrack() {
        tellFaults()
        if let row = track.flatMap({ Self.drive($0) }) { waiting.append(row) }
        track = nil
    }

    /// Tells what is wrong with the points of a track.
    private mutating func tellFaults() {
        let all = faults.taken == 0 && faults.kinds.count == 1
        for kind in faults.kinds.reversed() {
            let points =
                kind.count == 1
                ? "a point of a track has" : "\(all ? "all " : "")\(kind.count) points of a track have"
            let sample = kind.sample.isEmpty ? "" : ", such as \"\(kind.sample.shortened)\""
            waiting.append(.bad(ImportError(kind.line, "\(points) \(kind.reason)\(sample)")))
        }
        faults = Faults()
    }

    private static func detection(_ point: Point) -> DetectionFile.Row {
        guard let own = point.own ?? described(point) else { return .passed }
        var cells = own.mapValues { CSVCell(octets: Array($0.utf8), isQuoted: true) }
        let names = [
            "type": "device_type", "time": "timestamp", "ele": "altitude", "latitude": "latitude",
            "longitude": "longitude",
        ]
        for (name, column) in names {
            // The app writes that it is at sea level where it does not know.
            if point.own == nil, name == "ele" { continue }
            if let text = point.values[name] {
                cells[column] = CSVCell(octets: Array(text.utf8), isQuoted: true)
            }
        }
        do throws(ImportError) {
            return .detection(try CSVRow(line: point.line, cells: cells, hasGuards: false).detection())
        } catch {
            return .bad(error)
        }
    }

    /// What FlockFinder's app writes as text, `MAC: …, RSSI: -60, Confidence: 90%`; so do we, for whoever drops extensions.
    private static func described(_ point: Point) -> [String: String]? {
        var own: [String: String] = [:]
        for part in (point.values["desc"] ?? "").split(separator: ",") {
            guard let colon = part.firstIndex(of: ":") else { continue }
            let value = String(part[part.index(after: colon)...]).trimmed
            switch String(part[..<colon]).trimmed.lowercased() {
            case "mac": own["mac_address"] = value
            case "rssi": own["rssi"] = value.split(separator: " ").first.map { String($0) }
            case "confidence" where value.hasSuffix("%"): own["percent"] = String(value.dropLast())
            case "confidence": own["confidence"] = value
            default: break
            }
        }
        return own["rssi"] != nil && own.count > 1 ? own : nil
    }

    private mutating func place(_ point: Point) -> DetectionFile.Row? {
        let number = { (name: String) in point.values[name].flatMap { Double(decimal: $0.utf8) } }
        guard let latitude = number("latitude"), let longitude = number("longitude"),
            let position = Position(latitude: latitude, longitude: longitude)
        else {
            faults.add("a latitude or longitude that is missing or out of range", point.line)
            return nil
        }
        guard !Position.isNowhere(latitude, longitude) else { return .passed }
        let written = point.values["time"] ?? ""
        guard let time = FileValue.moment(written) else {
            faults.add(
                written.isEmpty ? "no time" : "a time that cannot be read", point.line, sample: written)
            return nil
        }
        faults.taken += 1
        let own = { (name: String) in point.own?[name].flatMap { Double(decimal: $0.utf8) } ?? number(name) }
        let positive = { (name: String) in own(name).flatMap { $0 >= 0 ? $0 : nil } }
        let fix = Fix(
            time: time.milliseconds, latitude: position.latitude, longitude: position.longitude,
            altitude: number("ele"), accuracy: positive("accuracy"), speed: positive("speed"), source: .track)
        track?.fixes.append(fix)
        guard let full = track, full.fixes.count >= longestDrive else { return nil }
        track = (pieces.line, [fix])
        return Self.drive(full)
    }

    /// A segment of one point is no way; it is passed over.
    private static func drive(_ track: (line: Int, fixes: [Fix])) -> DetectionFile.Row? {
        if let drive = ImportedDrive(line: track.line, fixes: track.fixes) { return .drive(drive) }
        return track.fixes.isEmpty ? nil : .passed
    }
}
