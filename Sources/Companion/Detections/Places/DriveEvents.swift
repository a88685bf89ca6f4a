// SPDX-License-Identifier: Apache-2.0

public import Companion

/// A drive has begun, has gone on or is at its end.
public struct DriveChanged: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "drive_changed"
    /// When it happens.
    public static let summary: StaticString = "A drive has begun, has gone on or is at its end."

    /// What has happened.
    public enum Change: String, Hashable, Sendable, CaseIterable {
        /// It has begun.
        case begun
        /// It has more points.
        case extended
        /// It is at its end.
        case ended
    }

    /// What has happened.
    public let change: Change
    /// The drive as it is now.
    public let drive: Drive

    /// Makes the event.
    public init(_ change: Change, _ drive: Drive) {
        self.change = change
        self.drive = drive
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word("change", "What has happened.", of: Change.allCases.map { $0.rawValue }) {
            $0.change.rawValue
        }
        schema.object("drive", "The drive as it is now.") { $0.drive }
    }
}

/// A drive in a list.
public struct DriveListed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "drive"
    /// When it happens.
    public static let summary: StaticString = "A drive that is kept was asked for; its time is when it began."

    /// The drive.
    public let drive: Drive

    /// Makes the event.
    public init(_ drive: Drive) { self.drive = drive }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) { schema.include { $0.drive } }
}

/// A drive with its way.
public struct DriveShown: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "drive_route"
    /// When it happens.
    public static let summary: StaticString =
        "The way of a drive that is kept was asked for; its time is when it began."

    /// The drive.
    public let drive: Drive
    /// Its points, the oldest first.
    public let points: [DrivePoint]

    /// Makes the event.
    public init(_ drive: Drive, points: [DrivePoint]) {
        self.drive = drive
        self.points = points
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.include { $0.drive }
        schema.anything(
            "points",
            "Its points: latitude, longitude, milliseconds since 1970, metres a second or null."
        ) { $0.pointsJSON }
    }

    /// The points as one array of arrays.
    private var pointsJSON: [UInt8] {
        var json = JSONWriter()
        json.array { json in
            for point in points {
                json.array { json in
                    json.value(point.latitude)
                    json.value(point.longitude)
                    json.value(point.time)
                    json.value(point.speed)
                }
            }
        }
        return json.octets
    }
}

/// Drives were deleted.
public struct DrivesDeleted: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "drives_deleted"
    /// When it happens.
    public static let summary: StaticString = "Drives were deleted from the database."

    /// The numbers that were deleted.
    public let ids: [Int64]
    /// The numbers that there were not.
    public let missing: [Int64]

    /// Makes the event.
    public init(_ ids: [Int64], missing: [Int64] = []) {
        self.ids = ids
        self.missing = missing
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.list("deleted", "The numbers that were deleted.") { $0.ids }
        schema.list("missing", "The numbers that there were not.") { $0.missing }
    }
}

/// Where a detection was became known only afterwards.
public struct DetectionPlaced: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "detection_placed"
    /// When it happens.
    public static let summary: StaticString =
        "A detection that had no place has one now, from a fix that came within 30 s after it."

    /// What became known.
    public let place: LatePlace
    /// The number of its source.
    public let source: Int64

    /// Makes the event.
    public init(_ place: LatePlace, source: Int64) {
        self.place = place
        self.source = source
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("id", "The number of the detection.") { $0.place.id }
        schema.integer("source", "The number of its source.") { $0.source }
        schema.time("received", "When the detection was received.") { $0.place.received }
        schema.number("latitude", "Where it was received, in degrees north.") { $0.place.position.latitude }
        schema.number("longitude", "Where it was received, in degrees east.") { $0.place.position.longitude }
        schema.word("fix_source", "Who knew the place.", of: Fix.Source.allCases.map { "\($0.keyword)" }) {
            $0.place.fix.source.map { "\($0.keyword)" }
        }
        schema.integer("fix_age_ms", "How old the fix was then: negative, for it came afterwards.") {
            $0.place.fix.age
        }
        schema.number("accuracy", "How far the place may be wrong, in metres.") { $0.place.fix.accuracy }
        schema.number("altitude", "Metres above the sea.") { $0.place.fix.altitude }
    }
}
