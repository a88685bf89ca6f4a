// SPDX-License-Identifier: Apache-2.0

/// How wide a part of the earth is, in degrees.
public struct MKCoordinateSpan: Sendable {
    /// From north to south.
    public var latitudeDelta: CLLocationDegrees
    /// From west to east.
    public var longitudeDelta: CLLocationDegrees

    /// No part.
    public init() { self.init(latitudeDelta: 0, longitudeDelta: 0) }

    /// A part of so many degrees.
    public init(latitudeDelta: CLLocationDegrees, longitudeDelta: CLLocationDegrees) {
        self.latitudeDelta = latitudeDelta
        self.longitudeDelta = longitudeDelta
    }
}

/// A part of the earth round a place.
public struct MKCoordinateRegion: Sendable {
    /// The middle.
    public var center: CLLocationCoordinate2D
    /// How wide it is.
    public var span: MKCoordinateSpan

    /// No part.
    public init() { self.init(center: CLLocationCoordinate2D(), span: MKCoordinateSpan()) }

    /// A part of so many degrees.
    public init(center: CLLocationCoordinate2D, span: MKCoordinateSpan) {
        self.center = center
        self.span = span
    }

    /// A part of so many metres.
    public init(
        center centerCoordinate: CLLocationCoordinate2D, latitudinalMeters: CLLocationDistance,
        longitudinalMeters: CLLocationDistance
    ) {
        let degree = 2 * Double.pi * MKMapPoint.radius / 360
        let narrower = max(1e-9, cos(centerCoordinate.latitude * .pi / 180))
        self.init(
            center: centerCoordinate,
            span: MKCoordinateSpan(
                latitudeDelta: latitudinalMeters / degree,
                longitudeDelta: min(360, longitudinalMeters / degree / narrower)))
    }

    /// The part that a rectangle of the map shows.
    public init(_ rect: MKMapRect) {
        let first = MKMapPoint(x: rect.minX, y: rect.minY).coordinate
        let last = MKMapPoint(x: rect.maxX, y: rect.maxY).coordinate
        self.init(
            center: CLLocationCoordinate2D(
                latitude: (first.latitude + last.latitude) / 2,
                longitude: (first.longitude + last.longitude) / 2),
            span: MKCoordinateSpan(
                latitudeDelta: first.latitude - last.latitude,
                longitudeDelta: last.longitude - first.longitude))
    }

    /// The rectangle of the map that shows it.
    package var rect: MKMapRect {
        let north = min(MKMapPoint.highest, center.latitude + span.latitudeDelta / 2)
        let south = max(-MKMapPoint.highest, center.latitude - span.latitudeDelta / 2)
        let first = MKMapPoint.unlimited(north, center.longitude - span.longitudeDelta / 2)
        let last = MKMapPoint.unlimited(south, center.longitude + span.longitudeDelta / 2)
        return MKMapRect(x: first.x, y: first.y, width: last.x - first.x, height: last.y - first.y)
    }
}

/// A point of the map, on which the whole earth is a square.
///
/// The map is Mercator's: the square is 2^28 points wide, and begins at 180 degrees west and some 85 north.
public struct MKMapPoint: Equatable, Sendable {
    /// How far east it is.
    public var x: Double
    /// How far south it is.
    public var y: Double

    static let radius = 6_378_137.0
    static let width = 268_435_456.0
    /// The latitude at which the square ends.
    static let highest = atan(sinh(Double.pi)) * 180 / .pi

    /// The corner in the north-west.
    public init() { self.init(x: 0, y: 0) }

    /// A point.
    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    /// The point of a place.
    public init(_ coordinate: CLLocationCoordinate2D) {
        self = Self.unlimited(coordinate.latitude, coordinate.longitude)
    }

    static func unlimited(_ latitude: Double, _ longitude: Double) -> MKMapPoint {
        let angle = min(highest, max(-highest, latitude)) * .pi / 180
        return MKMapPoint(
            x: (longitude + 180) / 360 * width, y: (1 - asinh(tan(angle)) / .pi) / 2 * width)
    }

    /// The place of the point.
    public var coordinate: CLLocationCoordinate2D {
        CLLocationCoordinate2D(
            latitude: atan(sinh(Double.pi * (1 - 2 * y / Self.width))) * 180 / .pi,
            longitude: x / Self.width * 360 - 180)
    }

    /// How far another point is away, in metres.
    public func distance(to other: MKMapPoint) -> CLLocationDistance {
        let (here, there) = (coordinate, other.coordinate)
        return CLLocation(latitude: here.latitude, longitude: here.longitude)
            .distance(from: CLLocation(latitude: there.latitude, longitude: there.longitude))
    }
}

/// How far two points of the map are apart, in metres.
public func MKMetersBetweenMapPoints(_ a: MKMapPoint, _ b: MKMapPoint) -> CLLocationDistance {
    a.distance(to: b)
}

/// How many metres a point of the map is wide at a latitude.
public func MKMetersPerMapPointAtLatitude(_ latitude: CLLocationDegrees) -> CLLocationDistance {
    2 * .pi * MKMapPoint.radius / MKMapPoint.width * cos(latitude * .pi / 180)
}

/// How many points of the map a metre is wide at a latitude.
public func MKMapPointsPerMeterAtLatitude(_ latitude: CLLocationDegrees) -> Double {
    1 / MKMetersPerMapPointAtLatitude(latitude)
}

/// How wide a rectangle of the map is.
public struct MKMapSize: Equatable, Sendable {
    /// From west to east.
    public var width: Double
    /// From north to south.
    public var height: Double

    /// Nothing.
    public init() { self.init(width: 0, height: 0) }

    /// So many points.
    public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

    /// The whole map.
    public static let world = MKMapSize(width: MKMapPoint.width, height: MKMapPoint.width)
}

/// A rectangle of the map.
public struct MKMapRect: Equatable, Sendable {
    /// The corner in the north-west.
    public var origin: MKMapPoint
    /// How wide it is.
    public var size: MKMapSize

    /// An empty rectangle.
    public init() { self.init(x: 0, y: 0, width: 0, height: 0) }

    /// A rectangle.
    public init(origin: MKMapPoint, size: MKMapSize) { (self.origin, self.size) = (origin, size) }

    /// A rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: MKMapPoint(x: x, y: y), size: MKMapSize(width: width, height: height))
    }

    /// No rectangle.
    public static let null = MKMapRect(x: .infinity, y: .infinity, width: 0, height: 0)
    /// The whole map.
    public static let world = MKMapRect(origin: MKMapPoint(), size: .world)

    /// Whether it is none.
    public var isNull: Bool { origin.x.isInfinite || origin.y.isInfinite }
    /// Whether nothing is within.
    public var isEmpty: Bool { isNull || size.width == 0 || size.height == 0 }
    /// The west.
    public var minX: Double { origin.x }
    /// The north.
    public var minY: Double { origin.y }
    /// The middle between west and east.
    public var midX: Double { origin.x + size.width / 2 }
    /// The middle between north and south.
    public var midY: Double { origin.y + size.height / 2 }
    /// The east.
    public var maxX: Double { origin.x + size.width }
    /// The south.
    public var maxY: Double { origin.y + size.height }
    /// How wide it is.
    public var width: Double { size.width }
    /// How high it is.
    public var height: Double { size.height }
    /// Whether a part lies beyond 180 degrees.
    public var spans180thMeridian: Bool { minX < 0 || maxX > MKMapPoint.width }

    /// The smallest rectangle round both.
    public func union(_ rect2: MKMapRect) -> MKMapRect {
        if isNull { return rect2 }
        if rect2.isNull { return self }
        let (x, y) = (min(minX, rect2.minX), min(minY, rect2.minY))
        return MKMapRect(
            x: x, y: y, width: max(maxX, rect2.maxX) - x, height: max(maxY, rect2.maxY) - y)
    }

    /// What both have.
    public func intersection(_ rect2: MKMapRect) -> MKMapRect {
        let (x, y) = (max(minX, rect2.minX), max(minY, rect2.minY))
        let (width, height) = (min(maxX, rect2.maxX) - x, min(maxY, rect2.maxY) - y)
        return isNull || rect2.isNull || width < 0 || height < 0
            ? .null : MKMapRect(x: x, y: y, width: width, height: height)
    }

    /// Whether they have something in common.
    public func intersects(_ rect2: MKMapRect) -> Bool { !intersection(rect2).isNull }

    /// The rectangle, smaller at each side.
    public func insetBy(dx: Double, dy: Double) -> MKMapRect {
        if isNull { return self }
        return MKMapRect(x: minX + dx, y: minY + dy, width: width - 2 * dx, height: height - 2 * dy)
    }

    /// The rectangle, moved.
    public func offsetBy(dx: Double, dy: Double) -> MKMapRect {
        MKMapRect(x: minX + dx, y: minY + dy, width: width, height: height)
    }

    /// Whether a point is within.
    public func contains(_ point: MKMapPoint) -> Bool {
        point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
    }

    /// Whether another rectangle is within.
    public func contains(_ rect2: MKMapRect) -> Bool { !rect2.isNull && union(rect2) == self }
}
