// SPDX-License-Identifier: Apache-2.0

// Events of any kind are values that Embedded Swift has not.
#if !hasFeature(Embedded)
public import BLEWire
public import Companion

extension WiFiReport {
    /// The event for scripts; `nil` for what they do not get.
    ///
    /// - Parameter peer: The device.
    /// - Returns: The event.
    public func event(of peer: Peer) -> (any EventText)? {
        switch self {
        case .ready(let device): DeviceReady(device.peer, deviceName: device.name?.string, mtu: device.mtu)
        case .network(let network): WiFiNetworkHeard(peer, network)
        case .list(let list): WiFiListEnded(peer, list)
        case .state(let state), .joined(let state, isRepeated: false): WiFiStateReported(peer, state)
        case .answered(let answer, let attempt): WiFiCredentialsAnswered(peer, answer, attempt: attempt)
        case .authorizationNeeded: WiFiAuthorizationNeeded(peer)
        case .trouble(let trouble): WiFiErrorReported(peer, trouble)
        case .identified: WiFiDeviceIdentified(peer)
        case .description(let description): WiFiDeviceDescribed(peer, description)
        case .joined, .listRequested, .listFailed, .stateFailed, .sent, .notJoined, .identifyFailed,
            .descriptionFailed:
            nil
        }
    }
}
#endif
