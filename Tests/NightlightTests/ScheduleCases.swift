// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Foundation
import Nightlight
import Testing

/// What stands in `Fixtures/schedule-cases.txt`.
struct ScheduleCases {
    /// A line of the file that is not as it should be.
    struct Unreadable: Error, CustomStringConvertible {
        let line: Int
        let text: String
        var description: String { "line \(line) cannot be read: \(text)" }
    }

    /// Something that happens, or something that is expected.
    enum Step: Sendable {
        case week(String, at: LocalTime)
        case tonight(DaySchedule?, at: LocalTime)
        case clock(from: LocalTime, to: LocalTime)
        case expectation(Expectation)
    }

    struct Expectation: Sendable {
        let at: UnixTime
        let source: LightSource
        let color: RGBColor
        let until: UnixTime?
        let line: Int
    }

    struct Section: Sendable, CustomTestStringConvertible {
        let title: String
        var plan = LightPlan(week: .factory)
        var clock = WallClock.utc
        var steps: [Step] = []
        var testDescription: String { title }
    }

    private(set) var weeks: [String: WeekSchedule] = [:]
    private var tonights: [String: [LightPeriod]] = [:]
    private var zones: [String: WallClock] = [:]
    private(set) var sections: [Section] = []

    /// Reads the file of this folder.
    static func read() throws -> ScheduleCases {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(components: "Fixtures", "schedule-cases.txt")
        return try ScheduleCases(try String(contentsOf: file, encoding: .utf8))
    }

    init(_ text: String) throws {
        var block: [Substring] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(separator: " ")
            guard let first = words.first, !line.hasPrefix("#") else { continue }
            do {
                if first == "==" {
                    sections.append(Section(title: words.dropFirst().joined(separator: " ")))
                } else if sections.isEmpty {
                    if !line.hasPrefix(" ") { block = words }
                    try define(block, words, isHead: !line.hasPrefix(" "))
                } else {
                    try parse(words, line: index + 1)
                }
            } catch {
                throw Unreadable(line: index + 1, text: String(line))
            }
        }
    }

    private struct Wrong: Error {}

    private func some<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Wrong() }
        return value
    }

    // MARK: The schedules and the time zones

    private mutating func define(_ head: [Substring], _ words: [Substring], isHead: Bool) throws {
        let kind = try some(head.first)
        switch (kind, isHead) {
        case ("week", true): weeks[name(head)] = WeekSchedule(name: WireText(name(head)), groups: [])
        case ("week", false):
            let days = words.prefix { DayOfWeek(String($0)) != nil }
            let set = try days.reduce(into: DaySet()) { $0.insert(DaySet(try some(DayOfWeek(String($1))))) }
            let group = DayGroup(set, periods: try periods(words.dropFirst(days.count)))
            weeks[name(head)]?.groups.append(group)
        case ("tonight", true):
            tonights[String(try some(words.dropFirst().first))] = try periods(words.dropFirst(2))
        case ("zone", true): break
        case ("zone", false):
            let offset = try offset(String(try some(words.first)))
            let zone = String(head[1])
            guard let clock = zones[zone] else {
                zones[zone] = WallClock(offset: offset)
                return
            }
            let time = try some(LocalTime("\(words[2])T\(words[3])"))
            let change = WallClock.Change(at: WallClock.utc.moment(of: time), offset: offset)
            zones[zone] = WallClock(offset: clock.offset, changes: clock.changes + [change])
        default: throw Wrong()
        }
    }

    private func name(_ words: [Substring]) -> String { words.dropFirst().joined(separator: " ") }

    /// `19:30-07:00 #ff8800 at most 60 minutes, …`.
    private func periods(_ words: ArraySlice<Substring>) throws -> [LightPeriod] {
        try words.joined(separator: " ").split(separator: ",").map { text in
            let words = text.split(separator: " ")
            let markers = words[0].split(separator: "-").map(String.init)
            return try LightPeriod(
                on: some(MinuteOfDay(markers[0])), off: some(MinuteOfDay(markers[1])),
                color: some(RGBColor(String(words[1]))),
                timeout: words.count > 4 ? some(UInt8(words[4])) : nil)
        }
    }

    /// `+01:00`.
    private func offset(_ text: String) throws -> Int32 {
        let minutes = Int32(try some(MinuteOfDay(String(text.dropFirst()))).rawValue)
        return text.hasPrefix("-") ? minutes * -60 : minutes * 60
    }

    // MARK: The cases

    private mutating func parse(_ words: [Substring], line: Int) throws {
        var section = sections[sections.count - 1]
        switch words[0] {
        case "week":
            // week NAME in ZONE[, tonight NAME for N days from DATE]
            let place = try some(words.firstIndex(of: "in"))
            let week = try some(weeks[words[1..<place].joined(separator: " ")])
            section.clock = try some(zones[words[place + 1].filter { $0 != "," }])
            section.plan = LightPlan(week: week)
            if words.count > place + 2 {
                let day = try tonight(Array(words[(place + 3)...]))
                section.plan = LightPlan(
                    week: week, day: day, from: try some(CalendarDate(String(words[place + 8]))))
            }
        case "at": section.steps.append(try event(words))
        case "the":
            let times = try [4, 7].map { try some(LocalTime("\(words[$0])T\(words[$0 + 1])")) }
            section.steps.append(.clock(from: times[0], to: times[1]))
        default:
            section.steps.append(.expectation(try expectation(words, on: section.clock, line: line)))
        }
        sections[sections.count - 1] = section
    }

    /// `NAME for N days`.
    private func tonight(_ words: [Substring]) throws -> DaySchedule {
        DaySchedule(daysLeft: try some(Int(words[2])), periods: try some(tonights[String(words[0])]))
    }

    /// `at DATE TIME the week becomes NAME`, `… tonight becomes NAME for N days`, `… tonight is cleared`.
    private func event(_ words: [Substring]) throws -> Step {
        let time = try some(LocalTime("\(words[1])T\(words[2])"))
        if words[3] == "the" { return .week(words[6...].joined(separator: " "), at: time) }
        return .tonight(words[4] == "is" ? nil : try tonight(Array(words[5...])), at: time)
    }

    /// `DATE TIME SOURCE [COLOUR] until DATE TIME` or `… for ever`.
    private func expectation(_ words: [Substring], on clock: WallClock, line: Int) throws -> Expectation {
        let isOff = words[2] == "off"
        let end = words[(isOff ? 3 : 4)...]
        guard end.first == "until" || end.starts(with: ["for", "ever"]) else { throw Wrong() }
        let sources: [Substring: LightSource] = ["off": .off, "week": .week, "day": .day]
        return Expectation(
            at: try moment(words[0], words[1], on: clock), source: try some(sources[words[2]]),
            color: isOff ? .black : try some(RGBColor(String(words[3]))),
            until: end.first == "for"
                ? nil : try moment(end[end.startIndex + 1], end[end.startIndex + 2], on: clock),
            line: line)
    }

    /// A time with its offset if the clock shows it twice.
    private func moment(_ date: Substring, _ time: Substring, on clock: WallClock) throws -> UnixTime {
        let local = try some(LocalTime("\(date)T\(time.prefix(5))"))
        guard time.count > 5 else { return clock.moment(of: local) }
        return WallClock(offset: try offset(String(time.dropFirst(5)))).moment(of: local)
    }
}
