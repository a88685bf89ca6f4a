// SPDX-License-Identifier: Apache-2.0

import FlockFinder

/// Reads detections and drives out of GPX that comes in parts.
///
/// Waypoints that an export of ours has written are detections; each segment of a track is a drive.
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

    /// Octets that a point may have, and values: as many as a row of a table.
    static let limit = CSVSplitter.rowLimit

    /// Points of one drive; a longer track goes on as another.
    let longestDrive: Int
    private var pieces = XMLPieces()
    private var isRoot = true
    private var point: Point?
    private var text = ""
    private var track: (line: Int, fixes: [Fix])?

    init(longestDrive: Int) { self.longestDrive = longestDrive }

    /// Takes the next part of the file.
    mutating func receive(_ octets: [UInt8]) { pieces.receive(octets) }

    /// Takes the end of the file.
    mutating func finish() { pieces.finish() }

    /// Reads on to the next row.
    ///
    /// - Returns: The row; `nil` at the end, or when more has to come first.
    /// - Throws: ``ImportFault``, after which the file cannot be read any further.
    mutating func next() throws(ImportFault) -> DetectionFile.Row? {
        while true {
            let piece: XMLPieces.Piece?
            do throws(BadInput) { piece = try pieces.next() } catch {
                throw ImportFault(pieces.line, error.description)
            }
            guard let piece else { return nil }
            switch piece {
            case .start(let name, let attributes): try start(name, attributes)
            case .text(let part): try note(part)
            case .end(let name): if let row = try end(name) { return row }
            }
        }
    }

    /// Whether nothing of a document has come.
    var isEmpty: Bool { isRoot }

    private mutating func start(_ name: String, _ attributes: [String: String]) throws(ImportFault) {
        guard !isRoot || name == "gpx" else { throw ImportFault(pieces.line, "it is no GPX") }
        isRoot = false
        text = ""
        switch name {
        case "wpt", "trkpt":
            var values: [String: String] = [:]
            values["latitude"] = attributes["lat"]
            values["longitude"] = attributes["lon"]
            point = Point(line: pieces.line, values: values)
        case "trkseg": track = (pieces.line, [])
        case "detection" where point != nil:
            point?.own = [:]
            point?.isInOwn = true
        default: break
        }
    }

    /// Keeps text of a point; others say nothing here.
    private mutating func note(_ part: String) throws(ImportFault) {
        guard point != nil else { return }
        try count(part.utf8.count)
        text += part
    }

    /// Counts what a point has, before it is kept.
    private mutating func count(_ octets: Int) throws(ImportFault) {
        point?.octets += octets
        guard let point else { return }
        guard point.octets <= Self.limit.octets else {
            throw ImportFault(point.line, "a point has more than \(Self.limit.octets) octets")
        }
        guard point.count <= Self.limit.cells else {
            throw ImportFault(point.line, "a point has more than \(Self.limit.cells) values")
        }
    }

    private mutating func end(_ name: String) throws(ImportFault) -> DetectionFile.Row? {
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

    private static func detection(_ point: Point) -> DetectionFile.Row {
        guard let own = point.own else {
            return .bad(ImportFault(point.line, "this waypoint is no detection that Lantern has written"))
        }
        var cells = own.mapValues { CSVCell(octets: Array($0.utf8), isQuoted: true) }
        let names = [
            "type": "device_type", "time": "timestamp", "ele": "altitude", "latitude": "latitude",
            "longitude": "longitude",
        ]
        for (name, column) in names {
            if let text = point.values[name] {
                cells[column] = CSVCell(octets: Array(text.utf8), isQuoted: true)
            }
        }
        do throws(ImportFault) {
            return .detection(try CSVRow(line: point.line, cells: cells, hasGuards: false).detection())
        } catch {
            return .bad(error)
        }
    }

    private mutating func place(_ point: Point) -> DetectionFile.Row? {
        let number = { (name: String) in point.values[name].flatMap { Double(decimal: $0.utf8) } }
        guard let latitude = number("latitude"), let longitude = number("longitude"),
            let position = Position(latitude: latitude, longitude: longitude)
        else {
            return .bad(
                ImportFault(point.line, "a point of a track has no latitude or longitude that can be"))
        }
        guard let time = point.values["time"].flatMap(Timestamp.init) else {
            return .bad(ImportFault(point.line, "a point of a track has no time"))
        }
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

    private static func drive(_ track: (line: Int, fixes: [Fix])) -> DetectionFile.Row? {
        if let drive = ImportedDrive(line: track.line, fixes: track.fixes) { return .drive(drive) }
        let reason = "a part of a track has fewer than two points with places and times"
        return track.fixes.isEmpty ? nil : .bad(ImportFault(track.line, reason))
    }
}
