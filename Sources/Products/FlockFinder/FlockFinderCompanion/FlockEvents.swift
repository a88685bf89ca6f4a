// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire
public import Companion
public import Detections
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
    public let failure: GATTRequestError?

    /// Makes the event.
    public init(_ peer: Peer?, _ command: WireText, failure: GATTRequestError?) {
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
