// SPDX-License-Identifier: Apache-2.0

public import Companion

/// How the place of a detection is known.
public struct FixDetails: Hashable, Sendable {
    /// Who knew the place; `nil` where a file does not say.
    public var source: Fix.Source?
    /// How old the fix was when the detection came, in milliseconds; negative where the fix came afterwards.
    public var age: Int64?
    /// How far the place may be wrong, in metres: 0 or more.
    public var accuracy: Double?
    /// Metres above the sea.
    public var altitude: Double?

    /// Who knew the place, as files say it.
    public var sourceWord: String? { source?.keyword.description }

    /// Whether the place was filled in from a fix that came after the detection.
    public var wasFilledIn: Bool { age.map { $0 < 0 } ?? false }

    /// Makes details of a fix; `nil` when nothing is known.
    ///
    /// - Parameters:
    ///   - source: Who knew the place.
    ///   - age: How old the fix was, in milliseconds; negative where it came afterwards.
    ///   - accuracy: How far the place may be wrong, in metres.
    ///   - altitude: Metres above the sea.
    public init?(source: Fix.Source?, age: Int64? = nil, accuracy: Double? = nil, altitude: Double? = nil) {
        if source == nil, age == nil, accuracy == nil, altitude == nil { return nil }
        self.source = source
        self.age = age
        self.accuracy = accuracy
        self.altitude = altitude
    }
}

extension FixDetails: EventPart {
    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word(
            "source", "Who knew the place: a person once for all, gpsd, a recorded track, a browser.",
            of: Fix.Source.words
        ) { $0.sourceWord }
        schema.integer(
            "age_ms",
            "How old the fix was when the detection came, in milliseconds; negative where it came afterwards."
        ) { $0.age }
        schema.number("accuracy", "How far the place may be wrong, in metres.") { $0.accuracy }
        schema.number("altitude", "Metres above the sea.") { $0.altitude }
    }
}

extension Fix.Source {
    /// All that files say.
    static var words: [String] { allCases.map { $0.keyword.description } }
}

// Not in the kit: what compares text needs more of it than a chip has.
extension Fix.Source {
    /// Finds a source by its word.
    ///
    /// - Parameter keyword: The word.
    public init?(keyword: String) {
        guard let source = Self.allCases.first(where: { $0.keyword.description == keyword }) else {
            return nil
        }
        self = source
    }
}
