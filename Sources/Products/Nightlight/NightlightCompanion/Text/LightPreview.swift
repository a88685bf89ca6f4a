// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion
package import Nightlight

/// What schedules would make a lamp do on a day, as `nightlight simulate` says it; no lamp is needed.
package struct LightPreview: EventPart {
    private let date: CalendarDate
    private let clock: WallClock
    private let stretches: [LightStretch]
    private let night: LampNight
    private let conflicts: [LampConflict]
    private let change: (at: UnixTime, ahead: Int32)?

    /// Reads what is asked.
    ///
    /// - Parameters:
    ///   - node: `week`, and perhaps `tonight`, `tonight_days`, `from`, `date` and `time_zone`.
    ///   - now: The moment, which says what day it is today.
    ///   - wall: The clock on the wall around a moment, in the time zone of a name or in that of this place; `nil` when
    ///     there is no such time zone.
    /// - Throws: ``HubError/badValue(_:)``.
    package init(
        _ node: JSONNode, now: UnixTime, on wall: (String?, UnixTime) -> WallClock?
    ) throws(HubError) {
        do throws(JSONDecodingError) {
            try self.init(reading: node, now: now, on: wall)
        } catch {
            throw .badValue(error.reason.prefix(1).uppercased() + error.reason.dropFirst() + ".")
        }
    }

    private init(
        reading node: JSONNode, now: UnixTime, on wall: (String?, UnixTime) -> WallClock?
    ) throws(JSONDecodingError) {
        let zone = try node.member("time_zone")
        let name = try zone?.text("The time zone")
        guard let today = wall(name, now)?.time(at: now).date else {
            throw (zone ?? node).fault("there is no such time zone: give one like Europe/Berlin")
        }
        date = try Self.date("date", node) ?? today
        clock = wall(name, WallClock.utc.moment(of: LocalTime(date))) ?? .utc
        let reading = try ScheduleJSON.week(node.needed("week"))
        var conflicts = reading.schedule.faults.map { NightlightText.conflict($0) }
        // What could not be understood at all is no fault of a schedule.
        if conflicts.isEmpty, let fault = reading.faults.first { throw fault }
        var plan = LightPlan(week: reading.schedule)
        if let tonight = try node.member("tonight") {
            let days = try node.member("tonight_days")?.number(
                "The number of days", in: 1...NightlightLimit.days)
            let reading = try ScheduleJSON.day(tonight, days: days ?? 1)
            conflicts += reading.schedule.faults.map { NightlightText.conflict($0) }
            plan = LightPlan(
                week: plan.week, day: reading.schedule, from: try Self.date("from", node) ?? date)
        }
        self.conflicts = conflicts
        stretches = plan.timeline(of: date, on: clock)
        night = LampNight(of: date, plan, on: clock)
        let start = clock.moment(of: LocalTime(date))
        let end = night.to
        if let next = clock.changes.first(where: { start <= $0.at && $0.at < end }) {
            change = (next.at, next.offset - clock.offset(at: next.at.advanced(bySeconds: -1)))
        } else {
            change = nil
        }
    }

    private static func date(_ key: String, _ node: JSONNode) throws(JSONDecodingError) -> CalendarDate? {
        guard let value = try node.member(key) else { return nil }
        guard let date = CalendarDate(try value.text("The date")) else {
            throw value.fault("\(key) must be a day of the calendar, such as 2026-11-21")
        }
        return date
    }

    /// What the clocks do on this night, or on the morning before, which has the same date; in a sentence.
    private var clockSentence: String? {
        change.map { change in
            let minutes = Int(change.ahead.magnitude) / 60
            let way = change.ahead > 0 ? "forward" : "back"
            let before = WallClock(offset: clock.offset(at: change.at.advanced(bySeconds: -1)))
            let time = before.time(at: change.at)
            let isBefore = change.at <= night.from ? ", before this night" : ""
            return
                "The clock goes \(way) by \(NightlightText.duration(minutes: minutes)) on \(time.date.dayOfWeek) at \(time.minuteOfDay)\(isBefore)."
        }
    }

    package static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("date", "The day, as `2026-11-21`.") { $0.date.description }
        schema.list("stretches", "What a lamp would do on this day, part by part.") { preview in
            preview.stretches.map { PlannedStretchShown($0, on: preview.clock) }
        }
        schema.object("night", "The night that begins on this day.") { $0.night }
        schema.list("conflicts", "What a lamp would refuse; none when it would take all.") { $0.conflicts }
        schema.text("clock_change", "What the clocks do then; null for nothing.") { $0.clockSentence }
    }
}
