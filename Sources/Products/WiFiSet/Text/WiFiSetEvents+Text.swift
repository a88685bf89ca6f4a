// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
public import WiFiSet

extension WiFiSetDeviceEvent {
    /// The event as people and programs get it.
    public var event: any EventText {
        switch self {
        case .connected(let link, let peer): LinkConnected(link: link, peer)
        case .disconnected(let link): LinkDisconnected(link: link)
        case .listRequested(let link): WiFiSetListRequested(link)
        case .listSent(let link, let count): WiFiSetListSent(link, count: count)
        case .scanFailed: WiFiSetScanFailed()
        case .credentials(let link, let ssid, let answer):
            WiFiSetCredentialsReceived(link, ssid: ssid, answer: WiFiAnswer(answer))
        case .statusRequested(let link): WiFiSetStatusRequested(link)
        case .status(let status): WiFiStateReported(nil, WiFiDeviceState(status))
        case .joinFailed(let ssid, let failure): WiFiSetJoinFailed(ssid: ssid, reason: failure.description)
        case .fault(let link, let error): WiFiSetMessageRefused(link, reason: error.description)
        case .sequence(let link, .gap(let expected, let received)):
            WiFiSetMessagesMissing(link, expected: Int(expected), received: Int(received))
        case .sequence(let link, _): WiFiSetMessageRepeated(link)
        }
    }
}

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
