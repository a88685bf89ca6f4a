// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Nightlight

/// A schedule as a parent wrote it, and everything that is wrong with it.
struct ScheduleReading<Schedule> {
    /// What could be understood.
    var schedule: Schedule
    /// What is wrong, in the order of the file; a schedule without faults can be given to a lamp.
    var faults: [JSONFault]
}

/// Week and day schedules as JSON, which parents write by hand.
///
/// ```
/// {"name":"School","groups":[{"days":["mon","tue"],"periods":[
///   {"on":"19:30","off":"07:00","color":"#ff8800","timeout_minutes":null}]}]}
/// ```
///
/// A day schedule is `{"periods":[…]}`.
enum ScheduleJSON {
    /// Reads a week.
    ///
    /// - Parameter octets: The file.
    /// - Returns: The week with its faults.
    /// - Throws: ``JSONFault`` when it is no week at all.
    static func week(_ octets: [UInt8]) throws(JSONFault) -> ScheduleReading<WeekSchedule> {
        let node = try JSONReader.read(octets)
        let name = try node.member("name")?.text("\"name\"") ?? ""
        let list = try node.needed("groups")
        let nodes = try list.elements("\"groups\"")
        var file = ScheduleReading(schedule: WeekSchedule(name: WireText(name), groups: []), faults: [])
        var readings: [GroupReading] = []
        for (index, group) in nodes.enumerated() {
            let reading = GroupReading(group, place: nodes.count == 1 ? nil : index + 1)
            file.schedule.groups.append(reading.group)
            file.faults += reading.faults
            readings.append(reading)
        }
        let areDaysRead = readings.allSatisfy { $0.areDaysRead }
        var overlaps: Set<[LightPeriod]> = []
        for fault in file.schedule.faults {
            // A day that could not be read is missing only because of that.
            if case .dayMissing = fault, !areDaysRead { continue }
            // The other days of a group have the same overlap: once is enough.
            if case .overlap(_, let first, _, let second) = fault,
                !overlaps.insert([first, second]).inserted
            {
                continue
            }
            file.faults.append(
                JSONFault(fault.line(in: readings) ?? list.line, fault.description))
        }
        return file
    }

    /// Reads a day schedule.
    ///
    /// - Parameters:
    ///   - octets: The file.
    ///   - days: For how many days it is meant.
    /// - Returns: The schedule with its faults.
    /// - Throws: ``JSONFault`` when it is no day schedule at all.
    static func day(_ octets: [UInt8], days: Int) throws(JSONFault) -> ScheduleReading<DaySchedule> {
        let node = try JSONReader.read(octets)
        guard try node.member("groups") == nil else {
            throw JSONFault(node.line, "this is a week: a day schedule has only \"periods\"")
        }
        _ = try node.needed("periods")
        let reading = GroupReading(day: node)
        var file = ScheduleReading(
            schedule: DaySchedule(daysLeft: days, periods: reading.group.periods), faults: reading.faults)
        for fault in file.schedule.faults {
            file.faults.append(JSONFault(fault.line(in: [reading]) ?? node.line, fault.description))
        }
        return file
    }

    /// A week on one line.
    static func text(_ week: WeekSchedule) -> String {
        var json = JSONWriter()
        write(week, to: &json)
        return json.text
    }

    /// A day schedule on one line.
    static func text(_ day: DaySchedule) -> String {
        var json = JSONWriter()
        write(day, to: &json)
        return json.text
    }

    /// Writes a week as a value.
    static func write(_ week: WeekSchedule, to json: inout JSONWriter) {
        json.object { json in
            json.field("name", week.name.string)
            json.key("groups")
            json.array { json in
                for group in week.groups {
                    json.object { json in
                        json.key("days")
                        json.array { json in
                            for day in group.days.days { json.value(day.keyword.description) }
                        }
                        write(group.periods, to: &json)
                    }
                }
            }
        }
    }

    /// Writes a day schedule as a value.
    static func write(_ day: DaySchedule, to json: inout JSONWriter) {
        json.object { json in write(day.periods, to: &json) }
    }

    private static func write(_ periods: [LightPeriod], to json: inout JSONWriter) {
        json.key("periods")
        json.array { json in
            for period in periods {
                json.object { json in
                    json.field("on", period.on.description)
                    json.field("off", period.off.description)
                    json.field("color", period.color.description)
                    json.field("timeout_minutes", period.timeout)
                }
            }
        }
    }
}

/// A group, or a day schedule; what is wrong with one period does not hide what is wrong with the others.
private struct GroupReading {
    private(set) var group = DayGroup([])
    private(set) var faults: [JSONFault] = []
    private(set) var areDaysRead = true
    let line: Int
    private var lines: [LightPeriod: Int] = [:]

    /// Reads a group of a week; its place is `nil` when there is only one.
    init(_ node: JSONNode, place: Int?) {
        line = node.line
        do throws(JSONFault) {
            try node.allow(["days", "periods"], in: "a group")
            group.days = try DaySet(node)
        } catch {
            faults.append(error)
            areDaysRead = false
        }
        read(node, place: place)
    }

    /// Reads a day schedule.
    init(day node: JSONNode) {
        line = node.line
        read(node, place: nil)
    }

    /// The line in which a period stands.
    func line(of period: LightPeriod) -> Int { lines[period] ?? line }

    private mutating func read(_ node: JSONNode, place: Int?) {
        do throws(JSONFault) {
            for (index, node) in try node.list("periods").enumerated() {
                read(period: node, "period \(index + 1)" + (place.map { " of group \($0)" } ?? ""))
            }
        } catch {
            faults.append(error)
        }
    }

    private mutating func read(period node: JSONNode, _ place: String) {
        do throws(JSONFault) {
            let period = try LightPeriod(node, place)
            group.periods.append(period)
            lines[period] = lines[period] ?? node.line
        } catch {
            faults.append(error)
        }
    }
}

extension JSONNode {
    /// The elements of an array.
    fileprivate func elements(_ what: String) throws(JSONFault) -> [JSONNode] {
        guard case .array(let elements) = value else { throw JSONFault(line, "\(what) must be an array") }
        return elements
    }

    /// Refuses keys that nobody would look at: they are slips of the pen.
    fileprivate func allow(_ keys: [String], in what: String) throws(JSONFault) {
        guard case .object(let members) = value else {
            throw JSONFault(line, "\(what) must be an object in braces")
        }
        for member in members where !keys.contains(member.key) {
            throw JSONFault(
                member.node.line,
                "\"\(member.key)\" is not known in \(what), only \(keys.map { "\"\($0)\"" }.joined(separator: ", "))"
            )
        }
    }
}

extension DaySet {
    fileprivate init(_ node: JSONNode) throws(JSONFault) {
        self = []
        for element in try node.needed("days").elements("\"days\"") {
            let text = try element.text("a day")
            guard let day = DayOfWeek(text) else {
                throw JSONFault(
                    element.line, "\"\(text)\" is not a day: write mon, tue, wed, thu, fri, sat or sun")
            }
            insert(DaySet(day))
        }
    }
}

extension LightPeriod {
    fileprivate init(_ node: JSONNode, _ place: String) throws(JSONFault) {
        try node.allow(["on", "off", "color", "timeout_minutes"], in: place)
        let timeout = try node.member("timeout_minutes").map { node throws(JSONFault) in
            UInt8(try node.number("\"timeout_minutes\" of \(place)", in: 1...255))
        }
        let shade = try node.needed("color")
        guard let color = LightColor(try shade.text("\"color\" of \(place)")) else {
            throw JSONFault(shade.line, "\"color\" of \(place) must be like \"#ff8800\"")
        }
        let on = try node.needed("on").minute("\"on\" of \(place)")
        let off = try node.needed("off").minute("\"off\" of \(place)")
        do throws(Fault) {
            try self.init(on: on, off: off, color: color, timeout: timeout)
        } catch {
            throw JSONFault(node.line, "\(place): \(error)")
        }
    }
}

extension JSONNode {
    fileprivate func minute(_ what: String) throws(JSONFault) -> MinuteOfDay {
        guard let minute = MinuteOfDay(try text(what)) else {
            throw JSONFault(line, "\(what) must be a time of day, from \"00:00\" to \"23:59\"")
        }
        return minute
    }
}

extension ScheduleFault {
    /// The line that a parent has to look at; `nil` for the whole.
    fileprivate func line(in groups: [GroupReading]) -> Int? {
        func group(with day: DayOfWeek, after first: Bool = false) -> GroupReading? {
            groups.filter { $0.group.days.contains(day) }.dropFirst(first ? 1 : 0).first
        }
        return switch self {
        case .dayTwice(let day): group(with: day, after: true)?.line
        case .periodCount(_, let index): groups.dropFirst(index ?? 0).first?.line
        case .overlap(_, _, let day, let second): group(with: day)?.line(of: second)
        case .dayOverlap(_, let second, _): groups.first?.line(of: second)
        default: nil
        }
    }
}
