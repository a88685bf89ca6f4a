// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
public import CompanionText
import WiFiSet

extension WiFiSetListRequested: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.incoming, "a client asks for the list of networks") }
}

extension WiFiSetListSent: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.outgoing, "sent a list of \(count) networks") }
}

extension WiFiSetScanFailed: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.warning, "the Wi-Fi radio could not look for networks") }
}

extension WiFiSetCredentialsReceived: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.incoming, "credentials for “\(ssid.string)”: \(answer.rawValue)")
    }
}

extension WiFiSetStatusRequested: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.incoming, "a client asks for the state") }
}

extension WiFiSetJoinFailed: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.warning, "could not join “\(ssid.string)”: \(reason)") }
}

extension WiFiSetMessageRefused: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.warning, "refused: \(reason)") }
}

extension WiFiSetMessageRepeated: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.warning, "a message came twice") }
}

extension WiFiSetMessagesMissing: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.warning, "message \(expected) was expected, \(received) came")
    }
}
