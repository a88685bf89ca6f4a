// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionText
import Nightlight

extension Terminal {
    /// A day of a lamp: a bar in its colours, and a line for each part of it.
    ///
    /// - Parameters:
    ///   - plan: What the lamp does.
    ///   - clock: The clock on the wall.
    ///   - date: The day.
    ///   - now: A moment to mark, if it is of this day, and what to write there.
    /// - Returns: The lines to print.
    func drawn(
        _ plan: LightPlan, on clock: WallClock, date: CalendarDate,
        now: (moment: UnixTime, mark: StyledText)? = nil
    ) -> [String] {
        let stretches = plan.timeline(of: date, on: clock)
        guard let first = stretches.first, let last = stretches.last else { return [] }
        let text = LampDayText(plan, on: clock)
        let bar = DayBar(stretches, on: clock, columns: min(columns, 98) - 2)
        var hours = ""
        for (hour, column) in bar.hours(of: date) {
            hours = FixedWidthText.padded(hours, columns: column) + (hour < 10 ? "0\(hour)" : "\(hour)")
        }
        var lines = [
            drawn(text.heading(of: date)), " " + styled(hours, .dim), " " + bar.runs.map(cells).joined(),
        ]
        if let now, first.from <= now.moment, now.moment < last.to {
            lines.append(
                " " + String(repeating: " ", count: bar.column(of: now.moment)) + "▲ " + drawn(now.mark))
        }
        return lines + text.lines(stretches, of: date).map(drawn)
    }

    private func cells(_ run: DayBar.Run) -> String {
        guard run.stretch.source != .off else {
            return styled(String(repeating: "·", count: run.count), .dim)
        }
        return painted(String(repeating: hasColor ? " " : "█", count: run.count), run.stretch.color)
    }
}
