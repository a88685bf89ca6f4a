// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionDevices
package import Nightlight

/// A week that a hub keeps for lamps.
package struct KeptSchedule: EventPart, Hashable, Sendable, Identifiable {
    /// The settings in which schedules are stored begin so; their numbers follow.
    static let prefix = "schedule."
    /// How many there may be.
    package static let limit = 50

    /// Its number.
    package let id: Int
    /// The week, with its name.
    package let week: WeekSchedule
    /// When it was kept.
    package let kept: Timestamp

    package static func describe(_ shape: inout EventShape<Self>) {
        shape.integer("id", "Its number.") { $0.id }
        shape.time("kept", "When it was kept.") { $0.kept }
        shape.object("week", "The week, as week files have it.") { SchedulesOfWeek($0.week) }
    }

    init(id: Int, _ week: WeekSchedule, kept: Timestamp) {
        self.id = id
        self.week = week
        self.kept = kept
    }

    /// Reads what a database has.
    init(_ text: String) throws(JSONFault) {
        let node = try JSONReader.read(Array(text.utf8))
        id = try node.needed("id").number("id", in: 0...Int(Int32.max))
        kept = Timestamp(try node.needed("kept").text("kept")) ?? Timestamp(milliseconds: 0)
        week = try ScheduleJSON.week(node.needed("week")).schedule
    }

    var setting: String { Self.prefix + "\(id)" }

    var text: String {
        var json = JSONWriter()
        write(into: &json)
        return json.text
    }
}

extension Hub {
    /// The weeks that it keeps for lamps, the oldest first.
    package var schedules: [KeptSchedule] {
        stored.values.filter { $0.key.hasPrefix(KeptSchedule.prefix) }
            .compactMap { try? KeptSchedule($0.value) }.sorted { $0.id < $1.id }
    }

    /// Keeps a week, or puts another one in its place.
    ///
    /// - Parameters:
    ///   - node: The week as JSON: what `week show --json` prints, or a file by hand.
    ///   - id: The number of the one that it replaces; `nil` for a new one.
    /// - Returns: What is kept.
    /// - Throws: ``HubFault`` that says all that is wrong.
    package func keep(schedule node: JSONNode, as id: Int? = nil) async throws(HubFault) -> KeptSchedule {
        let reading: ScheduleReading<WeekSchedule>
        do throws(JSONFault) { reading = try ScheduleJSON.week(node) } catch {
            throw .badValue("This is no week: \(error.reason).")
        }
        guard reading.faults.isEmpty else {
            throw .badValue(
                "A lamp would refuse this week: " + reading.faults.map { $0.reason }.joined(separator: "; ")
                    + ".")
        }
        let all = schedules
        if let id {
            guard all.contains(where: { $0.id == id }) else { throw Self.noSchedule }
        } else if all.count >= KeptSchedule.limit {
            throw .badValue("The hub keeps \(KeptSchedule.limit) schedules at most. Delete one first.")
        }
        let kept = KeptSchedule(
            id: id ?? (all.last?.id ?? 0) + 1, reading.schedule, kept: clock.now())
        try await changeStored([kept.setting: kept.text])
        return kept
    }

    /// Forgets a week.
    ///
    /// - Parameter id: Its number.
    /// - Throws: ``HubFault``.
    package func forget(schedule id: Int) async throws(HubFault) {
        guard let kept = schedules.first(where: { $0.id == id }) else { throw Self.noSchedule }
        try await changeStored([kept.setting: nil])
    }

    private static let noSchedule = HubFault.notFound("There is no such schedule. It may have been deleted.")
}
