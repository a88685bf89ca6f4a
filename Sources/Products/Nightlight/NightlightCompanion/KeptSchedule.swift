// SPDX-License-Identifier: Apache-2.0

package import Companion
package import Nightlight

/// A week that a hub keeps for lamps.
package struct KeptSchedule: EventPart, Hashable, Sendable, Identifiable {
    /// The settings in which schedules are stored begin so; their numbers follow.
    package static let prefix = "schedule."
    /// How many there may be.
    package static let limit = 50

    /// Its number.
    package let id: Int
    /// The week, with its name.
    package let week: WeekSchedule
    /// When it was kept.
    package let kept: Timestamp

    package static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("id", "Its number.") { $0.id }
        schema.time("kept", "When it was kept.") { $0.kept }
        schema.object("week", "The week, as week files have it.") { SchedulesOfWeek($0.week) }
    }

    package init(id: Int, _ week: WeekSchedule, kept: Timestamp) {
        self.id = id
        self.week = week
        self.kept = kept
    }

    /// Reads what a database has.
    package init(_ text: String) throws(JSONDecodingError) {
        let node = try JSONReader.read(Array(text.utf8))
        id = try node.needed("id").number("id", in: StoredNumber.range)
        kept = Timestamp(try node.needed("kept").text("kept")) ?? Timestamp(milliseconds: 0)
        week = try ScheduleJSON.week(node.needed("week")).schedule
    }

    package var setting: String { Self.prefix + "\(id)" }

    package var text: String {
        var json = JSONWriter()
        write(into: &json)
        return json.text
    }

    /// Reads a week that is to be kept.
    ///
    /// - Parameter node: The week as JSON: what `week show --json` prints, or a file by hand.
    /// - Returns: The week.
    /// - Throws: ``HubError`` that says all that is wrong.
    package static func week(_ node: JSONNode) throws(HubError) -> WeekSchedule {
        let reading: ScheduleReading<WeekSchedule>
        do throws(JSONDecodingError) { reading = try ScheduleJSON.week(node) } catch {
            throw .badValue("This is not a week: \(error.reason).")
        }
        guard reading.faults.isEmpty else {
            throw .badValue(
                "A lamp would refuse this week: " + reading.faults.map { $0.reason }.joined(separator: "; ")
                    + ".")
        }
        return reading.schedule
    }

    /// The number of a week that is kept next, or in the place of another one.
    ///
    /// - Parameters:
    ///   - id: The number of the one that it replaces; `nil` for a new one.
    ///   - all: Those that are kept, the oldest first.
    /// - Returns: The number.
    /// - Throws: ``HubError`` when there is no such one, or no room.
    package static func number(
        replacing id: Int?, among all: [KeptSchedule]
    ) throws(HubError) -> Int {
        if let id {
            guard all.contains(where: { $0.id == id }) else { throw .noSchedule }
        } else if all.count >= limit {
            throw .badValue("\(limit) schedules are kept at most. Delete one first.")
        }
        return id ?? StoredNumber.next(after: all.map { $0.id })
    }
}

extension HubError {
    /// What is not kept any more.
    package static let noSchedule = HubError.notFound(
        "There is no such schedule. It may have been deleted.")
}
