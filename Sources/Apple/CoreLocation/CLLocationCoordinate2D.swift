// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A latitude or longitude, in degrees.
public typealias CLLocationDegrees = Double
/// A length, in metres.
public typealias CLLocationDistance = Double
/// How far off a place may be, in metres; negative where it is not known.
public typealias CLLocationAccuracy = Double
/// A speed, in metres a second; negative where it is not known.
public typealias CLLocationSpeed = Double
/// How far off a speed may be, in metres a second.
public typealias CLLocationSpeedAccuracy = Double
/// A direction, in degrees from north; negative where it is not known.
public typealias CLLocationDirection = Double
/// How far off a direction may be, in degrees.
public typealias CLLocationDirectionAccuracy = Double

/// A latitude and a longitude.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator.
    public var latitude: CLLocationDegrees
    /// Degrees east of Greenwich.
    public var longitude: CLLocationDegrees

    /// Makes the one at 0, 0.
    public init() { (latitude, longitude) = (0, 0) }

    /// Makes one.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north.
    ///   - longitude: Degrees east.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

/// A coordinate that is none.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Whether a coordinate is on the earth.
///
/// - Parameter coord: The coordinate.
/// - Returns: Whether latitude and longitude are within 90 and 180 degrees.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}

/// Makes a coordinate.
///
/// - Parameters:
///   - latitude: Degrees north.
///   - longitude: Degrees east.
/// - Returns: The coordinate.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: latitude, longitude: longitude) }

/// Every movement counts.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// The longest length.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The longest time.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude
/// As exact as can be, with the help of other sensors.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// As exact as can be.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// To ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// To a hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// To a kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// To three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// As an app gets it that may not know it exactly.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 5000
