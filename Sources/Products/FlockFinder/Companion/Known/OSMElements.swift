// SPDX-License-Identifier: Apache-2.0

/// Reads the nodes and ways that have tags out of OSM XML that comes in parts.
///
/// A way has no place of its own: it is where its nodes are, in the middle of them. They stand before it in most files and
/// behind it in some, so the places of all nodes are kept, and a way that was mapped as a camera is given out at the end.
///
/// Source: <https://wiki.openstreetmap.org/wiki/OSM_XML>.
struct OSMElements: Sendable {
    /// A node or a way with its tags.
    struct Element: Sendable {
        let line: Int
        /// What names it, such as `way/12`; `nil` when it has no number.
        let reference: String?
        /// Where it is; `nil` where that is not said, or is nowhere.
        let position: Position?
        let tags: [String: String]
    }

    /// A place of the file in ten-millionths of a degree, as exact as OSM is.
    private struct Place: Sendable {
        let latitude: Int32
        let longitude: Int32

        init(_ position: Position) {
            latitude = Int32((position.latitude * 1e7).rounded())
            longitude = Int32((position.longitude * 1e7).rounded())
        }
    }

    private struct Way: Sendable {
        let line: Int
        let id: String?
        var tags: [String: String]
        var center: Position?
        var nodes: [Int64]
    }

    private enum Open: Sendable {
        case nothing
        case node(line: Int, id: String?, Position?, tags: [String: String])
        case way(Way)
    }

    /// Places of nodes that are kept: those of a city.
    static let mostPlaces = 1_000_000
    /// Nodes of all ways that wait for the end.
    static let mostWaiting = 1_000_000
    /// Nodes of one way; OSM allows as many.
    private static let mostNodes = 2000
    /// Octets of the tags of one element, and tags.
    private static let limit = CSVSplitter.rowLimit

    private var pieces = XMLPieces()
    private var isRoot = true
    private var open = Open.nothing
    /// Octets of the tags of the element that is open.
    private var octets = 0
    private var places: [Int64: Place] = [:]
    private var waiting: [Way] = []
    private var waitingNodes = 0
    private var waitingOctets = 0
    private var given = 0
    private var isOver = false
    /// Who has made the file.
    private(set) var origin = ""
    /// Of when its data are.
    private(set) var version = ""

    /// Whether nothing of a document has come.
    var isEmpty: Bool { isRoot }

    /// Takes the next part of the file.
    mutating func receive(_ octets: [UInt8]) { pieces.receive(octets) }

    /// Takes the end of the file.
    mutating func finish() {
        pieces.finish()
        isOver = true
    }

    /// Reads on to the next element with tags.
    ///
    /// - Returns: The element; `nil` at the end, or when more has to come first.
    /// - Throws: ``ImportFault``, after which the file cannot be read any further.
    mutating func next() throws(ImportFault) -> Element? {
        while true {
            let piece: XMLPieces.Piece?
            do throws(BadInput) { piece = try pieces.next() } catch {
                throw ImportFault(pieces.line, error.description)
            }
            switch piece {
            case nil: return isOver ? nextWay() : nil
            case .start(let name, let attributes)?: try start(name, attributes)
            case .end(let name)?: if let element = try end(name) { return element }
            case .text?: break
            }
        }
    }

    private mutating func start(_ name: String, _ attributes: [String: String]) throws(ImportFault) {
        guard !isRoot || name == "osm" else { throw ImportFault(pieces.line, "it is no OSM XML") }
        isRoot = false
        switch name {
        case "osm":
            origin = String((attributes["generator"] ?? "").prefix(200))
            version = String((attributes["timestamp"] ?? "").prefix(200))
        case "meta": version = String((attributes["osm_base"] ?? version).prefix(200))
        case "node":
            octets = 0
            let (id, position) = (Self.number(attributes), Self.position(attributes))
            keep(id, position)
            open = .node(line: pieces.line, id: id, position, tags: [:])
        case "way":
            octets = 0
            open = .way(Way(line: pieces.line, id: Self.number(attributes), tags: [:], nodes: []))
        case "nd", "center", "tag": try note(name, attributes)
        default: break
        }
    }

    /// Adds what stands in an element to it.
    private mutating func note(_ name: String, _ attributes: [String: String]) throws(ImportFault) {
        if name == "tag" {
            octets += (attributes["k"]?.utf8.count ?? 0) + (attributes["v"]?.utf8.count ?? 0)
            guard octets <= Self.limit.octets else {
                throw ImportFault(pieces.line, "an element has more than \(Self.limit.octets) octets of tags")
            }
        }
        switch (open, name) {
        case (.node(let line, let id, let position, var tags), "tag"):
            open = .nothing
            Self.add(attributes, to: &tags)
            open = .node(line: line, id: id, position, tags: tags)
        case (.way(var way), _):
            open = .nothing
            switch name {
            case "tag": Self.add(attributes, to: &way.tags)
            case "center": way.center = Self.position(attributes)
            default:
                if way.nodes.count < Self.mostNodes, let node = attributes["ref"].flatMap({ Int64($0) }) {
                    way.nodes.append(node)
                }
            }
            open = .way(way)
        default: break
        }
    }

    private mutating func end(_ name: String) throws(ImportFault) -> Element? {
        switch (open, name) {
        case (.node(let line, let id, let position, let tags), "node"):
            open = .nothing
            guard !tags.isEmpty else { return nil }
            return Element(line: line, reference: id.map { "node/\($0)" }, position: position, tags: tags)
        case (.way(let way), "way"):
            open = .nothing
            guard !way.tags.isEmpty else { return nil }
            guard ListedCamera.isCamera(way.tags), way.center == nil else {
                return Self.element(way, way.center)
            }
            waitingNodes += way.nodes.count
            waitingOctets += octets
            guard waitingNodes <= Self.mostWaiting, waiting.count < KnownCameraFile.limit,
                waitingOctets <= KnownCameraFile.mostOctets
            else {
                throw ImportFault(way.line, "it has more cameras that are ways than can be kept")
            }
            waiting.append(way)
        default: break
        }
        return nil
    }

    /// The next way that waited for the end.
    private mutating func nextWay() -> Element? {
        guard given < waiting.count else { return nil }
        defer { given += 1 }
        let way = waiting[given]
        return Self.element(way, middle(of: way.nodes))
    }

    private static func element(_ way: Way, _ position: Position?) -> Element {
        Element(line: way.line, reference: way.id.map { "way/\($0)" }, position: position, tags: way.tags)
    }

    /// Keeps where a node is; of two of the same number the first counts.
    private mutating func keep(_ id: String?, _ position: Position?) {
        guard let number = id.flatMap({ Int64($0) }), let position, places.count < Self.mostPlaces,
            places[number] == nil
        else { return }
        places[number] = Place(position)
    }

    /// The middle of those nodes of which the place is known; `nil` when there is none.
    private func middle(of nodes: [Int64]) -> Position? {
        // A way that is closed ends where it began.
        let ring = nodes.count > 1 && nodes.first == nodes.last ? nodes.dropLast() : nodes[...]
        let found = ring.compactMap { places[$0] }
        return Position.middle(
            of: found.map { (Double($0.latitude) / 1e7, Double($0.longitude) / 1e7) })
    }

    /// The number that names an element, as it is written; `nil` when it is none.
    private static func number(_ attributes: [String: String]) -> String? {
        attributes["id"].flatMap { $0.utf8.count > 20 || Int64($0) == nil ? nil : $0 }
    }

    private static func position(_ attributes: [String: String]) -> Position? {
        guard let latitude = attributes["lat"].flatMap({ Double(decimal: $0.utf8) }),
            let longitude = attributes["lon"].flatMap({ Double(decimal: $0.utf8) })
        else { return nil }
        return Position(latitude: latitude, longitude: longitude)
    }

    private static func add(_ attributes: [String: String], to tags: inout [String: String]) {
        guard let key = attributes["k"], let value = attributes["v"], tags.count < limit.cells else { return }
        tags[key] = value
    }
}

extension Position {
    /// The middle of some places, also of those on both sides of the date line; `nil` when there is none.
    static func middle(of places: [(latitude: Double, longitude: Double)]) -> Position? {
        guard let first = places.first else { return nil }
        var (north, east) = (0.0, 0.0)
        for place in places {
            north += place.latitude - first.latitude
            var step = place.longitude - first.longitude
            if step > 180 { step -= 360 }
            if step < -180 { step += 360 }
            east += step
        }
        var longitude = first.longitude + east / Double(places.count)
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return Position(latitude: first.latitude + north / Double(places.count), longitude: longitude)
    }
}
