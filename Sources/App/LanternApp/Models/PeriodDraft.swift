// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import CompanionHub

/// A time of light while a person changes it, or makes a new one.
public struct PeriodDraft: Hashable, Identifiable, Sendable {
    /// Where the time of light is from.
    public enum Place: Hashable, Sendable {
        /// One of the night that is shown.
        case night(LampNight.Period)
        /// A new one of that night.
        case newOfNight
        /// One of a group of the week; its place in the group.
        case group(Int, period: Int)
    }

    /// Where it is from.
    public let place: Place
    /// When the light goes on.
    public var on: MinuteOfDay
    /// When it goes off.
    public var off: MinuteOfDay
    /// How it shines.
    public var color: RGBColor
    /// After how many minutes it ends early; `nil` for not.
    public var timeout: UInt8?

    /// Where it is from, which no other draft is.
    public var id: Place { place }

    init(_ period: LightPeriod, at place: Place) {
        self.place = place
        (on, off, color, timeout) = (period.on, period.off, period.color, period.timeout)
    }

    /// The time of light; `nil` when it begins as it ends.
    public var period: LightPeriod? {
        do throws(LightPeriod.Failure) {
            return try LightPeriod(on: on, off: off, color: color, timeout: timeout)
        } catch { return nil }
    }

    /// What it was; `nil` for a new one of the night.
    var old: LampNight.Period? {
        guard case .night(let old) = place else { return nil }
        return old
    }

    /// Whether it is not what it was.
    public var isChanged: Bool { old.map { $0.period != period } ?? true }
}

extension [LightPeriod] {
    /// The same with one in the place of another, in the order in which they begin.
    ///
    /// - Parameters:
    ///   - old: Which one; `nil` to add one.
    ///   - new: What stands there then; `nil` to take it away.
    /// - Returns: All of them.
    func replacing(_ old: LightPeriod?, by new: LightPeriod?) -> [LightPeriod] {
        var periods = self
        let index = periods.firstIndex { $0.on == old?.on && $0.off == old?.off }
        if let index { periods.remove(at: index) }
        if let new { periods.append(new) }
        return periods.sorted { $0.on < $1.on }
    }

    /// A free hour; of the day, or of several hours that are tried first.
    func freeHour(preferring first: [Int]) -> (on: MinuteOfDay, off: MinuteOfDay)? {
        for start in first + (0..<24).map({ $0 * 60 }) {
            let isBusy = contains { period in
                let from = Int(period.on.rawValue)
                return [-MinuteOfDay.count, 0, MinuteOfDay.count].contains {
                    start + $0 < from + period.minutes && start + $0 + 60 > from
                }
            }
            let end = UInt16((start + 60) % MinuteOfDay.count)
            guard !isBusy, let on = MinuteOfDay(rawValue: UInt16(start)),
                let off = MinuteOfDay(rawValue: end)
            else { continue }
            return (on, off)
        }
        return nil
    }
}
