// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import CompanionHub
import SwiftUI

extension LampModel {
    /// The week that is shown: the one that is being changed, else the lamp's.
    public var week: WeekSchedule? { draft ?? values?.week }

    /// What of the week that is being changed contradicts itself, so that it cannot be sent; each pair of times once.
    public var conflicts: [LampConflict] {
        var found: [LampConflict] = []
        for conflict in draft?.faults.map({ NightlightText.conflict($0) }) ?? [] {
            // The days of a group have the same ones.
            let isKnown = found.contains { $0.pair == conflict.pair && $0.pair != nil }
            if !isKnown { found.append(conflict) }
        }
        return found
    }

    /// The conflicts whose earlier time of light is in a group.
    public func conflicts(in group: DayGroup) -> [LampConflict] {
        conflicts.filter { conflict in
            guard case .overlap(let day, let first, _, _) = conflict.fault else { return false }
            return group.days.contains(day) && group.periods.contains(first)
        }
    }

    /// How many days are not on the lamp yet as they are here, and the name.
    public var differences: Int {
        guard let draft, let had = values?.week else { return 0 }
        let days = DayOfWeek.allCases.count { draft.periods(on: $0) != had.periods(on: $0) }
        return days + (draft.name == had.name ? 0 : 1)
    }

    /// Why the week cannot be sent; `nil` when nothing is in the way.
    public var obstacle: String? {
        guard let conflict = conflicts.first else { return nil }
        guard case .overlap(let day, _, _, _) = conflict.fault else { return conflict.text }
        return String(localized: "Solve the conflict on \("\(day)") first")
    }

    /// Changes the week that is shown, which can be taken back.
    public func edit(_ body: (inout WeekSchedule) -> Void) {
        guard var week else { return }
        body(&week)
        week.groups.removeAll { $0.days.isEmpty }
        guard week != self.week else { return }
        earlier = (earlier + [draft]).suffix(100)
        draft = week == values?.week ? nil : week
    }

    /// Takes the last change back.
    public func undo() {
        guard let last = earlier.popLast() else { return }
        draft = last
    }

    /// Gives a group a day, which another one loses; a day that it has already gets a group of its own.
    public func toggle(_ day: DayOfWeek, in index: Int) {
        edit { week in
            guard week.groups.indices.contains(index) else { return }
            let group = week.groups[index]
            if group.days.contains(day) {
                guard group.days.days.count > 1 else { return }
                week.groups[index].days.remove(DaySet(day))
                week.groups.insert(DayGroup(DaySet(day), periods: group.periods), at: index + 1)
            } else {
                for other in week.groups.indices { week.groups[other].days.remove(DaySet(day)) }
                week.groups[index].days.insert(DaySet(day))
            }
        }
    }

    /// Whether a day can get a group of its own.
    public var canSplit: Bool { week?.groups.contains { $0.days.days.count > 1 } ?? false }

    /// Gives a day a group of its own.
    public func split() {
        guard let index = week?.groups.firstIndex(where: { $0.days.days.count > 1 }),
            let day = week?.groups[index].days.days.last
        else { return }
        toggle(day, in: index)
    }

    /// Adds a time of light to a group, in a free hour.
    public func addPeriod(to index: Int) {
        edit { week in
            guard week.groups[index].periods.count < 6,
                let free = week.groups[index].periods.freeHour(
                    preferring: [1170, 1080, 1020, 360, 720, 540])
            else { return }
            do throws(LightPeriod.Failure) {
                week.groups[index].periods.append(
                    try LightPeriod(on: free.on, off: free.off, color: RGBColor(rgb: 0xFF9A2E)))
            } catch {}
        }
    }

    /// A time of light of a group, to be changed.
    public func draft(of index: Int, in group: Int) -> PeriodDraft? {
        guard let groups = week?.groups, groups.indices.contains(group),
            groups[group].periods.indices.contains(index)
        else { return nil }
        return PeriodDraft(groups[group].periods[index], at: .group(group, period: index))
    }

    /// Puts a changed time of light into its group, or takes it away.
    public func put(_ draft: PeriodDraft, isRemoved: Bool = false) {
        guard case .group(let group, let index) = draft.place else { return }
        edit { week in
            guard week.groups.indices.contains(group), week.groups[group].periods.indices.contains(index)
            else { return }
            if isRemoved {
                week.groups[group].periods.remove(at: index)
            } else if let period = draft.period {
                week.groups[group].periods[index] = period
            }
        }
    }

    /// When a conflict is solved by ending the earlier time of light; `nil` when it cannot be.
    public func repair(of conflict: LampConflict) -> MinuteOfDay? {
        guard case .overlap(_, let first, _, let second) = conflict.fault, first.on != second.on else {
            return nil
        }
        return second.on
    }

    /// Ends the earlier time of light of a conflict when the later one begins.
    public func repair(_ conflict: LampConflict, in index: Int) {
        guard case .overlap(_, let first, _, _) = conflict.fault, let end = repair(of: conflict) else {
            return
        }
        edit { week in
            guard let place = week.groups[index].periods.firstIndex(of: first) else { return }
            do throws(LightPeriod.Failure) {
                week.groups[index].periods[place] = try LightPeriod(
                    on: first.on, off: end, color: first.color, timeout: first.timeout)
            } catch {}
        }
    }

    /// Sends the week that is being changed; it stays as it is where the lamp has not taken it.
    public func sendWeek() async {
        guard let draft, conflicts.isEmpty else { return }
        var wanted = LampChange()
        wanted.week = draft
        guard await change(wanted, done: String(localized: "The lamp has the week now.")) else { return }
        // What was changed meanwhile is not sent.
        if self.draft == draft { (self.draft, earlier) = (nil, []) }
    }
}

extension LampConflict {
    /// The two times of light that meet.
    fileprivate var pair: [LightPeriod]? {
        guard case .overlap(_, let first, _, let second) = fault else { return nil }
        return [first, second]
    }
}
