// SPDX-License-Identifier: Apache-2.0

public import Companion

/// A drive: a way from one place of rest to the next.
public struct Drive: EventPart, Hashable, Sendable, Identifiable {
    /// Its number, never used twice.
    public let id: Int64
    /// When it began.
    public var begin: Timestamp
    /// When its last point was reached.
    public var end: Timestamp
    /// How long it is, in metres.
    public var metres: Double
    /// Who knew the way.
    public var source: Fix.Source?
    /// Sources that were received first during it.
    public var newSources: Int
    /// Sources that were received during it and had been received before.
    public var knownSources: Int

    /// Makes a drive.
    public init(
        id: Int64, begin: Timestamp, end: Timestamp, metres: Double, source: Fix.Source?, newSources: Int = 0,
        knownSources: Int = 0
    ) {
        self.id = id
        self.begin = begin
        self.end = end
        self.metres = metres
        self.source = source
        self.newSources = newSources
        self.knownSources = knownSources
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("id", "Its number, never used twice.") { $0.id }
        schema.time("begin", "When it began.") { $0.begin }
        schema.time("end", "When its last point was reached.") { $0.end }
        schema.number("metres", "How long it is.") { ($0.metres * 10).rounded() / 10 }
        schema.word("source", "Who knew the way.", of: Fix.Source.allCases.map { "\($0.keyword)" }) {
            $0.source.map { "\($0.keyword)" }
        }
        schema.integer("sources_new", "Sources that were received first during it.") { $0.newSources }
        schema.integer("sources_known", "Sources that were received during it, and before.") {
            $0.knownSources
        }
    }
}

/// What was added to a drive, to be stored.
public struct DrivePiece: Hashable, Sendable {
    /// The drive's number; `nil` for a new one.
    public var drive: Int64?
    /// Who knows the way.
    public var source: Fix.Source
    /// The points that are new, the oldest first; at least one.
    public var points: [DrivePoint]
    /// How long all of the drive is now, in metres.
    public var metres: Double

    /// Makes a piece.
    public init(drive: Int64? = nil, source: Fix.Source, points: [DrivePoint], metres: Double) {
        self.drive = drive
        self.source = source
        self.points = points
        self.metres = metres
    }
}

/// The way of a drive within a part of the map, as fine as it can be seen.
public struct DriveRoute: Hashable, Sendable {
    /// The drive.
    public var drive: Drive
    /// The points, the oldest first.
    public var points: [Position]

    /// Makes a way.
    public init(_ drive: Drive, points: [Position]) {
        self.drive = drive
        self.points = points
    }
}
