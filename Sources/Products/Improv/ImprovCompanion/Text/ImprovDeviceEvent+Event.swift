// SPDX-License-Identifier: Apache-2.0

// Events of any kind are values that Embedded Swift has not.
#if !hasFeature(Embedded)
import BLEWire
import Companion
public import CompanionText
public import Improv

extension ImprovDeviceEvent {
    /// The event as people and programs get it.
    public var event: any EventText {
        switch self {
        case .connected(let link, let peer): LinkConnected(link: link, peer)
        case .disconnected(let link): LinkDisconnected(link: link)
        case .changed(let state): ImprovStateChanged(state: state)
        case .identify(let link): ImprovIdentifyRequested(link)
        case .infoRequested(let link): ImprovInfoRequested(link)
        case .scanRequested(let link): ImprovScanRequested(link)
        case .networksSent(let link, let count): ImprovNetworksSent(link, count: count)
        case .scanFailed: ImprovScanFailed()
        case .settings(let link, let ssid, let error): ImprovSettingsReceived(link, ssid: ssid, error: error)
        case .joinFailed(let ssid): ImprovJoinFailed(ssid: ssid)
        case .fault(let link, let error): ImprovCommandRefused(link, reason: error.description)
        }
    }
}
#endif
