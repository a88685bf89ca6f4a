// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import CompanionText
import Nightlight

extension LampShows: EventText {
    /// The event in one line.
    public var line: EventLine {
        let colors = display.colors
        let isSame = colors.allSatisfy { $0 == colors.first }
        let shown =
            isSame
            ? colors.first.map { $0 == .black ? "dark" : $0.description } ?? ""
            : colors.map { $0.description }.joined(separator: " ")
        let isDark = colors.allSatisfy { $0 == .black }
        return EventLine(
            isDark ? .quiet : .good, "\(shown): \(NightlightText.reason(display.source))", colors: colors)
    }
}

extension LampButtonPressed: EventText {
    /// The event in one line.
    public var line: EventLine {
        switch verdict {
        case .lit(let left?): EventLine(.good, "the button was pressed; \(left) more today")
        case .lit(nil): EventLine(.good, "the button was pressed")
        default: EventLine(.warning, "the button was pressed, but \(NightlightText.reason(verdict))")
        }
    }
}

extension LampShaken: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(
            turnsColors ? .good : .quiet, "the lamp was shaken; its colours \(turnsColors ? "turn" : "stay")")
    }
}

extension LampBatteryChanged: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.quiet, "battery \(battery.percent)%\(battery.isCharging ? ", charging" : "")")
    }
}

extension LampClockSet: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.quiet, "the clock shows \(time)") }
}

extension LampWritten: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(
            .incoming, "\(item.keyword) written: \(octets.isEmpty ? "nothing" : octets.hexadecimal)",
            mayBeCut: true)
    }
}

extension LampWriteRefused: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.warning, "\(item.keyword) refused: \(refusal)") }
}
