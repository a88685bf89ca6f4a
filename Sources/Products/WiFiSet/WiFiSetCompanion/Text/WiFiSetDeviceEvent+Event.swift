// SPDX-License-Identifier: Apache-2.0

// Events of any kind are values that Embedded Swift has not.
#if !hasFeature(Embedded)
import BLEWire
import Companion
public import CompanionText
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
#endif
