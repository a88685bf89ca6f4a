// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

extension VirtualAir {
    /// Whether each side of a link is sure to hear the other.
    func isSound(_ link: Link) -> Bool {
        guard let central = link.central?.controller, let peripheral = link.peripheral?.controller else {
            return false
        }
        return loss == 0 && hears(central, peripheral) && hears(peripheral, central)
    }

    /// Something about a link has changed: sees to its next event and its supervision.
    func wake(_ link: Link) {
        let isSound = isSound(link)
        if !isSound {
            for side in link.sides {
                // Up to now every event was heard, though nobody looked.
                if link.wasSound, side.isEstablished, let last = link.lastEvent(at: now) {
                    side.lastHeard = max(side.lastHeard, last.start)
                }
                startSupervision(side)
            }
        }
        link.wasSound = isSound
        if link.central == nil || link.peripheral == nil {
            link.schedule(nil)
        } else if let due = link.scheduleNext(after: now) {
            schedule.add(.connection(link, ticket: link.ticket), at: due)
        }
    }

    /// Lets the central and the peripheral of a link send one packet each, and goes on while there is more
    /// to send and time left.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.5.1 and 4.5.6.
    func connectionEvent(of link: Link) {
        guard let slot = link.scheduled else { return }
        link.schedule(nil)
        if slot.elapsed == 0, let update = link.update, slot.counter >= update.instant {
            apply(update.parameters, on: link, at: slot.counter)
        }
        if slot.elapsed == 0, let update = link.phyUpdate, slot.counter >= update.instant {
            apply(update.phys, on: link)
        }
        guard let central = link.central, let peripheral = link.peripheral else { return }
        if slot.elapsed > 0 || listens(peripheral, to: slot.counter),
            let elapsed = exchange(central, peripheral, at: slot)
        {
            link.schedule(Link.Slot(counter: slot.counter, elapsed: elapsed))
            schedule.add(
                .connection(link, ticket: link.ticket),
                at: now.advanced(byMicroseconds: elapsed - slot.elapsed))
            return
        }
        guard link.central != nil, link.peripheral != nil else { return }
        let isQuiet = central.isIdle && peripheral.isIdle && !link.isChanging && central.isEstablished
        if !isQuiet || !isSound(link) { wake(link) }
    }

    /// Whether a peripheral wakes for an event; with latency it need not for each.
    private func listens(_ peripheral: LinkSide, to counter: UInt64) -> Bool {
        let link = peripheral.link
        let mustListen = !peripheral.isEstablished || link.isChanging || !peripheral.isIdle
        return mustListen || counter % (UInt64(link.parameters.latency) + 1) == 0
    }

    /// Sends one packet each way.
    ///
    /// - Returns: Where in the event the next ones go; `nil` when it is over.
    private func exchange(_ central: LinkSide, _ peripheral: LinkSide, at slot: Link.Slot) -> UInt64? {
        defer {
            reportCompleted(central)
            reportCompleted(peripheral)
        }
        let down = central.nextPDU
        let first = transmit(down, from: central, to: peripheral, at: slot.counter)
        guard first != .over else { return nil }
        let up = peripheral.nextPDU
        let second = transmit(up, from: peripheral, to: central, at: slot.counter)
        guard second != .over else { return nil }
        // What was refused comes again, but not at once when nothing else moves.
        let moves = first == .accepted && !down.isEmpty || second == .accepted && !up.isEmpty
        guard moves, !central.isIdle || !peripheral.isIdle else { return nil }
        let phys = central.link.phys
        let elapsed = slot.elapsed + phys.central.airTime(down) + phys.peripheral.airTime(up)
        let next = phys.central.airTime(central.nextPDU) + phys.peripheral.airTime(peripheral.nextPDU)
        return elapsed + next <= eventLength(central, peripheral) ? elapsed : nil
    }

    /// Microseconds that an event may take: a controller shares its time between its links.
    private func eventLength(_ central: LinkSide, _ peripheral: LinkSide) -> UInt64 {
        let links = max(central.controller.sides.count, peripheral.controller.sides.count)
        let interval = central.link.parameters.interval.microseconds
        return min(interval, configuration.connectionEventMicroseconds ?? interval) / UInt64(max(1, links))
    }

    /// What became of one packet.
    private enum Transmission {
        case accepted
        /// It was heard, but not acknowledged: it comes again, and the other side may still speak.
        case refused
        /// It was not heard, or the link has ended: so has the event.
        case over
    }

    /// Sends one packet.
    private func transmit(
        _ pdu: LinkPDU, from sender: LinkSide, to receiver: LinkSide, at counter: UInt64
    ) -> Transmission {
        guard delivers(from: sender.controller, to: receiver.controller) else {
            if !pdu.isEmpty { sender.controller.statistics.retransmissions += 1 }
            return .over
        }
        guard pdu.isEmpty || sender.encryption.sends == receiver.encryption.receives else {
            end(receiver, reason: .connectionTerminatedMICFailure)
            return .over
        }
        receiver.heard(at: now)
        switch pdu {
        case .empty: break
        case .control(let control):
            sender.acknowledge(pdu)
            receive(control, from: sender, to: receiver, at: counter)
        case .data(let boundary, let payload):
            // A controller without room does not acknowledge, so that the packet comes again.
            guard receiver.controller.hasRoom(for: payload) else { return .refused }
            sender.acknowledge(pdu)
            guard !payload.isEmpty else { break }
            deliver(
                HCI.ACLData(handle: receiver.handle, boundary: boundary, payload: Array(payload)),
                to: receiver)
        }
        return sender.hasEnded || receiver.hasEnded ? .over : .accepted
    }

    private func reportCompleted(_ side: LinkSide) {
        guard side.completed > 0, !side.hasEnded else { return }
        let entry = HCI.NumberOfCompletedPackets.Entry(handle: side.handle, packets: side.completed)
        side.completed = 0
        send(.numberOfCompletedPackets(.init(entries: [entry])), to: side.controller)
    }

    /// Takes an ACL packet from a host.
    func receive(_ packet: HCI.ACLData, on controller: Controller) {
        guard let side = controller.side(packet.handle) else {
            controller.statistics.packetsWithoutLink += 1
            return
        }
        let configuration = controller.configuration
        guard controller.heldPackets < Int(configuration.totalACLDataPackets),
            packet.payload.count <= Int(configuration.aclDataPacketLength)
        else {
            controller.statistics.bufferOverflows += 1
            send(.dataBufferOverflow(.init(linkType: 1)), to: controller)
            return
        }
        side.data.append(packet)
        wake(side.link)
    }
}

// MARK: The end of links

extension VirtualAir {
    /// Sees to it that somebody looks when a side has heard nothing for too long.
    private func startSupervision(_ side: LinkSide) {
        guard !side.isSupervised else { return }
        side.isSupervised = true
        schedule.add(.supervision(side), at: max(now, supervisionEnd(of: side)))
    }

    /// A new link has six intervals to be heard on.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.5.2.
    private func supervisionEnd(of side: LinkSide) -> HostInstant {
        let parameters = side.link.parameters
        let limit =
            side.isEstablished
            ? parameters.supervisionTimeout.microseconds : 6 * parameters.interval.microseconds
        return side.lastHeard.advanced(byMicroseconds: limit)
    }

    /// Looks how long a side has heard nothing.
    func supervise(_ side: LinkSide) {
        side.isSupervised = false
        guard !isSound(side.link) else { return }
        guard now >= supervisionEnd(of: side) else { return startSupervision(side) }
        if side.isTerminating {
            end(side, reason: .connectionTerminatedByLocalHost)
        } else {
            end(side, reason: side.isEstablished ? .connectionTimeout : .connectionFailedToBeEstablished)
        }
    }

    /// Ends one side of a link; the other one is left to find out.
    func end(_ side: LinkSide, reason: HCI.Status) {
        reportCompleted(side)
        drop(side)
        send(
            .disconnectionComplete(.init(status: .success, handle: side.handle, reason: reason)),
            to: side.controller)
        // What the host had of this link counts as done, now that it knows.
        sendToHost(of: side.controller)
    }

    private func drop(_ side: LinkSide) {
        side.link[side.role] = nil
        side.controller.sides.removeAll { $0 === side }
        wake(side.link)
    }

    /// Puts a controller back as it was when switched on; nobody is told.
    func reset(_ controller: Controller) {
        for side in controller.sides { drop(side) }
        for set in controller.state.advertisingSets + [controller.state.legacySet] { set.run = nil }
        controller.state = Controller.State()
        controller.followUps = []
        while controller.underway.popFirst() != nil { controller.pendingOutputs -= 1 }
    }
}
