// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight

/// A day's periods that do not overlap: the day is cut at random places.
private func anyPeriods(_ dice: inout SplitMix64, wraps: Bool) -> [LightPeriod] {
    let count = Int.random(in: 0...6, using: &dice)
    var marks = Set<UInt16>()
    while marks.count < 2 * count { marks.insert(UInt16.random(in: 360..<1440, using: &dice)) }
    var sorted = marks.sorted()
    if wraps, count > 0 { sorted[sorted.count - 1] = UInt16.random(in: 0..<360, using: &dice) }
    return (0..<count).compactMap { index in
        guard let on = MinuteOfDay(rawValue: sorted[2 * index]),
            let off = MinuteOfDay(rawValue: sorted[2 * index + 1])
        else { return nil }
        let color = RGBColor(
            red: .random(in: 0...1, using: &dice), green: .random(in: 0...255, using: &dice), blue: 7)
        return try? LightPeriod(
            on: on, off: off, color: color,
            timeout: Bool.random(using: &dice) ? .random(in: 1...255, using: &dice) : nil)
    }
}

/// A week that a lamp would take.
func anyWeek(_ dice: inout SplitMix64) -> WeekSchedule {
    let count = Int.random(in: 1...7, using: &dice)
    var days = DayOfWeek.allCases.shuffled(using: &dice)
    var groups: [DayGroup] = []
    for index in 0..<count {
        let share = index == count - 1 ? days.count : Int.random(in: 0...1, using: &dice)
        var set = DaySet()
        for day in days.prefix(share) { set.insert(DaySet(day)) }
        days.removeFirst(share)
        groups.append(DayGroup(set, periods: anyPeriods(&dice, wraps: true)))
    }
    let name = String("Äpfel für Zoë – 夜".prefix(Int.random(in: 0...15, using: &dice)))
    return WeekSchedule(name: WireText(name), groups: groups)
}

/// A day schedule that a lamp would take.
func anyDay(_ dice: inout SplitMix64) -> DaySchedule {
    DaySchedule(
        daysLeft: .random(in: 1...30, using: &dice), periods: anyPeriods(&dice, wraps: true))
}
