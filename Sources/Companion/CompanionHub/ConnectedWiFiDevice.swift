// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
import CompanionCore

/// A device that takes Wi-Fi credentials, to which a hub holds a link for an app.
public struct ConnectedWiFiDevice: ConnectedDevice {
    let connection: AppConnection<WiFiJob>

    /// How far the set-up is.
    public var state: WiFiSetup { get async throws(HubError) { try await connection.job.shown } }

    /// How far the set-up is, now and whenever that changes.
    public var updates: DeviceStates<WiFiSetup> { connection.states(\.revision) }

    /// What the device hears, folded, the strongest first.
    public var networks: [FoldedNetwork] {
        get async throws(HubError) { try await connection.job.state.networks }
    }

    /// Has the device look for networks again, and waits until it has.
    ///
    /// - Returns: What it hears, folded, the strongest first.
    /// - Throws: ``HubError`` that says why there is no newer list.
    @discardableResult
    public func lookAgain() async throws(HubError) -> [FoldedNetwork] {
        try await connection.job.list()
        let setup = try await connection.until { !$0.isListing }
        if let failure = setup.listFailure { throw .notNow(failure) }
        return try await networks
    }

    /// Has the device show itself, by a light or a sound.
    ///
    /// - Throws: ``HubError`` that says why it cannot.
    public func identify() async throws(HubError) { try await connection.job.identify() }

    /// Sends a network's name and password, and waits for what comes of it.
    ///
    /// - Parameters:
    ///   - ssid: The network's name.
    ///   - password: The password; nothing for an open network.
    ///   - security: How the network is secured, where the app knows; `nil` for what the device hears.
    /// - Returns: What came of it: `step` is ``WiFiAttempt/Step/joined`` or ``WiFiAttempt/Step/failed``, and `failure` says why.
    /// - Throws: ``HubError`` that says what is wrong with them, or why they cannot be sent now.
    public func join(
        _ ssid: WireText, password: String = "", security: NetworkSecurity? = nil
    ) async throws(HubError) -> WiFiAttempt {
        let sent = try await connection.job.send(
            WiFiSecret(ssid: ssid, password: Array(password.utf8)), security)
        guard let number = sent.attempt?.number else { throw .notNow("Nothing was sent.") }
        // Some devices leave as soon as they are in their network.
        let setup = try await connection.until(orEnded: true) { setup in
            setup.attempt.map { $0.number != number || $0.step.isOver } ?? true
        }
        guard let attempt = setup.attempt, attempt.number == number else {
            throw .notNow("Something else was sent meanwhile.")
        }
        return attempt
    }
}

extension Hub {
    /// Connects to a device that takes Wi-Fi credentials, over WiFiSet or Improv, and lets it go in the end.
    ///
    /// - Parameters:
    ///   - device: The device's number.
    ///   - isolation: Where the body runs: where this was called.
    ///   - body: What to do; it is called when the device has said what it hears, or that it cannot.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or ``HubError`` that says why the device cannot be reached.
    @discardableResult
    public func withWiFi<Value>(
        _ device: HubDevice.ID, isolation: isolated (any Actor)? = #isolation,
        _ body: (ConnectedWiFiDevice) async throws -> Value
    ) async throws -> Value {
        let held = ConnectedWiFiDevice(connection: connection(try await beginWiFi(device: device).job.id))
        return try await held.connection.hold(
            as: Self.viewer(), isolation: isolation, until: { $0.protocolName != nil && !$0.isListing }
        ) {
            try await body(held)
        }
    }
}
