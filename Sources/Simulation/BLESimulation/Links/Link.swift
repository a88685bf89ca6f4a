// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// What both sides of a link keep to.
struct LinkParameters: Hashable {
    var interval: ConnectionInterval
    var latency: UInt16
    var supervisionTimeout: SupervisionTimeout
}

/// How long a link-layer packet may be.
struct DataLength: Hashable {
    var octets: UInt16
    var time: UInt16

    /// Every link starts so.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.5.10.
    static let initial = DataLength(octets: 27, time: 328)
    func limited(to other: DataLength) -> DataLength {
        DataLength(octets: min(octets, other.octets), time: min(time, other.time))
    }
}

/// A link between two controllers, with the schedule that they share.
///
/// Event `anchorCounter` begins at `anchor`, the next one an interval later, and so on. A link that has
/// nothing to do and cannot fail is left alone: its next event is worked out when it is needed.
final class Link {
    private(set) var parameters: LinkParameters
    private(set) var anchor: HostInstant
    private(set) var anchorCounter: UInt64 = 0
    var central: LinkSide?
    var peripheral: LinkSide?
    /// Parameters that both sides take on at an event.
    var update: (parameters: LinkParameters, instant: UInt64)?
    /// On what the central and the peripheral send.
    var phys: LinkPHYs
    /// PHYs that both sides take on at an event.
    var phyUpdate: (phys: LinkPHYs, instant: UInt64)?
    /// The data channels in use.
    var channels: HCI.ChannelMap
    /// What is in the schedule: the next event, or more of the one under way.
    private(set) var scheduled: Slot?
    /// Changes whenever what is in the schedule no longer counts.
    private(set) var ticket: UInt64 = 0
    /// Whether each side was sure to hear the other when it was last looked at.
    var wasSound = true

    /// A point in an event.
    struct Slot {
        let counter: UInt64
        /// Microseconds since the event began; 0 at its beginning.
        let elapsed: UInt64
    }

    init(
        parameters: LinkParameters, phy: HCI.PHY = .le1M, channels: HCI.ChannelMap = .all,
        firstAnchor: HostInstant
    ) {
        self.parameters = parameters
        self.channels = channels
        phys = LinkPHYs(central: phy, peripheral: phy)
        anchor = firstAnchor
    }

    subscript(role: HCI.Role) -> LinkSide? {
        get { role == .central ? central : peripheral }
        set { if role == .central { central = newValue } else { peripheral = newValue } }
    }

    /// Whether something changes at an event to come.
    var isChanging: Bool { update != nil || phyUpdate != nil }

    var sides: [LinkSide] { [central, peripheral].compactMap { $0 } }

    /// The last event at or before a moment; `nil` before the first.
    func lastEvent(at now: HostInstant) -> (counter: UInt64, start: HostInstant)? {
        guard now >= anchor else { return nil }
        let count = now.microseconds(since: anchor) / parameters.interval.microseconds
        let start = anchor.advanced(byMicroseconds: count * parameters.interval.microseconds)
        return (anchorCounter + count, start)
    }

    /// Chooses the first event after a moment as the next one.
    ///
    /// - Returns: When it begins; `nil` when it has been chosen before or an event is under way.
    func scheduleNext(after now: HostInstant) -> HostInstant? {
        var next = (counter: anchorCounter, start: anchor)
        if let last = lastEvent(at: now) {
            next = (last.counter + 1, last.start.advanced(byMicroseconds: parameters.interval.microseconds))
        }
        if let scheduled, scheduled.elapsed > 0 || scheduled.counter == next.counter { return nil }
        schedule(Slot(counter: next.counter, elapsed: 0))
        return next.start
    }

    func schedule(_ slot: Slot?) {
        scheduled = slot
        ticket += 1
    }

    /// Takes on new parameters from an event on.
    func apply(_ parameters: LinkParameters, at event: UInt64, start: HostInstant) {
        self.parameters = parameters
        anchor = start
        anchorCounter = event
        update = nil
    }
}
