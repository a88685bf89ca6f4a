// SPDX-License-Identifier: Apache-2.0

import Companion

/// A point of a drive.
public struct DrivePoint: Hashable, Sendable {
    /// When, in milliseconds since 1970, by the clock of whoever keeps the drive.
    public var time: Int64
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// Metres above the sea.
    public var altitude: Double?
    /// How far it may be wrong, in metres.
    public var accuracy: Double?
    /// Metres a second over ground.
    public var speed: Double?

    /// Makes a point.
    public init(
        time: Int64, latitude: Double, longitude: Double, altitude: Double? = nil, accuracy: Double? = nil,
        speed: Double? = nil
    ) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.accuracy = accuracy
        self.speed = speed
    }

    /// The way to another point as the crow flies.
    ///
    /// - Parameter other: The other point.
    /// - Returns: Its length in metres, and its bearing in degrees from north.
    public func way(to other: DrivePoint) -> (metres: Double, bearing: Double) {
        let plane = LocalPlane(latitude: (latitude + other.latitude) / 2, longitude: longitude)
        let from = plane.point(latitude: latitude, longitude: longitude)
        let to = plane.point(latitude: other.latitude, longitude: other.longitude)
        return (
            from.squaredDistance(to: to).squareRoot(),
            Trigonometry.bearing(east: to.east - from.east, north: to.north - from.north)
        )
    }
}

/// Makes drives of fixes, one by one.
///
/// | a drive | when |
/// |---|---|
/// | begins | 50 m from where one has rested, or more where the fixes are worse than that; it has the way from there |
/// | has a point | 10 m after the last one, or 5 m after it where one turns by 15 degrees |
/// | ends | after 5 minutes within 30 m, or without a fix; also after a day or 50 000 points, where another one goes on |
///
/// Drives have the times of whoever keeps them; how long one rests is told by the fixes' own times, so that a track that is
/// played faster is the same drives.
public struct DriveRecorder: Sendable {
    /// What becomes of drives.
    public enum Output: Hashable, Sendable {
        /// One has begun: its first points, and how many metres they are long.
        case begins([DrivePoint], metres: Double)
        /// It has another point; all of it is so many metres long now.
        case goesOn(DrivePoint, metres: Double)
        /// It is at its end.
        case ends
    }

    /// How far from its place of rest a drive begins, in metres.
    static let beginning = 50.0
    /// From one point to the next, in metres; and where one turns by so many degrees.
    private static let spacing = 10.0
    private static let shortest = 5.0
    private static let turn = 15.0
    /// So far a place of rest reaches, in metres.
    private static let wandering = 30.0
    /// After so many milliseconds at rest, or without a fix, a drive ends.
    public static let patience: Int64 = 300_000
    /// The most points and milliseconds of a drive.
    static let mostPoints = 50_000
    private static let longest: Int64 = 86_400_000
    /// Below so many metres a second what looks like a way is the receiver that wanders.
    private static let slowest = 0.5
    /// Points that are kept of the way from a place of rest.
    private static let longestTrail = 200

    /// Where one rests, and the way from there.
    private struct Rest {
        var place: DrivePoint
        var trail: [DrivePoint] = []
    }

    private struct Drive {
        var begin: Int64
        var last: DrivePoint
        var bearing: Double?
        var metres: Double
        var count: Int
        /// Where one may have come to rest, and when, by the fixes' clock.
        var rest: (place: DrivePoint, since: Int64)
    }

    private var rest: Rest?
    private var drive: Drive?
    /// When the last fix came, by a clock that nobody sets, and its own time.
    private var last: (instant: UInt64, time: Int64)?

    /// Starts without a fix.
    public init() {}

    /// Whether a drive is under way.
    public var isDriving: Bool { drive != nil }

    /// When to call ``deadlineReached(at:)`` at the latest, by its clock; `nil` when no drive is under way.
    public var deadline: UInt64? { drive == nil ? nil : last.map { $0.instant + UInt64(Self.patience) } }

    /// Handles a fix that was found to be good.
    ///
    /// - Parameters:
    ///   - fix: The fix.
    ///   - speed: Metres a second, where that is known.
    ///   - instant: When it came, in milliseconds of a clock that nobody sets.
    ///   - time: The same, in milliseconds since 1970.
    /// - Returns: What becomes of drives, in order.
    public mutating func receive(
        _ fix: Fix, speed: Double?, at instant: UInt64, time: Int64
    ) -> [Output] {
        var outputs = deadlineReached(at: instant)
        if let last, abs(fix.time &- last.time) >= Self.patience { outputs += finish() }
        last = (instant, fix.time)
        let point = DrivePoint(
            time: time, latitude: fix.latitude, longitude: fix.longitude, altitude: fix.altitude,
            accuracy: fix.accuracy, speed: speed)
        if drive != nil {
            outputs += goOn(point, fix.time)
        } else {
            outputs += leave(point, fix.time)
        }
        return outputs
    }

    /// Handles time: without fixes a drive ends.
    ///
    /// - Parameter instant: Now, in milliseconds of the clock of ``receive(_:speed:at:time:)``.
    /// - Returns: What becomes of drives.
    public mutating func deadlineReached(at instant: UInt64) -> [Output] {
        guard let last, instant > last.instant, instant - last.instant >= UInt64(Self.patience) else {
            return []
        }
        return finish()
    }

    /// Ends the drive that is under way; the next fix is a place of rest.
    ///
    /// - Returns: What becomes of it.
    public mutating func finish() -> [Output] {
        let outputs: [Output] = drive == nil ? [] : [.ends]
        self = DriveRecorder()
        return outputs
    }

    // MARK: Parts

    /// Looks whether one has left the place of rest.
    private mutating func leave(_ point: DrivePoint, _ time: Int64) -> [Output] {
        guard var rest else {
            rest = Rest(place: point)
            return []
        }
        let distance = rest.place.way(to: point).metres
        let (known, new) = (rest.place.accuracy ?? 0, point.accuracy ?? 0)
        guard distance >= max(Self.beginning, known + new) else {
            if new < known / 2 || rest.trail.count >= Self.longestTrail {
                // One knows better now where that is, or has gone round and round.
                rest = Rest(place: point)
            } else if distance < Self.spacing {
                // Still there: one sets out later.
                rest.place.time = point.time
                rest.trail = []
            } else if Self.isNext(point, after: rest.trail.last ?? rest.place, bearing: nil) {
                rest.trail.append(point)
            }
            self.rest = rest
            return []
        }
        var points = [rest.place] + rest.trail + [point]
        var metres = 0.0
        for index in points.indices.dropFirst() {
            points[index].time = max(points[index].time, points[index - 1].time + 1)
            metres += points[index - 1].way(to: points[index]).metres
        }
        let end = points[points.count - 1]
        drive = Drive(
            begin: points[0].time, last: end, bearing: points[points.count - 2].way(to: end).bearing,
            metres: metres, count: points.count, rest: (end, time))
        self.rest = nil
        return [.begins(points, metres: metres)]
    }

    private mutating func goOn(_ point: DrivePoint, _ time: Int64) -> [Output] {
        guard var drive else { return [] }
        let reach = max(Self.wandering, point.accuracy ?? 0)
        if drive.rest.place.way(to: point).metres > reach {
            drive.rest = (point, time)
        } else if time - drive.rest.since >= Self.patience {
            self.drive = nil
            rest = Rest(place: point)
            return [.ends]
        }
        defer { self.drive = drive }
        guard Self.isNext(point, after: drive.last, bearing: drive.bearing) else { return [] }
        var point = point
        // The clock may have been set back meanwhile.
        point.time = max(point.time, drive.last.time + 1)
        let way = drive.last.way(to: point)
        drive.metres += way.metres
        drive.count += 1
        (drive.last, drive.bearing) = (point, way.bearing)
        var outputs = [Output.goesOn(point, metres: drive.metres)]
        if drive.count >= Self.mostPoints || point.time - drive.begin >= Self.longest {
            outputs += [.ends, .begins([point], metres: 0)]
            drive = Drive(
                begin: point.time, last: point, bearing: way.bearing, metres: 0, count: 1, rest: drive.rest)
        }
        return outputs
    }

    /// Whether a point is worth keeping after another one, to which the way had a bearing.
    private static func isNext(_ point: DrivePoint, after last: DrivePoint, bearing: Double?) -> Bool {
        let way = last.way(to: point)
        if let speed = point.speed, speed < slowest {
            return way.metres >= max(wandering, point.accuracy ?? 0)
        }
        if way.metres >= spacing { return true }
        guard way.metres >= shortest, let bearing else { return false }
        let angle = abs(way.bearing - bearing)
        return min(angle, 360 - angle) >= turn
    }
}
