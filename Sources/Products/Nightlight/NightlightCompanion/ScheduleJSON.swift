// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
public import Nightlight

/// A schedule as a parent wrote it, and everything that is wrong with it.
public struct ScheduleReading<Schedule> {
    /// What could be understood.
    public var schedule: Schedule
    /// What is wrong, in the order of the file; a schedule without faults can be given to a lamp.
    public var faults: [JSONDecodingError]
}

/// Week and day schedules as JSON, which parents write by hand.
///
/// ```
/// {"name":"School","groups":[{"days":["mon","tue"],"periods":[
///   {"on":"19:30","off":"07:00","color":"#ff8800","timeout_minutes":null}]}]}
/// ```
///
/// A day schedule is `{"periods":[…]}`.
public enum ScheduleJSON {
    /// The largest file that is read, in octets: ten times what the fullest week takes with blanks between.
    public static let sizeLimit = 65_536

    /// Reads a week.
    ///
    /// - Parameter octets: The file.
    /// - Returns: The week with its faults.
    /// - Throws: ``JSONDecodingError`` when it is no week at all.
    public static func week(_ octets: [UInt8]) throws(JSONDecodingError) -> ScheduleReading<WeekSchedule> {
        try week(JSONReader.read(octets))
    }

    /// Reads a week.
    ///
    /// - Parameter value: What stands in the file.
    /// - Returns: The week with its faults.
    /// - Throws: ``JSONDecodingError`` when it is no week at all.
    public static func week(_ value: JSONNode) throws(JSONDecodingError) -> ScheduleReading<WeekSchedule> {
        let node = try answered("week", value)
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
        var overlaps: [(LightPeriod, LightPeriod)] = []
        for fault in file.schedule.faults {
            // A day that could not be read is missing only because of that.
            if case .dayMissing = fault, !areDaysRead { continue }
            // The other days of a group have the same overlap: once is enough.
            if case .overlap(_, let first, _, let second) = fault {
                if overlaps.contains(where: { $0 == (first, second) }) { continue }
                overlaps.append((first, second))
            }
            file.faults.append((fault.node(in: readings) ?? list).fault(fault.description))
        }
        return file
    }

    /// Reads a day schedule.
    ///
    /// - Parameters:
    ///   - octets: The file.
    ///   - days: For how many days it is meant.
    /// - Returns: The schedule with its faults.
    /// - Throws: ``JSONDecodingError`` when it is no day schedule at all.
    public static func day(_ octets: [UInt8], days: Int) throws(JSONDecodingError) -> ScheduleReading<
        DaySchedule
    > {
        try day(JSONReader.read(octets), days: days)
    }

    /// Reads a day schedule.
    ///
    /// - Parameters:
    ///   - value: What stands in the file.
    ///   - days: For how many days it is meant.
    /// - Returns: The schedule with its faults.
    /// - Throws: ``JSONDecodingError`` when it is no day schedule at all.
    public static func day(_ value: JSONNode, days: Int) throws(JSONDecodingError) -> ScheduleReading<
        DaySchedule
    > {
        let node = try answered("tonight", value)
        guard try node.member("groups") == nil else {
            throw node.fault("this is a week: a day schedule has only \"periods\"")
        }
        _ = try node.needed("periods")
        let reading = GroupReading(day: node)
        var file = ScheduleReading(
            schedule: DaySchedule(daysLeft: days, periods: reading.group.periods), faults: reading.faults)
        for fault in file.schedule.faults {
            file.faults.append((fault.node(in: [reading]) ?? node).fault(fault.description))
        }
        return file
    }

    /// The schedule in what a command has printed with `--json`, else the whole.
    private static func answered(_ key: String, _ node: JSONNode) throws(JSONDecodingError) -> JSONNode {
        guard try node.member("event") != nil else { return node }
        return try node.needed(key)
    }

    /// A week on one line.
    public static func text(_ week: WeekSchedule) -> String {
        var json = JSONWriter()
        SchedulesOfWeek(week).write(into: &json)
        return json.text
    }

    /// A day schedule on one line.
    public static func text(_ day: DaySchedule) -> String {
        var json = JSONWriter()
        ScheduleOfDay(day).write(into: &json)
        return json.text
    }
}

/// A group, or a day schedule; what is wrong with one period does not hide what is wrong with the others.
private struct GroupReading {
    private(set) var group = DayGroup([])
    private(set) var faults: [JSONDecodingError] = []
    private(set) var areDaysRead = true
    private let node: JSONNode
    private var nodes: [LightPeriod: JSONNode] = [:]

    /// Reads a group of a week; its place is `nil` when there is only one.
    init(_ node: JSONNode, place: Int?) {
        self.node = node
        do throws(JSONDecodingError) {
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
        self.node = node
        read(node, place: nil)
    }

    /// Where it stands.
    var place: JSONNode { node }

    /// Where a period stands.
    func place(of period: LightPeriod) -> JSONNode { nodes[period] ?? node }

    private mutating func read(_ node: JSONNode, place: Int?) {
        do throws(JSONDecodingError) {
            for (index, node) in try node.list("periods").enumerated() {
                read(period: node, "period \(index + 1)" + (place.map { " of group \($0)" } ?? ""))
            }
        } catch {
            faults.append(error)
        }
    }

    private mutating func read(period node: JSONNode, _ place: String) {
        do throws(JSONDecodingError) {
            let period = try LightPeriod(node, place)
            group.periods.append(period)
            nodes[period] = nodes[period] ?? node
        } catch {
            faults.append(error)
        }
    }
}

extension JSONNode {
    /// Refuses keys that nobody would look at: they are slips of the pen.
    fileprivate func allow(_ keys: [String], in what: String) throws(JSONDecodingError) {
        guard case .object(let members) = value else {
            throw fault("\(what) must be an object in braces")
        }
        for member in members where !keys.contains(member.key) {
            throw member.node.fault(
                "\"\(member.key.shortened)\" is not known in \(what), only \(keys.map { "\"\($0)\"" }.joined(separator: ", "))"
            )
        }
    }
}

extension DaySet {
    fileprivate init(_ node: JSONNode) throws(JSONDecodingError) {
        self = []
        for element in try node.needed("days").elements("\"days\"") {
            let text = try element.text("a day")
            guard let day = DayOfWeek(text) else {
                throw element.fault(
                    "\"\(text.shortened)\" is not a day: write mon, tue, wed, thu, fri, sat or sun")
            }
            insert(DaySet(day))
        }
    }
}

extension LightPeriod {
    fileprivate init(_ node: JSONNode, _ place: String) throws(JSONDecodingError) {
        try node.allow(["on", "off", "color", "timeout_minutes"], in: place)
        let timeout = try node.member("timeout_minutes").map { node throws(JSONDecodingError) in
            UInt8(try node.number("\"timeout_minutes\" of \(place)", in: 1...255))
        }
        let shade = try node.needed("color")
        guard let color = RGBColor(try shade.text("\"color\" of \(place)")) else {
            throw shade.fault("\"color\" of \(place) must be like \"#ff8800\", or a name such as \"orange\"")
        }
        let on = try node.needed("on").minute("\"on\" of \(place)")
        let off = try node.needed("off").minute("\"off\" of \(place)")
        do throws(Failure) {
            try self.init(on: on, off: off, color: color, timeout: timeout)
        } catch {
            throw node.fault("\(place): \(error)")
        }
    }
}

extension JSONNode {
    fileprivate func minute(_ what: String) throws(JSONDecodingError) -> MinuteOfDay {
        guard let minute = MinuteOfDay(try text(what)) else {
            throw fault("\(what) must be a time of day, from \"00:00\" to \"23:59\"")
        }
        return minute
    }
}

extension ScheduleError {
    /// Where a parent has to look; `nil` for the whole.
    fileprivate func node(in groups: [GroupReading]) -> JSONNode? {
        func group(with day: DayOfWeek, after first: Bool = false) -> GroupReading? {
            groups.filter { $0.group.days.contains(day) }.dropFirst(first ? 1 : 0).first
        }
        return switch self {
        case .dayTwice(let day): group(with: day, after: true)?.place
        case .periodCount(_, let index): groups.dropFirst(index ?? 0).first?.place
        case .overlap(_, _, let day, let second): group(with: day)?.place(of: second)
        case .dayOverlap(_, let second, _): groups.first?.place(of: second)
        default: nil
        }
    }
}
