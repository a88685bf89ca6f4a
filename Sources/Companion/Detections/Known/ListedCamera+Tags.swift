// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

extension ListedCamera {
    /// How many octets of a key, or of what it says, are kept; OSM allows 255 characters.
    private static let longest = 1020
    /// How many tags are kept.
    private static let mostTags = 64

    /// A camera of a feature of GeoJSON; `nil` when it is something else.
    init?(feature node: JSONNode) throws(JSONDecodingError) {
        let properties = try node.member("properties") ?? JSONNode(line: node.line, value: .object([]))
        var tags = properties.texts
        if let inner = try properties.member("tags") {
            for (key, value) in Self.tags(of: inner) { tags[key] = value }
        }
        if let text = tags["other_tags"] {
            for (key, value) in Self.pairs(text) { tags[key] = value }
        }
        // What is OpenStreetMap's for sure comes first: a program that has read it may have numbered its rows.
        let ids = [
            try properties.member("@id"), try properties.member("full_id"), try properties.member("osm_id"),
            try properties.member("osm_way_id"), try node.member("id"), try properties.member("id"),
        ]
        let id = ids.lazy.compactMap { $0?.reference }.first { Self.isShort($0) && !$0.isEmpty }
        // Their number may stand beside what is said of them.
        let isNumbered = tags["id"] != nil || id != nil && Self.tellsOfACamera(tags)
        guard Self.isCamera(tags) || isNumbered && Self.isOfDeFlock(tags) else { return nil }
        let kind =
            tags["@type"] ?? tags["osm_type"] ?? tags["type"] ?? (id == tags["osm_way_id"] ? "way" : "node")
        let position = try FeaturePlace.position(of: node)
        self.init(id.map { Self.reference($0, kind) }, position, tags)
    }

    /// A camera of an element of OpenStreetMap; `nil` when it is something else.
    init?(_ element: OSMElement) throws(ImportError) {
        guard Self.isCamera(element.tags) || element.isListed && element.tags["man_made"] == nil else {
            return nil
        }
        guard let position = element.position else {
            let isNode = element.reference?.hasPrefix("node/") ?? true
            throw ImportError(
                element.line,
                isNode
                    ? "its latitude or longitude is missing, 0,0 or out of range; give it its place, or take it out"
                    : "none of its nodes is in the file with a place; take them along, or ask Overpass with out center"
            )
        }
        self.init(element.reference, position, element.tags)
    }

    /// Whether tags are those of a camera.
    static func isCamera(_ tags: [String: String]) -> Bool {
        guard let made = tags["man_made"] else { return tags["surveillance:type"] != nil }
        return made.split(separator: ";").contains { String($0).trimmed.lowercased() == "surveillance" }
    }

    /// Whether properties are those of DeFlock's own list, of which all are cameras: some tags of those that it keeps.
    private static func isOfDeFlock(_ tags: [String: String]) -> Bool {
        let kept: Set<String> = ["id", "osm_id", "osm_type", "wikimedia_commons"]
        let families = ["direction", "operator", "manufacturer", "brand", "camera:", "surveillance"]
        return tags.keys.allSatisfy { key in kept.contains(key) || families.contains { key.hasPrefix($0) } }
    }

    /// Whether tags say something that is said of cameras and of little else.
    private static func tellsOfACamera(_ tags: [String: String]) -> Bool {
        tags["direction"] != nil
            || tags.keys.contains { $0.hasPrefix("camera:") || $0.hasPrefix("surveillance") }
            || tags["manufacturer"] != nil
    }

    /// What names an element, such as `node/123`, of what a file writes.
    ///
    /// | written | meant |
    /// |---|---|
    /// | `123`, with its kind beside it | `node/123`, or what the kind says |
    /// | `n123`, `W123` | `node/123`, `way/123` |
    /// | `https://www.openstreetmap.org/node/123` | `node/123` |
    static func reference(_ id: String, _ kind: String) -> String {
        if isNumber(id) { return "\(self.kind(kind) ?? "node")/\(id)" }
        if let kind = self.kind(String(id.prefix(1))), isNumber(String(id.dropFirst())) {
            return "\(kind)/\(id.dropFirst())"
        }
        // Behind a number an address may have a place of the map, or a question.
        let parts = id.prefix { $0 != "#" && $0 != "?" }.split(separator: "/")
        guard parts.count >= 2, let kind = self.kind(String(parts[parts.count - 2])),
            isNumber(String(parts[parts.count - 1]))
        else { return id }
        return "\(kind)/\(parts[parts.count - 1])"
    }

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// A kind of element by its name or its letter; `nil` when it is none.
    private static func kind(_ text: String) -> String? {
        switch text.trimmed.lowercased() {
        case "n", "node": "node"
        case "w", "way": "way"
        case "r", "relation": "relation"
        default: nil
        }
    }

    /// Tags that are an object, or the text of one.
    private static func tags(of node: JSONNode) -> [String: String] {
        guard case .text(let text) = node.value else { return node.texts }
        return (try? JSONReader.read(Array(text.utf8)))?.texts ?? [:]
    }

    /// Tags as PostgreSQL's hstore writes them, `"man_made"=>"surveillance","direction"=>"90"`: so does GDAL.
    private static func pairs(_ text: String) -> [String: String] {
        var (words, word): ([String], [UInt8]) = ([], [])
        var (isOpen, isEscaped) = (false, false)
        for octet in text.utf8 {
            if !isOpen {
                isOpen = octet == UInt8(ascii: "\"")
            } else if isEscaped || octet != UInt8(ascii: "\\") && octet != UInt8(ascii: "\"") {
                word.append(octet)
                isEscaped = false
            } else if octet == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                words.append(String(decoding: word, as: UTF8.self))
                (isOpen, word) = (false, [])
            }
        }
        var tags: [String: String] = [:]
        for index in stride(from: 0, to: words.count - 1, by: 2) { tags[words[index]] = words[index + 1] }
        return tags
    }

    private init(_ reference: String?, _ position: Position, _ tags: [String: String]) {
        var json = JSONWriter()
        json.object { json in
            let short = tags.filter { Self.isShort($0.key) && Self.isShort($0.value) }
            for (key, value) in short.ordered(by: { $0.key < $1.key }).prefix(Self.mostTags) {
                json.field(key, value)
            }
        }
        self.init(
            reference: reference ?? "", name: Self.name(tags), position: position,
            directions: CameraDirections.all(tags), tags: json.text)
    }

    /// What it is called: its own name, or who has made or runs it and what it does.
    private static func name(_ tags: [String: String]) -> String {
        let tags = tags.filter { isShort($0.value) }
        if let name = tags["name"], !name.isEmpty { return name }
        let owner = ["manufacturer", "brand", "operator"].lazy.compactMap { tags[$0] }.first
        let kind = tags["surveillance:type"] ?? "camera"
        return [owner, kind].compactMap { $0 }.joined(separator: " ")
    }

    static func isShort(_ text: String) -> Bool { text.utf8.count <= longest }
}
