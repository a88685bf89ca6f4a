// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import CompanionText
import Improv

extension ImprovStateChanged: EventText {
    /// The event in one line.
    public var line: EventLine {
        switch state {
        case .authorizationRequired:
            EventLine(.quiet, "takes no credentials; type `press` to press its button")
        case .authorized: EventLine(.good, "takes credentials")
        case .provisioning: EventLine(.outgoing, "joins the network")
        default: EventLine(.good, "is in the network")
        }
    }
}

extension ImprovIdentifyRequested: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.incoming, "a client asks which device this is: here!") }
}

extension ImprovInfoRequested: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.incoming, "a client asks what this is") }
}

extension ImprovScanRequested: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.incoming, "a client asks for the networks") }
}

extension ImprovNetworksSent: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.outgoing, "sent \(count) networks") }
}

extension ImprovScanFailed: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.warning, "the Wi-Fi radio could not look for networks") }
}

extension ImprovSettingsReceived: EventText {
    /// The event in one line.
    public var line: EventLine {
        error == .none
            ? EventLine(.incoming, "credentials for “\(ssid.string)”")
            : EventLine(
                .warning, "credentials for “\(ssid.string)” refused: its button has to be pressed first")
    }
}

extension ImprovJoinFailed: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.warning, "could not join “\(ssid.string)”") }
}

extension ImprovCommandRefused: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.warning, "refused: \(reason)") }
}
