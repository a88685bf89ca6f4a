// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// On what the two sides of a link send.
struct LinkPHYs: Hashable {
    var central: HCI.PHY
    var peripheral: HCI.PHY

    /// Chooses the fastest that each sender and its receiver allow; what nobody agrees on stays.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 5.1.10.
    func chosen(central preferred: PreferredPHYs, peripheral others: PreferredPHYs) -> LinkPHYs {
        LinkPHYs(
            central: Self.fastest(preferred.tx.intersection(others.rx)) ?? central,
            peripheral: Self.fastest(others.tx.intersection(preferred.rx)) ?? peripheral)
    }

    private static func fastest(_ phys: HCI.PHYs) -> HCI.PHY? {
        if phys.contains(.le2M) { return .le2M }
        if phys.contains(.le1M) { return .le1M }
        return phys.contains(.leCoded) ? .leCoded : nil
    }
}

/// The PHYs that a host allows on a link.
struct PreferredPHYs: Hashable {
    let tx: HCI.PHYs
    let rx: HCI.PHYs

    /// - Parameters:
    ///   - tx: For what this side sends; `nil` is any.
    ///   - rx: For what it receives; `nil` is any.
    init(_ tx: HCI.PHYs?, _ rx: HCI.PHYs?) {
        self.tx = tx ?? .all
        self.rx = rx ?? .all
    }
}

extension HCI.PHYs {
    /// What these controllers can do.
    static let all: HCI.PHYs = [.le1M, .le2M, .leCoded]
}

extension HCI.PHY {
    /// Microseconds of a packet with the pause after it; LE Coded with eight symbols a bit.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 2.1 and 2.2.
    func airTime(_ pdu: LinkPDU) -> UInt64 {
        switch self {
        case .le2M: (11 + pdu.length) * 4 + 150
        case .leCoded: (5 + pdu.length) * 64 + 400 + 150
        default: (10 + pdu.length) * 8 + 150
        }
    }
}

extension HCI.PHY {
    /// Microseconds that the longest packet may take.
    var longestTime: UInt16 { self == .leCoded ? 17_040 : 2120 }
}

extension VirtualAir {
    /// Takes a control packet about PHYs from the peer.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 5.1.10.
    func receivePHYs(_ control: LinkControl, at side: LinkSide, counter: UInt64) {
        let link = side.link
        switch control {
        case .phyRequest(let preferred):
            if !side.controller.isExtended {
                side.answer(.phyReject(.unsupportedRemoteFeature))
            } else if side.role == .central {
                side.answer(.phyUpdate(link.phys.chosen(central: side.preferredPHYs, peripheral: preferred)))
            } else {
                side.answer(.phyResponse(side.preferredPHYs))
            }
        case .phyResponse(let preferred):
            side.answer(.phyUpdate(link.phys.chosen(central: side.preferredPHYs, peripheral: preferred)))
        case .phyUpdate(let phys):
            // With nothing to change there is nothing to wait for.
            if phys == link.phys { apply(phys, on: link) } else { link.phyUpdate = (phys, counter + 6) }
        case .phyReject(let status):
            side.awaitsPHYs = false
            sendPHYs(of: side, status)
        default: break
        }
    }

    /// The event has come at which both sides take on new PHYs.
    func apply(_ phys: LinkPHYs, on link: Link) {
        let hasChanged = link.phys != phys
        link.phys = phys
        link.phyUpdate = nil
        for side in link.sides where hasChanged || side.awaitsPHYs {
            side.awaitsPHYs = false
            sendPHYs(of: side, .success)
        }
    }

    private func sendPHYs(of side: LinkSide, _ status: HCI.Status) {
        let phys = side.phys
        send(
            .phyUpdateComplete(.init(status: status, handle: side.handle, txPHY: phys.tx, rxPHY: phys.rx)),
            to: side.controller)
    }
}
