// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHCI
import BLEL2CAP
import BLEWire

/// A link of a device: frames that come in parts, and frames that wait for the controller.
struct DeviceLink: Sendable {
    let handle: UInt16
    var server: AttributeServer
    /// Parts of a frame; empty between two.
    private var incoming: [UInt8] = []
    /// Whether the rest of a frame is dropped.
    private var isDropping = false
    /// Frames that wait, with their headers.
    private(set) var waiting: [UInt8] = []
    /// Octets of the first frame that have not left.
    private var rest = 0
    /// Packets of the link that the controller has.
    private(set) var inController = 0
    /// Whether it is to be let go.
    var isEnding = false
    /// Whether the session knows of it.
    var isServed = true

    init(handle: UInt16, _ server: AttributeServer) {
        self.handle = handle
        self.server = server
    }

    /// Takes a packet of data.
    ///
    /// - Returns: A whole frame: its channel and its payload; `nil` when there is none yet.
    @inline(never)
    mutating func receive(
        _ octets: ArraySlice<UInt8>, begins: Bool, limit: Int
    ) -> (channel: L2CAP.ChannelID, payload: [UInt8])? {
        if begins {
            incoming = []
            isDropping = false
        } else if incoming.isEmpty {
            return nil
        }
        guard !isDropping else { return nil }
        // The length is known with the first two octets; what is too long is not kept.
        incoming.append(contentsOf: octets.prefix(limit + L2CAP.headerLength + 1 - incoming.count))
        guard incoming.count >= 2 else { return nil }
        let length = incoming.number(at: 0)
        guard length <= limit, incoming.count <= length + L2CAP.headerLength else {
            isDropping = true
            return nil
        }
        guard incoming.count == length + L2CAP.headerLength else { return nil }
        let channel = L2CAP.ChannelID(rawValue: UInt16(truncatingIfNeeded: incoming.number(at: 2)))
        let payload = [UInt8](incoming[L2CAP.headerLength...])
        incoming = []
        return (channel, payload)
    }

    /// Octets that are kept for the link now.
    var octets: Int { incoming.count + waiting.count + server.octets }

    /// Puts a frame in line.
    @inline(never)
    mutating func send(_ payload: [UInt8], on channel: L2CAP.ChannelID) {
        guard !payload.isEmpty else { return }
        waiting.append(number: payload.count)
        waiting.append(number: Int(channel.rawValue))
        waiting.append(contentsOf: payload)
    }

    /// The next packet for the controller; no packet has the end of one frame and the beginning of another.
    @inline(never)
    mutating func nextPacket(length: Int) -> [UInt8]? {
        guard !waiting.isEmpty else { return nil }
        let begins = rest == 0
        if begins { rest = waiting.number(at: 0) + L2CAP.headerLength }
        let count = min(rest, length)
        let boundary = begins ? HCI.PacketBoundary.firstNonFlushable : .continuing
        var packet = [HCI.PacketIndicator.acl.rawValue]
        packet.append(number: Int(handle) | Int(boundary.rawValue) << 12)
        packet.append(number: count)
        packet.append(contentsOf: waiting[..<count])
        waiting.removeFirst(count)
        rest -= count
        inController += 1
        return packet
    }

    /// Handles that the controller has sent packets of the link.
    mutating func completed(_ count: Int) { inController -= min(count, inController) }

    /// Answers what comes for the other fixed channels: this host pairs with nobody and has no channels.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4; Part H, 3.5.5.
    static func answer(_ payload: [UInt8], on channel: L2CAP.ChannelID) -> [UInt8] {
        switch channel {
        case .signalling: Self.signal(payload)
        case .securityManager:
            // A Pairing Request, or what only a central answers: pairing is not supported.
            payload.first == 0x01 ? [0x05, 0x05] : []
        default: []
        }
    }

    private static func signal(_ payload: [UInt8]) -> [UInt8] {
        guard payload.count >= 4, payload[1] != 0, payload.number(at: 2) == payload.count - 4 else {
            return []
        }
        let identifier = payload[1]
        switch L2CAP.SignallingCode(rawValue: payload[0]) {
        case .commandReject, .disconnectionResponse, .parameterUpdateResponse, .creditBasedConnectionResponse,
            .enhancedConnectionResponse, .reconfigureResponse, .flowControlCredit:
            return []
        case .creditBasedConnectionRequest where payload.count == 14:
            return [L2CAP.SignallingCode.creditBasedConnectionResponse.rawValue, identifier, 10, 0]
                + [0, 0, 0, 0, 0, 0, 0, 0, UInt8(L2CAP.ConnectionResult.psmNotSupported.rawValue), 0]
        default:
            return [L2CAP.SignallingCode.commandReject.rawValue, identifier, 2, 0, 0, 0]
        }
    }
}
