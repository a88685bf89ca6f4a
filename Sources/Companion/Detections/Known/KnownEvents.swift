// SPDX-License-Identifier: Apache-2.0

public import Companion

/// Events of cameras that others know.
package enum KnownEvents {
    package static let all: [EventDescription] = [
        EventDescription(KnownSetShown.self), EventDescription(KnownSetImported.self),
        EventDescription(KnownSetRemoved.self),
    ]
}

/// A set of cameras that others know, as it is.
public struct KnownSetShown: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "known_set"
    /// When it happens.
    public static let summary: StaticString = "A set of cameras that others know is listed."

    /// The set.
    public let set: ReferenceCameras

    /// Makes the event.
    public init(_ set: ReferenceCameras) { self.set = set }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "Its name.") { $0.set.name }
        schema.integer("cameras", "How many cameras it has.") { $0.set.cameras }
        schema.text("origin", "Where it comes from.") { $0.set.origin }
        schema.text("version", "Which version it is; null when the file did not say.") {
            $0.set.version.isEmpty ? nil : $0.set.version
        }
        schema.time("imported", "When it was imported.") { $0.set.imported }
    }
}

/// A set of cameras that others know was imported.
public struct KnownSetImported: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "known_set_imported"
    /// When it happens.
    public static let summary: StaticString =
        "A set of cameras that others know was imported, in the place of the one of its name."

    /// The set.
    public let set: ReferenceCameras
    /// How many cameras the one of its name had before; `nil` when there was none.
    public let replaced: Int?
    /// Entries that are no cameras, or come a second time.
    public let passed: Int
    /// Entries that cannot be used.
    public let refused: Int
    /// Why cameras may be missing, as a sentence; `nil` when the file says nothing of that.
    public let note: String?

    /// Makes the event.
    public init(_ set: ReferenceCameras, replaced: Int?, passed: Int, refused: Int, note: String? = nil) {
        self.set = set
        self.replaced = replaced
        self.passed = passed
        self.refused = refused
        self.note = note
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.include { KnownSetShown($0.set) }
        schema.integer(
            "replaced", "How many cameras the set of its name had before; null when there was none."
        ) {
            $0.replaced
        }
        schema.integer("passed", "Entries that are not cameras, or come a second time.") { $0.passed }
        schema.integer("refused", "Entries that cannot be used.") { $0.refused }
        schema.text("note", "Why cameras may be missing; null when the file says nothing of that.") {
            $0.note
        }
    }
}

/// A set of cameras that others know was removed.
public struct KnownSetRemoved: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "known_set_removed"
    /// When it happens.
    public static let summary: StaticString = "A set of cameras that others know was removed."

    /// The name of the set.
    public let set: String
    /// How many cameras it had.
    public let cameras: Int

    /// Makes the event.
    public init(_ set: String, cameras: Int) {
        self.set = set
        self.cameras = cameras
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "The name of the set.") { $0.set }
        schema.integer("cameras", "How many cameras it had.") { $0.cameras }
    }
}
