// SPDX-License-Identifier: Apache-2.0

public import Companion

extension WiFiNetworkHeard: EventText {
    /// The event in one line.
    public var line: EventLine {
        let strength = network.rssi.map { ", \($0) dBm" } ?? ""
        let name = WiFiText.name(network.ssid)
        return EventLine(.incoming, "hears “\(name)”\(strength), \(network.securityWords)")
    }
}

extension WiFiListEnded: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.quiet, "hears \(list.networks.count) networks") }
}

extension WiFiStateReported: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(
            peer == nil ? .outgoing : state.word == .connected ? .good : .incoming, WiFiText.sentence(state))
    }
}

extension WiFiCredentialsAnswered: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.incoming, WiFiText.sentence(answer, code: 0)) }
}

extension WiFiErrorReported: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.warning, WiFiText.sentence(trouble)) }
}

extension WiFiAuthorizationNeeded: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.warning, "The device wants its button pressed: press it, and the credentials are sent.")
    }
}

extension WiFiDeviceIdentified: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.good, "The device makes itself known: look for a light, listen for a sound.")
    }
}

extension WiFiDeviceDescribed: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.good, "\(device.name): \(device.firmware) \(device.version) on \(device.hardware).")
    }
}
