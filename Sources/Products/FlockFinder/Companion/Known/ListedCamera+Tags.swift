// SPDX-License-Identifier: Apache-2.0

extension ListedCamera {
    /// How many octets of a key, or of what it says, are kept; OSM allows 255 characters.
    private static let longest = 1020
    /// How many tags are kept.
    private static let mostTags = 64

    /// A camera of a feature of GeoJSON; `nil` when it is something else.
    init?(feature node: JSONNode) throws(JSONFault) {
        let properties = try node.member("properties") ?? JSONNode(line: node.line, value: .object([]))
        var tags = properties.texts
        if let inner = try properties.member("tags") {
            for (key, value) in inner.texts { tags[key] = value }
        }
        guard Self.isCamera(tags) else { return nil }
        let position = try Self.position(try node.needed("geometry"))
        let reference = [try node.member("id"), try properties.member("@id"), try properties.member("id")]
            .lazy.compactMap { $0?.reference }.first { Self.isShort($0) }
        self.init(reference, position, tags)
    }

    /// A camera of a node or a way of OSM XML; `nil` when it is something else.
    init?(_ element: OSMElements.Element) throws(ImportFault) {
        guard Self.isCamera(element.tags) else { return nil }
        guard let position = element.position else {
            let isWay = element.reference?.hasPrefix("way/") ?? false
            throw ImportFault(
                element.line,
                isWay
                    ? "none of its nodes is in the file with a place"
                    : "its latitude or longitude is missing or out of range")
        }
        self.init(element.reference, position, element.tags)
    }

    /// Whether tags are those of a camera.
    static func isCamera(_ tags: [String: String]) -> Bool { tags["man_made"] == "surveillance" }

    /// Where a geometry is: its point, or the middle of a line, or of the outer ring of an area.
    private static func position(_ geometry: JSONNode) throws(JSONFault) -> Position {
        let kind = try geometry.member("type")?.value
        var coordinates = try geometry.list("coordinates")
        switch kind {
        case .text("Point"): return try position(coordinates, of: geometry, "its point")
        case .text("LineString"): break
        case .text("Polygon"):
            guard case .array(let ring)? = coordinates.first?.value else {
                throw geometry.fault("its area has no coordinates")
            }
            // A ring ends where it begins.
            coordinates = Array(ring.dropLast())
        default: throw geometry.fault("its geometry is no point, line or area")
        }
        var places: [(latitude: Double, longitude: Double)] = []
        for place in coordinates {
            guard case .array(let numbers) = place.value else {
                throw place.fault("a point of its line must be a list of numbers")
            }
            let found = try position(numbers, of: place, "a point of its line")
            places.append((found.latitude, found.longitude))
        }
        guard let middle = Position.middle(of: places) else {
            throw geometry.fault("its line has no coordinates")
        }
        return middle
    }

    private static func position(
        _ coordinates: [JSONNode], of node: JSONNode, _ name: String
    ) throws(JSONFault) -> Position {
        guard coordinates.count >= 2 else { throw node.fault("\(name) has no coordinates") }
        let longitude = try coordinates[0].number("its longitude", in: -180.0...180)
        let latitude = try coordinates[1].number("its latitude", in: -90.0...90)
        guard let position = Position(latitude: latitude, longitude: longitude) else {
            throw node.fault("\(name) is nowhere")
        }
        return position
    }

    private init(_ reference: String?, _ position: Position, _ tags: [String: String]) {
        var json = JSONWriter()
        json.object { json in
            let short = tags.filter { Self.isShort($0.key) && Self.isShort($0.value) }
            for (key, value) in short.sorted(by: { $0.key < $1.key }).prefix(Self.mostTags) {
                json.field(key, value)
            }
        }
        self.init(
            reference: reference ?? "\(position.latitude),\(position.longitude)", name: Self.name(tags),
            position: position,
            direction: Self.direction(tags["direction"] ?? tags["camera:direction"] ?? ""), tags: json.text)
    }

    /// What it is called: its own name, or who has made or runs it and what it does.
    private static func name(_ tags: [String: String]) -> String {
        let tags = tags.filter { isShort($0.value) }
        if let name = tags["name"], !name.isEmpty { return name }
        let owner = ["manufacturer", "brand", "operator"].lazy.compactMap { tags[$0] }.first
        let kind = tags["surveillance:type"] ?? "camera"
        return [owner, kind].compactMap { $0 }.joined(separator: " ")
    }

    /// Degrees: of `90`, `NNE`, `0-90` (the middle), `90;270` (the first).
    ///
    /// Source: <https://wiki.openstreetmap.org/wiki/Key:direction>.
    static func direction(_ text: String) -> Double? {
        let first = String(text.split(separator: ";").first ?? "").trimmed
        let points = [
            "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW",
            "NNW",
        ]
        if let index = points.firstIndex(of: first.uppercased()) { return Double(index) * 22.5 }
        let ends = first.split(separator: "-", omittingEmptySubsequences: false).map {
            Double(decimal: $0.utf8)
        }
        guard let begin = ends[0], (0...360).contains(begin) else { return nil }
        guard ends.count == 2 else { return ends.count == 1 ? begin : nil }
        guard let end = ends[1], (0...360).contains(end) else { return nil }
        // Clockwise from one to the other, also over north.
        let width = end >= begin ? end - begin : end - begin + 360
        let middle = begin + width / 2
        return middle >= 360 ? middle - 360 : middle
    }

    fileprivate static func isShort(_ text: String) -> Bool { text.utf8.count <= longest }
}

extension JSONNode {
    /// The members of an object that are text or numbers, as tags have them.
    fileprivate var texts: [String: String] {
        guard case .object(let members) = value else { return [:] }
        var texts: [String: String] = [:]
        for member in members where ListedCamera.isShort(member.key) {
            guard let text = member.node.reference, ListedCamera.isShort(text) else { continue }
            texts[member.key] = text
        }
        return texts
    }

    /// Text, or a number without a point where it has none.
    fileprivate var reference: String? {
        switch value {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        default: nil
        }
    }
}
