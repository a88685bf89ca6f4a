// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import CompanionHub
public import Foundation
public import Observation

/// What the screen of a Wi-Fi set-up shows: what the device hears, and how far it is with what it was sent.
@MainActor @Observable public final class WiFiModel {
    /// A network into which the device is to go.
    public enum Target: Hashable, Identifiable, Sendable {
        /// One that the device hears.
        case heard(FoldedNetwork)
        /// One that hides its name, so that a person types it.
        case hidden

        /// Itself.
        public var id: Self { self }
    }

    /// The device and its link.
    @ObservationIgnored public let device: HeldDevice<ConnectedWiFiDevice>
    /// What the device hears, access points of one name together, the strongest first.
    public private(set) var networks: [FoldedNetwork] = []
    /// The network that a person has chosen; `nil` before.
    public var target: Target? { didSet { if target != oldValue { begin() } } }
    /// The name of a network that hides it.
    public var hiddenName = ""
    /// The password; it is forgotten as soon as something has come of it, and when the screen goes.
    public var password = ""
    /// How often a try has failed since the network was chosen.
    public private(set) var failures = 0

    private var earlier: Int?

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - id: The device's number.
    public init(_ app: AppModel, device id: HubDevice.ID) {
        device = HeldDevice(job: \.job, revision: \.revision) { body in
            try await app.hub.withWiFi(id) { try await body($0) }
        }
    }

    /// How far the set-up is; `nil` before the device is connected.
    public var setup: WiFiSetup? { device.state }

    /// The try with the network that was chosen; `nil` before it was sent.
    public var attempt: WiFiAttempt? {
        guard let attempt = setup?.attempt, attempt.number != earlier else { return nil }
        return attempt
    }

    /// How the network that was chosen is secured.
    public var security: NetworkSecurity {
        guard case .heard(let folded) = target else { return .unknown }
        return folded.network.security
    }

    /// Fetches what the device hears whenever it has a new list, as long as the screen is there.
    public func readNetworks() async {
        await device.look { device throws(HubError) in networks = try await device.networks }
    }

    /// Has the device look for networks again.
    public func lookAgain() async {
        await device.ask { device throws(HubError) in networks = try await device.lookAgain() }
    }

    /// Has the device show itself by a light or a sound.
    public func identify() async {
        await device.ask { device throws(HubError) in try await device.identify() }
    }

    /// Sends the device into the network that was chosen.
    public func join() async {
        let name: WireText
        let known: NetworkSecurity?
        switch target {
        case .heard(let folded): (name, known) = (folded.network.ssid, folded.network.security)
        case .hidden: (name, known) = (WireText(hiddenName), nil)
        case nil: return
        }
        let password = password
        await device.ask { device throws(HubError) in
            let attempt = try await device.join(name, password: password, security: known)
            self.password = ""
            if attempt.step == .failed { failures += 1 }
        }
    }

    /// Forgets the password, as when the screen goes.
    public func forgetPassword() { password = "" }

    private func begin() {
        (password, hiddenName, failures) = ("", "", 0)
        (device.trouble, earlier) = (nil, setup?.attempt?.number)
    }
}

extension WiFiModel {
    /// The device's address in the network, where it has said so.
    public var address: String? {
        guard let ip = setup?.status?.state.ip, ip != "0.0.0.0" else { return nil }
        return ip
    }

    /// Where a browser can go on: over HTTP only, whatever the device says.
    public var wayOn: URL? {
        guard let text = setup?.status?.state.url ?? address.map({ "http://\($0)/" }),
            let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased())
        else { return nil }
        return url
    }
}

extension WiFiAttempt {
    /// How long it took, in seconds, at least one; `nil` while it goes on.
    var seconds: Int? {
        ended.map { max(1, Int(($0.milliseconds - begun.milliseconds + 500) / 1000)) }
    }
}
