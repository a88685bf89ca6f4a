// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
public import Companion

extension LinkConnected: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.arrival, link == nil ? "connected to \(peer.plain)" : "\(peer.plain) has connected")
    }
}

extension LinkDisconnected: EventText {
    /// The event in one line.
    public var line: EventLine {
        guard link == nil else { return EventLine(.quiet, "a client has gone; advertising again") }
        let device = peer.map { "to \($0.plain) " } ?? ""
        return EventLine(
            .warning, "The link \(device)is gone\(reason.map { ": \($0)" } ?? ".")")
    }
}

extension LinkMTUChanged: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.quiet, "the MTU is \(mtu)") }
}

extension LinkStateChanged: EventText {
    /// The event in one line.
    public var line: EventLine {
        let device = report.peer.map { $0.plain } ?? "the device"
        switch report.state {
        case .bluetoothOff: return EventLine(.warning, "Bluetooth is off, or the radio is gone")
        case .unauthorized: return EventLine(.warning, "Bluetooth may not be used")
        case .scanning: return EventLine(.quiet, "looking for the device …")
        case .connecting: return EventLine(.quiet, "connecting to \(device) …")
        case .discovering: return EventLine(.quiet, "reading what \(device) offers …")
        case .connected: return EventLine(.good, "connected: listening to \(device)")
        case .disconnected:
            guard let reason = report.reason, reason != .closed else {
                return EventLine(.quiet, "disconnected")
            }
            let retry = report.retryMilliseconds.map {
                "; next try in \($0 / 1000).\($0 % 1000 / 100) s"
            }
            return EventLine(.warning, "disconnected: \(reason)\(retry ?? "")")
        }
    }
}

extension DeviceReady: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.good, "connected to \(deviceName.map { "\($0), " } ?? "")\(peer.plain)")
    }
}

extension SecurityRefused: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(
            .warning,
            "The device asks for pairing: pair with it (lantern pair), or it may send nothing, or end the connection."
        )
    }
}

extension MalformedPDUReceived: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(
            .warning,
            "The device sent something unexpected: \(octets.hexadecimal).",
            mayBeCut: true)
    }
}

extension ServicesChanged: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.warning, "The device's services from \(start.text) to \(end.text) have changed.")
    }
}

extension MTUUnanswered: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(
            .warning,
            "The device did not answer when it was asked for its MTU. Lantern connected again without asking, with 23 octets; --no-mtu does so from the start."
        )
    }
}
