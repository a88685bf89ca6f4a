// SPDX-License-Identifier: Apache-2.0

import BLEATT
public import BLEGATT
import BLEHCI
import BLEL2CAP
public import BLEWire

/// A device session on a host that is small enough for a chip: it advertises and serves a few centrals.
///
/// It has the shape of ``DeviceHost`` and behaves as that does, without what such a device does not need: no client, no
/// scan, no channels. It pairs with nobody yet, and advertises with legacy PDUs only.
///
/// What a central can use up is known beforehand (``DeviceLimits``). A link that takes nothing for ``stallSeconds`` seconds
/// while the session has a value for it is let go.
public struct PeripheralHost<Session: DeviceSession & ~Copyable>: DeviceHosting, ~Copyable {
    /// What the device wants sent or reported.
    public typealias Output = DeviceHostOutput<Session.Event, DeviceFailure>

    /// The session.
    public private(set) var session: Session
    private var links: DeviceLinks
    private var framer = PacketFramer()
    private var outputs = FIFO<Output>()
    /// A value whose link has no room, and when that link is given up.
    private var held:
        (link: LinkID, handle: AttributeHandle, value: [UInt8], kind: GATT.ValueKind, deadline: HostInstant)?

    /// How long the session waits for a link that takes nothing, in seconds.
    public static var stallSeconds: UInt64 { 10 }

    /// Puts a session on a host.
    ///
    /// - Parameters:
    ///   - session: The session; it has not been started.
    ///   - limits: How much the host keeps at most.
    ///   - randomAddress: The random address to use; `nil` takes the public one.
    public init(
        _ session: consuming Session, limits: DeviceLimits = DeviceLimits(),
        randomAddress: BluetoothAddress? = nil
    ) {
        let table = AttributeTable(
            [.genericAccess(name: session.name, appearance: session.appearance), .genericAttribute]
                + session.services)
        links = DeviceLinks(table, limits, address: randomAddress)
        self.session = session
    }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        // A session that is held up cannot go on until the link takes something or is given up.
        HostInstant.earliest(links.nextDeadline, held?.deadline ?? session.nextDeadline)
    }

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    public mutating func nextOutput() -> Output? { outputs.popFirst() }

    /// Starts the controller, then the session.
    ///
    /// - Parameter now: The moment.
    public mutating func start(at now: HostInstant) {
        session.start(handles: links.table.valueHandles, at: now)
        framer = PacketFramer()
        links.start(at: now)
        drain(at: now)
    }

    /// Takes octets from the controller.
    ///
    /// - Parameters:
    ///   - octets: H4 packets, cut in any way.
    ///   - now: The moment.
    public mutating func receive(_ octets: [UInt8], at now: HostInstant) {
        for octet in octets {
            guard let packet = framer.take(octet) else { continue }
            take(packet, at: now)
        }
        drain(at: now)
    }

    /// Handles ``nextDeadline`` once it has come.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        links.deadlineReached(at: now)
        if let held {
            if held.deadline <= now {
                self.held = nil
                if let index = links.index(of: held.link) { links.disconnect(index, at: now) }
            }
        } else if let deadline = session.nextDeadline, deadline <= now {
            session.deadlineReached(at: now)
        }
        drain(at: now)
    }

    /// Handles that the transport is gone: every link is lost, and the host is off until ``start(at:)``.
    ///
    /// - Parameter now: The moment.
    public mutating func transportClosed(at now: HostInstant) {
        loseAll(at: now)
        links.controller.stop()
        drain(at: now)
    }

    /// Does something with the session, for example presses its button.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - body: What to do.
    public mutating func update(at now: HostInstant, _ body: (inout Session) -> Void) {
        body(&session)
        drain(at: now)
    }

    /// Octets that are kept for links now, for tests.
    var octets: Int { links.links.reduce(0) { $0 + $1.octets } }

    private mutating func loseAll(at now: HostInstant) {
        for link in links.links where link.isServed {
            session.receive(.disconnected(link.server.link), at: now)
        }
        links.links = []
        held = nil
    }

    // MARK: Packets

    @inline(never)
    private mutating func take(_ packet: [UInt8], at now: HostInstant) {
        if packet[0] == HCI.PacketIndicator.acl.rawValue { return takeData(packet, at: now) }
        switch HCI.EventCode(rawValue: packet[1]) {
        case .commandComplete where packet.count >= 7:
            links.controller.answered(
                HCI.Opcode(rawValue: UInt16(truncatingIfNeeded: packet.number(at: 4))), packet[6...], at: now)
        case .commandStatus where packet.count >= 7:
            // What goes well is complete with an event of its own.
            links.controller.answered(
                HCI.Opcode(rawValue: UInt16(truncatingIfNeeded: packet.number(at: 5))), packet[3...3], at: now
            )
        case .numberOfCompletedPackets where packet.count >= 4: links.completed(packet)
        case .disconnectionComplete where packet.count >= 7:
            guard packet[3] == 0 else { break }
            let handle = UInt16(truncatingIfNeeded: packet.number(at: 4) & 0xFFF)
            if let link = links.closed(handle, at: now) {
                if held?.link == link { held = nil }
                session.receive(.disconnected(link), at: now)
            }
        case .hardwareError: links.controller.fail(.hardware(packet.count > 3 ? packet[3] : 0))
        case .leMeta where packet.count >= 4: takeLE(packet, at: now)
        default: break
        }
    }

    @inline(never)
    private mutating func takeLE(_ packet: [UInt8], at now: HostInstant) {
        switch HCI.LESubeventCode(rawValue: packet[3]) {
        case .connectionComplete where packet.count >= 22: opened(packet, at: now)
        case .longTermKeyRequest where packet.count >= 6:
            // No key: the peer may forget its own.
            links.controller.send(.leLongTermKeyRequestNegativeReply, Array(packet[4..<6]), at: now)
        case .remoteConnectionParameterRequest where packet.count >= 14:
            // The timing that the central wants is taken as it is, with no wish for the length of events.
            links.controller.send(
                .leRemoteConnectionParameterRequestReply, packet[4..<14] + [0, 0, 0, 0], at: now)
        default: break
        }
    }

    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.1.
    private mutating func opened(_ packet: [UInt8], at now: HostInstant) {
        guard packet[4] == 0 else {
            links.controller.advertisingEnded()
            if links.hasFreeLink { links.controller.resume(at: now) }
            return
        }
        var address: UInt64 = 0
        for index in (0..<6).reversed() { address = address << 8 | UInt64(packet[9 + index]) }
        let handle = UInt16(truncatingIfNeeded: packet.number(at: 5) & 0xFFF)
        if let link = links.opened(handle, at: now) {
            let peer = Peer(BluetoothAddress(address, kind: packet[8] & 1 == 0 ? .public : .random))
            session.receive(.connected(link, peer), at: now)
        }
    }

    @inline(never)
    private mutating func takeData(_ packet: [UInt8], at now: HostInstant) {
        let header = packet.number(at: 1)
        guard let index = links.index(of: UInt16(header & 0xFFF)), !links.links[index].isEnding,
            let frame = links.links[index].receive(
                packet[5...], begins: header & 0x3000 != 0x1000, limit: links.limits.maximumMTU)
        else { return }
        var answer: [UInt8]
        if frame.channel == .att {
            answer = links.links[index].server.receive(frame.payload, &links.table, &session, at: now)
        } else {
            answer = DeviceLink.answer(frame.payload, on: frame.channel)
        }
        links.send(answer, on: frame.channel, index, at: now)
    }

    // MARK: The session

    @inline(never)
    private mutating func drain(at now: HostInstant) {
        moveEvents(at: now)
        while sendHeld(at: now), let output = session.nextOutput() {
            switch output {
            case .send(let link, let handle, let value, let kind):
                held = (link, handle, value, kind, now.advanced(bySeconds: Self.stallSeconds))
            case .advertisementChanged: advertise(at: now)
            case .event(let event): outputs.append(.event(event))
            }
        }
        moveEvents(at: now)
        for packet in links.controller.packets { outputs.append(.send(packet)) }
        links.controller.packets.removeAll(keepingCapacity: true)
    }

    private mutating func moveEvents(at now: HostInstant) {
        while !links.controller.events.isEmpty {
            switch links.controller.events.removeFirst() {
            case .ready:
                links.isReady()
                advertise(at: now)
            case .advertising: outputs.append(.advertising)
            case .failed(let failure):
                if !links.controller.isReady { loseAll(at: now) }
                outputs.append(.failed(failure))
            }
        }
    }

    private mutating func advertise(at now: HostInstant) {
        links.controller.advertise(session.advertisement, isWanted: links.hasFreeLink, at: now)
    }

    /// Sends the value that waits.
    ///
    /// - Returns: Whether the session can go on.
    private mutating func sendHeld(at now: HostInstant) -> Bool {
        guard let held else { return true }
        if let index = links.index(of: held.link), !links.links[index].isEnding {
            let link = links.links[index]
            let hasRoom =
                held.kind == .notify
                ? link.waiting.count <= links.limits.waitingOctets : link.server.hasRoomForIndication
            guard hasRoom else { return false }
            let pdu = links.links[index].server.update(
                held.value, of: held.handle, as: held.kind, links.table, at: now)
            links.send(pdu, on: .att, index, at: now)
        }
        self.held = nil
        return true
    }
}

extension GATT.ServiceDefinition {
    /// The Generic Access service.
    ///
    /// Spec: Core v5.4, Vol 3, Part C, 12.
    fileprivate static func genericAccess(name: WireText, appearance: UInt16) -> GATT.ServiceDefinition {
        GATT.ServiceDefinition(
            BluetoothUUID(0x1800),
            characteristics: [
                .init(BluetoothUUID(0x2A00), .read, value: .stored(name.octets)),
                .init(
                    BluetoothUUID(0x2A01), .read,
                    value: .stored([UInt8(appearance & 0xFF), UInt8(appearance >> 8)])),
            ])
    }
}
