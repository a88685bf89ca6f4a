// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import Nightlight

/// `lantern nightlight week check`: whether a lamp would take a week.
struct NightlightWeekCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say whether a lamp would take a week, and if not, why.",
        discussion: "Exit status: 0 when it would, 1 when not.")

    @Argument(help: "The week, as JSON.")
    var file: String

    @OptionGroup var format: FormatOptions

    func run() async throws {
        let file = ScheduleFile(path: file)
        let octets = try file.octets()
        let output = Output.standard()
        var faults: [JSONFault] = []
        var week: WeekSchedule?
        do throws(JSONFault) {
            let reading = try ScheduleJSON.week(octets)
            week = reading.schedule
            faults = reading.faults
        } catch {
            faults = [error]
        }
        if format.isJSON {
            try output.line(Self.json(week, faults))
        } else if let week, faults.isEmpty {
            try output.write(Self.lines(week, on: output.terminal).map { $0 + "\n" }.joined())
        }
        guard faults.isEmpty else {
            if format.isJSON { throw ExitCode(CommandError.Status.failed.rawValue) }
            throw CommandError.failed(file.sentence(faults))
        }
    }

    /// A week that is right, for a person.
    static func lines(_ week: WeekSchedule, on terminal: Terminal) -> [String] {
        let name = TerminalText.escaped(week.name.string)
        let size = "\(week.encoded().count) of \(NightlightLimit.week) octets"
        return ["A lamp would take the week" + (name.isEmpty ? "" : " “\(name)”") + " (\(size))."]
            + groupLines(week, on: terminal)
    }

    /// What each group of days has, a line each.
    static func groupLines(_ week: WeekSchedule, on terminal: Terminal) -> [String] {
        week.groups.map { group in
            let periods = group.periods.map { period in
                let color = period.color
                return terminal.swatch(red: color.red, green: color.green, blue: color.blue)
                    + "\(period) \(color)" + (period.timeout.map { ", \($0) minutes at most" } ?? "")
            }
            return "\(group.days): " + (periods.isEmpty ? "dark" : periods.joined(separator: "; "))
        }
    }

    /// The verdict, for scripts.
    static func json(_ week: WeekSchedule?, _ faults: [JSONFault]) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("valid", faults.isEmpty)
            json.field("octets", faults.isEmpty ? week?.encoded().count : nil)
            json.key("faults")
            json.array { json in
                for fault in faults {
                    json.object { json in
                        json.field("line", fault.line)
                        json.field("reason", fault.reason)
                    }
                }
            }
        }
        return json.text
    }
}
