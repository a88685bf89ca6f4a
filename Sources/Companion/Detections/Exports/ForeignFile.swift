// SPDX-License-Identifier: Apache-2.0

/// What a file is that somebody has given to a reader of something else, and what to do with it.
enum ForeignFile {
    /// Who reads.
    enum Reader: Sendable {
        /// Detections and drives.
        case detections
        /// Cameras that others know.
        case cameras
        /// A track that is played.
        case track
    }

    /// So many octets tell all kinds apart that are told by their first octets.
    static let headLength = 16

    /// What a file is that nobody here reads, by its first octets.
    ///
    /// - Parameter head: Its first octets: ``headLength`` of them, or all that there are.
    /// - Returns: What is said of it; `nil` when it may be text.
    static func binary(_ head: [UInt8]) -> String? {
        if head.starts(with: [0x1F, 0x8B]) {
            return "it is compressed with gzip; unpack it, for example with gunzip"
        }
        for (mark, reason) in marks where head.starts(with: mark) { return reason }
        // A length in four octets, and the first member of a block's header.
        if head.count > 4, head[0] == 0, head[4...].starts(with: [0x0A, 9] + Array("OSMHeader".utf8)) {
            return
                "it is OSM PBF, which is not read; make OSM XML of its cameras, for example with osmium tags-filter FILE "
                + "man_made=surveillance -o cameras.osm, for lantern detections known import"
        }
        let zips: [[UInt8]] = [[3, 4], [5, 6], [7, 8]]
        if zips.contains(where: { head.starts(with: Array("PK".utf8) + $0) }) {
            return
                "it is a zip archive, as KMZ is, too; unpack it and take the file that is in it, or save a spreadsheet as CSV"
        }
        if head.starts(with: "SQLite format 3".utf8) {
            return
                "it is an SQLite database; one of Lantern is opened with --database, and of what another program has kept take "
                + "its export, as CSV or JSON"
        }
        // Their byte order marks, which no UTF-8 has; or what a text begins with, in two octets.
        let isUTF16 =
            head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE])
            || head.count >= 2 && (head[0] == 0) != (head[1] == 0)
        if isUTF16 { return "it is in UTF-16; save it in UTF-8" }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
            return webPage
        }
        return head.prefix(8).contains(0) ? "it is not text, \(holdsNone)" : nil
    }

    /// First octets that tell a kind alone, and what is said of it.
    private static let marks: [([UInt8], String)] = [
        (Array("BZh".utf8), "it is compressed with bzip2; unpack it, for example with bunzip2"),
        ([0xFD] + Array("7zXZ".utf8), "it is compressed with xz; unpack it, for example with unxz"),
        (Array("7z".utf8) + [0xBC, 0xAF], "it is a 7z archive; unpack it and take the file that is in it"),
        (Array("Rar!".utf8), "it is a RAR archive; unpack it and take the file that is in it"),
        ([0xD0, 0xCF, 0x11, 0xE0], "it is a document of Microsoft Office; save a spreadsheet as CSV"),
        ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed with zstd; unpack it, for example with unzstd"),
        ([0x89] + Array("PNG".utf8), "it is a PNG picture, \(holdsNone)"),
        ([0xFF, 0xD8, 0xFF], "it is a JPEG picture, \(holdsNone)"),
        (Array("%PDF".utf8), "it is a PDF, \(holdsNone)"),
    ]
    private static let webPage =
        "it is a web page; download the file itself, for example with Raw or Download on that page"
    private static let holdsNone =
        "out of which nothing is read; export the data themselves from the program that made it"

    /// What is said of a document of XML by the name of its outermost tag.
    static func xml(_ root: String, for reader: Reader) -> String {
        switch (root, reader) {
        // As Overpass answers when it is busy.
        case _ where root.lowercased() == "html": webPage
        case ("kml", .cameras): "it is KML, which is not read; take the same as GeoJSON or OSM XML"
        case ("kml", .track): "it is KML, which is not played; take the same as GPX"
        case ("TrainingCenterDatabase", .track), ("TrainingCenterDatabase", .detections):
            "it is TCX, which is not read; take the same as GPX"
        case ("detection-run", .detections):
            "it is netxml of Kismet, which is not read; make WiGLE CSV of its log with kismetdb_to_wiglecsv"
        case ("kml", _): "it is KML, which is not read; take the same as GPX, CSV or JSON"
        case ("osm", _), ("osmChange", _): "it is OSM XML; \(readsCameras)"
        case ("gpx", _): "it is GPX; \(readsDetections)"
        default: noXML(for: reader)
        }
    }

    /// What is said of a document of XML that is nothing that anybody here knows.
    static func noXML(for reader: Reader) -> String {
        switch reader {
        case .detections: "it is not GPX; export detections as CSV or JSON, and drives as GPX"
        case .cameras: "it is not OSM XML; export the cameras as OSM XML or GeoJSON"
        case .track: "it is not GPX; export the track as GPX"
        }
    }

    /// What is said of JSON by a list that it has.
    static func json(_ list: String, for reader: Reader) -> String? {
        switch (list, reader) {
        case ("features", .detections), ("features", .track): "it is GeoJSON; \(readsCameras)"
        case ("elements", .detections), ("elements", .track): "it is JSON of Overpass; \(readsCameras)"
        case ("detections", .cameras), ("detections", .track): "it is JSON of detections; \(readsDetections)"
        default: nil
        }
    }

    /// What is said of a file that is to be played and is no XML, by what it begins with; `nil` when it may be XML.
    static func unplayable(_ octets: [UInt8]) -> String? {
        let isBlank = { (octet: UInt8) in octet == 0x20 || octet == 0x0A || octet == 0x0D || octet == 0x09 }
        var text = octets[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        text = text.drop(while: isBlank)
        switch text.first {
        case nil, UInt8(ascii: "<"): return nil
        case UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E:
            // Beyond that no list begins which is worth the search.
            if let reason = list(in: text.prefix(1 << 20)).flatMap({ json($0, for: .track) }) {
                return reason
            }
            return
                "it is JSON, not GPX; detections in JSON are read by lantern detections import, and cameras by "
                + "lantern detections known import"
        default:
            let line = text.prefix(4096).prefix { $0 != 0x0A && $0 != 0x0D }
            guard line.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") || $0 == 9 })
            else {
                return noXML(for: .track)
            }
            return
                "it is a table, such as CSV, not GPX; the detections in it are read by lantern detections import"
        }
    }

    /// The list of the outermost object that says what JSON is; `features` also of a feature alone.
    private static func list(in text: ArraySlice<UInt8>) -> String? {
        var (depth, isText, isEscaped) = (0, false, false)
        var key: [UInt8] = []
        for octet in text {
            if isText {
                isText = isEscaped || octet != UInt8(ascii: "\"")
                isEscaped = !isEscaped && octet == UInt8(ascii: "\\")
                if isText, depth == 1, key.count < 32 { key.append(octet) }
                continue
            }
            switch octet {
            case UInt8(ascii: "\""):
                isText = true
                if depth == 1 { key = [] }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth == 2 else { continue }
                let name = String(decoding: key, as: UTF8.self)
                if name == "geometry" { return "features" }
                if ["features", "elements", "detections"].contains(name) { return name }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return nil
    }

    /// What is said of text that is neither JSON nor XML.
    static let table =
        "it is neither GeoJSON, JSON of Overpass nor OSM XML; cameras are not read from tables, and tables of detections are "
        + "for lantern detections import"

    /// The tables that are read for detections.
    static let tablesOfDetections =
        "tables of Lantern, of FlockFinder's app, of flock-you, of Kismet and of WiGLE (its app and its site)"

    /// The forms that are read for detections, where JSON is of none of them.
    static let formsOfDetections =
        "what is read is JSON of Lantern and of FlockFinder's app, which is one object with a list \"detections\", and "
        + tablesOfDetections

    /// The forms that are read for cameras, where JSON is of none of them.
    static let formsOfCameras =
        "what is read is GeoJSON, JSON of Overpass, OSM XML and regions of DeFlock, which are a list"

    /// What is said of JSON with an object in each line.
    static let jsonLines =
        "it has one object per line (JSON Lines), which is not read; export the detections again, as JSON or CSV: "
        + formsOfDetections

    static let readsCameras =
        "the cameras in it are read by lantern detections known import, and in Settings, Map, Add a set"
    static let readsDetections = "the detections and drives in it are read by lantern detections import"
}
