// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionCore
package import NightlightCompanion

extension Hub {
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
        let now = clock.now()
        var schedule: KeptSchedule?
        try await changeStored { () throws(HubError) in
            let next = try kept.schedule(node, replacing: id, at: now)
            schedule = next
            return [KeptSettings.Change(next.setting, next.text)]
        }
        guard let schedule else { throw .noSchedule }
        return schedule
    }

    /// Forgets a week.
    ///
    /// - Parameter id: Its number.
    /// - Throws: ``HubError``.
    package func forget(schedule id: Int) async throws(HubError) {
        try await changeStored { () throws(HubError) in try kept.changes(forgettingSchedule: id) }
    }
}
