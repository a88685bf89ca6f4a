// SPDX-License-Identifier: Apache-2.0

import Companion

/// Reads nodes, ways and relations with tags out of OSM XML that comes in parts, also of changes (`osmChange`).
///
/// What was deleted has no tags any more; nor has what was there before a change, as augmented diffs have it in `old`.
///
/// Source: <https://wiki.openstreetmap.org/wiki/OSM_XML>.
struct OSMElements: Sendable {
    private enum Open: Sendable {
        case nothing
        case node(line: Int, id: Int64?, Position?, tags: [String: String])
        case shape(OSMGathering.Shape)
    }

    /// Octets of the tags of one element, and tags.
    private static let limit = CSVSplitter.rowLimit

    private var pieces = XMLPieces()
    private var isRoot = true
    private var open = Open.nothing
    /// Whether the element that is open, or all around it, is there no more.
    private var isDeleted = false
    private var deletes = false
    private var isOld = false
    private var isRemark = false
    /// Octets of the tags of the element that is open.
    private var octets = 0
    private var gathering = OSMGathering()
    private var isOver = false
    /// Whether the document ends before its end.
    private(set) var isCut = false
    /// Who has made the file.
    private(set) var origin = ""
    /// Of when its data are.
    private(set) var version = ""
    /// What Overpass remarks of its answer, such as that it took too long.
    private(set) var remark = ""

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
    /// - Throws: ``ImportError``, after which the file cannot be read any further.
    mutating func next() throws(ImportError) -> OSMElement? {
        while true {
            let piece: XMLPieces.Piece?
            do throws(BadInput) { piece = try pieces.next() } catch {
                // What is whole was read before.
                isCut = isOver
                throw ImportError(pieces.line, error.description)
            }
            switch piece {
            case nil: return isOver ? gathering.nextWaiting() : nil
            case .start(let name, let attributes)?: try start(name, attributes)
            case .end(let name)?: if let element = try end(name) { return element }
            case .text(let text)?:
                if isRemark, remark.utf8.count < 200 { remark += text.prefix(200) }
            }
        }
    }

    /// The next element that has waited for those behind it, where the document is cut.
    mutating func nextWaiting() -> OSMElement? { gathering.nextWaiting() }

    private mutating func start(_ name: String, _ attributes: [String: String]) throws(ImportError) {
        guard !isRoot || name == "osm" || name == "osmChange" else {
            throw ImportError(pieces.line, ForeignFile.xml(name, for: .cameras))
        }
        isRoot = false
        switch name {
        case "osm", "osmChange":
            origin = String((attributes["generator"] ?? "").prefix(200))
            version = String((attributes["timestamp"] ?? "").prefix(200))
        case "meta": version = String((attributes["osm_base"] ?? version).prefix(200))
        case "delete": deletes = true
        case "action" where attributes["type"] == "delete": deletes = true
        case "old": isOld = true
        case "remark": isRemark = true
        case "node", "way", "relation":
            octets = 0
            // JOSM keeps what was deleted until it is sent.
            isDeleted =
                deletes || isOld || attributes["action"] == "delete" || attributes["visible"] == "false"
            let (id, position) = (Self.number(attributes["id"]), Self.position(attributes))
            if name == "node" {
                if !isDeleted { gathering.keep(id, position) }
                open = .node(line: pieces.line, id: id, position, tags: [:])
            } else {
                open = .shape(OSMGathering.Shape(line: pieces.line, kind: name, id: id))
            }
        case "nd", "center", "tag", "bounds", "member": try note(name, attributes)
        default: break
        }
    }

    /// Adds what stands in an element to it.
    private mutating func note(_ name: String, _ attributes: [String: String]) throws(ImportError) {
        if name == "tag" {
            octets += (attributes["k"]?.utf8.count ?? 0) + (attributes["v"]?.utf8.count ?? 0)
            guard octets <= Self.limit.octets else {
                throw ImportError(pieces.line, "an element has more than \(Self.limit.octets) octets of tags")
            }
        }
        switch (open, name) {
        case (.node(let line, let id, let position, var tags), "tag"):
            open = .nothing
            Self.add(attributes, to: &tags)
            open = .node(line: line, id: id, position, tags: tags)
        case (.shape(var shape), _):
            open = .nothing
            Self.note(name, attributes, in: &shape)
            open = .shape(shape)
        default: break
        }
    }

    private static func note(
        _ name: String, _ attributes: [String: String], in shape: inout OSMGathering.Shape
    ) {
        switch name {
        case "tag": add(attributes, to: &shape.tags)
        case "center": shape.center = position(attributes)
        case "bounds":
            for corner in ["min", "max"] {
                let place = position([
                    "lat": attributes[corner + "lat"] ?? "", "lon": attributes[corner + "lon"] ?? "",
                ])
                if let place { shape.corners.append(place) }
            }
        case "member" where attributes["type"] == "way": shape.add(way: number(attributes["ref"]))
        case "member" where attributes["type"] != "node": break
        default: shape.add(node: number(attributes["ref"]), position(attributes))
        }
    }

    private mutating func end(_ name: String) throws(ImportError) -> OSMElement? {
        switch name {
        case "delete", "action": deletes = false
        case "old": isOld = false
        case "remark": isRemark = false
        default: break
        }
        switch (open, name) {
        case (.node(let line, let id, let position, let tags), "node"):
            open = .nothing
            guard !tags.isEmpty else { return nil }
            return OSMElement(
                line: line, reference: id.map { "node/\($0)" }, position: position,
                tags: isDeleted ? [:] : tags)
        case (.shape(var shape), "way"), (.shape(var shape), "relation"):
            open = .nothing
            shape.octets = octets
            guard !isDeleted else { return nil }
            return try gathering.take(shape)
        default: return nil
        }
    }

    /// The number that names an element; `nil` when it is none.
    private static func number(_ text: String?) -> Int64? { text.flatMap { Int64($0) } }

    private static func position(_ attributes: [String: String]) -> Position? {
        guard let latitude = attributes["lat"].flatMap({ Double(decimal: $0.utf8) }),
            let longitude = attributes["lon"].flatMap({ Double(decimal: $0.utf8) })
        else { return nil }
        return Position(told: latitude, longitude)
    }

    private static func add(_ attributes: [String: String], to tags: inout [String: String]) {
        guard let key = attributes["k"], let value = attributes["v"], tags.count < limit.cells else { return }
        tags[key] = value
    }
}
