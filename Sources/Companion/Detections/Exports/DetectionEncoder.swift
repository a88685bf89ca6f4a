// SPDX-License-Identifier: Apache-2.0

public import Companion

/// A form in which detections leave the store.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    /// One row each, for spreadsheets.
    case csv
    /// One object each, for programs.
    case json
    /// One feature each, for maps; GeoJSON.
    case geojson
    /// One waypoint each, for navigation; GPX 1.1.
    case gpx
    /// One placemark each, for Google Earth; KML 2.2.
    case kml
    /// One row each, for WiGLE and what reads its files; WiGLE CSV 1.6.
    case wigle

    /// How the names of its files end, without the point.
    public var ending: String { self == .wigle ? "wigle.csv" : rawValue }

    /// Finds the form of a file by how its name ends.
    ///
    /// - Parameter name: The name, in whatever case; `nil` comes out when it ends otherwise.
    public init?(endingOf name: String) {
        let name = name.lowercased()
        // The longer first: one ends as another does.
        let fitting = Self.allCases.filter { name.hasSuffix("." + $0.ending) }
        guard let format = fitting.max(by: { $0.ending.count < $1.ending.count }) else { return nil }
        self = format
    }
}

/// What an export says about itself.
public struct ExportHeading: Hashable, Sendable {
    /// When the export is made.
    public var date: Timestamp
    /// The version of the program that makes it.
    public var appVersion: String

    /// Makes a heading.
    public init(date: Timestamp, appVersion: String) {
        self.date = date
        self.appVersion = appVersion
    }
}

/// What an export holds.
public struct ExportSummary: Hashable, Sendable {
    /// Detections that were written.
    public var written = 0
    /// Detections left out because they have no position and the format needs one.
    public var withoutPosition = 0

    /// Detections left out because they have no address and the format needs one.
    public var withoutAddress = 0
    /// Detections left out because nobody knows whether they were heard over Wi-Fi or Bluetooth, and the format needs it.
    public var withoutRadio = 0
    /// Drives that were written.
    public var drives = 0

    /// Makes an empty summary.
    public init() {}
}

/// Turns records into a file, piece by piece; memory stays flat for any number of records.
///
/// Append records, remove the octets from time to time, and finish. What is removed ends where a row ends.
public struct DetectionEncoder: Sendable {
    private enum Form: Sendable {
        case csv(CSVEncoder)
        case json(JSONFileEncoder)
        case geojson(GeoJSONEncoder)
        case gpx(GPXEncoder)
        case kml(KMLEncoder)
        case wigle(WiGLEEncoder)
    }

    /// What was written so far.
    public private(set) var summary = ExportSummary()
    /// What was not taken out yet.
    public private(set) var octets: [UInt8] = []
    private var form: Form
    private let isSeen: Bool

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - format: Its form.
    ///   - heading: What it says about itself.
    ///   - isSeen: Whether it goes to a terminal, where a name must end no line and hide nothing; what a file holds can
    ///     be read back, what is seen there cannot.
    public init(_ format: ExportFormat, heading: ExportHeading, isSeen: Bool = false) {
        self.isSeen = isSeen
        switch format {
        case .csv:
            let encoder = CSVEncoder()
            encoder.begin(into: &octets)
            form = .csv(encoder)
        case .json:
            let encoder = JSONFileEncoder()
            encoder.begin(heading, into: &octets)
            form = .json(encoder)
        case .geojson:
            let encoder = GeoJSONEncoder()
            encoder.begin(into: &octets)
            form = .geojson(encoder)
        case .gpx:
            let encoder = GPXEncoder()
            encoder.begin(heading, into: &octets)
            form = .gpx(encoder)
        case .kml:
            let encoder = KMLEncoder()
            encoder.begin(into: &octets)
            form = .kml(encoder)
        case .wigle:
            let encoder = WiGLEEncoder(isSeen: isSeen)
            encoder.begin(heading, into: &octets)
            form = .wigle(encoder)
        }
    }

    /// Writes a record, or counts it when the form needs a position and it has none.
    ///
    /// - Parameter record: The record.
    public mutating func append(_ record: DetectionRecord) {
        let record = isSeen ? shown(record) : record
        switch form {
        case .csv(let encoder): encoder.append(record, into: &octets)
        case .json(var encoder):
            encoder.append(record, into: &octets)
            form = .json(encoder)
        case .geojson, .gpx, .kml:
            guard appendPlace(record) else {
                summary.withoutPosition += 1
                return
            }
        case .wigle(let encoder):
            guard encoder.append(record, into: &octets, &summary) else { return }
        }
        summary.written += 1
    }

    /// A record of which no text ends a line; JSON has no such texts anyway.
    private func shown(_ record: DetectionRecord) -> DetectionRecord {
        switch form {
        case .json, .geojson: record
        case .csv, .gpx, .kml, .wigle: record.printable
        }
    }

    /// Writes a record in a form that needs a position, if it has one.
    private mutating func appendPlace(_ record: DetectionRecord) -> Bool {
        switch form {
        case .geojson(var encoder):
            defer { form = .geojson(encoder) }
            return encoder.append(record, into: &octets)
        case .gpx(let encoder): return encoder.append(record, into: &octets)
        case .kml(let encoder): return encoder.append(record, into: &octets)
        case .csv, .json, .wigle: return true
        }
    }

    /// Whether the form has a place for drives, behind the records.
    public var takesDrives: Bool {
        switch form {
        case .gpx, .kml: true
        case .csv, .json, .geojson, .wigle: false
        }
    }

    /// Begins a drive.
    ///
    /// Its points follow, and ``endDrive()``. A form that has no place for drives is not changed.
    ///
    /// - Parameter number: Its number.
    public mutating func beginDrive(_ number: Int64) {
        switch form {
        case .gpx(let encoder): encoder.beginDrive(number, into: &octets)
        case .kml(let encoder): encoder.beginDrive(number, into: &octets)
        case .csv, .json, .geojson, .wigle: return
        }
        summary.drives += 1
    }

    /// Writes a point of a drive.
    ///
    /// - Parameter fix: The point.
    public mutating func append(_ fix: Fix) {
        switch form {
        case .gpx(let encoder): encoder.append(fix, into: &octets)
        case .kml(let encoder): encoder.append(fix, into: &octets)
        case .csv, .json, .geojson, .wigle: break
        }
    }

    /// Ends a drive.
    public mutating func endDrive() {
        switch form {
        case .gpx(let encoder): encoder.endDrive(into: &octets)
        case .kml(let encoder): encoder.endDrive(into: &octets)
        case .csv, .json, .geojson, .wigle: break
        }
    }

    /// Writes what comes after the rows.
    public mutating func finish() {
        switch form {
        case .csv, .wigle: break
        case .json(let encoder): encoder.end(into: &octets)
        case .geojson(let encoder): encoder.end(into: &octets)
        case .gpx(let encoder): encoder.end(into: &octets)
        case .kml(let encoder): encoder.end(into: &octets)
        }
    }

    /// Removes and returns the octets.
    ///
    /// - Returns: What was written since they were taken out last.
    public mutating func removeAll() -> [UInt8] {
        defer { octets.removeAll(keepingCapacity: true) }
        return octets
    }
}
