// SPDX-License-Identifier: Apache-2.0

public import Companion
import CompanionCore
public import LEDBulb
public import LEDBulbCompanion
public import NightlightCompanion

/// A nightlight to which a hub holds a link for an app.
public struct ConnectedLamp: Sendable {
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
}

/// A bulb to which a hub holds a link for an app.
public struct ConnectedBulb: Sendable {
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
        let job: JobHandle<LampJob> = job(try await beginLamp(device: device, for: viewer).job.id)
        let lamp = ConnectedLamp(connection: AppConnection(job: job, feed: feed))
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
        let job: JobHandle<BulbJob> = job(
            try await beginBulb(device: device, for: viewer, speaking: dialect).job.id)
        let bulb = ConnectedBulb(connection: AppConnection(job: job, feed: feed))
        return try await bulb.connection.hold(
            as: viewer, isolation: isolation, until: { $0.dialect != nil }
        ) {
            try await body(bulb)
        }
    }

    /// A name that no page has given itself.
    static func viewer() -> String { "app \(UInt64.random(in: 0 ... .max))" }
}
