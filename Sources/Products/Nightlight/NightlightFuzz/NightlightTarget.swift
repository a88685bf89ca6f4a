// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Fuzzing
import Nightlight
import ProductRegistry

extension NightlightProduct: FuzzedProduct {
    var fuzzTarget: FuzzTarget { FuzzTarget("nightlight", fuzzNightlight) }
}

/// The first octet says what the others are; a schedule that is taken is then followed for a day.
private func fuzzNightlight(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    switch script.byte() % 4 {
    case 0: try fuzzWeek(script.rest(), trace)
    case 1: try fuzzDay(script.rest(), trace)
    case 2: try fuzzTimes(script.rest(), trace)
    default: try fuzzPlan(&script, trace)
    }
}

private func fuzzWeek(_ octets: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    let week: WeekSchedule
    do throws(ScheduleError) {
        week = try WeekSchedule(decoding: octets)
    } catch {
        trace.add(error.refusal.rawValue)
        return try check((0x80...0x84).contains(error.refusal.rawValue), "a refusal of the profile")
    }
    trace.add(week.encoded())
    try check(week.encoded() == octets, "a week is written as it was read")
    try check(octets.count <= NightlightLimit.week, "a week keeps to its limit")
    try check(week.faults.isEmpty, "a week that was taken has no faults")
}

private func fuzzDay(_ octets: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    guard let day = try? DaySchedule.decode(octets) else { return }
    trace.add(day.encoded())
    try check(day.encoded() == octets, "a day schedule is written as it was read")
    try check(day.faults.isEmpty && (1...30).contains(day.daysLeft), "a day schedule has no faults")
}

private func fuzzTimes(_ octets: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    if let now = try? CurrentTime(decoding: octets), let time = now.time {
        trace.add(now.encoded())
        trace.add(time.description.utf8)
        try check(now.encoded().prefix(7) == octets.prefix(7), "a time is written as it was read")
        try check(LocalTime(time.description) == time, "a time is read as it was written")
    }
    if let zone = try? LocalTimeInformation(decoding: octets) {
        trace.add(zone.encoded())
        try check(zone.encoded() == octets, "a zone is written as it was read")
    }
    if let next = try? TimeWithDST(decoding: octets), let time = next.time {
        try check(next.encoded() == octets, "a change is written as it was read")
        let clock = WallClock(LocalTimeInformation(zone: 4, dst: .standard), next: next)
        for change in clock.changes where time.date > CalendarDate(dayNumber: .min) {
            let before = clock.time(at: change.at.advanced(bySeconds: -1))
            trace.add(change.at.seconds)
            try check(time.seconds(since: before) == 1, "the change comes when the clock shows its time")
        }
    }
    if let source = try? ActiveSource(decoding: octets) {
        trace.add(source.encoded())
        try check(source.encoded() == octets, "an active source is written as it was read")
    }
}

/// A clock, a day schedule and a week: the timeline has no gap and ends, and each moment agrees with it.
private func fuzzPlan(_ script: inout Script, _ trace: FuzzTrace) throws(Broken) {
    let date = CalendarDate(dayNumber: Int64(script.word()))
    let changeAt = UnixTime(seconds: Int64(date.dayNumber) * 86_400 + Int64(script.word()))
    // Seven hours either way.
    func offset(_ octet: UInt8) -> Int32 { Int32(Int8(bitPattern: octet)) * 200 }
    let clock = WallClock(
        offset: offset(script.byte()),
        changes: [WallClock.Change(at: changeAt, offset: offset(script.byte()))])
    let first = date.advanced(byDays: Int(Int8(bitPattern: script.byte())))
    let day = try? DaySchedule.decode(script.counted())
    guard let week = try? WeekSchedule(decoding: script.rest()) else { return }
    var plan = LightPlan(week: .factory, day: day, from: first)
    plan.set(week: week, at: clock.moment(of: LocalTime(first)), on: clock)

    var last = clock.moment(of: LocalTime(date))
    for stretch in plan.timeline(of: date, on: clock) {
        try check(stretch.from == last && stretch.to > last, "the parts of a day follow each other")
        last = stretch.to
        trace.add(last.seconds)
        trace.add(stretch.color.octets)
        let light = plan.light(at: stretch.to.advanced(bySeconds: -1), on: clock)
        try check(light.source == stretch.source && light.color == stretch.color, "a part does not change")
        if let until = light.until { try check(until >= stretch.to, "a light holds to its end") }
    }
}
