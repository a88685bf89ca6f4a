// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// What a client of a lamp reports.
public enum NightlightEvent: Hashable, Sendable {
    /// The link has another state.
    case state(DeviceLink.Report)
    /// Everything was read; the MTU is in octets.
    case ready(Peer, mtu: Int, NightlightValues)
    /// The lamp has another value; all of them as they are now.
    case changed(NightlightItem, NightlightValues)
    /// What the lamp has, because somebody has asked.
    case values(NightlightValues)
    /// What was written was accepted and read back.
    case written(NightlightItem)
    /// What was written was not taken, or the link was lost before that was sure.
    case refused(NightlightItem, GATTRequestError)
    /// What was written was accepted, but something else was read back.
    case notKept(NightlightItem)
    /// What is to be written is nothing that the lamp has.
    case missing(NightlightItem)
    /// A value could not be read.
    case unreadable(NightlightItem, GATTRequestError)
    /// A value makes no sense.
    case malformed(NightlightItem)
}
