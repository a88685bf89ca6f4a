// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// What a hub does with a device for a page, over a link of its own.
public struct DeviceJob: EventPart, Hashable, Sendable, Identifiable {
    /// What it is about.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Wi-Fi credentials.
        case wifi
        /// What a lamp shines, and its schedules.
        case nightlight
        /// The light of a bulb.
        case bulb
        /// Everything that a device has.
        case explorer
    }

    /// How far it is.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// The device is looked for and connected to.
        case connecting
        /// The device listens.
        case open
        /// The link is closed; there is no way back.
        case ended
    }

    /// Its number, which no other job of this hub has, nor one of an earlier run.
    public let id: Int64
    /// What it is about.
    public let kind: Kind
    /// The number of the device.
    public let device: Int
    /// Who the device is.
    public let peer: Peer
    /// What the device is called.
    public var name: String?
    /// How far it is.
    public var phase: Phase
    /// Why it has ended, in a sentence or two; `nil` when somebody wanted it so.
    public var reason: String?
    /// When it was begun.
    public let begun: Timestamp
    /// For how many seconds it goes on when no page asks for that.
    public let lease: Int

    /// Makes a job that connects.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - kind: What it is about.
    ///   - device: The device.
    ///   - begun: When it was begun.
    ///   - lease: For how many seconds it goes on when no page asks for that.
    public init(id: Int64, _ kind: Kind, with device: HubDevice, begun: Timestamp, lease: Int) {
        self.id = id
        self.kind = kind
        self.device = device.id
        peer = device.peer
        name = device.ownName ?? device.name
        phase = .connecting
        self.begun = begun
        self.lease = lease
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("id", "Its number, which no other job has.") { $0.id }
        schema.word("kind", "What it is about.", of: Kind.allCases.map { $0.rawValue }) { $0.kind.rawValue }
        schema.integer("device", "The number of the device.") { $0.device }
        schema.device { Optional($0.peer) }
        schema.text("name", "What the device is called, if it is.") { $0.name }
        schema.word("phase", "How far it is.", of: Phase.allCases.map { $0.rawValue }) { $0.phase.rawValue }
        schema.text("reason", "Why it has ended; null while it goes on and when somebody ended it.") {
            $0.reason
        }
        schema.time("begun", "When it was begun.") { $0.begun }
        schema.integer("lease", "For how many seconds it goes on when no page asks for that.") { $0.lease }
    }
}
