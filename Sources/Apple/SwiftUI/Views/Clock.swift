// SPDX-License-Identifier: Apache-2.0

/// A clock that runs from one date to another.
struct Clock: Equatable, Sendable {
    let interval: ClosedRange<Date>
    let pause: Date?
    let countsDown: Bool
    let showsHours: Bool

    /// How much of the time has gone, from 0 to 1.
    func share(_ now: Date) -> Double {
        let length = interval.upperBound.timeIntervalSince(interval.lowerBound)
        return length > 0 ? time(now).timeIntervalSince(interval.lowerBound) / length : 1
    }

    /// The minutes and seconds that are left, or that have gone.
    func written(_ now: Date) -> String {
        let time = time(now)
        let span =
            countsDown
            ? interval.upperBound.timeIntervalSince(time) : time.timeIntervalSince(interval.lowerBound)
        let seconds = Int(span.rounded(countsDown ? .up : .down))
        if showsHours, seconds >= 3600 {
            return String(format: "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
        }
        return String(format: "%d:%02d", seconds / 60, seconds % 60)
    }

    private func time(_ now: Date) -> Date {
        min(interval.upperBound, max(interval.lowerBound, pause ?? now))
    }
}

extension Place {
    /// What time it is for what shows the time.
    package var now: Date { pass.store.time ?? .now }
}

/// What is written beside a bar of time, where the app says nothing else.
public struct DefaultDateProgressLabel {
    let clock: Clock
}

extension DefaultDateProgressLabel: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension DefaultDateProgressLabel: Evaluated {
    package func nodes(_ place: Place) -> [Node] { [Node(.text, clock.written(place.now))] }
}

extension ProgressView {
    /// How much of a time has gone, with labels.
    nonisolated public init(
        timerInterval: ClosedRange<Date>, countsDown: Bool = true, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) {
        self.init(
            share: nil, label: label(), current: currentValueLabel(),
            clock: Clock(interval: timerInterval, pause: nil, countsDown: countsDown, showsHours: true))
    }
}

extension ProgressView where CurrentValueLabel == DefaultDateProgressLabel {
    /// How much of a time has gone, with a label.
    nonisolated public init(
        timerInterval: ClosedRange<Date>, countsDown: Bool = true, @ViewBuilder label: () -> Label
    ) {
        let clock = Clock(interval: timerInterval, pause: nil, countsDown: countsDown, showsHours: true)
        self.init(share: nil, label: label(), current: DefaultDateProgressLabel(clock: clock), clock: clock)
    }

    /// How much of a time has gone.
    nonisolated public init(timerInterval: ClosedRange<Date>, countsDown: Bool = true)
    where Label == EmptyView {
        self.init(timerInterval: timerInterval, countsDown: countsDown) { EmptyView() }
    }
}
