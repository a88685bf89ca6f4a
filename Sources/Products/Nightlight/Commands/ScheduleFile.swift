// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation
import Nightlight

/// A file with a week or a day schedule that a parent has written.
struct ScheduleFile {
    /// Where it is.
    let path: String

    /// Reads the whole file.
    ///
    /// - Returns: Its octets.
    /// - Throws: ``CommandError`` when that is not possible.
    func octets() throws(CommandError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .wrongUsage("The file \(path) cannot be read. Check its name and permissions.")
        }
        return Array(data)
    }

    /// Reads a week that a lamp would take.
    ///
    /// - Returns: The week.
    /// - Throws: ``CommandError`` that says all that is wrong.
    func week() throws(CommandError) -> WeekSchedule {
        let octets = try octets()
        return try accepted { () throws(JSONFault) in try ScheduleJSON.week(octets) }
    }

    /// Reads a day schedule that a lamp would take.
    ///
    /// - Parameter days: For how many days it is meant.
    /// - Returns: The schedule.
    /// - Throws: ``CommandError`` that says all that is wrong.
    func day(days: Int) throws(CommandError) -> DaySchedule {
        let octets = try octets()
        return try accepted { () throws(JSONFault) in try ScheduleJSON.day(octets, days: days) }
    }

    private func accepted<Schedule>(
        _ read: () throws(JSONFault) -> ScheduleReading<Schedule>
    ) throws(CommandError) -> Schedule {
        let faults: [JSONFault]
        do throws(JSONFault) {
            let reading = try read()
            if reading.faults.isEmpty { return reading.schedule }
            faults = reading.faults
        } catch {
            faults = [error]
        }
        throw .wrongUsage(sentence(faults))
    }

    /// All that is wrong, a line each.
    func sentence(_ faults: [JSONFault]) -> String {
        faults.map { "Line \($0.line) of \(path): \($0.reason)." }.joined(separator: "\n")
    }
}
