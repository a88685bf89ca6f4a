// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import CommandIO
import Companion
import Foundation
import Nightlight
import NightlightCompanion

/// A file with a week or a day schedule that a parent has written.
struct ScheduleFile {
    /// Where it is.
    let path: String

    /// Reads the whole file.
    ///
    /// - Returns: Its octets.
    /// - Throws: ``CommandError`` when that is not possible, or it is larger than any schedule; then it is not read.
    func octets() throws(CommandError) -> [UInt8] {
        let unreadable = CommandError.wrongUsage(
            "The file \(path.shortenedPath) cannot be read. Check its name and permissions.")
        guard let file = FileHandle(forReadingAtPath: path) else { throw unreadable }
        defer { try? file.close() }
        let data: Data?
        do { data = try file.read(upToCount: ScheduleJSON.sizeLimit + 1) } catch { throw unreadable }
        let octets = Array(data ?? Data())
        guard octets.count <= ScheduleJSON.sizeLimit else {
            throw .wrongUsage(
                "The file \(path.shortenedPath) is too large for a schedule: it has more than \(ScheduleJSON.sizeLimit / 1024) KiB."
            )
        }
        return octets
    }

    /// Reads a week and all that is wrong with it.
    func weekReading() throws(CommandError) -> (schedule: WeekSchedule?, faults: [JSONDecodingError]) {
        let octets = try octets()
        do throws(JSONDecodingError) {
            let reading = try ScheduleJSON.week(octets)
            return (reading.schedule, reading.faults)
        } catch {
            return (nil, [error])
        }
    }

    /// Reads a day schedule and all that is wrong with it.
    ///
    /// - Parameter days: For how many days it is meant.
    /// - Returns: The schedule, if it is one at all, and its faults.
    /// - Throws: ``CommandError`` when it cannot be read.
    func dayReading(days: Int) throws(CommandError) -> (schedule: DaySchedule?, faults: [JSONDecodingError]) {
        let octets = try octets()
        do throws(JSONDecodingError) {
            let reading = try ScheduleJSON.day(octets, days: days)
            return (reading.schedule, reading.faults)
        } catch {
            return (nil, [error])
        }
    }

    /// Reads a week that a lamp would take.
    ///
    /// - Returns: The week.
    /// - Throws: ``CommandError`` that says all that is wrong.
    func week() throws(CommandError) -> WeekSchedule { try accepted(weekReading()) }

    /// Reads a day schedule that a lamp would take.
    ///
    /// - Parameter days: For how many days it is meant.
    /// - Returns: The schedule.
    /// - Throws: ``CommandError`` that says all that is wrong.
    func day(days: Int) throws(CommandError) -> DaySchedule { try accepted(dayReading(days: days)) }

    /// What a lamp would take; a file that cannot be read is wrong usage, one with faults is a failure.
    private func accepted<Schedule>(
        _ reading: (schedule: Schedule?, faults: [JSONDecodingError])
    ) throws(CommandError) -> Schedule {
        guard let schedule = reading.schedule, reading.faults.isEmpty else {
            throw .failed(sentence(reading.faults))
        }
        return schedule
    }

    /// All that is wrong, a line each.
    func sentence(_ faults: [JSONDecodingError]) -> String {
        NightlightText.faults(faults, in: path.shortenedPath)
    }
}
