// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion

extension ControllerListening: EventText {
    /// The event in one line.
    public var line: EventLine {
        // An IPv6 address stands in brackets before a port.
        let place = host.contains(":") ? "[\(host)]" : host
        return EventLine(.good, "controller \(controller), \(peer.plain), listens at tcp:\(place):\(port)")
    }
}

extension SimulatedDeviceAdded: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.good, "a simulated \(kind) is on the air") }
}

extension RadioReady: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.good, "ready; Control-C ends the radio") }
}

extension HostAttached: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.arrival, "a host from \(origin) has attached to controller \(controller)")
    }
}

extension HostDetached: EventText {
    /// The event in one line.
    public var line: EventLine {
        let words =
            switch reason {
            case .left: "has gone; its links are dropped"
            case .cutOff: "was cut off because it did not read; its links are dropped"
            case .ended: "was let go"
            }
        return EventLine(.quiet, "the host of controller \(controller) \(words)")
    }
}
