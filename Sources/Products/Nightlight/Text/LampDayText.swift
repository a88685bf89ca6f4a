// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight

/// What a plan makes a lamp do, for a person: a bar of the day in its colours, and a line for each part of it.
struct NightlightTimelineText {
    private let plan: LightPlan
    private let clock: WallClock
    private let terminal: Terminal

    /// Makes a renderer.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - clock: The clock on the wall.
    ///   - terminal: Where it is shown.
    init(_ plan: LightPlan, on clock: WallClock, terminal: Terminal) {
        self.plan = plan
        self.clock = clock
        self.terminal = terminal
    }

    /// A day.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - now: A moment to mark, if it is of this day.
    /// - Returns: The lines.
    func lines(of date: CalendarDate, now: UnixTime? = nil) -> [String] {
        let stretches = plan.timeline(of: date, on: clock)
        guard let first = stretches.first, let last = stretches.last else { return [] }
        let bar = Bar(stretches, clock: clock, columns: min(terminal.columns, 98) - 2)
        var lines = ["\(date.dayOfWeek) \(date)  " + terminal.styled(rule(on: date), .dim)]
        lines.append(" " + terminal.styled(bar.hours(of: date), .dim))
        lines.append(" " + bar.runs.map { run(bar.stretches[$0.stretch], cells: $0.count) }.joined())
        if let now, first.from <= now, now < last.to {
            lines.append(" " + String(repeating: " ", count: bar.column(of: now)) + "▲ now, \(minute(now))")
        }
        return lines + stretches.map { stretch in line(stretch, on: date, isLast: stretch == last) }
    }

    /// What shines at a moment, in one line.
    ///
    /// - Parameter moment: The moment.
    /// - Returns: The line.
    func line(at moment: UnixTime) -> String {
        let light = plan.light(at: moment, on: clock)
        let time = clock.time(at: moment)
        let what =
            light.source == .off
            ? "dark"
            : swatch(light.color) + "\(light.color), \(reason(light.source, light.cause, on: time.date))"
        let end =
            light.until.map { ", until \(day(of: $0, seenFrom: time.date))\(minute($0))" } ?? ", for ever"
        return "\(time.date.dayOfWeek) \(time.date) \(minute(moment)): \(what)\(end)."
    }

    /// What makes it shine: `week “School”`, `tonight’s schedule`.
    private func name(_ source: LightSource) -> String {
        guard source == .week else { return "tonight’s schedule" }
        let name = TerminalText.escaped(plan.week.name.string)
        return name.isEmpty ? "the week" : "the week “\(name)”"
    }

    /// Which schedule the day has.
    private func rule(on date: CalendarDate) -> String {
        guard let left = plan.daySchedule(on: date)?.daysLeft else { return name(.week) }
        return name(.day) + (left == 1 ? ", its last day" : ", \(left) days left")
    }

    private func line(_ stretch: LightStretch, on date: CalendarDate, isLast: Bool) -> String {
        // The end of the day is that of its last hour, not the start of the next one.
        let times = "\(minute(stretch.from))–\(isLast ? "24:00" : minute(stretch.to))  "
        guard stretch.source != .off else { return times + terminal.styled("dark", .dim) }
        let why = reason(stretch.source, stretch.cause, on: date)
        return times + swatch(stretch.color) + "\(stretch.color)  \(why)"
    }

    private func reason(_ source: LightSource, _ cause: PlannedLight.Cause?, on date: CalendarDate) -> String
    {
        var text = name(source)
        // Of a schedule that is gone.
        guard let cause else { return text + ", since the evening before" }
        if cause.date != date { text += ", since \(cause.date.dayOfWeek) \(cause.period.on)" }
        if let timeout = cause.period.timeout { text += ", for \(timeout) minutes at most" }
        return text
    }

    private func minute(_ moment: UnixTime) -> String {
        let time = clock.time(at: moment)
        // What comes twice needs the offset to be told apart.
        let again = clock.moment(of: time) != moment
        return time.minuteOfDay.description + (again ? " (again)" : "")
    }

    private func day(of moment: UnixTime, seenFrom date: CalendarDate) -> String {
        let day = clock.time(at: moment).date
        if day == date { return "" }
        return day.days(since: date) < 7 ? "\(day.dayOfWeek) " : "\(day.dayOfWeek) \(day) "
    }

    private func swatch(_ color: RGBColor) -> String {
        terminal.swatch(red: color.red, green: color.green, blue: color.blue)
    }

    private func run(_ stretch: LightStretch, cells: Int) -> String {
        guard stretch.source != .off else {
            return terminal.styled(String(repeating: "·", count: cells), .dim)
        }
        let color = stretch.color
        let text = String(repeating: terminal.hasColor ? " " : "█", count: cells)
        return terminal.painted(text, red: color.red, green: color.green, blue: color.blue)
    }
}

/// A day as a row of cells.
private struct Bar {
    let stretches: [LightStretch]
    /// The stretch of each cell.
    private let cells: [Int]
    private let clock: WallClock
    private let start: Int64
    private let seconds: Int64

    init(_ stretches: [LightStretch], clock: WallClock, columns: Int) {
        self.stretches = stretches
        self.clock = clock
        start = stretches.first?.from.seconds ?? 0
        seconds = max(1, (stretches.last?.to.seconds ?? 0) - start)
        let count = [96, 72, 48].first { $0 <= columns } ?? 24
        var cells: [Int] = []
        for cell in 0..<Int64(count) {
            let from = start + seconds * cell / Int64(count)
            let to = start + seconds * (cell + 1) / Int64(count)
            cells.append(Self.choice(stretches, from, to))
        }
        self.cells = cells
    }

    /// What has the most of a cell; a light that is shorter than a cell is shown all the same.
    private static func choice(_ stretches: [LightStretch], _ from: Int64, _ to: Int64) -> Int {
        func share(_ stretch: LightStretch) -> Int64 {
            let shared = min(stretch.to.seconds, to) - max(stretch.from.seconds, from)
            let isShort = stretch.source != .off && stretch.to.seconds - stretch.from.seconds < to - from
            return isShort && shared > 0 ? shared + (to - from) : shared
        }
        return stretches.indices.max { share(stretches[$0]) < share(stretches[$1]) } ?? 0
    }

    /// Neighbours of the same stretch.
    var runs: [(stretch: Int, count: Int)] {
        cells.reduce(into: []) { runs, cell in
            if let last = runs.last, last.stretch == cell {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((cell, 1))
            }
        }
    }

    /// Where a moment of the day stands.
    func column(of moment: UnixTime) -> Int {
        Int((moment.seconds - start) * Int64(cells.count) / seconds)
    }

    /// Each third hour above its cell.
    func hours(of date: CalendarDate) -> String {
        var text = ""
        for hour in stride(from: 0, through: 21, by: 3) {
            guard let time = LocalTime(date, hour: hour, minute: 0) else { continue }
            text = TerminalText.padded(text, columns: column(of: clock.moment(of: time)))
            text += hour < 10 ? "0\(hour)" : "\(hour)"
        }
        return text
    }
}
