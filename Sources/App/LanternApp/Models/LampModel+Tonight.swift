// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import CompanionHub
import SwiftUI

extension LampModel {
    /// The night in which the lamp is.
    public var night: LampNight? { dashboard?.night }

    /// A new time of light of the night, in a free hour; `nil` when there is none.
    public var newPeriod: PeriodDraft? {
        let taken = night?.periods.map(\.period) ?? []
        guard let free = taken.freeHour(preferring: (0..<18).map { (18 + $0) % 24 * 60 }) else { return nil }
        let color = taken.first?.color ?? RGBColor(rgb: 0xFF9A2E)
        do throws(LightPeriod.Failure) {
            return PeriodDraft(
                try LightPeriod(on: free.on, off: free.off, color: color), at: .newOfNight)
        } catch { return nil }
    }

    /// The day on which a time of light begins.
    private func date(of draft: PeriodDraft) -> CalendarDate? {
        if let old = draft.old { return old.date }
        guard let night else { return nil }
        return draft.on.hour < 12 ? night.date.advanced(byDays: 1) : night.date
    }

    private func group(of draft: PeriodDraft) -> Int? {
        guard let day = date(of: draft)?.dayOfWeek else { return nil }
        return values?.week?.groups.firstIndex { $0.days.contains(day) }
    }

    /// Whether a change can be for tonight alone: what began on another day cannot.
    public func canChangeTonight(_ draft: PeriodDraft) -> Bool {
        if let old = draft.old { return old.isTonight }
        return date(of: draft) == dashboard?.state?.time.date
    }

    /// The days of the week for which a change can be for always; `nil` when it cannot.
    public func everyDays(_ draft: PeriodDraft) -> DaySet? {
        guard values?.day == nil, draft.old.map({ $0.source == .week }) ?? true,
            let group = group(of: draft)
        else { return nil }
        return values?.week?.groups[group].days
    }

    /// The schedule of tonight with a change; without a time of light it is taken away.
    private func tonight(_ draft: PeriodDraft, _ period: LightPeriod?) -> DaySchedule? {
        guard let date = date(of: draft) else { return nil }
        let day = values?.day
        let periods = day?.periods ?? values?.week?.periods(on: date.dayOfWeek) ?? []
        return DaySchedule(
            daysLeft: day?.daysLeft ?? 1, periods: periods.replacing(draft.old?.period, by: period))
    }

    private func week(_ draft: PeriodDraft, _ period: LightPeriod?) -> WeekSchedule? {
        guard var week = values?.week, let group = group(of: draft) else { return nil }
        week.groups[group].periods = week.groups[group].periods.replacing(draft.old?.period, by: period)
        return week
    }

    /// Why a change of tonight cannot be sent; `nil` when it can.
    public func conflictTonight(_ draft: PeriodDraft) -> String? {
        guard let period = draft.period else { return Self.isEmpty }
        return tonight(draft, period)?.faults.first.map { NightlightText.conflict($0).text }
    }

    /// Why a change of the week cannot be sent; `nil` when it can.
    public func conflictAlways(_ draft: PeriodDraft) -> String? {
        guard let period = draft.period else { return Self.isEmpty }
        return week(draft, period)?.faults.first.map { NightlightText.conflict($0).text }
    }

    static var isEmpty: String { String(localized: "It ends when it begins. Choose another time.") }

    /// Changes tonight alone.
    ///
    /// - Parameters:
    ///   - draft: The time of light.
    ///   - isRemoved: Whether it is to be taken away.
    /// - Returns: Whether the lamp has taken it.
    public func changeTonight(_ draft: PeriodDraft, isRemoved: Bool = false) async -> Bool {
        var wanted = LampChange()
        wanted.day = tonight(draft, isRemoved ? nil : draft.period)
        return await change(wanted, done: String(localized: "Only tonight. The week is back tomorrow."))
    }

    /// Changes every such night.
    ///
    /// - Parameters:
    ///   - draft: The time of light.
    ///   - isRemoved: Whether it is to be taken away.
    /// - Returns: Whether the lamp has taken it.
    public func changeAlways(_ draft: PeriodDraft, isRemoved: Bool = false) async -> Bool {
        guard let days = everyDays(draft) else { return false }
        var wanted = LampChange()
        wanted.week = week(draft, isRemoved ? nil : draft.period)
        return await change(wanted, done: String(localized: "Every \("\(days)") from now on."))
    }

    /// Takes the schedule of tonight away.
    public func goBackToWeek() async {
        var wanted = LampChange()
        wanted.clearsDay = true
        await change(wanted, done: String(localized: "Back to the week."))
    }
}
