// SPDX-License-Identifier: Apache-2.0

import BLEGATT
public import CompanionDevices
public import LEDBulb
public import LEDBulbCompanion

/// Why a bulb did not do what was asked for.
public enum BulbError: Error, Hashable, Sendable {
    /// It cannot be used as a bulb; nothing was written.
    case misfit(BulbIncompatibility)
    /// It has not carried out a command.
    case refused(BulbCommandError)
    /// Its state could not be read.
    case noState(BulbStateError)
}

extension ClientConnection where Session == LEDBulbClient {
    /// Waits until the bulb is there and its dialect is known.
    ///
    /// - Returns: The bulb.
    /// - Throws: ``BulbError`` when it cannot be used, and as ``next()``.
    public nonisolated(nonsending) mutating func bulb() async throws -> FoundBulb {
        var unswitched: GATT.Characteristic?
        while true {
            switch try await next() {
            case .configurationMissing(let characteristic): unswitched = characteristic
            case .ready(let peer, let name, let dialect, let reportsState):
                return FoundBulb(
                    peer: peer, name: name, dialect: dialect, reportsState: reportsState,
                    unswitched: unswitched)
            case .unfit(let misfit): throw BulbError.misfit(misfit)
            default: break
            }
        }
    }

    /// Sends a command and waits until the bulb has received it.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - bulb: The bulb.
    /// - Returns: What has come of it.
    /// - Throws: ``BulbError`` when the bulb did not take it, and as ``next()``.
    public nonisolated(nonsending) mutating func perform(_ command: BulbCommand, at bulb: FoundBulb)
        async throws -> BulbCommanded
    {
        await update { $0.perform(command, at: $1) }
        var result = BulbCommanded(bulb, command, octets: [])
        while true {
            switch try await next() {
            case .written(command, let octets): result.octets = octets
            case .stateReported(let state): result.state = state
            case .named(let name): result.bulb.name = name ?? result.bulb.name
            case .settled: return result
            case .refused(command, let refusal): throw BulbError.refused(refusal)
            default: break
            }
        }
    }

    /// Sends a command, and switches on a bulb that is off although it has the light.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - bulb: The bulb.
    /// - Returns: What has come of it.
    /// - Throws: As ``perform(_:at:)``.
    public nonisolated(nonsending) mutating func perform(
        _ command: BulbCommand, lightingAt bulb: FoundBulb
    ) async throws -> BulbCommanded {
        var result = try await perform(command, at: bulb)
        if case .power = command { return result }
        if result.state?.isOn == false { result.state = try await perform(.power(true), at: bulb).state }
        return result
    }

    /// Asks a bulb whose name was not heard for it; to be done last, as some end the link at that.
    ///
    /// - Parameter bulb: The bulb.
    /// - Returns: The bulb with its name, if it says one.
    /// - Throws: As ``next()``, but not for the end of the link.
    public nonisolated(nonsending) mutating func named(_ bulb: FoundBulb) async throws -> FoundBulb {
        guard bulb.name == nil else { return bulb }
        var bulb = bulb
        await update { $0.requestName(at: $1) }
        do {
            while true {
                guard case .named(let name) = try await next() else { continue }
                bulb.name = name
                return bulb
            }
        } catch is ConnectionError {
            return bulb
        }
    }

    /// Asks for the state and waits for it.
    ///
    /// - Returns: The state.
    /// - Throws: ``BulbError`` when the bulb does not say it, and as ``next()``.
    public nonisolated(nonsending) mutating func state() async throws -> BulbState {
        await update { $0.perform(.requestState, at: $1) }
        while true {
            switch try await next() {
            case .stateReported(let state): return state
            case .stateFailed(let failure): throw BulbError.noState(failure)
            default: break
            }
        }
    }

    /// Makes the bulb go through all hues.
    ///
    /// - Parameters:
    ///   - bulb: The bulb.
    ///   - turn: How long a turn takes, in milliseconds.
    ///   - turns: How many turns; `nil` until the task is cancelled.
    ///   - report: Called with each hue.
    /// - Returns: How it has ended.
    /// - Throws: ``BulbError``, what `report` throws, and as ``next()`` but for the end by whoever has asked.
    public nonisolated(nonsending) mutating func cycle(
        _ bulb: FoundBulb, turn: UInt64, turns: UInt32?, _ report: (BulbHueShown) throws -> Void
    ) async throws -> BulbCycleEnded {
        await update { $0.startCycle(turnMilliseconds: turn, turns: turns, at: $1) }
        var colors = 0
        var isDone = false
        do {
            while true {
                switch try await next() {
                case .shown(let color):
                    colors += 1
                    try report(BulbHueShown(bulb, color))
                case .refused(_, let refusal): throw BulbError.refused(refusal)
                case .cycleEnded: isDone = true
                case .settled where isDone: return BulbCycleEnded(bulb, colors: colors, isDone: true)
                default: break
                }
            }
        } catch is CancellationError {
            return BulbCycleEnded(bulb, colors: colors, isDone: false)
        }
    }
}
