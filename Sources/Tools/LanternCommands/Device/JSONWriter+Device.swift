// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

/// What every `device run` tells in the same words.
extension JSONWriter {
    /// A device is on the air.
    mutating func advertising(_ name: String?) {
        field("event", "advertising")
        field("name", name)
    }

    /// A device by its name and what kind of name that is; an advertiser that does not say who it is has none.
    mutating func device(_ peer: Peer) {
        field("address", peer.isAnonymous ? nil : peer.plain)
        field("address_type", peer.kindWord)
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
