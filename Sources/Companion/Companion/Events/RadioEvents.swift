// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A controller of a served radio can be attached to.
public struct ControllerListening: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "controller_listening"
    /// When it happens.
    public static let summary: StaticString = "A controller of a served radio can be attached to."

    /// Its number, from one.
    public let controller: Int
    /// Where it listens.
    public let host: String
    /// At which port.
    public let port: Int
    /// Its address on the air.
    public let peer: Peer

    /// Makes the event.
    public init(_ controller: Int, host: String, port: Int, _ peer: Peer) {
        self.controller = controller
        self.host = host
        self.port = port
        self.peer = peer
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.controller { $0.controller }
        schema.text("host", "Where it listens.") { $0.host }
        schema.integer("port", "The TCP port.") { $0.port }
        schema.device { $0.peer }
    }
}

/// A simulated device is on the air of a served radio.
public struct SimulatedDeviceAdded: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "simulated_device"
    /// When it happens.
    public static let summary: StaticString = "A simulated device is on the air of a served radio."

    /// What kind of device it is.
    public let kind: String

    /// Makes the event.
    public init(_ kind: String) { self.kind = kind }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("kind", "What kind of device it is.") { $0.kind }
    }
}

/// A served radio is ready.
public struct RadioReady: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "radio_ready"
    /// When it happens.
    public static let summary: StaticString = "All controllers and devices of a served radio are there."

    /// Makes the event.
    public init() {}

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {}
}

/// A host has attached to a controller of a served radio.
public struct HostAttached: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "host_attached"
    /// When it happens.
    public static let summary: StaticString = "A host has attached to a controller of a served radio."

    /// The controller's number, from one.
    public let controller: Int
    /// Where the host is.
    public let origin: String

    /// Makes the event.
    public init(_ controller: Int, from origin: String) {
        self.controller = controller
        self.origin = origin
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.controller { $0.controller }
        schema.text("from", "Where the host is.") { $0.origin }
    }
}

/// The host of a controller of a served radio has gone.
public struct HostDetached: Event, Hashable, Sendable {
    /// Why a host is gone.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// It has left by itself.
        case left
        /// It did not read.
        case cutOff = "cut_off"
        /// The radio has ended.
        case ended
    }

    /// Its name in JSON.
    public static let name: StaticString = "host_detached"
    /// When it happens.
    public static let summary: StaticString = "The host of a controller of a served radio is gone."

    /// The controller's number, from one.
    public let controller: Int
    /// Why.
    public let reason: Reason

    /// Makes the event.
    public init(_ controller: Int, _ reason: Reason) {
        self.controller = controller
        self.reason = reason
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.controller { $0.controller }
        schema.word("reason", "Why.", of: Reason.allCases.map { $0.rawValue }) { $0.reason.rawValue }
    }
}

extension EventSchema {
    fileprivate mutating func controller(_ value: (Part) -> Int) {
        integer("controller", "The controller's number, from one.", value)
    }
}
