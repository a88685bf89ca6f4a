// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// What link layers say to each other besides data.
///
/// Spec: Core v5.4, Vol 6, Part B, 2.4.2.
enum LinkControl {
    case terminate(HCI.Status)
    case featureRequest
    case featureResponse(HCI.LEFeatures)
    case versionRequest
    case versionResponse(UInt8)
    case lengthRequest
    case lengthResponse
    case parameterRequest(HCI.LEConnectionUpdate)
    case parameterReject(HCI.Status)
    case connectionUpdate(LinkParameters)
    case phyRequest(PreferredPHYs)
    case phyResponse(PreferredPHYs)
    case phyUpdate(LinkPHYs)
    case phyReject(HCI.Status)
    case encryptionRequest(UInt64, UInt16, half: UInt64)
    case encryptionResponse(UInt64)
    case encryptionReject(HCI.Status)
    case startEncryptionRequest
    case startEncryptionResponse
    case pauseEncryptionRequest
    case pauseEncryptionResponse
}

/// One packet of the link layer.
enum LinkPDU {
    case empty
    case control(LinkControl)
    case data(boundary: HCI.PacketBoundary, payload: ArraySlice<UInt8>)

    /// Octets of payload; control packets are about as long as a header.
    var length: UInt64 {
        switch self {
        case .empty: 0
        case .control: 12
        case .data(_, let payload): UInt64(payload.count)
        }
    }

    var isEmpty: Bool { if case .empty = self { true } else { false } }
}

/// One controller's side of a link.
final class LinkSide {
    let link: Link
    let role: HCI.Role
    let controller: Controller
    let handle: ConnectionHandle
    let peerAddress: BluetoothAddress
    /// Link-layer control packets to send; they go before data.
    var control: [LinkControl] = []
    /// ACL packets of the host that the peer has not acknowledged.
    var data: [HCI.ACLData] = []
    /// Octets of the first of them that the peer has acknowledged.
    private var sent = 0
    /// Packets acknowledged but not yet reported to the host.
    var completed: UInt16 = 0
    /// Packets that the host was sent and is not done with; counted for hosts that control the flow.
    var heldByHost = 0
    /// What is left of a packet of the peer that the host has no room for at once.
    var rest: [HCI.ACLData] = []
    var lastHeard: HostInstant
    /// Whether anything was ever heard.
    var isEstablished = false
    /// Whether a look at `lastHeard` is in the schedule.
    var isSupervised = false
    var isTerminating = false
    /// Whether this peripheral's host waits for an answer to its request for other parameters.
    var awaitsParameters = false
    /// Whether this central's host was asked for other parameters and has not answered.
    var owesParameters = false
    /// The PHYs that the host allows.
    var preferredPHYs: PreferredPHYs
    /// Whether the host waits for a change of PHYs.
    var awaitsPHYs = false
    /// The packet length that the host suggested for sending.
    var wanted: DataLength
    var transmit = DataLength.initial
    var receive = DataLength.initial

    var encryption = LinkEncryption()

    init(
        link: Link, role: HCI.Role, controller: Controller, handle: ConnectionHandle,
        peerAddress: BluetoothAddress, now: HostInstant
    ) {
        self.link = link
        self.role = role
        self.controller = controller
        self.handle = handle
        self.peerAddress = peerAddress
        lastHeard = now
        wanted = controller.state.suggestedDefault
        preferredPHYs = PreferredPHYs(controller.state.defaultPHYs.tx, controller.state.defaultPHYs.rx)
    }

    /// On what this side sends and receives.
    var phys: (tx: HCI.PHY, rx: HCI.PHY) {
        role == .central
            ? (link.phys.central, link.phys.peripheral) : (link.phys.peripheral, link.phys.central)
    }

    var peer: LinkSide? { role == .central ? link.peripheral : link.central }
    var hasEnded: Bool { link[role] !== self }
    var isIdle: Bool { control.isEmpty && data.isEmpty }

    /// Queues an answer to the peer's link layer; one that asks again and again loses answers, not our memory.
    func answer(_ control: LinkControl) {
        if self.control.count < 32 { self.control.append(control) }
    }

    func heard(at now: HostInstant) {
        lastHeard = now
        isEstablished = true
    }

    /// The control packet that goes next.
    private var nextControl: Int? {
        encryption.isIdle ? control.indices.first : control.firstIndex { $0.goesWhileEncrypting }
    }

    /// The packet to send now; it stays until ``acknowledge(_:)``.
    var nextPDU: LinkPDU {
        if let nextControl { return .control(control[nextControl]) }
        guard encryption.isIdle, let packet = data.first else { return .empty }
        let end = min(packet.payload.count, sent + Int(transmit.octets))
        let begins = sent == 0 && packet.boundary != .continuing
        return .data(boundary: begins ? .firstFlushable : .continuing, payload: packet.payload[sent..<end])
    }

    /// The peer has what ``nextPDU`` was.
    func acknowledge(_ pdu: LinkPDU) {
        switch pdu {
        case .empty: break
        case .control: if let nextControl { control.remove(at: nextControl) }
        case .data(_, let payload):
            sent += payload.count
            guard let first = data.first, sent >= first.payload.count else { return }
            data.removeFirst()
            sent = 0
            completed += 1
        }
    }
}
