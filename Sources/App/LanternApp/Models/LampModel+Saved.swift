// SPDX-License-Identifier: Apache-2.0

import CompanionCore
public import CompanionHub
import SwiftUI

/// A week that is saved in the phone, for any lamp.
public struct SavedWeek: Hashable, Identifiable, Sendable {
    /// Its number.
    public let id: Int
    /// The week.
    public let week: WeekSchedule
}

extension LampModel {
    /// Fetches the weeks that are saved.
    public func readSavedWeeks() async {
        savedWeeks = await app.hub.kept.schedules.map { SavedWeek(id: $0.id, week: $0.week) }
    }

    /// Saves the week that is shown; one of the same name is replaced.
    public func saveWeek() async {
        guard let week else { return }
        var json = JSONWriter()
        SchedulesOfWeek(week).write(into: &json)
        do {
            let old = savedWeeks.first { $0.week.name == week.name }?.id
            _ = try await app.hub.keep(schedule: JSONReader.read(json.octets), as: old)
            done = String(localized: "Saved.")
        } catch let error as HubError {
            lamp.trouble = error.description
        } catch {
            lamp.trouble = "\(error)"
        }
        await readSavedWeeks()
    }

    /// Takes a saved week as the one that is being changed; it is not sent yet.
    public func use(_ saved: SavedWeek) { edit { $0 = saved.week } }

    /// Deletes a saved week.
    public func delete(_ saved: SavedWeek) async {
        do throws(HubError) { try await app.hub.forget(schedule: saved.id) } catch {
            lamp.trouble = error.description
        }
        await readSavedWeeks()
    }
}
