// SPDX-License-Identifier: Apache-2.0

public import Foundation
import PhoneSurroundings

/// The storey of a building.
open class CLFloor: NSObject, NSCopying {
    /// Counted from the ground, which is 0.
    public let level: Int

    init(level: Int) { self.level = level }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// By what a location was found.
open class CLLocationSourceInformation: NSObject, NSCopying, @unchecked Sendable {
    /// Whether a program has made it up.
    public let isSimulatedBySoftware: Bool
    /// Whether something beside the phone has found it.
    public let isProducedByAccessory: Bool

    /// Makes one.
    ///
    /// - Parameters:
    ///   - isSoftware: Whether a program has made it up.
    ///   - isAccessory: Whether something beside the phone has found it.
    public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
        (isSimulatedBySoftware, isProducedByAccessory) = (isSoftware, isAccessory)
    }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Where something was, how exactly that is known, and when.
open class CLLocation: NSObject, NSCopying, @unchecked Sendable {
    // It cannot be changed, which is why it may be sent.

    /// Latitude and longitude.
    public let coordinate: CLLocationCoordinate2D
    /// Metres above the sea.
    public let altitude: CLLocationDistance
    /// Metres above the ellipsoid of WGS 84.
    public let ellipsoidalAltitude: CLLocationDistance
    /// How far off the coordinate may be, in metres; negative where it is not valid.
    public let horizontalAccuracy: CLLocationAccuracy
    /// How far off the altitude may be, in metres; negative where it is not valid.
    public let verticalAccuracy: CLLocationAccuracy
    /// Where it heads, in degrees from north; negative where it is not known.
    public let course: CLLocationDirection
    /// How far off the course may be, in degrees; negative where it is not known.
    public let courseAccuracy: CLLocationDirectionAccuracy
    /// Metres a second; negative where it is not known.
    public let speed: CLLocationSpeed
    /// How far off the speed may be, in metres a second; negative where it is not known.
    public let speedAccuracy: CLLocationSpeedAccuracy
    /// When it was there.
    public let timestamp: Date
    /// The storey, where it is known.
    public let floor: CLFloor?
    /// By what it was found, where that is known.
    public let sourceInformation: CLLocationSourceInformation?

    /// Makes a location of which only the coordinate is known.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north.
    ///   - longitude: Degrees east.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// Makes a location without course and speed.
    ///
    /// - Parameters:
    ///   - coordinate: Latitude and longitude.
    ///   - altitude: Metres above the sea.
    ///   - hAccuracy: How far off the coordinate may be, in metres.
    ///   - vAccuracy: How far off the altitude may be, in metres.
    ///   - timestamp: When.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// Makes a location.
    ///
    /// - Parameters:
    ///   - coordinate: Latitude and longitude.
    ///   - altitude: Metres above the sea.
    ///   - hAccuracy: How far off the coordinate may be, in metres.
    ///   - vAccuracy: How far off the altitude may be, in metres.
    ///   - course: Degrees from north.
    ///   - speed: Metres a second.
    ///   - timestamp: When.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1,
            timestamp: timestamp)
    }

    /// Makes a location.
    ///
    /// - Parameters:
    ///   - coordinate: Latitude and longitude.
    ///   - altitude: Metres above the sea.
    ///   - hAccuracy: How far off the coordinate may be, in metres.
    ///   - vAccuracy: How far off the altitude may be, in metres.
    ///   - course: Degrees from north.
    ///   - courseAccuracy: How far off the course may be, in degrees.
    ///   - speed: Metres a second.
    ///   - speedAccuracy: How far off the speed may be, in metres a second.
    ///   - timestamp: When.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate, altitude, hAccuracy, vAccuracy, course, courseAccuracy, speed, speedAccuracy,
            timestamp,
            nil)
    }

    /// Makes a location.
    ///
    /// - Parameters:
    ///   - coordinate: Latitude and longitude.
    ///   - altitude: Metres above the sea.
    ///   - hAccuracy: How far off the coordinate may be, in metres.
    ///   - vAccuracy: How far off the altitude may be, in metres.
    ///   - course: Degrees from north.
    ///   - courseAccuracy: How far off the course may be, in degrees.
    ///   - speed: Metres a second.
    ///   - speedAccuracy: How far off the speed may be, in metres a second.
    ///   - timestamp: When.
    ///   - sourceInfo: By what it was found.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date, sourceInfo: CLLocationSourceInformation
    ) {
        self.init(
            coordinate, altitude, hAccuracy, vAccuracy, course, courseAccuracy, speed, speedAccuracy,
            timestamp,
            sourceInfo)
    }

    private init(
        _ coordinate: CLLocationCoordinate2D, _ altitude: Double, _ hAccuracy: Double, _ vAccuracy: Double,
        _ course: Double, _ courseAccuracy: Double, _ speed: Double, _ speedAccuracy: Double,
        _ timestamp: Date,
        _ source: CLLocationSourceInformation?
    ) {
        (self.coordinate, self.altitude, ellipsoidalAltitude) = (coordinate, altitude, altitude)
        (horizontalAccuracy, verticalAccuracy) = (hAccuracy, vAccuracy)
        (self.course, self.courseAccuracy) = (course, courseAccuracy)
        (self.speed, self.speedAccuracy) = (speed, speedAccuracy)
        (self.timestamp, floor, sourceInformation) = (timestamp, nil, source)
    }

    /// How far another location is away, along the earth.
    ///
    /// - Parameter location: The other.
    /// - Returns: Metres.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        Earth.distance(
            coordinate.latitude, coordinate.longitude, location.coordinate.latitude,
            location.coordinate.longitude)
    }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Coordinate, accuracy, speed, course and time, for people who look for mistakes.
    open override var description: String {
        "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m"
            + " (speed \(speed) mps / course \(course)) @ \(timestamp)"
    }
}
