// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// One channel of a link, as ``L2CAP/Channels`` keeps it.
final class Channel {
    enum State {
        /// Our request is on its way.
        case connecting(identifier: UInt8, deadline: HostInstant)
        /// Our request is on its way, but nobody wants the channel any more; until then an answer is waited for, so
        /// that a channel that comes late is closed and its identifier means nothing else.
        case abandoned(identifier: UInt8, deadline: HostInstant)
        case open
        /// What waits goes out, until then at the latest, before the channel is closed.
        case draining(deadline: HostInstant)
        /// Our request to close is on its way.
        case closing(identifier: UInt8, deadline: HostInstant)
    }

    /// Octets that an SDU costs beside its own, wherever it waits.
    static let overhead = 64
    /// Octets that may wait to be sent before a sender is told to wait.
    static let sendLimit = 32 * 1024
    /// Octets of payload of our frames at most: other traffic of the link waits for a whole frame.
    static let frameLimit = 2048

    let token: L2CAP.ChannelToken
    let psm: L2CAP.PSM
    let localCID: L2CAP.ChannelID
    let parameters: L2CAP.ChannelParameters
    var state: State
    /// Whether the application was told of the end.
    var isEnded = false

    var remoteCID = L2CAP.ChannelID(rawValue: 0)
    var peerMTU = 0
    var peerMPS = 0
    /// Frames that we may send.
    var credits = 0
    /// SDUs that wait, the first perhaps sent in part.
    private var outgoing = FIFO<[UInt8]>()
    /// Octets of the first SDU that have been sent; `nil` when not even its length was.
    private var sent: Int?
    /// What waits to be sent, in octets and overhead.
    private var queued = 0
    private var wasFull = false

    /// Frames that the peer may send.
    private var granted: Int
    /// What has come of the SDU that has begun to come.
    private var begun: [UInt8] = []
    /// How long that SDU is; `nil` when none has begun.
    private var length: Int?
    /// What each SDU that the application has not consumed costs.
    private var held = FIFO<Int>()
    private var heldOctets = 0

    init(
        token: L2CAP.ChannelToken, psm: L2CAP.PSM, localCID: L2CAP.ChannelID,
        parameters: L2CAP.ChannelParameters, state: State
    ) {
        self.token = token
        self.psm = psm
        self.localCID = localCID
        self.parameters = parameters
        self.state = state
        granted = parameters.credits
    }

    /// Whether both ends are known.
    var isConnected: Bool {
        switch state {
        case .connecting, .abandoned: false
        case .open, .draining, .closing: true
        }
    }

    /// Whether data may still go out and credits come in.
    var isSending: Bool {
        switch state {
        case .open, .draining: true
        case .connecting, .abandoned, .closing: false
        }
    }

    var nextDeadline: HostInstant? {
        switch state {
        case .connecting(_, let deadline), .abandoned(_, let deadline), .draining(let deadline),
            .closing(_, let deadline):
            deadline
        case .open: nil
        }
    }

    /// The identifier of the request that waits for its answer.
    var identifier: UInt8? {
        switch state {
        case .connecting(let identifier, _), .abandoned(let identifier, _), .closing(let identifier, _):
            identifier
        case .open, .draining: nil
        }
    }

    /// Takes in what the peer takes.
    func connect(_ remoteCID: L2CAP.ChannelID, mtu: UInt16, mps: UInt16, credits: UInt16) {
        self.remoteCID = remoteCID
        peerMTU = Int(mtu)
        peerMPS = Int(mps)
        self.credits = Int(credits)
    }

    func description(isIncoming: Bool) -> L2CAP.ChannelDescription {
        L2CAP.ChannelDescription(
            psm: psm, isIncoming: isIncoming, localCID: localCID, remoteCID: remoteCID,
            peerMTU: UInt16(peerMTU), peerMPS: UInt16(peerMPS), peerCredits: UInt16(credits))
    }
}

// Sending.
extension Channel {
    var isDrained: Bool { outgoing.isEmpty }

    /// Whether there is a frame that may go out.
    var hasFrame: Bool { credits > 0 && !outgoing.isEmpty && isSending }

    var isFull: Bool { queued >= Self.sendLimit }

    /// Takes an SDU if there is room.
    func enqueue(_ sdu: [UInt8]) -> L2CAP.SendOutcome {
        guard case .open = state else { return .notOpen }
        guard sdu.count <= peerMTU else { return .tooLong }
        guard !isFull else {
            wasFull = true
            return .full
        }
        queued += sdu.count + Self.overhead
        outgoing.append(sdu)
        return .accepted
    }

    /// Forgets what waits, and what has come in part.
    func discard() {
        _ = outgoing.removeAll()
        (sent, queued, begun, length) = (nil, 0, [], nil)
    }

    /// The next frame, which takes a credit; the caller has checked ``hasFrame``.
    func nextFrame() -> [UInt8]? {
        guard let sdu = outgoing.first else { return nil }
        let start = sent ?? 0
        let header = sent == nil ? 2 : 0
        let count = min(sdu.count - start, min(peerMPS, Self.frameLimit) - header)
        var writer = ByteWriter(capacity: L2CAP.headerLength + header + count)
        writer.write(UInt16(truncatingIfNeeded: header + count))
        writer.write(remoteCID.rawValue)
        if sent == nil { writer.write(UInt16(truncatingIfNeeded: sdu.count)) }
        writer.write(sdu[start..<(start + count)])
        credits -= 1
        if start + count == sdu.count {
            _ = outgoing.popFirst()
            sent = nil
            queued -= sdu.count + Self.overhead
        } else {
            sent = start + count
        }
        return writer.octets
    }

    /// Whether somebody was told to wait, but need not any more; reported once.
    func becameWritable() -> Bool {
        guard wasFull, queued <= Self.sendLimit / 2 else { return false }
        wasFull = false
        return true
    }
}

// Receiving.
extension Channel {
    /// Takes the payload of a frame.
    ///
    /// - Returns: The SDU that it completes, if any.
    func receive(_ payload: RawSpan) throws(L2CAP.ChannelViolation) -> [UInt8]? {
        guard granted > 0 else { throw .noCredit }
        granted -= 1
        guard payload.byteCount <= parameters.mps else { throw .frameTooLong }
        var reader = ByteReader(payload)
        guard let length else { return try begin(&reader) }
        guard begun.count + payload.byteCount <= length else { throw .badLength }
        reader.appendRemaining(to: &begun)
        guard begun.count == length else { return nil }
        let sdu = begun
        (begun, self.length) = ([], nil)
        return complete(sdu)
    }

    private func begin(_ reader: inout ByteReader) throws(L2CAP.ChannelViolation) -> [UInt8]? {
        let length: Int
        do throws(DecodeError) { length = Int(try reader.readUInt16()) } catch { throw .badLength }
        guard length <= parameters.mtu else { throw .sduTooLong }
        guard reader.remaining <= length else { throw .badLength }
        if reader.remaining == length { return complete(reader.readRemaining()) }
        begun.reserveCapacity(length)
        reader.appendRemaining(to: &begun)
        self.length = length
        return nil
    }

    private func complete(_ sdu: [UInt8]) -> [UInt8] {
        held.append(sdu.count + Self.overhead)
        heldOctets += sdu.count + Self.overhead
        return sdu
    }

    /// Takes in that the application has consumed its oldest SDUs.
    func consumed(_ count: Int) {
        for _ in 0..<max(0, min(count, held.count)) { heldOctets -= held.popFirst() ?? 0 }
    }

    /// How many credits the peer may have in addition; they count as given.
    ///
    /// The peer gets them when half of what it may have is used up: one message for many frames. As the room
    /// is that for the window beside the largest SDU, an SDU that has begun can always be finished.
    func nextGrant() -> UInt16? {
        guard case .open = state, granted <= parameters.credits / 2 else { return nil }
        let budget = parameters.mtu + Self.overhead + parameters.credits * parameters.mps
        let room = budget - heldOctets - begun.count
        let grant = min(parameters.credits, room / parameters.mps) - granted
        guard grant > 0 else { return nil }
        granted += grant
        return UInt16(truncatingIfNeeded: grant)
    }
}
