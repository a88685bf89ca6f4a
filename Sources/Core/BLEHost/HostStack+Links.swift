// SPDX-License-Identifier: Apache-2.0

public import BLEATT
public import BLEGATT
import BLEHCI
import BLEL2CAP
import BLESMP
public import BLEWire

extension HostStack {
    /// The MTU of a link, in octets.
    ///
    /// - Parameter id: Which link.
    /// - Returns: The MTU; `nil` when the link is gone.
    public func mtu(of id: LinkID) -> Int? { links.with(id)?.client.mtu }

    /// Starts an operation on the peer's server.
    ///
    /// A write without response is turned away while the link has no room (``hasRoom(_:)``).
    ///
    /// - Parameters:
    ///   - operation: What to do.
    ///   - id: On which link.
    ///   - now: The moment.
    /// - Returns: The name under which it will be completed, exactly once; `nil` when the link is gone.
    public mutating func perform(
        _ operation: GATT.Operation, on id: LinkID, at now: HostInstant
    ) -> GATT.OperationID? {
        guard let link = links.with(id), link.life.isOpen else { return nil }
        let name: GATT.OperationID
        if case .writeWithoutResponse = operation, !link.hasRoom() {
            name = link.client.turnAway()
        } else {
            name = link.client.perform(operation, at: now)
        }
        drain(link, at: now)
        pump(at: now)
        return name
    }

    /// Whether a link takes more values and commands; when not, `writable` will report that it does again.
    ///
    /// - Parameter id: Which link.
    /// - Returns: Whether there is room; true when the link is gone or going, so that nobody waits for it.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func hasRoom(_ id: LinkID) -> Bool {
        guard let link = links.with(id), link.life.isOpen else { return true }
        return link.hasRoom()
    }

    /// Sends a value of our server by itself.
    ///
    /// - Parameters:
    ///   - value: The value; what exceeds MTU - 3 octets is cut off.
    ///   - handle: Its handle.
    ///   - kind: Whether it is to be confirmed.
    ///   - id: On which link.
    ///   - now: The moment.
    /// - Returns: Whether it was accepted; not when the peer has not switched it on, the link is gone or its
    ///   queue is full (``hasRoom(_:)``).
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func send(
        _ value: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, on id: LinkID,
        at now: HostInstant
    ) -> Bool {
        guard let link = links.with(id), link.life.isOpen, link.hasRoom() else { return false }
        if case .notify = kind, !link.joinsNotifications {
            // Nothing but this notification comes of it: it is written once, as the packet that leaves.
            guard let count = link.server.lengthOfNotification(value, of: handle) else { return false }
            var packet = link.packet(of: count, on: .att)
            link.server.writeNotification(value, of: handle, into: &packet)
            link.outgoing.append(packet.octets)
        } else {
            guard link.server.send(value, of: handle, as: kind, at: now) else { return false }
            drain(link, at: now)
        }
        pumpACL(at: now)
        return true
    }

    /// Replaces a stored value of our server.
    ///
    /// - Parameters:
    ///   - value: The new value, at most 512 octets.
    ///   - handle: Its handle.
    /// - Throws: ``ATT/ErrorCode`` when there is no such value or it is too long.
    public mutating func store(_ value: [UInt8], at handle: AttributeHandle) throws(ATT.ErrorCode) {
        try database.store(value, at: handle)
    }

    /// Answers `readRequested` or `writeRequested`.
    ///
    /// - Parameters:
    ///   - result: The whole value for a read, anything for a write, or why not.
    ///   - id: On which link.
    ///   - now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func answer(
        _ result: Result<[UInt8], ATT.ErrorCode>, on id: LinkID, at now: HostInstant
    ) {
        guard let link = links.with(id) else { return }
        link.server.answer(result, database: &database, at: now)
        drain(link, at: now)
        pump(at: now)
    }

    /// Takes ACL data.
    ///
    /// - Parameters:
    ///   - data: Its header.
    ///   - payload: Its payload.
    ///   - now: The moment.
    mutating func receiveACL(_ data: HCI.ACLData, _ payload: RawSpan, at now: HostInstant) {
        guard let link = links.with(data.handle) else {
            acknowledge(data.handle, 1)
            respond(to: .strayData, at: now)
            return
        }
        arrived(link)
        guard link.life.isOpen else {
            giveBack(link)
            respond(to: .strayData, at: now)
            return
        }
        let isFirst = data.boundary != .continuing
        if let channel = link.reassembler.wholeFrame(payload, isFirst: isFirst) {
            receiveFrame(payload, channel, link, at: now)
            return
        }
        var reader = ByteReader(payload)
        switch link.reassembler.receive(reader.readRemaining(), isFirst: isFirst) {
        case .incomplete: giveBack(link)
        case .fault(let fault):
            reassemblyFailed(fault, link, at: now)
            drainChannels(link)
            giveBack(link)
        case .frame(let channel, let octets): receiveFrame(octets.octetSpan.bytes, channel, link, at: now)
        }
    }

    private mutating func receiveFrame(
        _ octets: RawSpan, _ channel: L2CAP.ChannelID, _ link: Link, at now: HostInstant
    ) {
        let payload = octets.extracting(L2CAP.headerLength..<octets.byteCount)
        if channel == .att, payload.byteCount <= configuration.maximumMTU,
            let notification = link.client.receiveNotification(payload)
        {
            report(.value(link.id, notification.handle, notification.value, .notify))
            unconsumed(link, at: now)
            giveBack(link)
            return
        }
        switch channel {
        case .att: receiveATT(payload, link, at: now)
        case .signalling: receiveSignalling(payload, link, at: now)
        case .securityManager: receivePairing(payload, link, at: now)
        default: receiveChannel(payload, channel, link, at: now)
        }
        drain(link, at: now)
        if link.outgoing.count > configuration.limits.framesAtMost {
            respond(to: .readsNoAnswers, on: link, at: now)
        }
    }

    private mutating func receiveATT(_ pdu: RawSpan, _ link: Link, at now: HostInstant) {
        // A PDU beyond the MTU that we agreed to cannot be trusted to be ATT at all; it is dropped.
        guard pdu.byteCount > 0, pdu.byteCount <= configuration.maximumMTU else {
            respond(to: .brokenFrame, at: now)
            return
        }
        let opcode = ATT.Opcode(rawValue: pdu.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
        switch opcode.role {
        case .response, .notification, .indication: link.client.receive(pdu, at: now)
        case .request, .command, .confirmation: link.server.receive(pdu, database: &database, at: now)
        }
    }

    /// Takes answers and requests about timing; refuses all else.
    private mutating func receiveSignalling(_ octets: RawSpan, _ link: Link, at now: HostInstant) {
        var reader = ByteReader(octets)
        let packet: L2CAP.SignallingPacket
        do throws(DecodeError) {
            packet = try L2CAP.SignallingPacket(decoding: &reader)
        } catch {
            respond(to: .brokenFrame, at: now)
            return
        }
        if tookTimingAnswer(packet, link, at: now) { return }
        guard packet.code == .parameterUpdateRequest, link.role == .central, packet.identifier != 0 else {
            if !link.channels.receive(packet, listeners: listeners(for: link), at: now),
                let rejection = packet.rejection()
            {
                link.enqueue(rejection.octets, on: .signalling)
            }
            return
        }
        answerTimingRequest(packet, link, at: now)
    }

    private mutating func receivePairing(_ pdu: RawSpan, _ link: Link, at now: HostInstant) {
        guard configuration.cryptography != nil else { return refusePairing(pdu, link) }
        link.pairing?.receive(pdu, at: now)
        drainPairing(link, at: now)
    }

    /// Answers a pairing request with Pairing Failed, Pairing Not Supported.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.5.
    private mutating func refusePairing(_ pdu: RawSpan, _ link: Link) {
        guard pdu.byteCount > 0 else { return }
        let code = pdu.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
        // Pairing Request, and Security Request, which asks for one.
        guard code == 0x01 || code == 0x0B else { return }
        link.enqueue([0x05, 0x05], on: .securityManager)
        report(.securityRequested(link.id))
    }

    /// Carries out what the two ends of a link want.
    mutating func drain(_ link: Link, at now: HostInstant) {
        while let output = link.client.nextOutput() {
            switch output {
            case .send(let pdu): link.enqueue(pdu, on: .att)
            case .completed(let id, let result):
                if id == link.mtuExchange { mtuExchangeEnded(result, link) }
                report(.completed(link.id, id, result))
            case .value(let handle, let value, let kind):
                report(.value(link.id, handle, value, kind))
                unconsumed(link, at: now)
            case .servicesChanged(let range): report(.servicesChanged(link.id, range))
            case .mtu(let mtu):
                link.server.mtuAgreed(mtu)
                report(.mtuChanged(link.id, mtu))
            case .malformed(let octets): report(.malformed(link.id, octets))
            case .close: respond(to: .brokenBearer, on: link, at: now)
            }
        }
        drainChannels(link)
        while let output = link.server.nextOutput() {
            switch output {
            case .send(let pdu): link.enqueue(pdu)
            case .read where !isServing:
                link.server.answer(.failure(.unlikelyError), database: &database, at: now)
            case .read(let handle): report(.readRequested(link.id, handle))
            case .write(_, _, let answered) where !isServing:
                if answered { link.server.answer(.failure(.unlikelyError), database: &database, at: now) }
            case .write(let handle, let value, let answered):
                report(.writeRequested(link.id, handle, value, answered: answered))
                unconsumed(link, at: now)
            case .stored(let handle, let value):
                report(.stored(link.id, handle, value))
                unconsumed(link, at: now)
            case .subscribed(let handle, let subscription):
                report(.subscribed(link.id, handle, subscription))
                keepClient(link)
            case .mtu(let mtu):
                link.client.mtuAgreed(mtu)
                report(.mtuChanged(link.id, mtu))
            case .confirmed(let handle): report(.confirmed(link.id, handle))
            case .close: respond(to: .brokenBearer, on: link, at: now)
            }
        }
        reportRoom(link)
        giveBack(link)
    }

    /// Our exchange of the MTU is over; one that succeeded has been reported.
    private mutating func mtuExchangeEnded(_ result: Result<GATT.Answer, GATTRequestError>, _ link: Link) {
        link.mtuExchange = nil
        switch result {
        // The link ends, too.
        case .success, .failure(.timeout), .failure(.disconnected): break
        case .failure: report(.mtuChanged(link.id, link.client.mtu))
        }
    }

    /// Reports to whoever was refused that a full link has room again.
    private mutating func reportRoom(_ link: Link) {
        guard link.wasFull, !link.isFull, link.outgoing.count <= configuration.limits.frames / 2 else {
            return
        }
        link.wasFull = false
        report(.writable(link.id))
    }

    /// Sends fragments of what waits, link by link in turn, as long as the controller has room.
    mutating func pumpACL(at now: HostInstant) {
        var passed = 0
        while acl.free > 0, passed < links.count {
            acl.turn = acl.turn &+ 1 < links.count ? acl.turn &+ 1 : 0
            let link = links[acl.turn]
            refill(link, at: now)
            // The last room is for a link that has nothing in the controller: one whose peer takes nothing must
            // not stop the others.
            let maySend = acl.free > 1 || link.inController == 0 || links.count == 1
            guard maySend || controller.aclDataPackets == 1, link.life.isSending,
                let packet = link.outgoing.first
            else {
                passed += 1
                continue
            }
            passed = 0
            let frameLength = packet.count - Link.packetHeaderLength
            let count = min(acl.length, frameLength - link.sent)
            outputs.append(.send(count == frameLength ? packet : link.fragment(of: packet, count)))
            acl.free -= 1
            link.inController += 1
            link.sent += count
            if link.sent == frameLength {
                link.frameSent(packet)
                reportRoom(link)
            }
        }
    }

    /// The controller has room again.
    mutating func packetsCompleted(_ handle: ConnectionHandle, _ count: Int, at now: HostInstant) {
        guard let link = links.with(handle) else { return }
        let freed = min(count, link.inController)
        link.inController -= freed
        acl.free += freed
        proceed(link, at: now)
    }
}
