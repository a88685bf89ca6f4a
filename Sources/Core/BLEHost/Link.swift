// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHCI
import BLEL2CAP
import BLESMP
import BLEWire

/// One link: its reassembly, its two GATT ends, its channels and what waits to be sent.
final class Link {
    /// Frames of channels that may be in line at once: what ATT sends does not wait for more than these.
    static let channelFrameLimit = 4

    let id: LinkID
    let handle: ConnectionHandle
    let role: HCI.Role
    let peer: BluetoothAddress
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var reassembler: L2CAP.Reassembler
    let limits: HostLimits
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var client: GATT.Client
    /// Our own exchange of the MTU, until it has ended.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var mtuExchange: GATT.OperationID?
    /// Events that the application has not consumed yet.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var unconsumed = 0
    /// Packets that came and that the controller has not been told of.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var unacknowledged = 0
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var server: GATT.Server
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var channels = L2CAP.Channels()
    /// Pairing and the keys of the link; `nil` when there is no cryptography.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var pairing: SMP.Pairing?
    /// The address by which attempts to pair are counted: the peer's identity, where it is known.
    var identity: BluetoothAddress
    /// Whether our server has taken up what it keeps of the peer.
    var isRestored = false
    /// Frames that wait, the first perhaps sent in part; each as the ACL packet that it is if it need not be cut.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var outgoing = FIFO<[UInt8]>()
    /// How many of them are frames of channels.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var channelFrames = 0
    /// Octets of the first frame that have been sent.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var sent = 0
    /// ACL packets that the controller holds.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var inController = 0
    /// Whether somebody was told that the queue is full.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var wasFull = false
    /// The link's timing.
    var parameters: ConnectionParameters
    /// The change of timing that the peer asked for.
    var peerUpdate = LinkProcedure.PeerUpdate.none
    /// What is to be asked about the link, the first perhaps begun.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var procedures = FIFO<LinkProcedure.Pending>()
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var procedureState = LinkProcedure.State.idle
    var lastProcedure: UInt32 = 0
    /// The identifier of the last request for other timing that was sent to the peer's host.
    var timingIdentifier: UInt8 = 0
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var life = LinkLife()

    init(
        id: LinkID, handle: ConnectionHandle, role: HCI.Role, peer: BluetoothAddress,
        parameters: ConnectionParameters, maximumMTU: Int, limits: HostLimits
    ) {
        self.id = id
        self.handle = handle
        self.role = role
        self.peer = peer
        identity = peer
        self.parameters = parameters
        self.limits = limits
        reassembler = L2CAP.Reassembler(maximumPayload: maximumMTU)
        client = GATT.Client(limits: limits.gatt)
        server = GATT.Server(receiveMTU: maximumMTU, limits: limits.gatt)
    }

    /// What has a deadline.
    enum Part {
        case client, server, channels, pairing, procedure, life

        static let all: [Part] = [.client, .server, .channels, .pairing, .procedure, .life]
    }

    func deadline(of part: Part) -> HostInstant? {
        switch part {
        case .client: client.nextDeadline
        case .server: server.nextDeadline
        case .channels: channels.nextDeadline
        case .pairing: pairing?.nextDeadline
        case .procedure: procedureState.deadline
        case .life: life.nextDeadline
        }
    }

    var nextDeadline: HostInstant? {
        var earliest: HostInstant?
        for part in Part.all { earliest = HostInstant.earliest(earliest, deadline(of: part)) }
        return earliest
    }

    /// Whether the peer has everything that was to be sent.
    var isFlushed: Bool { outgoing.isEmpty && inController == 0 && !channels.hasFrames }

    var isFull: Bool {
        outgoing.count >= limits.frames || !server.hasRoomForIndication || server.willAcceptValues
    }

    /// Whether more may be queued; when not, somebody waits for it from now on.
    func hasRoom() -> Bool {
        guard isFull else { return true }
        wasFull = true
        return false
    }

    func enqueue(_ payload: [UInt8], on channel: L2CAP.ChannelID) {
        var packet = packet(of: payload.count, on: channel)
        packet.write(payload)
        outgoing.append(packet.octets)
    }

    /// Whether a client takes several notifications in one PDU.
    var joinsNotifications: Bool { server.clientFeatures.contains(.multipleNotifications) }

    /// Queues a PDU of our server.
    ///
    /// A notification joins one that still waits before it, for a client that takes several in one PDU.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.7.4.
    func enqueue(_ pdu: [UInt8]) {
        guard pdu.first == ATT.Opcode.handleValueNotification.rawValue, joinsNotifications,
            outgoing.count > (sent > 0 ? 1 : 0), let before = outgoing.last,
            let both = joined(before, pdu)
        else {
            enqueue(pdu, on: .att)
            return
        }
        _ = outgoing.popLast()
        enqueue(both, on: .att)
    }

    /// A notification put behind those of a frame, as one PDU; `nil` when the frame holds something else or that
    /// does not fit.
    private func joined(_ frame: [UInt8], _ pdu: [UInt8]) -> [UInt8]? {
        let start = Self.packetHeaderLength + L2CAP.headerLength
        guard frame.count > start, Self.channel(of: frame) == .att else { return nil }
        let one = ATT.Opcode.handleValueNotification.rawValue
        let several = ATT.Opcode.multipleHandleValueNotification.rawValue
        guard frame[start] == one || frame[start] == several else { return nil }
        let count = frame.count - start + (frame[start] == one ? 2 : 0) + pdu.count + 1
        guard count <= server.mtu else { return nil }
        var writer = ByteWriter(capacity: count)
        if frame[start] == one {
            writer.write(several)
            Self.write(frame[(start + 1)...], into: &writer)
        } else {
            writer.write(frame[start...])
        }
        Self.write(pdu[1...], into: &writer)
        return writer.octets
    }

    /// Writes a handle and a value, with the value's length between them.
    private static func write(_ notification: ArraySlice<UInt8>, into writer: inout ByteWriter) {
        writer.write(notification.prefix(2))
        writer.write(UInt16(truncatingIfNeeded: notification.count - 2))
        writer.write(notification.dropFirst(2))
    }
}

// Not methods of the host: those that do not change it are handed a copy of all that it is.
extension [Link] {
    /// The link with an id.
    func with(_ id: LinkID) -> Link? { first { $0.id == id } }

    /// The link with a handle.
    func with(_ handle: ConnectionHandle) -> Link? { first { $0.handle == handle } }
}

/// What the controller can still take of ACL data.
///
/// Spec: Core v5.4, Vol 4, Part E, 4.1.
struct ACLCredits {
    /// Octets of payload of one packet.
    var length = 27
    /// Packets that the controller has room for.
    var free = 0
    /// The link whose turn it is.
    var turn = 0
}
