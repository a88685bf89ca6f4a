// SPDX-License-Identifier: Apache-2.0

/// Reads cameras out of what others have mapped: OpenStreetMap, or a list made of it such as DeFlock's.
///
/// A file that begins with `<` is OSM XML, of which nodes and ways are read; others are GeoJSON, of which points, lines and
/// areas are. What is more than a point stands in the middle of its points. A camera has the tag `man_made` =
/// `surveillance`, in its properties or in `tags` within them.
///
/// Source: <https://wiki.openstreetmap.org/wiki/Tag:man_made%3Dsurveillance>.
public struct KnownCameraFile: Sendable {
    /// The most cameras that a set has.
    public static let limit = 250_000
    /// The most octets that all that is said of them has, beyond their places.
    static let mostOctets = 32 << 20

    private enum Form: Sendable {
        case unknown
        case geojson(JSONSplitter)
        case osm(OSMElements)
        case over

        var isUnknown: Bool { if case .unknown = self { true } else { false } }
    }

    /// The cameras so far.
    public private(set) var cameras: [ListedCamera] = []
    /// Entries that are right and are no cameras, or that come a second time.
    public private(set) var passed = 0
    /// The entries that cannot be used.
    public private(set) var refused = 0
    /// The first of them.
    public private(set) var faults: [ImportFault] = []
    /// Why the file cannot be read.
    public private(set) var broken: ImportFault?
    /// Who has made the file, as it says; empty when it does not.
    public private(set) var origin = ""
    /// Which version it is, as it says; empty when it does not.
    public private(set) var version = ""
    /// How many faults are kept.
    private static let keptFaults = 20

    private var form = Form.unknown
    private var references: Set<String> = []
    private var octets = 0
    private var passedMark = 0
    private var line = 1

    /// Begins a file.
    public init() {}

    /// Takes the next part of the file.
    ///
    /// - Parameter octets: The part; some 64 KB are right.
    public mutating func receive(_ octets: [UInt8]) {
        var rest = octets[...]
        while form.isUnknown, let octet = rest.first { begin(octet, &rest) }
        do throws(ImportFault) {
            switch form {
            case .unknown, .over: break
            case .geojson(var splitter):
                form = .over
                for octet in rest {
                    if let row = try splitter.receive(octet) { try take(row) }
                }
                form = .geojson(splitter)
            case .osm(var elements):
                form = .over
                elements.receive(Array(rest))
                try read(&elements)
                form = .osm(elements)
            }
        } catch {
            form = .over
            broken = error
        }
    }

    /// Takes the end of the file.
    public mutating func finish() {
        do throws(ImportFault) {
            switch form {
            case .unknown: throw ImportFault(line, "the file is empty")
            case .over: break
            case .geojson(let splitter):
                try splitter.finish()
                origin = splitter.texts["generator"] ?? ""
                version = splitter.texts["timestamp"] ?? ""
            case .osm(var elements):
                elements.finish()
                try read(&elements)
                if elements.isEmpty { throw ImportFault(line, "it is no OSM XML") }
                (origin, version) = (elements.origin, elements.version)
            }
        } catch {
            broken = error
        }
        form = .over
    }

    private mutating func begin(_ octet: UInt8, _ rest: inout ArraySlice<UInt8>) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        switch octet {
        case _ where passedMark < 3 && octet == mark[passedMark]:
            passedMark += 1
            rest.removeFirst()
        case 0x20, 0x09, 0x0A, 0x0D:
            if octet == 0x0A { line += 1 }
            rest.removeFirst()
        case UInt8(ascii: "<"): form = .osm(OSMElements())
        default: form = .geojson(JSONSplitter(line: line, .features))
        }
    }

    private mutating func read(_ elements: inout OSMElements) throws(ImportFault) {
        while let element = try elements.next() {
            try use(element.line) { () throws(ImportFault) in try ListedCamera(element) }
        }
    }

    private mutating func take(_ row: JSONSplitter.Row) throws(ImportFault) {
        try use(row.line) { () throws(ImportFault) in
            do throws(JSONFault) {
                return try ListedCamera(
                    feature: try JSONReader.read(row.octets, line: row.line, column: row.column))
            } catch {
                throw ImportFault(error.line, column: error.column, error.reason)
            }
        }
    }

    private mutating func use(
        _ line: Int, _ camera: () throws(ImportFault) -> ListedCamera?
    ) throws(ImportFault) {
        let found: ListedCamera?
        do throws(ImportFault) {
            found = try camera()
        } catch {
            refused += 1
            if faults.count < Self.keptFaults { faults.append(error) }
            return
        }
        guard let found, references.insert(found.reference).inserted else {
            passed += 1
            return
        }
        guard cameras.count < Self.limit else {
            throw ImportFault(line, "it has more than \(Self.limit) cameras")
        }
        octets += found.reference.utf8.count + found.name.utf8.count + found.tags.utf8.count
        guard octets <= Self.mostOctets else {
            throw ImportFault(
                line, "its cameras have more than \(Self.mostOctets) octets of names and tags")
        }
        cameras.append(found)
    }
}
