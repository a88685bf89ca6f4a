// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHCI
import BLEL2CAP
import BLEWire

/// The part of ``PeripheralHost`` that is the same for every session: the controller, its links and the attributes.
struct DeviceLinks: ~Copyable {
    let limits: DeviceLimits
    var table: AttributeTable
    var controller: DeviceController
    var links: [DeviceLink] = []
    /// Packets that the controller has room for.
    private var room = 0
    private var lastLink: UInt32 = 0

    init(_ table: AttributeTable, _ limits: DeviceLimits, address: BluetoothAddress?) {
        self.table = table
        self.limits = limits
        controller = DeviceController(address: address)
        links.reserveCapacity(limits.links)
    }

    var nextDeadline: HostInstant? {
        var deadline = controller.nextDeadline
        for link in links { deadline = HostInstant.earliest(deadline, link.server.confirmation) }
        return deadline
    }

    /// Gives up what has waited for too long: the controller, or a client that confirms nothing.
    @inline(never)
    mutating func deadlineReached(at now: HostInstant) {
        controller.deadlineReached(at: now)
        for index in links.indices {
            if let deadline = links[index].server.confirmation, deadline <= now { disconnect(index, at: now) }
        }
    }

    func index(of handle: UInt16) -> Int? { links.firstIndex { $0.handle == handle } }

    func index(of link: LinkID) -> Int? { links.firstIndex { $0.server.link == link } }

    /// Lets a link go; nothing more is taken from it.
    @inline(never)
    mutating func disconnect(_ index: Int, at now: HostInstant) {
        guard !links[index].isEnding else { return }
        links[index].isEnding = true
        let handle = links[index].handle
        controller.send(
            .disconnect,
            [
                UInt8(handle & 0xFF), UInt8(handle >> 8),
                HCI.Status.remoteUserTerminatedConnection.rawValue,
            ], at: now)
    }

    /// Whether a device may be connected to.
    var hasFreeLink: Bool { links.count < limits.links }

    // MARK: Data

    /// Sends what waits, as far as the controller has room: each link keeps a packet's room free for every other.
    @inline(never)
    mutating func pump() {
        var isMoving = true
        while isMoving {
            isMoving = false
            for index in links.indices {
                let share = max(1, controller.packetCount - (links.count - 1))
                guard room > 0, links[index].inController < share,
                    let packet = links[index].nextPacket(length: controller.packetLength)
                else { continue }
                room -= 1
                controller.packets.append(packet)
                isMoving = true
            }
        }
    }

    /// Puts a frame in line.
    ///
    /// A client that asks on and on and takes no answers is cut off.
    @inline(never)
    mutating func send(_ payload: [UInt8], on channel: L2CAP.ChannelID, _ index: Int, at now: HostInstant) {
        guard links[index].waiting.count <= limits.waitingOctets + limits.frame else {
            return disconnect(index, at: now)
        }
        links[index].send(payload, on: channel)
        pump()
    }

    @inline(never)
    mutating func completed(_ packet: [UInt8]) {
        var position = 4
        for _ in 0..<Int(packet[3]) where position + 4 <= packet.count {
            if let index = index(of: UInt16(truncatingIfNeeded: packet.number(at: position) & 0xFFF)) {
                let count = min(packet.number(at: position + 2), links[index].inController)
                links[index].completed(count)
                room += count
            }
            position += 4
        }
        pump()
    }

    // MARK: Links

    mutating func start(at now: HostInstant) {
        links = []
        controller.start(at: now)
    }

    /// Handles that the controller is ready: all its room is free.
    mutating func isReady() { room = controller.packetCount }

    /// Takes a link that a central has opened.
    ///
    /// - Returns: The link; `nil` when there is no room for it, or it is there already.
    @inline(never)
    mutating func opened(_ handle: UInt16, at now: HostInstant) -> LinkID? {
        controller.advertisingEnded()
        guard index(of: handle) == nil else { return nil }
        lastLink += 1
        let link = LinkID(rawValue: lastLink)
        links.append(
            DeviceLink(
                handle: handle, AttributeServer(link, limits, configurations: table.configurations)))
        guard links.count <= limits.links else {
            // The session never hears of it.
            links[links.count - 1].isServed = false
            disconnect(links.count - 1, at: now)
            return nil
        }
        if hasFreeLink { controller.resume(at: now) }
        return link
    }

    /// Forgets a link that has ended.
    ///
    /// - Returns: The link, if the session knows of it.
    @inline(never)
    mutating func closed(_ handle: UInt16, at now: HostInstant) -> LinkID? {
        guard let index = index(of: handle) else { return nil }
        let link = links.remove(at: index)
        room += link.inController
        if hasFreeLink { controller.resume(at: now) }
        pump()
        return link.isServed ? link.server.link : nil
    }
}
