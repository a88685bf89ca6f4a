// SPDX-License-Identifier: Apache-2.0

public import Companion

/// What lies under the detections on a map.
public struct MapSettings: EventPart, Hashable, Sendable {
    /// Where pictures of the ground come from.
    public enum Tiles: String, Hashable, Sendable, CaseIterable {
        /// From nowhere: lines of latitude and longitude, and nothing leaves the machine.
        case none
        /// From a server of the web.
        case server
        /// From the file that the hub was started with.
        case file
    }

    /// Where pictures of the ground come from.
    public var tiles = Tiles.none
    /// The address of a server's pictures, with `{z}`, `{x}` and `{y}`; empty when there is none.
    public var server = ""
    /// Whom the server's pictures are to be credited to; empty for nobody.
    public var attribution = ""

    /// Makes the settings that a new hub has.
    public init() {}

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word(
            "tiles", "Where pictures of the ground come from.", of: Tiles.allCases.map { $0.rawValue }
        ) {
            $0.tiles.rawValue
        }
        schema.text(
            "server", "The address of a server's pictures, with {z}, {x} and {y}; empty when there is none."
        ) {
            $0.server
        }
        schema.text("attribution", "Whom the server's pictures are to be credited to.") { $0.attribution }
    }

    /// How many octets an address or a credit may have.
    static let longestText = 500

    mutating func merge(_ node: JSONNode) throws(JSONDecodingError) {
        let new = MapSettings()
        try node.allow(only: ["tiles", "server", "attribution"])
        guard case .object(let members) = node.value else { return }
        for member in members {
            let node = member.node
            let isReset = node.value == .null
            switch member.key {
            case "tiles": tiles = try node.choice("The map's ground", new.tiles, of: Tiles.allCases)
            case "server":
                server = isReset ? new.server : try node.text("The map server")
                if let fault = Self.fault(ofServer: server) { throw node.fault(fault) }
            default:
                attribution = isReset ? new.attribution : try node.text("The credit of the map")
                guard attribution.utf8.count <= Self.longestText else {
                    throw node.fault("The credit of the map may have \(Self.longestText) octets at most")
                }
            }
        }
        if tiles == .server, server.isEmpty {
            throw node.fault("A map server needs an address, such as https://tiles.example/{z}/{x}/{y}.png")
        }
    }

    /// Why an address cannot be that of a map server, as a sentence; nothing when it can, or is empty.
    private static func fault(ofServer address: String) -> String? {
        guard !address.isEmpty else { return nil }
        let isWeb = ["https://", "http://"].contains { address.hasPrefix($0) }
        guard isWeb, address.utf8.count <= longestText else {
            return
                "The map server's address must begin with https:// or http:// and have \(longestText) octets at most"
        }
        let octets = Array(address.utf8)
        let has = { (part: String) in octets.indices.contains { octets[$0...].starts(with: part.utf8) } }
        guard has("{z}"), has("{x}"), has("{y}") else {
            return "The map server's address must have {z}, {x} and {y} where the zoom and the tile go"
        }
        // Blanks, quotes and angle brackets stand in no address.
        let isPlain = address.unicodeScalars.allSatisfy { scalar in
            (0x21...0x7E).contains(scalar.value) && !"\"'<>\\^`;".unicodeScalars.contains(scalar)
        }
        return isPlain ? nil : "The map server's address has a character that no address has"
    }
}

/// The file of map pictures that a hub was started with.
public struct MapFile: EventPart, Hashable, Sendable {
    /// The part of the map that it has, where it says so.
    public struct Box: EventPart, Hashable, Sendable {
        /// Degrees east at its western edge.
        public var west: Double
        /// Degrees north at its southern edge.
        public var south: Double
        /// Degrees east at its eastern edge.
        public var east: Double
        /// Degrees north at its northern edge.
        public var north: Double

        /// Makes a box.
        public init(west: Double, south: Double, east: Double, north: Double) {
            self.west = west
            self.south = south
            self.east = east
            self.north = north
        }

        /// Names its values.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.number("west", "Degrees east at its western edge.") { $0.west }
            schema.number("south", "Degrees north at its southern edge.") { $0.south }
            schema.number("east", "Degrees east at its eastern edge.") { $0.east }
            schema.number("north", "Degrees north at its northern edge.") { $0.north }
        }
    }

    /// What it calls itself.
    public var name: String
    /// The zoom of its coarsest pictures.
    public var minimumZoom: Int
    /// The zoom of its finest pictures.
    public var maximumZoom: Int
    /// Whom it is to be credited to; empty for nobody.
    public var attribution: String
    /// The part of the map that it has; `nil` where it does not say.
    public var box: Box?

    /// Makes a description.
    public init(name: String, minimumZoom: Int, maximumZoom: Int, attribution: String, box: Box? = nil) {
        self.name = name
        self.minimumZoom = minimumZoom
        self.maximumZoom = maximumZoom
        self.attribution = attribution
        self.box = box
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "What it calls itself.") { $0.name }
        schema.integer("minimum_zoom", "The zoom of its coarsest pictures.") { $0.minimumZoom }
        schema.integer("maximum_zoom", "The zoom of its finest pictures.") { $0.maximumZoom }
        schema.text("attribution", "Whom it is to be credited to.") { $0.attribution }
        schema.object("bounds", "The part of the map that it has; null where it does not say.") { $0.box }
    }
}
