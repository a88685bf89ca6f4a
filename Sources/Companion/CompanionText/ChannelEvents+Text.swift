// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion

extension ChannelListening: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.good, "Listening at PSM 0x\(psm.hexadecimal) as \(deviceName). Control-C ends it.")
    }
}

extension ChannelOpened: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(
            .arrival, "Channel to \(peer.plain) open at PSM 0x\(psm.hexadecimal), MTU \(limits.mtu).")
    }
}

extension ChannelClosed: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.quiet, "\(sentence) \(received == 1 ? "1 SDU came." : "\(received) SDUs came.")")
    }
}
