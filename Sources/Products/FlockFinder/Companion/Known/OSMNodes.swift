// SPDX-License-Identifier: Apache-2.0

/// Reads the nodes that have tags out of OSM XML that comes in parts.
///
/// Source: <https://wiki.openstreetmap.org/wiki/OSM_XML>.
struct OSMNodes: Sendable {
    /// A node, as it is written.
    struct Node: Sendable {
        let line: Int
        let id: String?
        let latitude: String?
        let longitude: String?
        var tags: [String: String] = [:]
    }

    private var pieces = XMLPieces()
    private var isRoot = true
    private var node: Node?
    /// Who has made the file.
    private(set) var origin = ""
    /// Of when its data are.
    private(set) var version = ""

    /// Whether nothing of a document has come.
    var isEmpty: Bool { isRoot }

    /// Takes the next part of the file.
    mutating func receive(_ octets: [UInt8]) { pieces.receive(octets) }

    /// Takes the end of the file.
    mutating func finish() { pieces.finish() }

    /// Reads on to the next node with tags.
    ///
    /// - Returns: The node; `nil` at the end, or when more has to come first.
    /// - Throws: ``ImportFault``, after which the file cannot be read any further.
    mutating func next() throws(ImportFault) -> Node? {
        while true {
            let piece: XMLPieces.Piece?
            do throws(BadInput) { piece = try pieces.next() } catch {
                throw ImportFault(pieces.line, error.description)
            }
            switch piece {
            case nil: return nil
            case .start(let name, let attributes)?: try start(name, attributes)
            case .end("node")?:
                let found = node
                node = nil
                if let found, !found.tags.isEmpty { return found }
            case .text?, .end?: break
            }
        }
    }

    private mutating func start(_ name: String, _ attributes: [String: String]) throws(ImportFault) {
        guard !isRoot || name == "osm" else { throw ImportFault(pieces.line, "it is no OSM XML") }
        isRoot = false
        switch name {
        case "osm":
            origin = attributes["generator"] ?? ""
            version = attributes["timestamp"] ?? ""
        case "meta": version = attributes["osm_base"] ?? version
        case "node":
            node = Node(
                line: pieces.line, id: attributes["id"], latitude: attributes["lat"],
                longitude: attributes["lon"])
        case "tag":
            // More than OSM allows is of no use to anybody.
            guard let key = attributes["k"], let value = attributes["v"], node?.tags.count ?? 0 < 1000 else {
                return
            }
            node?.tags[key] = value
        default: break
        }
    }
}
