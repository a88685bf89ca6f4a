// SPDX-License-Identifier: Apache-2.0

/// From where the map is looked at.
public struct MapCamera: Sendable {
    /// The place that is looked at.
    public var centerCoordinate: CLLocationCoordinate2D
    /// How far it is away, in metres.
    public var distance: Double
    /// Which way is up, in degrees from north.
    public var heading: Double
    /// How far from straight down is looked, in degrees.
    public var pitch: Double

    /// A place that is looked at.
    public init(
        centerCoordinate: CLLocationCoordinate2D, distance: Double, heading: Double = 0, pitch: Double = 0
    ) {
        self.centerCoordinate = centerCoordinate
        self.distance = distance
        self.heading = heading
        self.pitch = pitch
    }

    /// How high what is seen is, as a share of the distance: an angle of thirty degrees.
    private static let height = 2 * tan(15 * Double.pi / 180)

    /// What is seen of the earth, on a screen of these proportions.
    package func region(_ size: CGSize) -> MKCoordinateRegion {
        let height = distance * Self.height
        let width = size.height > 0 ? height * Double(size.width / size.height) : height
        return MKCoordinateRegion(
            center: centerCoordinate, latitudinalMeters: height, longitudinalMeters: width)
    }

    /// The camera from which a part of the earth is seen from north to south.
    init(seeing region: MKCoordinateRegion) {
        let degree = 2 * Double.pi * MKMapPoint.radius / 360
        self.init(
            centerCoordinate: region.center, distance: region.span.latitudeDelta * degree / Self.height)
    }
}

extension MapCamera: Equatable {
    /// Whether both look at the same from the same place.
    public static func == (lhs: MapCamera, rhs: MapCamera) -> Bool { lhs.numbers == rhs.numbers }

    private var numbers: [Double] {
        [centerCoordinate.latitude, centerCoordinate.longitude, distance, heading, pitch]
    }
}

/// What a map shows.
public struct MapCameraPosition: Equatable, Sendable {
    indirect enum Kind: Equatable, Sendable {
        case automatic, user
        case camera(MapCamera)
        case rect(MKMapRect)
        case userLocation(followsHeading: Bool, MapCameraPosition)
    }

    let kind: Kind
    /// The part of the earth that the app has asked for.
    public private(set) var region: MKCoordinateRegion?

    init(_ kind: Kind, _ region: MKCoordinateRegion? = nil) {
        self.kind = kind
        self.region = region
    }

    /// All that is on the map.
    public static let automatic = MapCameraPosition(.automatic)

    /// What a camera sees.
    public static func camera(_ camera: MapCamera) -> MapCameraPosition { .init(.camera(camera)) }

    /// A part of the earth.
    public static func region(_ region: MKCoordinateRegion) -> MapCameraPosition {
        .init(.rect(region.rect), region)
    }

    /// A rectangle of the map.
    public static func rect(_ rect: MKMapRect) -> MapCameraPosition { .init(.rect(rect)) }

    /// Where the person is, or something else until that is known.
    public static func userLocation(
        followsHeading: Bool = false, fallback: MapCameraPosition
    ) -> MapCameraPosition { .init(.userLocation(followsHeading: followsHeading, fallback)) }

    /// The camera that the app has asked for.
    public var camera: MapCamera? { if case .camera(let camera) = kind { camera } else { nil } }
    /// The rectangle that the app has asked for.
    public var rect: MKMapRect? {
        if case .rect(let rect) = kind, region == nil { rect } else { nil }
    }
    /// What is shown until it is known where the person is.
    public var fallbackPosition: MapCameraPosition? {
        if case .userLocation(_, let fallback) = kind { fallback } else { nil }
    }
    /// Whether the map goes with the person.
    public var followsUserLocation: Bool { fallbackPosition != nil }
    /// Whether the map turns with the person.
    public var followsUserHeading: Bool { if case .userLocation(true, _) = kind { true } else { false } }
    /// Whether the person has moved the map.
    public var positionedByUser: Bool { kind == .user }

    /// Whether both show the same.
    public static func == (lhs: MapCameraPosition, rhs: MapCameraPosition) -> Bool {
        lhs.kind == rhs.kind && (lhs.region == nil) == (rhs.region == nil)
    }
}

/// How far a person can move the map.
public struct MapCameraBounds: Sendable {
    let center: MKMapRect?
    let distances: ClosedRange<Double>

    /// The middle stays in a part of the earth, and the camera between distances in metres.
    public init(
        centerCoordinateBounds: MKCoordinateRegion, minimumDistance: Double? = nil,
        maximumDistance: Double? = nil
    ) {
        self.init(
            centerCoordinateBounds: centerCoordinateBounds.rect, minimumDistance: minimumDistance,
            maximumDistance: maximumDistance)
    }

    /// The middle stays in a rectangle, and the camera between distances in metres.
    public init(
        centerCoordinateBounds: MKMapRect, minimumDistance: Double? = nil, maximumDistance: Double? = nil
    ) {
        center = centerCoordinateBounds
        distances = (minimumDistance ?? 0)...(maximumDistance ?? .infinity)
    }

    /// The camera stays between distances in metres.
    public init(minimumDistance: Double? = nil, maximumDistance: Double? = nil) {
        center = nil
        distances = (minimumDistance ?? 0)...(maximumDistance ?? .infinity)
    }

    /// The nearest camera within the bounds.
    func limited(_ camera: MapCamera) -> MapCamera {
        var camera = camera
        camera.distance = min(distances.upperBound, max(distances.lowerBound, camera.distance))
        if let center {
            let point = MKMapPoint(camera.centerCoordinate)
            camera.centerCoordinate =
                MKMapPoint(
                    x: min(center.maxX, max(center.minX, point.x)),
                    y: min(center.maxY, max(center.minY, point.y))
                ).coordinate
        }
        return camera
    }
}

/// What a person can do with the map.
public struct MapInteractionModes: OptionSet, Sendable {
    /// The number of the set.
    public let rawValue: Int
    /// The set with a number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Move it.
    public static let pan = MapInteractionModes(rawValue: 1)
    /// Make it larger and smaller.
    public static let zoom = MapInteractionModes(rawValue: 2)
    /// Look at it from the side.
    public static let pitch = MapInteractionModes(rawValue: 4)
    /// Turn it.
    public static let rotate = MapInteractionModes(rawValue: 8)
    /// All.
    public static let all: MapInteractionModes = [.pan, .zoom, .pitch, .rotate]
}

/// How often the app is told that the map moves.
public struct MapCameraUpdateFrequency: Sendable {
    let name: String
    /// All the time.
    public static let continuous = MapCameraUpdateFrequency(name: "continuous")
    /// When it has moved.
    public static let onEnd = MapCameraUpdateFrequency(name: "onEnd")
}

/// What the app is told when the map has moved.
public struct MapCameraUpdateContext: Sendable {
    /// From where the map is looked at.
    public let camera: MapCamera
    /// The part of the earth that is seen.
    public let region: MKCoordinateRegion
    /// The rectangle of the map that is seen.
    public let rect: MKMapRect
}
