// SPDX-License-Identifier: Apache-2.0

import Companion

/// Where a feature of GeoJSON is: at its point, or in the middle of a line, of several points, or of the outer rings of areas.
///
/// Spec: RFC 7946, 3.1.
enum FeaturePlace {
    private static let remedy = "give it its place, or take it out"

    static func position(of feature: JSONNode) throws(JSONDecodingError) -> Position {
        guard let geometry = try feature.member("geometry") else {
            throw feature.fault("it has no geometry; \(remedy)")
        }
        let places = try places(of: geometry)
        guard let middle = Position.middle(of: places.map { ($0.latitude, $0.longitude) }) else {
            throw geometry.fault("its geometry has no coordinates; \(remedy)")
        }
        return middle
    }

    private static func places(of geometry: JSONNode) throws(JSONDecodingError) -> [Position] {
        guard case .text(let kind)? = try geometry.member("type")?.value else {
            throw geometry.fault("its geometry has no type; export it as GeoJSON of RFC 7946")
        }
        switch kind {
        case "Point": return [try position(try geometry.list("coordinates"), of: geometry)]
        case "LineString", "MultiPoint": return try positions(try geometry.list("coordinates"))
        case "Polygon": return try ring(try geometry.list("coordinates"))
        case "MultiLineString", "MultiPolygon":
            var all: [Position] = []
            for part in try geometry.list("coordinates") {
                guard case .array(let parts) = part.value else {
                    throw part.fault("a part of it must be a list")
                }
                if kind == "MultiPolygon" { all += try ring(parts) } else { all += try positions(parts) }
            }
            return all
        case "GeometryCollection":
            var all: [Position] = []
            for one in try geometry.list("geometries") { all += try places(of: one) }
            return all
        default: throw geometry.fault("its geometry is not a point, line or area; \(remedy)")
        }
    }

    /// The outer ring of an area, which ends where it begins.
    private static func ring(_ rings: [JSONNode]) throws(JSONDecodingError) -> [Position] {
        guard case .array(let outer)? = rings.first?.value else { return [] }
        return try positions(Array(outer.dropLast()))
    }

    private static func positions(_ nodes: [JSONNode]) throws(JSONDecodingError) -> [Position] {
        var positions: [Position] = []
        for node in nodes {
            guard case .array(let numbers) = node.value else {
                throw node.fault("a place must be a list of numbers")
            }
            positions.append(try position(numbers, of: node))
        }
        return positions
    }

    private static func position(_ coordinates: [JSONNode], of node: JSONNode) throws(JSONDecodingError)
        -> Position
    {
        guard coordinates.count >= 2 else { throw node.fault("its point has no coordinates; \(remedy)") }
        let longitude = try number(coordinates[0], "its longitude")
        let latitude = try number(coordinates[1], "its latitude")
        if latitude.magnitude > 1000 || longitude.magnitude > 1000 {
            throw node.fault("its coordinates are not degrees; export it in WGS 84, EPSG:4326")
        }
        guard (-180...180).contains(longitude) else {
            throw coordinates[0].fault("its longitude, which comes first, must be a number from -180 to 180")
        }
        guard (-90...90).contains(latitude) else {
            throw coordinates[1].fault("its latitude, which comes second, must be a number from -90 to 90")
        }
        guard let position = Position(told: latitude, longitude) else {
            throw node.fault("its place is 0,0, which is written where none is known; \(remedy)")
        }
        return position
    }

    /// A number, also as text.
    private static func number(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double {
        switch node.value {
        case .number(let number): return number
        case .text(let text): if let number = Double(decimal: text.utf8) { return number }
        default: break
        }
        throw node.fault("\(name) must be a number")
    }
}
