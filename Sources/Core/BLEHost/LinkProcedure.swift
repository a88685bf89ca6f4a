// SPDX-License-Identifier: Apache-2.0

public import BLEHCI
public import BLEWire

/// Something to ask about a link, or to change of it, beside its data.
public enum LinkProcedure: Hashable, Sendable {
    /// How strong the peer is received.
    case readRSSI
    /// How the link is modulated.
    case readPHY
    /// Change how the link is modulated; `nil` leaves a direction to the controllers.
    case setPHY(tx: HCI.PHYs?, rx: HCI.PHYs?, coding: HCI.CodedPHYPreference)
    /// Change the link's timing; as the peripheral, ask the central for it.
    case updateParameters(ConnectionParameterRange)
    /// Which controller the peer has.
    case readRemoteVersion
    /// What the peer's controller can do.
    case readRemoteFeatures
    /// Which channels the link uses.
    case readChannelMap
    /// How strongly this side sends.
    case readTransmitPower

    /// The name under which a procedure is completed, exactly once.
    public struct ID: RawRepresentable, Hashable, Sendable {
        /// The number; unique on its link.
        public let rawValue: UInt32

        /// Wraps a number.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
    }

    /// What came of a procedure.
    public enum Answer: Hashable, Sendable {
        /// Strength in dBm; `nil` when the controller cannot tell.
        case rssi(Int8?)
        /// How this side sends and how the peer does.
        case phy(tx: HCI.PHY, rx: HCI.PHY)
        /// The link's timing from now on.
        case parameters(ConnectionParameters)
        /// The version of the peer's link layer, its maker and the maker's own revision.
        case remoteVersion(version: UInt8, company: UInt16, subversion: UInt16)
        /// Features that both sides may use.
        case remoteFeatures(HCI.LEFeatures)
        /// The channels in use.
        case channelMap(HCI.ChannelMap)
        /// Power in dBm.
        case transmitPower(Int8)
    }

    /// Why nothing came of a procedure.
    public enum Failure: Error, Hashable, Sendable {
        /// Our controller refused, or the procedure ended with this status.
        case refused(HCI.Status)
        /// The peer refused.
        case refusedByPeer
        /// What was asked for is not possible on any link.
        case invalid
        /// Our controller does not know how.
        case unsupported
        /// The controller's answer makes no sense.
        case badAnswer
        /// Nothing came of it in time.
        case timeout
        /// The link is gone.
        case disconnected
        /// Too many wait already.
        case queueFull
    }

    /// How long the two link layers may take, in seconds.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 5.2.
    static let responseTimeout: UInt64 = 40

    struct Pending {
        let id: ID
        let procedure: LinkProcedure
    }

    /// Where the first of the procedures that wait stands; only that one is in flight.
    ///
    /// Events of the link layers carry no name, and peers and older procedures cause them too. One that comes before the
    /// controller has accepted our command is none of ours, as the specification has Command Status first.
    enum State {
        /// There is none.
        case idle
        /// Its turn comes when a change that the peer has begun is over.
        case waiting(deadline: HostInstant)
        /// Its command was sent; the answer brings the procedure's ID back.
        case commanded
        /// The peripheral has asked the central.
        case asked(identifier: UInt8, deadline: HostInstant)
        /// The controller, or the central's host, has accepted it: the next event of its kind ends it.
        case running(deadline: HostInstant)

        var deadline: HostInstant? {
            switch self {
            case .idle, .commanded: nil
            case .waiting(let deadline), .asked(_, let deadline), .running(let deadline): deadline
            }
        }
    }

    /// A change of timing that the peer wants.
    enum PeerUpdate {
        case none
        /// Our command carries out what the peer's host has asked for; the controller has not accepted it yet.
        case commanded(ConnectionParameterRange)
        /// It has: the next event ends it.
        case running(ConnectionParameterRange)
        /// The link layers are at it by themselves; no event comes if nothing changes in the end.
        case accepted(ConnectionParameterRange)

        /// Whether a command of ours is on its way, so that another one must wait.
        var isCommand: Bool {
            switch self {
            case .none, .accepted: false
            case .commanded, .running: true
            }
        }

        /// What the peer may have, once the link layers are at it.
        var range: ConnectionParameterRange? {
            switch self {
            case .none, .commanded: nil
            case .running(let range), .accepted(let range): range
            }
        }
    }

    /// The command that it begins with.
    var opcode: HCI.Opcode {
        switch self {
        case .readRSSI: .readRSSI
        case .readPHY: .leReadPHY
        case .setPHY: .leSetPHY
        case .updateParameters: .leConnectionUpdate
        case .readRemoteVersion: .readRemoteVersionInformation
        case .readRemoteFeatures: .leReadRemoteFeatures
        case .readChannelMap: .leReadChannelMap
        case .readTransmitPower: .readTransmitPowerLevel
        }
    }
}
