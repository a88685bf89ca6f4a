// SPDX-License-Identifier: Apache-2.0

/// How often a view may change.
public enum TimelineScheduleMode: Sendable {
    /// As often as the schedule says.
    case normal
    /// Less often.
    case lowFrequency
}

/// When a view changes.
public protocol TimelineSchedule {
    /// The dates.
    associatedtype Entries: Sequence where Self.Entries.Element == Date
    /// How often a view may change.
    typealias Mode = TimelineScheduleMode
    /// The dates, from one on.
    func entries(from startDate: Date, mode: Self.Mode) -> Self.Entries
}

/// At the same distances.
public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {
    let start: Date
    let interval: TimeInterval

    /// From a date on, so many seconds apart.
    public init(from startDate: Date, by interval: TimeInterval) {
        start = startDate
        self.interval = interval
    }

    /// The dates, each one distance after the other.
    public struct Entries: Sequence, IteratorProtocol, Sendable {
        var date: Date
        let interval: TimeInterval
        /// The next date.
        public mutating func next() -> Date? {
            defer { date += interval }
            return date
        }
    }

    /// The dates, from the last one before another on.
    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries {
        let steps = max(0, (startDate.timeIntervalSince(start) / interval).rounded(.down))
        return Entries(date: start + steps * interval, interval: interval)
    }
}

/// At each minute.
public struct EveryMinuteTimelineSchedule: TimelineSchedule, Sendable {
    /// At each minute.
    public init() {}

    /// The minutes, from the last one before a date on.
    public func entries(
        from startDate: Date, mode: TimelineScheduleMode
    ) -> PeriodicTimelineSchedule.Entries {
        PeriodicTimelineSchedule(from: Date(timeIntervalSinceReferenceDate: 0), by: 60)
            .entries(from: startDate, mode: mode)
    }
}

/// At some dates.
public struct ExplicitTimelineSchedule<Entries>: TimelineSchedule
where Entries: Sequence, Entries.Element == Date {
    let dates: Entries

    /// At some dates.
    public init(_ dates: Entries) { self.dates = dates }

    /// The dates.
    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries { dates }
}

/// As often as the screen is drawn, or less often.
public struct AnimationTimelineSchedule: TimelineSchedule, Sendable {
    let interval: Double
    let paused: Bool

    /// So many seconds apart at least, unless it is halted.
    public init(minimumInterval: Double? = nil, paused: Bool = false) {
        interval = minimumInterval ?? 1.0 / 60
        self.paused = paused
    }

    /// The dates, from one on.
    public func entries(from start: Date, mode: TimelineScheduleMode) -> PeriodicTimelineSchedule.Entries {
        PeriodicTimelineSchedule.Entries(date: start, interval: paused ? .infinity : interval)
    }
}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    /// From a date on, so many seconds apart.
    public static func periodic(
        from startDate: Date, by interval: TimeInterval
    ) -> PeriodicTimelineSchedule { .init(from: startDate, by: interval) }
}

extension TimelineSchedule where Self == EveryMinuteTimelineSchedule {
    /// At each minute.
    public static var everyMinute: EveryMinuteTimelineSchedule { .init() }
}

extension TimelineSchedule where Self == AnimationTimelineSchedule {
    /// As often as the screen is drawn.
    public static var animation: AnimationTimelineSchedule { .init() }
    /// So many seconds apart at least, unless it is halted.
    public static func animation(
        minimumInterval: Double? = nil, paused: Bool = false
    ) -> AnimationTimelineSchedule { .init(minimumInterval: minimumInterval, paused: paused) }
}

extension TimelineSchedule {
    /// At some dates.
    public static func explicit<S>(_ dates: S) -> ExplicitTimelineSchedule<S>
    where Self == ExplicitTimelineSchedule<S>, S: Sequence, S.Element == Date { .init(dates) }
}

/// What the content of a timeline is told, whatever its schedule.
public typealias TimelineViewDefaultContext = TimelineView<EveryMinuteTimelineSchedule, Never>.Context

/// A view that changes with the time.
public struct TimelineView<Schedule, Content> where Schedule: TimelineSchedule {
    let schedule: Schedule
    let content: (TimelineViewDefaultContext) -> Content

    /// What the content is told.
    public struct Context {
        /// How often the view changes.
        public enum Cadence: Comparable, Sendable {
            /// All the time.
            case live
            /// Each second at most.
            case seconds
            /// Each minute at most.
            case minutes
        }

        /// The date that the view is for.
        public let date: Date
        /// How often the view changes.
        public let cadence: Cadence
    }
}

extension TimelineView: View where Content: View {
    /// It is evaluated by itself.
    public typealias Body = Never

    /// A view that changes at dates.
    nonisolated public init(
        _ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content
    ) {
        self.schedule = schedule
        self.content = content
    }
}

/// A task that evaluates the screen again when the next date has come.
private final class Ticking {
    let began: Date
    var next: Date?
    var task: Task<Void, Never>?
    init(began: Date) { self.began = began }
    deinit { task?.cancel() }
}

extension TimelineView: Evaluated where Content: View {
    package func nodes(_ place: Place) -> [Node] {
        let now = place.now
        let ticking = place.kept("ticking") { Ticking(began: now) }
        // The clock of a test may go back.
        var date = min(ticking.began, now)
        var next: Date?
        for entry in schedule.entries(from: date, mode: .normal) {
            if entry > now {
                next = entry
                break
            }
            date = entry
        }
        if place.pass.store.time == nil, let next, next != ticking.next, next < .distantFuture {
            ticking.next = next
            ticking.task?.cancel()
            let change = place.pass.store.change
            ticking.task = Task { @MainActor in
                try? await Task.sleep(for: .seconds(next.timeIntervalSinceNow))
                if !Task.isCancelled { change.mark() }
            }
        }
        let context = TimelineViewDefaultContext(date: date, cadence: .live)
        return place.inside("timeline").nodes(of: content(context))
    }
}
