// SPDX-License-Identifier: Apache-2.0

import Companion

/// An element of OpenStreetMap with its tags.
struct OSMElement: Sendable {
    let line: Int
    /// What names it, such as `way/12`; `nil` when it has no number.
    let reference: String?
    /// Where it is; `nil` where that is not said, or is nowhere.
    let position: Position?
    let tags: [String: String]
    /// Whether it stands in a list in which there is nothing but cameras.
    var isListed = false
}

/// Finds out where elements of OpenStreetMap are, in whatever order a file has them.
///
/// A way has no place of its own: it is where its nodes are, in the middle of them, and a relation where its members are. They
/// stand before it in most files and behind it in some, so the places of all nodes are kept, and a way or a relation that was
/// mapped as a camera is given out at the end, unless the file itself says where it is.
struct OSMGathering: Sendable {
    /// A way or a relation.
    struct Shape: Sendable {
        let line: Int
        /// `way` or `relation`.
        let kind: String
        var id: Int64?
        var tags: [String: String] = [:]
        /// Its middle, as the file says.
        var center: Position?
        /// Two corners of it.
        var corners: [Position] = []
        /// Places of its points, where the file has them with it.
        var points: [Position] = []
        /// Its nodes.
        var nodes: [Int64] = []
        /// The ways that belong to it.
        var ways: [Int64] = []
        /// Octets of its tags.
        var octets = 0

        /// Nodes and ways of one that are kept; OSM allows as many nodes.
        static let mostParts = 2000

        fileprivate var parts: Int { nodes.count + ways.count + points.count }

        /// Adds a node.
        mutating func add(node: Int64?, _ position: Position?) {
            guard parts < Self.mostParts else { return }
            if let position { points.append(position) } else if let node { nodes.append(node) }
        }

        /// Adds a way.
        mutating func add(way: Int64?) {
            if let way, parts < Self.mostParts { ways.append(way) }
        }
    }

    /// A place of the file in ten-millionths of a degree, as exact as OSM is.
    private struct Place: Sendable {
        let latitude: Int32
        let longitude: Int32

        init(_ position: Position) {
            latitude = Int32((position.latitude * 1e7).rounded())
            longitude = Int32((position.longitude * 1e7).rounded())
        }

        var degrees: (latitude: Double, longitude: Double) {
            (Double(latitude) / 1e7, Double(longitude) / 1e7)
        }
    }

    /// Places that are kept of nodes, and of ways: those of a city.
    static let mostPlaces = 1_000_000
    /// Nodes and members of all that wait for the end.
    static let mostWaiting = 1_000_000

    private var nodes: [Int64: Place] = [:]
    private var ways: [Int64: Place] = [:]
    /// The nodes of ways that came before them, and how many places that takes: a list takes some itself.
    private var lateWays: [Int64: [Int64]] = [:]
    private var lateNodes = 0
    private var waiting: [Shape] = []
    private var waitingParts = 0
    private var waitingOctets = 0
    private var given = 0

    /// Keeps where a node is; of two of the same number the first counts.
    mutating func keep(_ id: Int64?, _ position: Position?) {
        guard let id, let position, nodes.count < Self.mostPlaces, nodes[id] == nil else { return }
        nodes[id] = Place(position)
    }

    /// Takes a way or a relation.
    ///
    /// - Returns: The element, where it has tags and need not wait.
    /// - Throws: ``ImportError`` when too many wait.
    mutating func take(_ shape: Shape) throws(ImportError) -> OSMElement? {
        let place =
            shape.center ?? Position.middle(of: Self.open(shape.points).map { ($0.latitude, $0.longitude) })
        if shape.kind == "way", let id = shape.id { keep(way: id, place, shape) }
        guard !shape.tags.isEmpty else { return nil }
        guard ListedCamera.isCamera(shape.tags), place == nil else { return element(shape, place) }
        waitingParts += shape.parts
        waitingOctets += shape.octets
        guard waitingParts <= Self.mostWaiting, waiting.count < KnownCameraFile.limit,
            waitingOctets <= KnownCameraFile.mostOctets
        else {
            throw ImportError(shape.line, "it has more cameras that are ways than can be kept")
        }
        waiting.append(shape)
        return nil
    }

    /// The next one that waited for the end.
    mutating func nextWaiting() -> OSMElement? {
        settle()
        guard given < waiting.count else { return nil }
        given += 1
        let shape = waiting[given - 1]
        let corners = Position.middle(of: shape.corners.map { ($0.latitude, $0.longitude) })
        return element(shape, middle(of: shape) ?? corners)
    }

    /// Keeps where a way is, or its nodes until they have come; of two of the same number the first counts.
    private mutating func keep(way id: Int64, _ position: Position?, _ shape: Shape) {
        guard ways.count < Self.mostPlaces, ways[id] == nil else { return }
        if let place = position ?? middle(of: shape) {
            ways[id] = Place(place)
            return
        }
        let size = shape.nodes.count + 4
        guard lateWays[id] == nil, lateNodes + size <= Self.mostPlaces else { return }
        lateWays[id] = shape.nodes
        lateNodes += size
    }

    /// Finds out where ways are that came before their nodes; all nodes have come by now.
    private mutating func settle() {
        guard !lateWays.isEmpty else { return }
        for (id, numbers) in lateWays where ways[id] == nil {
            let places = Self.open(numbers).compactMap { nodes[$0] }
            ways[id] = Position.middle(of: places.map { $0.degrees }).map { Place($0) }
        }
        (lateWays, lateNodes) = ([:], 0)
    }

    private func element(_ shape: Shape, _ position: Position?) -> OSMElement {
        let reference = shape.id.map { "\(shape.kind)/\($0)" }
        return OSMElement(line: shape.line, reference: reference, position: position, tags: shape.tags)
    }

    /// The middle of those parts of which the place is known; `nil` when there is none.
    private func middle(of shape: Shape) -> Position? {
        let places = Self.open(shape.nodes).compactMap { nodes[$0] } + shape.ways.compactMap { ways[$0] }
        return Position.middle(of: places.map { $0.degrees })
    }

    /// A way that is closed ends where it began.
    private static func open<Point: Equatable>(_ points: [Point]) -> ArraySlice<Point> {
        points.count > 1 && points.first == points.last ? points.dropLast() : points[...]
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
