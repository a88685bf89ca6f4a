// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
import FlockFinder

/// Detections were deleted.
public struct DetectionsDeleted: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "detections_deleted"
    /// When it happens.
    public static let summary: StaticString =
        "Detections were deleted from the database."

    /// The numbers that were deleted.
    public let ids: [Int64]
    /// The numbers that there were not.
    public let missing: [Int64]

    /// Makes the event.
    public init(_ ids: [Int64], missing: [Int64]) {
        self.ids = ids
        self.missing = missing
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.list("deleted", "The numbers that were deleted.") { $0.ids }
        schema.list("missing", "The numbers that there were not.") { $0.missing }
    }
}

/// A row of an imported file cannot be used.
public struct DetectionRefused: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "detection_refused"
    /// When it happens.
    public static let summary: StaticString =
        "Rows of an imported file cannot be used, or something is to be known of them; told once for each kind."

    /// Where the first of them is and what is wrong.
    public let fault: ImportError
    /// How many rows are so; 0 where that says nothing, for the rows are used.
    public let rows: Int

    /// Makes the event.
    public init(_ fault: ImportError, rows: Int = 1) {
        self.fault = fault
        self.rows = rows
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("line", "The line of the file.") { $0.fault.line }
        schema.integer("column", "The column, where it is known.") { $0.fault.column }
        schema.text("reason", "What is wrong.") { $0.fault.reason }
        schema.integer("rows", "How many rows are so; 0 of what is only to be known.") { $0.rows }
    }
}

/// A file of detections was imported, or would be.
public struct DetectionsImported: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "detections_imported"
    /// When it happens.
    public static let summary: StaticString =
        "A file of detections was imported, or would be."

    /// What became of the rows.
    public let counts: ImportSummary
    /// Whether nothing was written.
    public let isTrial: Bool

    /// Makes the event.
    public init(_ counts: ImportSummary, isTrial: Bool) {
        self.counts = counts
        self.isTrial = isTrial
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("imported", "Detections that are new.") { $0.counts.imported }
        schema.integer("known", "Detections that were there already.") { $0.counts.known }
        schema.integer("refused", "Rows that cannot be used.") { $0.counts.refused }
        schema.integer("passed", "Rows of other kinds that are passed over, such as cell towers.") {
            $0.counts.passed
        }
        schema.integer("drives", "Drives that are new.") { $0.counts.drives }
        schema.integer("known_drives", "Drives that were there already.") { $0.counts.knownDrives }
        schema.flag("dry_run", "Whether nothing was written.") { $0.isTrial }
    }
}

/// What became of the rows of an imported file.
public struct ImportSummary: Hashable, Sendable {
    /// Detections that are new.
    public var imported = 0
    /// Detections that were there already.
    public var known = 0
    /// Rows that cannot be used.
    public var refused = 0
    /// Rows of other kinds that are passed over, such as cell towers.
    public var passed = 0
    /// Drives that are new.
    public var drives = 0
    /// Drives that were there already.
    public var knownDrives = 0

    /// Whether nothing of a file could be used, or nothing is in it.
    public var isOfNoUse: Bool { rows == passed + refused }

    /// How many rows were read, whatever became of them.
    public var rows: Int { imported + known + refused + passed + drives + knownDrives }

    /// Makes an empty summary.
    public init() {}
}
