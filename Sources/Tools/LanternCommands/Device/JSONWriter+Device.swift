// SPDX-License-Identifier: Apache-2.0

import BLEWire
import HubModel

/// What every `device run` tells in the same words.
extension JSONWriter {
    /// A device is on the air.
    mutating func advertising(_ name: String?) {
        field("event", "advertising")
        field("name", name)
    }

    /// A client has opened a link.
    mutating func connected(_ link: LinkID, _ peer: Peer) {
        field("event", "connected")
        field("link", link.rawValue)
        field("address", peer.plain)
    }

    /// A link is gone.
    mutating func disconnected(_ link: LinkID) {
        field("event", "disconnected")
        field("link", link.rawValue)
    }
}
