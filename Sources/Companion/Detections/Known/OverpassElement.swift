// SPDX-License-Identifier: Apache-2.0

import Companion

extension OSMGathering {
    /// Takes an element as Overpass has it in JSON, or one of a region of DeFlock.
    ///
    /// Source: <https://dev.overpass-api.de/output_formats.html#json>.
    ///
    /// - Parameters:
    ///   - node: The element.
    ///   - isListed: Whether it stands in a list in which there is nothing but cameras.
    /// - Returns: The element, where it has tags and need not wait.
    /// - Throws: ``ImportError``.
    mutating func take(element node: JSONNode, isListed: Bool) throws(ImportError) -> OSMElement? {
        var shape: Shape?
        let element: OSMElement?
        do throws(JSONDecodingError) {
            let kind = try node.member("type")?.reference ?? "node"
            let id = try node.member("id")?.reference.flatMap { Int64($0) }
            let tags = try node.member("tags")?.texts ?? [:]
            if kind == "node" {
                let position = try node.placed()
                keep(id, position)
                element =
                    tags.isEmpty && !isListed
                    ? nil
                    : OSMElement(
                        line: node.line, reference: id.map { "node/\($0)" }, position: position, tags: tags,
                        isListed: isListed)
            } else {
                element = nil
                if ["way", "relation"].contains(kind) {
                    shape = Shape(line: node.line, kind: kind, id: id)
                    shape?.tags = tags
                    shape?.octets = tags.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
                    try shape?.read(node)
                }
            }
        } catch {
            throw ImportError(error.line, column: error.column, error.reason)
        }
        if let shape { return try take(shape) }
        return element
    }
}

extension OSMGathering.Shape {
    /// Reads where it is.
    fileprivate mutating func read(_ node: JSONNode) throws(JSONDecodingError) {
        center = try node.member("center")?.placed()
        if let bounds = try node.member("bounds") {
            for corner in ["min", "max"] {
                if let place = try bounds.placed(corner + "lat", corner + "lon") { corners.append(place) }
            }
        }
        for point in try node.list("geometry") where point.value != .null {
            add(node: nil, try point.placed())
        }
        if points.isEmpty { for number in try node.list("nodes") { add(node: number.whole, nil) } }
        for member in try node.list("members") {
            let geometry = try member.list("geometry")
            for point in geometry where point.value != .null { add(node: nil, try point.placed()) }
            let number = try member.member("ref")?.whole
            switch try member.member("type")?.reference {
            case "node": add(node: number, try member.placed())
            case "way" where geometry.isEmpty: add(way: number)
            default: break
            }
        }
    }
}

extension JSONNode {
    /// The place that an object says; `nil` when it says none that can be.
    fileprivate func placed(_ latitude: String = "lat", _ longitude: String = "lon") throws(JSONDecodingError)
        -> Position?
    {
        guard let latitude = try member(latitude)?.reference,
            let longitude = try member(longitude)?.reference,
            let north = Double(decimal: latitude.utf8), let east = Double(decimal: longitude.utf8)
        else { return nil }
        return Position(told: north, east)
    }

    fileprivate var whole: Int64? { reference.flatMap { Int64($0) } }
}
