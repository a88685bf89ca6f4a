// SPDX-License-Identifier: Apache-2.0

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
}

/// What an export says about itself.
public struct ExportHeading: Hashable, Sendable {
    /// When the export is made.
    public var date: Timestamp
    /// The version of the program that makes it.
    public var appVersion: String

    /// Makes a heading.
    ///
    /// - Parameters:
    ///   - date: When the export is made.
    ///   - appVersion: The version of the program.
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

    /// Makes an empty summary.
    public init() {}
}

/// Turns records into a file, piece by piece; memory stays flat for any number of records.
///
/// Append the records, take the octets out from time to time, and finish. What is taken out ends where a row ends.
public struct DetectionEncoder: Sendable {
    private enum Form: Sendable {
        case csv(CSVEncoder)
        case json(JSONFileEncoder)
        case geojson(GeoJSONEncoder)
        case gpx(GPXEncoder)
        case kml(KMLEncoder)
    }

    /// What was written so far.
    public private(set) var summary = ExportSummary()
    /// What was not taken out yet.
    public private(set) var octets: [UInt8] = []
    private var form: Form

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - format: Its form.
    ///   - heading: What it says about itself.
    public init(_ format: ExportFormat, heading: ExportHeading) {
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
        }
    }

    /// Writes a record, or counts it when the form needs a position and it has none.
    ///
    /// - Parameter record: The record.
    public mutating func append(_ record: DetectionRecord) {
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
        }
        summary.written += 1
    }

    /// Writes a record in a form that needs a position, if it has one.
    private mutating func appendPlace(_ record: DetectionRecord) -> Bool {
        switch form {
        case .geojson(var encoder):
            defer { form = .geojson(encoder) }
            return encoder.append(record, into: &octets)
        case .gpx(let encoder): return encoder.append(record, into: &octets)
        case .kml(let encoder): return encoder.append(record, into: &octets)
        case .csv, .json: return true
        }
    }

    /// Writes what comes after the rows.
    public mutating func finish() {
        switch form {
        case .csv: break
        case .json(let encoder): encoder.end(into: &octets)
        case .geojson(let encoder): encoder.end(into: &octets)
        case .gpx(let encoder): encoder.end(into: &octets)
        case .kml(let encoder): encoder.end(into: &octets)
        }
    }

    /// Takes the octets out.
    ///
    /// - Returns: What was written since they were taken out last.
    public mutating func removeAll() -> [UInt8] {
        defer { octets.removeAll(keepingCapacity: true) }
        return octets
    }
}
