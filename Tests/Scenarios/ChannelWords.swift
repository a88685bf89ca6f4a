// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEL2CAP
import BLEWire

/// A channel of a station: its link and its name there.
struct ChannelName: Hashable {
    let link: LinkID
    let token: L2CAP.ChannelToken

    init(_ link: LinkID, _ token: L2CAP.ChannelToken) { (self.link, self.token) = (link, token) }
}

extension HostBench {
    static func words(_ event: L2CAP.ChannelEvent) -> String {
        switch event {
        case .opened(let it):
            "opened \(it.psm.rawValue) \(it.isIncoming ? "in" : "out") \(it.localCID.rawValue)"
                + " \(it.remoteCID.rawValue) \(it.peerMTU) \(it.peerMPS) \(it.peerCredits)"
        case .received(let sdu): "received \(sdu.hexadecimal)"
        case .writable: "writable"
        case .closed(let failure): "closed \(failure)"
        }
    }
}
