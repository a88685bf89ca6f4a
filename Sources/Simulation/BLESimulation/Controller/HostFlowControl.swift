// SPDX-License-Identifier: Apache-2.0

import BLEHCI

/// The host's room for ACL data.
struct HostBuffers {
    /// Octets of payload of one packet.
    let length: Int
    /// How many packets.
    let total: Int
}

// Controller to host flow control: a controller does not acknowledge a packet of the air that its host has no room
// for, so that the peer's host gets no credit back and waits. What was acknowledged is with the host, so that
// nothing is lost when a link ends; only of a packet that needs more buffers than the host has, a rest waits here.
//
// Spec: Core v5.4, Vol 4, Part E, 4.2.
extension Controller {
    /// Packets that the host may be sent now; `nil` when it is not for the host to say.
    private var freeHostBuffers: Int? {
        guard state.controlsFlow, let buffers = state.hostBuffers else { return nil }
        return buffers.total - sides.reduce(0) { $0 + $1.heldByHost }
    }

    /// Whether a packet of the air can go on to the host now.
    func hasRoom(for payload: ArraySlice<UInt8>) -> Bool {
        guard !isHostBusy, sides.allSatisfy({ $0.rest.isEmpty }) else { return false }
        guard let free = freeHostBuffers, let buffers = state.hostBuffers else { return true }
        let needed = (payload.count + buffers.length - 1) / buffers.length
        return needed <= free || free == buffers.total
    }

    /// Cuts a packet as short as the host wants it.
    func pieces(of packet: HCI.ACLData) -> [HCI.ACLData] {
        guard let length = state.hostBuffers?.length, packet.payload.count > length else { return [packet] }
        var pieces: [HCI.ACLData] = []
        var start = 0
        while start < packet.payload.count {
            let end = min(start + length, packet.payload.count)
            pieces.append(
                HCI.ACLData(
                    handle: packet.handle, boundary: start == 0 ? packet.boundary : .continuing,
                    payload: Array(packet.payload[start..<end])))
            start = end
        }
        return pieces
    }

    /// The next packet for the host that waited for room; it counts as with the host.
    func nextForHost() -> HCI.ACLData? {
        guard let side = sides.first(where: { !$0.rest.isEmpty }), freeHostBuffers != 0 else { return nil }
        side.heldByHost += 1
        return side.rest.removeFirst()
    }
}

extension VirtualAir {
    /// Passes a packet of the air on to the host.
    func deliver(_ packet: HCI.ACLData, to side: LinkSide) {
        guard side.controller.state.hostBuffers != nil else { return send(.acl(packet), to: side.controller) }
        side.rest += side.controller.pieces(of: packet)
        sendToHost(of: side.controller)
    }

    /// Sends the host what it has room for.
    func sendToHost(of controller: Controller) {
        while let packet = controller.nextForHost() { send(.acl(packet), to: controller) }
    }
}

extension HCI.SetControllerToHostFlowControl: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        let controlsFlow = flowControl == .acl || flowControl == .both
        guard controller.sides.isEmpty, !controlsFlow || controller.state.hostBuffers != nil else {
            throw .commandDisallowed
        }
        controller.state.controlsFlow = controlsFlow
        return HCI.StatusOnly()
    }
}

extension HCI.HostBufferSize: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard aclDataPacketLength > 0, totalACLDataPackets > 0 else { throw .invalidHCICommandParameters }
        guard controller.sides.isEmpty else { throw .commandDisallowed }
        controller.state.hostBuffers = HostBuffers(
            length: Int(aclDataPacketLength), total: Int(totalACLDataPackets))
        return HCI.StatusOnly()
    }
}

extension HCI.HostNumberOfCompletedPackets: SimulatedCommand {
    static var isAnswered: Bool { false }

    /// Takes each entry by itself: one that is wrong does not take from the others what is theirs.
    ///
    /// Without flow control, or without links, the command means nothing.
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard controller.state.controlsFlow, !controller.sides.isEmpty else { return HCI.StatusOnly() }
        var isWrong = entries.isEmpty
        for entry in entries {
            guard let side = controller.side(entry.handle), Int(entry.packets) <= side.heldByHost else {
                isWrong = true
                continue
            }
            side.heldByHost -= Int(entry.packets)
        }
        air.sendToHost(of: controller)
        if isWrong { throw .invalidHCICommandParameters }
        return HCI.StatusOnly()
    }
}
