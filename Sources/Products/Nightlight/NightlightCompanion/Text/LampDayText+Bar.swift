// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
public import CompanionText
public import Nightlight

extension LightPlan {
    /// A day of a lamp: a bar in its colours, and a line for each part of it.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - clock: The local clock.
    ///   - columns: Columns that there are.
    ///   - now: A moment to mark, if it is of this day, and what to write there.
    /// - Returns: The lines.
    public func lines(
        of date: CalendarDate, on clock: WallClock, columns: Int,
        now: (moment: UnixTime, mark: StyledText)? = nil
    ) -> [StyledText] {
        let stretches = timeline(of: date, on: clock)
        guard let first = stretches.first, let last = stretches.last else { return [] }
        let text = LampDayText(self, on: clock)
        let bar = DayBar(stretches, on: clock, columns: min(columns, 98) - 2)
        var hours = ""
        for (hour, column) in bar.hours(of: date) {
            hours = FixedWidthText.padded(hours, columns: column) + (hour < 10 ? "0\(hour)" : "\(hour)")
        }
        var lines = [text.heading(of: date), StyledText(" ") + StyledText(.faint(hours)), bar.line]
        if let now, first.from <= now.moment, now.moment < last.to {
            let column = 1 + bar.column(of: now.moment)
            let width = FixedWidthText.width(now.mark.plain)
            // Where there is no room behind the sign, what it marks stands before it.
            if column + 2 + width > columns, width < column {
                let margin = String(repeating: " ", count: column - 1 - width)
                lines.append(StyledText(margin) + now.mark + " ▲")
            } else {
                let margin = String(repeating: " ", count: column)
                lines.append((StyledText(margin + "▲ ") + now.mark).indented(by: column + 2))
            }
        }
        return lines + text.lines(stretches, of: date)
    }
}

extension DayBar {
    fileprivate var line: StyledText {
        runs.reduce(StyledText(" ")) { line, run in
            line
                + (run.stretch.source == .off
                    ? StyledText(.faint(String(repeating: "·", count: run.count)))
                    : StyledText(.patch(run.stretch.color, columns: run.count)))
        }
    }
}
