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
        if head.starts(with: Array("PK".utf8) + [3, 4]) {
            return "it is a zip archive, as KMZ is, too; unpack it and take the file that is in it"
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
        return isUTF16 ? "it is in UTF-16; save it in UTF-8" : nil
    }

    /// What is said of a document of XML by the name of its outermost tag.
    static func xml(_ root: String, for reader: Reader) -> String {
        switch (root, reader) {
        case ("kml", .cameras): "it is KML, which is not read; take the same as GeoJSON or OSM XML"
        case ("kml", _): "it is KML, which is not read; take the same as GPX, CSV or JSON"
        case ("osm", _), ("osmChange", _): "it is OSM XML; \(readsCameras)"
        case ("gpx", _): "it is GPX; \(readsDetections)"
        case (_, .cameras): "it is no OSM XML"
        default: "it is no GPX"
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

    /// What is said of text that is neither JSON nor XML.
    static let table =
        "it is neither GeoJSON, JSON of Overpass nor OSM XML; tables are for lantern detections import"

    static let readsCameras =
        "the cameras in it are read by lantern detections known import, and in Settings, Map, Add a set"
    static let readsDetections = "the detections and drives in it are read by lantern detections import"
}
