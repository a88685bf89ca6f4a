// SPDX-License-Identifier: Apache-2.0

import BLEGATT
public import BLEWire
import Companion
public import CompanionText
public import LEDBulb

/// Sentences about bulbs.
public enum BulbText {
    /// How a bulb is called.
    public static func name(_ bulb: FoundBulb) -> String {
        guard let name = bulb.name, !name.isEmpty else { return "The \(bulb.dialect.name.string) bulb" }
        return name.string
    }

    /// A colour with its name, if it has one.
    public static func name(_ color: RGBColor) -> String {
        color.name.map { "\(color) (\($0))" } ?? color.description
    }

    /// What a light is.
    public static func name(_ light: BulbLight) -> String {
        switch light {
        case .color(let color): name(color)
        case .white(let level): "white at \(BulbLevel.percent(ofOctet: level))%"
        case .effect(let effect): "effect \(effect.code)"
        }
    }

    /// The state of a bulb, without its name.
    public static func sentence(_ state: BulbState) -> String {
        state.isOn ? "shines \(name(state.light))" : "is switched off; on, it shines \(name(state.light))"
    }

    /// The outcome of a command.
    public static func sentence(_ result: BulbCommanded) -> String {
        let bulb = name(result.bulb)
        if let state = result.state { return "\(bulb) \(sentence(state))." }
        return switch result.command {
        case .color(let color): "\(bulb) got \(name(color))."
        case .white(let level): "\(bulb) got \(name(.white(level)))."
        case .brightness(let level): "\(bulb) got a brightness of \(BulbLevel.percent(ofOctet: level))%."
        case .effect(let effect): "\(bulb) got \(name(.effect(effect)))."
        case .power(true): "\(bulb) got the command to switch on."
        case .power(false): "\(bulb) got the command to switch off."
        case .requestState: "\(bulb) was asked for its state."
        }
    }

    /// What to do next, when what was wanted may not be seen.
    public static func advice(_ result: BulbCommanded) -> String? {
        if case .power(let isOn) = result.command {
            return isOn && result.bulb.dialect == .elkBLEDOM
                ? "If it stays dark, add --dialect \(BulbDialect.elkBLEDOMF0.keyword.string), which newer bulbs speak."
                : nil
        }
        let on = "`lantern bulb on \(result.bulb.peer.plain)`"
        guard result.state == nil, result.bulb.dialect.hasPower else { return nil }
        return "It does not report its state: if it stays dark, \(on) switches it on."
    }

    /// Why a device cannot be used as a bulb.
    public static func sentence(_ misfit: BulbIncompatibility, _ target: String) -> String {
        switch misfit {
        case .notABulb:
            return
                "\(target) is not a bulb that this version can speak to: it lacks the characteristics of "
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

    /// Why a command was not carried out.
    public static func sentence(_ refusal: BulbCommandError, _ target: String) -> String {
        switch refusal {
        case .notInDialect(let dialect): "\(dialect.name.string) bulbs cannot do this."
        case .writeFailed(let failure):
            "\(target) did not accept it: \(failure). Switch the bulb off and on at the wall, then try again."
        case .disconnected: "The link to \(target) has ended before it was done. Try again."
        }
    }

    /// Answers as octets, equal ones once, with how often they came.
    static func list(_ answers: [[UInt8]]) -> String {
        var counted: [(octets: [UInt8], count: Int)] = []
        for answer in answers {
            if let index = counted.firstIndex(where: { $0.octets == answer }) {
                counted[index].count += 1
            } else {
                counted.append((answer, 1))
            }
        }
        return counted.map { each in
            each.count == 1
                ? each.octets.hexadecimal : "\(each.octets.hexadecimal) (\(each.count) times)"
        }.joined(separator: ", ")
    }

    /// Why there is no state.
    public static func sentence(_ failure: BulbStateError, _ target: String) -> String {
        let instead = "Set it instead: `lantern bulb color \(target) orange`."
        return switch failure {
        case .notInDialect(let dialect): "\(dialect.name.string) bulbs do not report their state. \(instead)"
        case .noNotifications(let dialect):
            "\(dialect.name.string) bulbs report their state, but \(target) has nothing to report it with. \(instead)"
        case .noAnswer:
            "\(target) was asked for its state \(LEDBulbClient.answerTries) times and did not answer: go nearer and "
                + "try again."
        case .notUnderstood(let answers):
            "\(target) answered something that is not understood: \(list(answers)). \(instead)"
        case .failed(let failure): "\(target) could not be asked for its state: \(failure). Try again."
        }
    }
}

extension BulbShines: EventText {
    /// The event in one line.
    public var line: EventLine {
        // While an effect plays, as an eye would see it: bright.
        EventLine(
            state.isOn ? .good : .quiet, state.isOn ? BulbText.name(state.light) : "switched off",
            colors: [state.shown ?? .white])
    }
}

extension BulbStateSent: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.outgoing, "reported that it \(BulbText.sentence(state))") }
}

extension BulbDialect {
    /// A row of the table of dialects: name, where it is written to, whether it is found out, what reports, white LEDs,
    /// power, state.
    public var columns: [String] {
        func text(_ place: Place) -> String { "\(place.characteristic) in \(place.service)" }
        return [
            keyword.string, text(control), isFoundOut ? "yes" : "no",
            reportsState ? reports.map(text) ?? "–" : "–", hasWhite ? "yes" : "no",
            hasPower ? "yes" : "white and black", reportsState ? "yes" : "no",
        ]
    }

    /// The heads of ``columns``.
    public static let columnHeads = [
        "DIALECT", "WRITES TO", "FOUND OUT", "REPORTS WITH", "WHITE", "ON AND OFF", "STATE",
    ]
}
