// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE
import LEDBulb

/// A conversation with a bulb.
typealias BulbConversation = DeviceConversation<LEDBulbClient>

/// The bulb that a conversation is held with.
struct BulbPeer: Hashable, Sendable {
    /// How its radio names it.
    var peer: Peer
    /// Its name, if it says one.
    var name: WireText?
    /// What it speaks.
    var dialect: BulbDialect
    /// Whether it tells its state.
    var tellsState: Bool
}

/// What has come of a command.
struct BulbResult: Hashable, Sendable {
    /// The bulb.
    var peer: BulbPeer
    /// The command.
    var command: BulbCommand
    /// The octets that were written.
    var octets: [UInt8]
    /// What the bulb says that it does now; `nil` when it says nothing.
    var state: BulbState?
}

extension LEDBulbClient: ConversableSession {
    static func report(in event: LEDBulbEvent) -> DeviceLink.Report? {
        if case .state(let report) = event { report } else { nil }
    }

    static func wrongDevice(_ target: DeviceAddress, missing: [BluetoothUUID]) -> String {
        // A misfit is told first and ends the conversation; this is never reached.
        BulbText.sentence(.notABulb, target)
    }
}

extension DeviceConversation where Session == LEDBulbClient {
    /// Finds the bulb, holds the conversation and closes the link, however it ends.
    ///
    /// - Parameters:
    ///   - target: The bulb.
    ///   - dialect: What it speaks; `nil` learns it.
    ///   - radio: On what.
    ///   - phys: On what to look for it and to connect.
    ///   - body: What to say and to listen to.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    static func hold<Value: Sendable>(
        with target: DeviceAddress, speaking dialect: BulbDialect?, on radio: Radio,
        phys: Set<PHY> = PHYOptions.all,
        _ body: (inout BulbConversation) async throws -> Value
    ) async throws -> Value {
        let options = LEDBulbClient.Options(
            target: target.target, dialect: dialect, reconnects: false, seed: .random(in: 0 ... .max))
        return try await hold(LEDBulbClient(options: options), with: target, on: radio, phys: phys, body)
    }

    /// Waits until the bulb is there and its dialect is known.
    ///
    /// - Returns: The bulb.
    /// - Throws: ``CommandError`` when it is not there or cannot be spoken to.
    mutating func ready() async throws -> BulbPeer {
        while true {
            switch try await next() {
            case .ready(let peer, let name, let dialect, let tellsState):
                return BulbPeer(peer: peer, name: name, dialect: dialect, tellsState: tellsState)
            case .unfit(let misfit): throw CommandError.failed(BulbText.sentence(misfit, target))
            default: break
            }
        }
    }

    /// Gives a command and waits until it has arrived.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - peer: The bulb.
    /// - Returns: What has come of it.
    /// - Throws: ``CommandError`` when the bulb did not take it.
    mutating func perform(_ command: BulbCommand, at peer: BulbPeer) async throws -> BulbResult {
        await say { $0.perform(command, at: $1) }
        var result = BulbResult(peer: peer, command: command, octets: [])
        while true {
            switch try await next() {
            case .written(command, let octets): result.octets = octets
            case .told(let state): result.state = state
            case .settled: return result
            case .refused(command, let refusal):
                throw CommandError.failed(BulbText.sentence(refusal, target))
            default: break
            }
        }
    }

    /// Gives a command, and switches on a bulb that says that it takes the light but is off.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - peer: The bulb.
    /// - Returns: What has come of it.
    /// - Throws: ``CommandError`` when the bulb did not take it.
    mutating func perform(_ command: BulbCommand, lightingAt peer: BulbPeer) async throws -> BulbResult {
        var result = try await perform(command, at: peer)
        if case .power = command { return result }
        if result.state?.isOn == false { result.state = try await perform(.power(true), at: peer).state }
        return result
    }

    /// Asks for the state and waits for it.
    ///
    /// - Returns: The state.
    /// - Throws: ``CommandError`` when the bulb does not tell it.
    mutating func state() async throws -> BulbState {
        await say { $0.perform(.requestState, at: $1) }
        while true {
            switch try await next() {
            case .told(let state): return state
            case .stateFailed(let failure): throw BulbText.error(failure, target)
            default: break
            }
        }
    }
}
