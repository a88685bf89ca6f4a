// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEL2CAP
public import BLEWire

// What the application has yet to consume, and what of it the controller holds back.
//
// With flow control towards the host the controller sends no more packets than this side has acknowledged. The
// buffers are those of all links together; so only where there is a single link are they withheld: then the air
// waits for a consumer that is slow. With several links nothing is withheld, and a link that falls too far behind
// is closed alone. Nor is anything withheld while this side awaits something on the link: that would wait behind
// what nobody consumes.
//
// Spec: Core v5.4, Vol 4, Part E, 4.2.

/// What the controller may send ahead.
struct Reception {
    /// Packets that it may send before one is acknowledged.
    static let packets = 128
    /// Octets of payload that such a packet may have.
    static let length: UInt16 = 1024
    /// Packets that are acknowledged together, if there are enough of them.
    static let batch = 32

    /// Packets of all links that came and are not acknowledged.
    var ahead = 0
    /// Whether the controller has sent more than that, though it has agreed not to.
    var isIgnored = false

    var isShort: Bool { ahead > Self.packets / 2 }
}

extension HostStack {
    /// Handles that the application is done with events of a link: `value`, `writeRequested` and `stored`.
    ///
    /// Only with ``HostLimits/unconsumedEvents``.
    ///
    /// - Parameters:
    ///   - count: How many events, oldest first.
    ///   - id: Of which link.
    ///   - now: The moment.
    public mutating func consumed(_ count: Int, on id: LinkID, at now: HostInstant) {
        guard let link = links.with(id) else { return }
        link.unconsumed -= max(0, min(count, link.unconsumed))
        giveBack(link)
    }

    /// Notes that the application has one event of a link more to consume.
    mutating func unconsumed(_ link: Link, at now: HostInstant) {
        guard let limit = configuration.limits.unconsumedEvents else { return }
        link.unconsumed += 1
        guard link.unconsumed > limit else { return }
        close(link, because: reception?.isIgnored == true ? .flowControlIgnored : .consumerTooSlow, at: now)
    }

    /// Notes that a packet of a link has come.
    mutating func arrived(_ link: Link) {
        guard reception != nil else { return }
        link.unacknowledged += 1
        reception?.ahead += 1
        if let ahead = reception?.ahead, ahead > Reception.packets { reception?.isIgnored = true }
    }

    /// Handles that a link is gone: the controller counts what came on it as acknowledged.
    mutating func forget(_ link: Link) {
        reception?.ahead -= link.unacknowledged
        link.unacknowledged = 0
    }

    /// Acknowledges packets of a link, but for what is withheld.
    mutating func giveBack(_ link: Link) {
        guard let reception, link.unacknowledged > 0 else { return }
        guard link.unacknowledged >= Reception.batch || reception.isShort else { return }
        let mayWithhold = links.count == 1 && link.life.isOpen && !link.awaits
        let withheld = mayWithhold ? min(link.unconsumed, link.unacknowledged) : 0
        let count = link.unacknowledged - withheld
        // A few are not worth a command, unless the controller may run out of them before there are more.
        guard count >= Reception.batch || count > 0 && reception.isShort && withheld < Reception.batch else {
            return
        }
        link.unacknowledged = withheld
        self.reception?.ahead -= count
        acknowledge(link.handle, count)
    }

    /// Tells the controller that there is room for packets again; that is no command that is answered or waits.
    mutating func acknowledge(_ handle: ConnectionHandle, _ count: Int) {
        guard reception != nil else { return }
        let entry = HCI.NumberOfCompletedPackets.Entry(
            handle: handle, packets: UInt16(truncatingIfNeeded: count))
        let packet = HCI.Packet(HCI.HostNumberOfCompletedPackets(entries: [entry]))
        outputs.append(.send(packet.octets))
    }
}

extension Link {
    /// Whether this side awaits something that the peer sends, or has channels, whose data are consumed elsewhere.
    var awaits: Bool {
        if case .idle = procedureState {
            return client.isBusy || channels.count > 0 || server.nextDeadline != nil
        }
        return true
    }
}
