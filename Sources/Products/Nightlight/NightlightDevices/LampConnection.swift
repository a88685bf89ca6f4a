// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire
public import CompanionDevices
public import Nightlight
public import NightlightCompanion

/// Why a lamp did not do what was asked for.
public enum LampError: Error, Hashable, Sendable {
    /// It has refused a value.
    case refused(NightlightItem, GATTRequestError)
    /// It has accepted a value but kept another one.
    case notKept(NightlightItem)
    /// It has no such value; nothing was written.
    case missing(NightlightItem)
}

extension ClientConnection where Session == NightlightClient {
    /// A lamp gives up after 60 s without a write.
    private static var proofRefreshTime: Duration { .seconds(25) }

    /// Waits until everything was read.
    ///
    /// - Returns: The lamp's state.
    /// - Throws: As ``next()``.
    public nonisolated(nonsending) mutating func lamp() async throws -> LampState {
        while true {
            if case .ready(let peer, _, let values) = try await next() {
                return LampState(justRead: values, from: peer)
            }
        }
    }

    /// Reads again what changes without a word: the clock, the battery, what shines and the days that are left.
    ///
    /// - Parameter peer: The lamp.
    /// - Returns: The lamp's state.
    /// - Throws: As ``next()``.
    public nonisolated(nonsending) mutating func readAgain(of peer: Peer) async throws -> LampState {
        await update { client, now in
            client.readAgain(
                [.batteryLevel, .batteryStatus, .day, .activeSource, .currentTime], at: now)
        }
        while true {
            if case .values(let values) = try await next() { return LampState(justRead: values, from: peer) }
        }
    }

    /// Writes settings one after the other; the first that is refused ends it.
    ///
    /// - Parameters:
    ///   - settings: What to write, in order.
    ///   - peer: The lamp.
    /// - Returns: The lamp's state then.
    /// - Throws: ``LampError`` that says what was refused and why, and as ``next()``.
    @discardableResult
    public nonisolated(nonsending) mutating func set(_ settings: [NightlightSetting], of peer: Peer)
        async throws -> LampState
    {
        for setting in settings {
            await update { $0.set(setting, at: $1) }
            try await wait(for: setting.item)
        }
        await update { client, _ in client.reportValues() }
        while true {
            if case .values(let values) = try await next() { return LampState(justRead: values, from: peer) }
        }
    }

    private nonisolated(nonsending) mutating func wait(for item: NightlightItem) async throws {
        while true {
            switch try await next() {
            case .written(item): return
            case .refused(item, let failure): throw LampError.refused(item, failure)
            // What a clock shows then says more than its octets.
            case .notKept(item)
            where item == .localTimeInformation || item == .timeWithDST || item == .currentTime:
                return
            case .notKept(item): throw LampError.notKept(item)
            case .missing(item): throw LampError.missing(item)
            default: break
            }
        }
    }

    /// Sets the clock to this computer's: time zone and next change of DST first, the time last, as it goes on.
    ///
    /// - Parameter state: The lamp's state.
    /// - Returns: Its state then.
    /// - Throws: As ``set(_:of:)``.
    public nonisolated(nonsending) mutating func setClock(_ state: LampState) async throws -> LampState {
        var settings: [NightlightSetting] = []
        if state.values[.localTimeInformation] != nil { settings.append(.zone(state.host.zone)) }
        if state.values[.timeWithDST] != nil { settings.append(.nextDSTChange(state.host.next)) }
        try await set(settings, of: state.peer)
        let (now, fraction) = HostClock.precise()
        let time = CurrentTime(now.time, fractions: UInt8(clamping: Int(fraction * 256)))
        return try await set([.clock(time)], of: state.peer)
    }

    /// Shows a colour for a while, then lets the lamp follow its schedules again.
    ///
    /// - Parameters:
    ///   - color: The colour.
    ///   - leds: On which LEDs.
    ///   - peer: The lamp.
    ///   - duration: For how long.
    ///   - began: Called with the lamp's values while the colour shows.
    /// - Returns: The lamp's state when it is over.
    /// - Throws: As ``set(_:of:)``, and what `began` throws.
    public nonisolated(nonsending) mutating func tryOut(
        _ color: RGBColor, on leds: [Int], of peer: Peer, for duration: Duration,
        _ began: (LampState) throws -> Void
    ) async throws -> LampState {
        try began(await set(leds.map { .led($0, color) }, of: peer))
        var rest = duration
        while rest > .zero {
            // A lamp that dies meanwhile, or a radio, ends it.
            let part = min(rest, Self.proofRefreshTime)
            try await wait(for: part)
            rest -= part
            if rest > .zero { try await set([.proof(true)], of: peer) }
        }
        return try await set([.proof(false)], of: peer)
    }
}

extension LampState {
    /// Makes a state of values that were read just now, beside this computer's clock.
    ///
    /// - Parameters:
    ///   - values: What the lamp has.
    ///   - peer: The lamp.
    init(justRead values: NightlightValues, from peer: Peer) {
        let (host, fraction) = HostClock.precise()
        self.init(peer, values, host: host, hostFraction: fraction)
    }
}
