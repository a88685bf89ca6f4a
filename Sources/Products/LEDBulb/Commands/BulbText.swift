// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import LEDBulb

/// What bulbs do, in sentences for a person.
enum BulbText {
    /// How a bulb is called.
    static func name(_ peer: BulbPeer) -> String {
        guard let name = peer.name, !name.isEmpty else { return "The \(peer.dialect.name.string) bulb" }
        return TerminalText.escaped(name.string)
    }

    /// A colour with its name, if it has one.
    static func name(_ color: BulbColor) -> String {
        color.name.map { "\(color) (\($0))" } ?? color.description
    }

    /// What a light is.
    static func name(_ light: BulbLight) -> String {
        switch light {
        case .color(let color): name(color)
        case .white(let level): "white of \(BulbLevel.percent(ofOctet: level)) %"
        case .effect(let effect): "effect \(effect.code)"
        }
    }

    /// The state of a bulb, without its name.
    static func sentence(_ state: BulbState) -> String {
        state.isOn ? "shines \(name(state.light))" : "is switched off; on, it shines \(name(state.light))"
    }

    /// What has come of a command.
    static func sentence(_ result: BulbResult) -> String {
        let bulb = name(result.peer)
        if let state = result.state { return "\(bulb) \(sentence(state))." }
        return switch result.command {
        case .color(let color): "\(bulb) got \(name(color))."
        case .white(let level): "\(bulb) got \(name(.white(level)))."
        case .effect(let effect): "\(bulb) got \(name(.effect(effect)))."
        case .power(true): "\(bulb) got the command to switch on."
        case .power(false): "\(bulb) got the command to switch off."
        case .requestState: "\(bulb) was asked for its state."
        }
    }

    /// What to do next, when what was wanted may not be seen.
    static func advice(_ result: BulbResult) -> String? {
        if case .power(let isOn) = result.command {
            return isOn && result.peer.dialect == .elkBLEDOM
                ? "If it stays dark, add --dialect \(BulbDialect.elkBLEDOMF0.keyword.string), which newer bulbs speak."
                : nil
        }
        let on = "`lantern bulb on \(result.peer.peer.plain)`"
        guard result.state == nil, result.peer.dialect.hasPower else { return nil }
        return "It does not tell its state: if it stays dark, \(on) switches it on."
    }

    /// The patch of colour before a sentence.
    static func swatch(_ color: BulbColor?, on terminal: Terminal) -> String {
        color.map { terminal.swatch(red: $0.red, green: $0.green, blue: $0.blue) } ?? ""
    }

    /// Why a device cannot be spoken to.
    static func sentence(_ misfit: BulbMisfit, _ target: DeviceAddress) -> String {
        func list(_ dialects: [BulbDialect], _ last: String) -> String {
            let names = dialects.map(\.name.string)
            return names.count < 2
                ? names.joined() : names.dropLast().joined(separator: ", ") + " \(last) " + (names.last ?? "")
        }
        switch misfit {
        case .notABulb:
            return
                "\(target) is no bulb that this version can speak to: it lacks the characteristics of "
                + "\(list(BulbDialect.all.filter { $0.isFoundOut }, "and")). Nothing was written. `lantern gatt tree \(target)` shows what it has."
        case .ambiguous(let dialects):
            let options = dialects.map { "--dialect \($0.keyword.string)" }.joined(separator: " or ")
            return
                "\(target) has the characteristics of \(list(dialects, "and")): add \(options). Nothing was written."
        case .lacks(let dialect, let spoken):
            let place = "\(dialect.control.characteristic) in \(dialect.control.service)"
            let what =
                spoken.isEmpty
                ? "`lantern gatt tree \(target)` shows what it has."
                : "It has those of \(list(spoken, "and")): try --dialect \(spoken[0].keyword.string)."
            return
                "\(target) does not speak \(dialect.name.string): it lacks \(place). Nothing was written. \(what)"
        }
    }

    /// Why a command was not taken.
    static func sentence(_ refusal: BulbRefusal, _ target: DeviceAddress) -> String {
        switch refusal {
        case .notInDialect(let dialect): "\(dialect.name.string) bulbs cannot do this."
        case .writeFailed(let failure):
            "\(target) did not take it: \(failure). Switch the bulb off and on at the wall, then try again."
        case .disconnected: "The link to \(target) has ended before it was done. Try again."
        }
    }

    /// Why there is no state.
    static func error(_ failure: BulbStateFailure, _ target: DeviceAddress) -> CommandError {
        switch failure {
        case .notInDialect(let dialect):
            .failed(
                "\(dialect.name.string) bulbs do not tell their state. Set it instead: `lantern bulb color \(target) "
                    + "orange`.")
        case .noNotifications(let dialect):
            .failed(
                "\(dialect.name.string) bulbs tell their state, but \(target) has nothing to tell it with. Set it "
                    + "instead: `lantern bulb color \(target) orange`.")
        case .noAnswer:
            .nothingFound(
                "\(target) was asked for its state \(LEDBulbClient.answerTries) times and did not answer: go nearer and "
                    + "try again.")
        case .failed(let failure):
            .failed("\(target) could not be asked for its state: \(failure). Try again.")
        }
    }
}
