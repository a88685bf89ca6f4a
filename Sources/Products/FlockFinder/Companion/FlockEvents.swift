// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire
public import FlockFinder

/// Events of FlockFinder devices and of what they have noticed.
public enum FlockFinderEvents {
    /// All of them.
    public static let all: [EventDescription] =
        [
            EventDescription(DetectionEvent.self),
            EventDescription(FlockParseError.self),
            EventDescription(FlockStreamObject.self),
            EventDescription(FlockCommandWritten.self),
            EventDescription(FlockNotice.self),
            EventDescription(FlockCommandReceived.self),
            EventDescription(FlockObjectSent.self),
            EventDescription(FlockScriptFinished.self),
            EventDescription(DetectionsDeleted.self),
            EventDescription(DetectionsRestored.self),
            EventDescription(SourceChanged.self),
            EventDescription(DetectionRefused.self),
            EventDescription(DetectionsImported.self),
            EventDescription(LocationChanged.self),
            EventDescription(DetectionPlaced.self),
            EventDescription(DriveChanged.self),
            EventDescription(DriveListed.self),
            EventDescription(DriveShown.self),
            EventDescription(DrivesDeleted.self),
            EventDescription(DetectorStarted.self),
            EventDescription(SignatureTableShown.self),
        ] + KnownEvents.all
}

/// A device has sent something that cannot be used.
public struct FlockParseError: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "flock_parse_error"
    /// When it happens.
    public static let summary: StaticString =
        "A FlockFinder device has sent something that cannot be used; it is kept."

    /// The device, where it is known.
    public let peer: Peer?
    /// What came, and why it cannot be used.
    public let failure: ParseFailure

    /// Makes the event.
    ///
    /// - Parameters:
    ///   - peer: The device, where it is known.
    ///   - failure: What came, and why it cannot be used.
    public init(_ peer: Peer?, _ failure: ParseFailure) {
        self.peer = peer
        self.failure = failure
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.text("reason", "Why it cannot be used.") { $0.failure.reason }
        schema.octets("octets", "What came.") { $0.failure.raw }
    }
}

/// An object of a device's live stream.
public struct FlockStreamObject: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "flock_stream"
    /// When it happens.
    public static let summary: StaticString =
        "A FlockFinder device has told on its live stream what it hears or how it is."

    /// The device, where it is known.
    public let peer: Peer?
    /// The object: valid JSON from `{` to `}`.
    public let object: [UInt8]

    /// Makes the event.
    ///
    /// - Parameters:
    ///   - peer: The device, where it is known.
    ///   - object: The object: valid JSON from `{` to `}`.
    public init(_ peer: Peer?, _ object: [UInt8]) {
        self.peer = peer
        self.object = object
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.anything("object", "What it has said.") { $0.object }
    }
}

/// A command was written to a device, or could not be.
public struct FlockCommandWritten: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "flock_command"
    /// When it happens.
    public static let summary: StaticString =
        "A command was written to a FlockFinder device, or could not be."

    /// The device, where it is known.
    public let peer: Peer?
    /// The command.
    public let command: WireText
    /// Why it could not be written; `nil` when it was.
    public let failure: RequestFailure?

    /// Makes the event.
    ///
    /// - Parameters:
    ///   - peer: The device, where it is known.
    ///   - command: The command.
    ///   - failure: Why it could not be written; `nil` when it was.
    public init(_ peer: Peer?, _ command: WireText, failure: RequestFailure?) {
        self.peer = peer
        self.command = command
        self.failure = failure
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.text("command", "The command.") { $0.command.string }
        schema.text("reason", "Why it could not be written; null when it was.") { $0.failure?.description }
    }
}

/// Advice to the person.
public struct FlockNotice: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "flock_notice"
    /// When it happens.
    public static let summary: StaticString =
        "There is something that the person should do or know."

    /// The device, where there is one.
    public let peer: Peer?
    /// What it is.
    public let advice: FlockFinderAdvice

    /// Makes the event.
    ///
    /// - Parameters:
    ///   - peer: The device, where there is one.
    ///   - advice: What it is.
    public init(_ peer: Peer?, _ advice: FlockFinderAdvice) {
        self.peer = peer
        self.advice = advice
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.word("notice", "What it is.", of: FlockFinderAdvice.words) { $0.advice.word }
        schema.text("text", "The same for a person.") { $0.advice.description }
    }
}

/// A client has written a command to the device that this program is.
public struct FlockCommandReceived: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "flock_command_received"
    /// When it happens.
    public static let summary: StaticString =
        "A client has written a command to the FlockFinder device that this program acts as."

    /// The client's link.
    public let link: LinkID
    /// The command.
    public let command: WireText

    /// Makes the event.
    ///
    /// - Parameters:
    ///   - link: The client's link.
    ///   - command: The command.
    public init(_ link: LinkID, _ command: WireText) {
        self.link = link
        self.command = command
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.text("command", "The command.") { $0.command.string }
    }
}

/// The device that this program is has sent an object.
public struct FlockObjectSent: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "flock_object_sent"
    /// When it happens.
    public static let summary: StaticString =
        "The FlockFinder device that this program acts as has sent an object."

    /// The object, as it was sent.
    public let object: [UInt8]
    /// To how many clients.
    public let clients: Int

    /// Makes the event.
    ///
    /// - Parameters:
    ///   - object: The object, as it was sent.
    ///   - clients: To how many clients.
    public init(_ object: [UInt8], clients: Int) {
        self.object = object
        self.clients = clients
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("clients", "To how many clients.") { $0.clients }
        schema.anything("object", "The object.") { $0.object }
    }
}

/// A device's script has come to its end.
public struct FlockScriptFinished: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "flock_script_finished"
    /// When it happens.
    public static let summary: StaticString =
        "The script of the FlockFinder device that this program acts as has come to its end."

    /// Makes the event.
    public init() {}

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {}
}

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
    ///
    /// - Parameters:
    ///   - ids: The numbers that were deleted.
    ///   - missing: The numbers that there were not.
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
    public let fault: ImportFault
    /// How many rows are so; 0 where that says nothing, for the rows are used.
    public let rows: Int

    /// Makes the event.
    ///
    /// - Parameters:
    ///   - fault: Where the first of them is and what is wrong.
    ///   - rows: How many rows are so.
    public init(_ fault: ImportFault, rows: Int = 1) {
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
    ///
    /// - Parameters:
    ///   - counts: What became of the rows.
    ///   - isTrial: Whether nothing was written.
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

extension FlockFinderAdvice {
    /// The word for it in JSON.
    public var word: String {
        switch self {
        case .bluetoothOff: "bluetooth_off"
        case .unauthorized: "unauthorized"
        case .noLink: "no_link"
        case .characteristicsMissing: "characteristics_missing"
        case .notListening: "not_listening"
        }
    }

    /// All that ``word`` may be.
    public static var words: [String] {
        ["bluetooth_off", "unauthorized", "no_link", "characteristics_missing", "not_listening"]
    }
}

extension FlockStreamObject {
    /// What the device has said when it does not know a command; `nil` for anything else.
    public var refusal: String? {
        guard let status = try? JSONReader.read(object), let kind = try? status.member("evt"),
            kind.value == .text("status"), let message = try? status.member("msg"),
            case .text(let text) = message.value, text.utf8.starts(with: "unknown command".utf8)
        else { return nil }
        return text
    }
}
