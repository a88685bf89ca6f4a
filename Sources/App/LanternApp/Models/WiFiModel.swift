// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import CompanionHub
public import Observation

/// What the screen of a Wi-Fi set-up shows: what the device hears, and how far it is with what it was sent.
@MainActor @Observable public final class WiFiModel {
    /// The device and its link.
    @ObservationIgnored public let device: HeldDevice<ConnectedWiFiDevice>
    /// What the device hears, access points of one name together, the strongest first.
    public private(set) var networks: [FoldedNetwork] = []
    /// The network that a person has chosen; `nil` for one that hides its name.
    public var chosen: FoldedNetwork?
    /// The name of a network that hides it.
    public var hiddenName = ""
    /// The password; it is forgotten when the device is in the network, and when the screen goes.
    public var password = ""

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - id: The device's number.
    public init(_ app: AppModel, device id: HubDevice.ID) {
        device = HeldDevice { body in try await app.hub.withWiFi(id) { try await body($0) } }
    }

    /// How far the set-up is; `nil` before the device is connected.
    public var setup: WiFiSetup? { device.state }

    /// Fetches what the device hears whenever it has a new list, as long as the screen is there.
    public func readNetworks() async {
        await device.ask { device throws(HubError) in networks = try await device.networks }
    }

    /// Has the device look for networks again.
    public func lookAgain() async {
        await device.ask { device throws(HubError) in networks = try await device.lookAgain() }
    }

    /// Has the device show itself by a light or a sound.
    public func identify() async {
        await device.ask { device throws(HubError) in try await device.identify() }
    }

    /// Sends the device into the network.
    ///
    /// - Parameter isHidden: Whether the name was typed, since the network hides it.
    public func join(isHidden: Bool) async {
        let name = isHidden ? WireText(hiddenName) : chosen?.network.ssid
        guard let name else { return }
        let password = password
        await device.ask { device throws(HubError) in
            let attempt = try await device.join(name, password: password)
            if attempt.step == .joined { self.password = "" }
        }
    }

    /// Forgets the password, as when the screen goes.
    public func forgetPassword() { password = "" }
}
