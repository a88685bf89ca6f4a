// SPDX-License-Identifier: Apache-2.0

public import Companion
import CompanionCore
public import LEDBulb
public import LEDBulbCompanion
public import NightlightCompanion

/// A device to which a hub holds a link for an app.
public protocol ConnectedDevice<State>: Sendable {
    /// How the device is.
    associatedtype State: Sendable

    /// How the device is, now and whenever that changes.
    var updates: DeviceStates<State> { get }
}

/// A nightlight to which a hub holds a link for an app.
public struct ConnectedLamp: ConnectedDevice {
    let connection: AppConnection<LampJob>

    /// How the lamp is.
    public var state: LampDashboard { get async throws(HubError) { try await connection.job.shown } }

    /// How the lamp is, now and whenever that changes.
    public var updates: DeviceStates<LampDashboard> { connection.states(\.revision) }

    /// Writes settings to the lamp, and returns when it has them.
    ///
    /// - Parameter change: What is to be others.
    /// - Returns: How the lamp is then.
    /// - Throws: ``HubError`` that says what the lamp has not taken, or why the link has ended.
    @discardableResult
    public func change(_ change: LampChange) async throws(HubError) -> LampDashboard {
        let refusals = try await connection.job.change(change).refusals
        let lamp = try await connection.until { !$0.isWorking }
        if lamp.refusals != refusals { throw .notNow(lamp.refusal ?? "The lamp has not taken it.") }
        return lamp
    }

    /// Shows a colour on the lamp itself, which ends by itself after a minute.
    ///
    /// - Parameters:
    ///   - color: The colour.
    ///   - leds: On which LEDs, from 1.
    /// - Throws: ``HubError`` that says why it cannot be.
    public func tryOut(_ color: RGBColor, on leds: [Int] = [1, 2, 3, 4]) async throws(HubError) {
        try await connection.job.tryOut(color, on: leds)
    }

    /// Ends a colour that is tried out.
    ///
    /// - Throws: ``HubError`` that says why it cannot be.
    public func endTrial() async throws(HubError) { try await connection.job.endProof() }

    /// Sets the lamp's clock by the hub's, however far it is off.
    ///
    /// - Throws: ``HubError`` that says why it cannot be.
    public func setClock() async throws(HubError) { try await connection.job.setClock() }
}

/// A bulb to which a hub holds a link for an app.
public struct ConnectedBulb: ConnectedDevice {
    let connection: AppConnection<BulbJob>

    /// How the bulb is.
    public var state: HubBulb { get async throws(HubError) { try await connection.job.shown } }

    /// How the bulb is, now and whenever that changes.
    public var updates: DeviceStates<HubBulb> { connection.states(\.revision) }

    /// Gives the bulb a command, and returns when it was written.
    ///
    /// - Parameter command: The command; of two colours that are asked for at once the later counts.
    /// - Returns: How the bulb is then.
    /// - Throws: ``HubError`` that says why it cannot be, or why the link has ended.
    @discardableResult
    public func perform(_ command: BulbCommand) async throws(HubError) -> HubBulb {
        try await connection.job.perform(command)
        let bulb = try await connection.until { !$0.isBusy }
        if let trouble = bulb.trouble { throw .notNow(trouble) }
        return bulb
    }

    /// Lets the bulb go through all hues until something else is asked of it, or it is let go.
    ///
    /// - Parameter turn: How long a turn takes.
    /// - Throws: ``HubError`` that says why it cannot be.
    public func startCycle(turn: Duration) async throws(HubError) {
        try await connection.job.startCycle(turn: Int(turn / .milliseconds(1)))
    }

    /// Ends the turns; the bulb keeps the hue that it has come to.
    ///
    /// - Throws: ``HubError`` that says why it cannot be.
    public func stopCycle() async throws(HubError) { try await connection.job.stopCycle() }
}

extension Hub {
    /// Connects to a nightlight, over the link that somebody else has, if anybody has one, and lets it go in the end.
    ///
    /// - Parameters:
    ///   - device: The lamp's number.
    ///   - isolation: Where the body runs: where this was called.
    ///   - body: What to do; it is called when the lamp was read.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or ``HubError`` that says why the lamp cannot be reached.
    @discardableResult
    public func withLamp<Value>(
        _ device: HubDevice.ID, isolation: isolated (any Actor)? = #isolation,
        _ body: (ConnectedLamp) async throws -> Value
    ) async throws -> Value {
        let viewer = Self.viewer()
        let begun = try await beginLamp(device: device, for: viewer)
        let lamp = ConnectedLamp(connection: connection(begun.job.id))
        return try await lamp.connection.hold(
            as: viewer, isolation: isolation, until: { $0.state != nil }
        ) {
            try await body(lamp)
        }
    }

    /// Connects to a bulb, over the link that somebody else has, if anybody has one, and lets it go in the end.
    ///
    /// - Parameters:
    ///   - device: The bulb's number.
    ///   - dialect: What it speaks; `nil` for what was chosen before, else for what it shows.
    ///   - isolation: Where the body runs: where this was called.
    ///   - body: What to do; it is called when the bulb is connected and its dialect known.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or ``HubError`` that says why the bulb cannot be reached.
    @discardableResult
    public func withBulb<Value>(
        _ device: HubDevice.ID, speaking dialect: BulbDialect? = nil,
        isolation: isolated (any Actor)? = #isolation, _ body: (ConnectedBulb) async throws -> Value
    ) async throws -> Value {
        let viewer = Self.viewer()
        let begun = try await beginBulb(device: device, for: viewer, speaking: dialect)
        let bulb = ConnectedBulb(connection: connection(begun.job.id))
        return try await bulb.connection.hold(
            as: viewer, isolation: isolation, until: { $0.dialect != nil }
        ) {
            try await body(bulb)
        }
    }
}
