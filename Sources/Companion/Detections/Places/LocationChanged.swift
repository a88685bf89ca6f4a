// SPDX-License-Identifier: Apache-2.0

public import Companion

/// What is known of our own place has changed.
public struct LocationChanged: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "location"
    /// When it happens.
    public static let summary: StaticString =
        "A place of our own was found or lost, we move in another way, or a fix was refused."

    /// What has happened.
    public enum Condition: String, Hashable, Sendable, CaseIterable {
        /// A fix says where we are.
        case found
        /// The receiver looks for satellites; or, with a reason, has told no place.
        case searching
        /// gpsd has no receiver, or one that says nothing.
        case noReceiver = "no_receiver"
        /// gpsd cannot be reached; it is tried again.
        case unreachable
        /// A fix cannot be true.
        case refused
        /// The track is at its end.
        case ended
    }

    /// What is said where gpsd has no receiver, and what helps; without a full stop.
    public static let lacksReceiver =
        "gpsd has no receiver yet: connect one, or start gpsd with its device"

    /// What has happened.
    public let condition: Condition
    /// How many satellites the receiver uses.
    public let satellites: Int?
    /// The fix that is used, or refused.
    public let fix: Fix?
    /// How we move.
    public let motion: Sighting.Motion
    /// Why, as a phrase.
    public let reason: String?

    /// Makes the event.
    public init(
        _ condition: Condition, satellites: Int? = nil, fix: Fix? = nil,
        motion: Sighting.Motion = Sighting.Motion(), reason: String? = nil
    ) {
        self.condition = condition
        self.satellites = satellites
        self.fix = fix
        self.motion = motion
        self.reason = reason
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word("condition", "What has happened.", of: Condition.allCases.map { $0.rawValue }) {
            $0.condition.rawValue
        }
        schema.word(
            "source", "What has said where we are.", of: Fix.Source.allCases.map { "\($0.keyword)" }
        ) {
            $0.fix.map { "\($0.source.keyword)" }
        }
        schema.time("fix_time", "When we were there, by the clock of the source.") {
            $0.fix.map { Timestamp(milliseconds: $0.time) }
        }
        schema.number("latitude", "Degrees north.") { $0.fix?.latitude }
        schema.number("longitude", "Degrees east.") { $0.fix?.longitude }
        schema.number("altitude", "Metres above the sea.") { $0.fix?.altitude }
        schema.number("accuracy", "How far the place may be wrong, in metres.") { $0.fix?.accuracy }
        schema.number("altitude_accuracy", "How far the altitude may be wrong, in metres.") {
            $0.fix?.altitudeAccuracy
        }
        schema.number("speed", "How fast we are, in metres a second.") { $0.motion.speed }
        schema.number("heading", "Where to we move, in degrees from north, clockwise.") { $0.motion.heading }
        schema.text("activity", "How we move, in one word.") { $0.motion.activity }
        schema.integer("satellites", "How many satellites the receiver uses.") { $0.satellites }
        schema.text(
            "reason",
            "Why a fix was refused, gpsd cannot be reached, a receiver that does not look for satellites has no place, or the time of a fix is that of its arrival."
        ) { $0.reason }
    }
}
