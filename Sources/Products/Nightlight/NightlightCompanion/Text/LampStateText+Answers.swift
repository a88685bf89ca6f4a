// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import CompanionText
import Nightlight

extension LampStateText {
    /// Whether the LEDs have power, after that was set.
    public var powerSentence: StyledText {
        StyledText(
            values.isPowered == true
                ? "The LEDs have power."
                : "The LEDs have no power: whatever is due, the lamp stays dark.")
    }

    /// Whether the LEDs are one, after that was set.
    public var linkSentence: StyledText {
        StyledText(
            values.isLinked == true ? "LEDs 2 to 4 follow LED 1." : "Each LED has its own colour.")
    }

    /// Whose lamp it is, after that was set.
    public var nameSentence: StyledText {
        StyledText(
            state.childName.map { "This is \($0)’s nightlight now." } ?? "The lamp has no name any more.")
    }

    /// Which week the lamp has, after that was set.
    public var weekSentence: StyledText {
        let name = values.week?.name.string ?? ""
        return StyledText(
            name.isEmpty ? "The lamp has its new week." : "The lamp has the week “\(name)” now.")
    }

    /// How long the schedule for tonight is followed, after that was set.
    public var tonightSentence: StyledText {
        let left = values.day?.daysLeft ?? 0
        return StyledText(
            left == 1
                ? "Tonight the lamp does this; tomorrow the week is back."
                : "The lamp does this for \(left) days, then the week is back.")
    }

    /// What the lamp does tonight.
    public var tonightLines: [StyledText] {
        guard let day = values.day else { return [StyledText("The lamp does as the week says.")] }
        let left = day.daysLeft == 1 ? "Today is its last day" : "\(day.daysLeft) days left"
        return [NightlightText.periods(day.periods), StyledText(left)]
    }
}
