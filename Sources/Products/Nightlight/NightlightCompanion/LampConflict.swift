// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Nightlight

/// What is wrong with a schedule, and where, so that an editor can show it there.
public struct LampConflict: EventPart, Hashable, Sendable {
    /// What is wrong.
    public let fault: ScheduleError
    /// The same in a sentence.
    public let text: String

    /// Makes a conflict.
    public init(_ fault: ScheduleError, _ text: String) {
        self.fault = fault
        self.text = text
    }

    /// One of two times of light that meet.
    struct Side: EventPart {
        let day: DayOfWeek?
        let period: LightPeriod

        static func describe(_ schema: inout EventSchema<Self>) {
            schema.text("day", "The day on which it begins, as `mon`; null for any.") {
                $0.day.map { "\($0.keyword)" }
            }
            schema.text("on", "When it goes on, as `19:30`.") { $0.period.on.description }
            schema.text("off", "When it goes off.") { $0.period.off.description }
        }
    }

    /// The earlier of two times that meet.
    private var first: Side? {
        switch fault {
        case .overlap(let day, let period, _, _): Side(day: day, period: period)
        case .dayOverlap(let period, _, _): Side(day: nil, period: period)
        default: nil
        }
    }

    private var second: Side? {
        switch fault {
        case .overlap(_, _, let day, let period): Side(day: day, period: period)
        case .dayOverlap(_, let period, _): Side(day: nil, period: period)
        default: nil
        }
    }

    /// For how many minutes both shine; `nil` where nothing meets.
    public var minutes: Int? {
        let (a, b, isNext): (LightPeriod, LightPeriod, Bool)
        switch fault {
        case .overlap(let day, let one, let other, let two): (a, b, isNext) = (one, two, day != other)
        case .dayOverlap(let one, let two, let next): (a, b, isNext) = (one, two, next)
        default: return nil
        }
        let start = Int(b.on.rawValue) + (isNext ? MinuteOfDay.count : 0)
        return min(Int(a.on.rawValue) + a.minutes, start + b.minutes) - start
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("text", "What is wrong, in a sentence.") { $0.text }
        schema.object("first", "The earlier of two times that meet; null where nothing meets.") { $0.first }
        schema.object("second", "The later one.") { $0.second }
        schema.integer("minutes", "For how many minutes both shine.") { $0.minutes }
    }
}
