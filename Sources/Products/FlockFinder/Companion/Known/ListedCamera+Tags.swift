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
            for (key, value) in Self.tags(of: inner) { tags[key] = value }
        }
        if let text = tags["other_tags"] {
            for (key, value) in Self.pairs(text) { tags[key] = value }
        }
        let ids = [try node.member("id"), try properties.member("@id"), try properties.member("id")]
        let id = ids.lazy.compactMap { $0?.reference }.first { Self.isShort($0) && !$0.isEmpty }
        guard Self.isCamera(tags) || id != nil && Self.isOfDeFlock(tags) else { return nil }
        let kind = tags["@type"] ?? tags["type"] ?? "node"
        let position = try FeaturePlace.position(of: node)
        self.init(id.map { Self.reference($0, kind) }, position, tags)
    }

    /// A camera of an element of OpenStreetMap; `nil` when it is something else.
    init?(_ element: OSMElement) throws(ImportFault) {
        guard Self.isCamera(element.tags) || element.isListed && element.tags["man_made"] == nil else {
            return nil
        }
        guard let position = element.position else {
            let isNode = element.reference?.hasPrefix("node/") ?? true
            throw ImportFault(
                element.line,
                isNode
                    ? "its latitude or longitude is missing, 0,0 or out of range"
                    : "none of its nodes is in the file with a place")
        }
        self.init(element.reference, position, element.tags)
    }

    /// Whether tags are those of a camera.
    static func isCamera(_ tags: [String: String]) -> Bool {
        guard let made = tags["man_made"] else { return tags["surveillance:type"] != nil }
        return made.split(separator: ";").contains { String($0).trimmed.lowercased() == "surveillance" }
    }

    /// Whether properties are those of DeFlock's own list, of which all are cameras: a number, and some tags of those that it keeps.
    private static func isOfDeFlock(_ tags: [String: String]) -> Bool {
        let kept: Set<String> = ["id", "direction", "wikimedia_commons"]
        let families = ["operator", "manufacturer", "brand", "camera:", "surveillance"]
        return tags["id"] != nil
            && tags.keys.allSatisfy { key in kept.contains(key) || families.contains { key.hasPrefix($0) } }
    }

    /// What names an element, such as `node/123`, of what a file writes.
    static func reference(_ id: String, _ kind: String) -> String {
        let isNumber =
            !id.isEmpty
            && id.utf8.enumerated().allSatisfy {
                (0x30...0x39).contains($1) || $0 == 0 && $1 == UInt8(ascii: "-")
            }
        guard isNumber else { return id }
        return "\(["way", "relation"].contains(kind) ? kind : "node")/\(id)"
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
            for (key, value) in short.sorted(by: { $0.key < $1.key }).prefix(Self.mostTags) {
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
