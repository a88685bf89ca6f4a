// SPDX-License-Identifier: Apache-2.0

import Companion

/// Where a camera looks, as OpenStreetMap has it: degrees from north, clockwise.
///
/// | text | degrees |
/// |---|---|
/// | `90`, `90°`, `-270` | 90 |
/// | `NNE`, `northwest` | 22.5, 315 |
/// | `45;90`, `N;S`, `N/S`, `45,90` | 45 and 90, 0 and 180 |
/// | `0-90`, `NW-NE` | the middle of the arc, clockwise: 45, 0 |
/// | `forward`, `0-360`, nothing | what `camera:direction` says |
///
/// Source: <https://wiki.openstreetmap.org/wiki/Key:direction>.
enum CameraDirections {
    /// All directions of some tags.
    static func all(_ tags: [String: String]) -> [Double] {
        for key in ["direction", "camera:direction"] {
            let found = parts(of: tags[key] ?? "").compactMap { one($0) }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// All directions of tags that are written as a JSON object.
    static func all(json tags: String) -> [Double] {
        guard let node = try? JSONReader.read(Array(tags.utf8)) else { return [] }
        return all(node.texts)
    }

    /// What stands between semicolons, slashes, bars and commas, but for a comma before one digit, which is a decimal one.
    private static func parts(of text: String) -> [String] {
        var parts: [[UInt8]] = [[]]
        let octets = Array(text.utf8)
        for (index, octet) in octets.enumerated() {
            let rest = octets[(index + 1)...].prefix { (0x30...0x39).contains($0) }
            let isDecimal = octet == UInt8(ascii: ",") && rest.count == 1
            if ";/|,".utf8.contains(octet), !isDecimal {
                parts.append([])
            } else {
                parts[parts.count - 1].append(octet)
            }
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func one(_ text: String) -> Double? {
        let text = text.trimmed.lowercased()
        if let bearing = bearing(text) { return bearing }
        // The first one may be the sign of a number.
        guard let dash = text.dropFirst().firstIndex(of: "-"), let begin = bearing(String(text[..<dash])),
            let end = bearing(String(text[text.index(after: dash)...]))
        else { return nil }
        // Clockwise from one to the other, also over north.
        let width = end >= begin ? end - begin : end - begin + 360
        // All around is to no side.
        guard width < 360 else { return nil }
        let middle = begin + width / 2
        return middle >= 360 ? middle - 360 : middle
    }

    private static let points = [
        "n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw",
    ]

    private static func bearing(_ text: String) -> Double? {
        var text = text.trimmed
        // Degrees, also as the ordinal sign beside it on keyboards.
        if let sign = ["°", "º", "degrees", "deg"].first(where: { text.hasSuffix($0) }) {
            text = String(text.dropLast(sign.count)).trimmed
        }
        if let degrees = Double(decimal: text.utf8) {
            guard (-360...360).contains(degrees) else { return nil }
            return degrees < 0 ? degrees + 360 : degrees
        }
        if let index = points.firstIndex(of: text) { return Double(index) * 22.5 }
        // `northwest`, `north-west`: the letters that its words begin with.
        var (rest, letters) = (text.filter { $0 != "-" && $0 != " " }[...], "")
        while let word = ["north", "east", "south", "west"].first(where: { rest.hasPrefix($0) }) {
            letters += word.prefix(1)
            rest = rest.dropFirst(word.count)
        }
        guard rest.isEmpty else { return nil }
        return points.firstIndex(of: letters).map { Double($0) * 22.5 }
    }
}

extension JSONNode {
    /// The members of an object that are text or numbers, or lists of those, as tags have them.
    var texts: [String: String] {
        guard case .object(let members) = value else { return [:] }
        var texts: [String: String] = [:]
        for member in members where ListedCamera.isShort(member.key) {
            guard let text = member.node.references, ListedCamera.isShort(text) else { continue }
            texts[member.key] = text
        }
        return texts
    }

    /// Text or a number, or several of a list, with semicolons between them as in tags.
    private var references: String? {
        guard case .array(let nodes) = value else { return reference }
        let texts = nodes.compactMap { $0.reference }
        return texts.isEmpty || texts.count < nodes.count ? nil : texts.joined(separator: ";")
    }

    /// Text, or a number without a point where it has none.
    var reference: String? {
        switch value {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        default: nil
        }
    }
}
