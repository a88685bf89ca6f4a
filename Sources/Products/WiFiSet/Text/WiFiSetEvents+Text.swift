// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
import WiFiSet

extension WiFiSetListRequested: EventText {
    /// What it says to a person.
    public var line: EventLine { EventLine(.incoming, "a client wants the list of networks") }
}

extension WiFiSetListSent: EventText {
    /// What it says to a person.
    public var line: EventLine { EventLine(.outgoing, "sent a list of \(count) networks") }
}

extension WiFiSetScanFailed: EventText {
    /// What it says to a person.
    public var line: EventLine { EventLine(.warning, "the Wi-Fi radio could not look for networks") }
}

extension WiFiSetCredentialsReceived: EventText {
    /// What it says to a person.
    public var line: EventLine {
        EventLine(.incoming, "credentials for “\(ssid.string)”: \(answer.rawValue)")
    }
}

extension WiFiSetStatusRequested: EventText {
    /// What it says to a person.
    public var line: EventLine { EventLine(.incoming, "a client wants the state") }
}

extension WiFiSetJoinFailed: EventText {
    /// What it says to a person.
    public var line: EventLine { EventLine(.warning, "could not join “\(ssid.string)”: \(reason)") }
}

extension WiFiSetMessageRefused: EventText {
    /// What it says to a person.
    public var line: EventLine { EventLine(.warning, "refused: \(reason)") }
}

extension WiFiSetMessageRepeated: EventText {
    /// What it says to a person.
    public var line: EventLine { EventLine(.warning, "a message came twice") }
}

extension WiFiSetMessagesMissing: EventText {
    /// What it says to a person.
    public var line: EventLine {
        EventLine(.warning, "message \(expected) was expected, \(received) came")
    }
}
