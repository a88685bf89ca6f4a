// SPDX-License-Identifier: Apache-2.0

package import Companion
import Detections
package import NightlightCompanion

extension Hub {
    /// The weeks that it keeps for lamps, by their numbers; no more than there may be, whoever has written them.
    package var schedules: [KeptSchedule] {
        let all = stored.values.filter { $0.key.hasPrefix(KeptSchedule.prefix) }
            .compactMap { try? KeptSchedule($0.value) }.sorted { $0.id < $1.id }
        return Array(all.prefix(KeptSchedule.limit))
    }

    /// Keeps a week, or puts another one in its place.
    ///
    /// - Parameters:
    ///   - node: The week as JSON: what `week show --json` prints, or a file by hand.
    ///   - id: The number of the one that it replaces; `nil` for a new one.
    /// - Returns: What is kept.
    /// - Throws: ``HubError`` that says all that is wrong.
    package func keep(schedule node: JSONNode, as id: Int? = nil) async throws(HubError)
        -> KeptSchedule
    {
        let week = try KeptSchedule.week(node)
        let now = clock.now()
        var kept = KeptSchedule(id: 0, week, kept: now)
        try await changeStored { () throws(HubError) in
            kept = KeptSchedule(
                id: try KeptSchedule.number(replacing: id, among: schedules), week, kept: now)
            return [kept.setting: kept.text]
        }
        return kept
    }

    /// Forgets a week.
    ///
    /// - Parameter id: Its number.
    /// - Throws: ``HubError``.
    package func forget(schedule id: Int) async throws(HubError) {
        try await changeStored { () throws(HubError) in
            guard let kept = schedules.first(where: { $0.id == id }) else { throw .noSchedule }
            return [kept.setting: nil]
        }
    }
}
