// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Days of the week on which the lamp does the same.
public struct DayGroup: Hashable, Sendable {
    /// The days.
    public var days: DaySet
    /// The times of light of each of them.
    public var periods: [LightPeriod]

    /// Makes a group.
    public init(_ days: DaySet, periods: [LightPeriod] = []) {
        self.days = days
        self.periods = periods
    }
}

/// What the lamp does in every week.
///
/// | octets | field |
/// |---|---|
/// | 1 | version, 1 |
/// | 1 | name length N, 0 to 24 |
/// | N | name, UTF-8 |
/// | 1 | group count, 1 to 7 |
/// | … | groups |
///
/// and each group is
///
/// | octets | field |
/// |---|---|
/// | 1 | day mask, bit 0 Monday to bit 6 Sunday |
/// | 1 | period count M, 0 to 6 |
/// | 9 · M | periods |
///
/// Each day is in one group, and no period overlaps another one, across midnight and from Sunday to Monday, too.
///
/// Spec: Documentation/Protocols/nightlight.md, Week.
public struct WeekSchedule: Hashable, Sendable {
    /// What the parents call it; at most 24 octets.
    public var name: WireText
    /// The groups of days.
    public var groups: [DayGroup]

    /// Makes a week; it may still be faulty.
    public init(name: WireText = "", groups: [DayGroup]) {
        self.name = name
        self.groups = groups
    }

    /// The week of a new lamp: working days and weekend, both dark.
    public static let factory = WeekSchedule(groups: [DayGroup(.workingDays), DayGroup(.weekend)])

    /// Decodes the value of the characteristic.
    ///
    /// - Parameter octets: The value.
    /// - Throws: ``ScheduleError``, the first in the profile's order.
    public init(decoding octets: [UInt8]) throws(ScheduleError) {
        if let version = octets.first, version != 1 { throw .badVersion(version) }
        try Self.checkShape(octets)
        var reader = ByteReader(octets.octetSpan.bytes)
        do throws(DecodeError) {
            try reader.skip(1)
            name = WireText(try reader.readOctets(Int(try reader.readUInt8())))
        } catch {
            throw .badLength(error)
        }
        groups = []
        try decodeGroups(&reader)
        try check()
    }

    /// Lengths are judged before values, so the octets are walked through first.
    private static func checkShape(_ octets: [UInt8]) throws(ScheduleError) {
        var reader = ByteReader(octets.octetSpan.bytes)
        do throws(DecodeError) {
            try reader.skip(1)
            try reader.skip(Int(try reader.readUInt8()))
            for _ in 0..<Int(try reader.readUInt8()) {
                try reader.skip(1)
                try reader.skip(LightPeriod.width * Int(try reader.readUInt8()))
            }
            try reader.finish()
        } catch {
            throw .badLength(error)
        }
    }

    private mutating func decodeGroups(_ reader: inout ByteReader) throws(ScheduleError) {
        do throws(DecodeError) {
            let count = Int(try reader.readUInt8())
            guard (1...NightlightLimit.groups).contains(count) else {
                throw DecodeError(.outOfRange(UInt64(count)), at: 0)
            }
        } catch {
            if case .outOfRange(let count) = error.reason { throw .groupCount(Int(count)) }
            throw .badLength(error)
        }
        while !reader.isAtEnd {
            let days: UInt8
            let count: Int
            do throws(DecodeError) {
                days = try reader.readUInt8()
                count = Int(try reader.readUInt8())
            } catch {
                throw .badLength(error)
            }
            guard count <= NightlightLimit.periods else { throw .periodCount(count, group: groups.count) }
            let periods = try [LightPeriod](decoding: &reader, count: count, group: groups.count)
            groups.append(DayGroup(DaySet(rawValue: days), periods: periods))
        }
    }

    /// The value of the characteristic.
    ///
    /// - Returns: The octets; of a faulty week as much as there can be.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: NightlightLimit.week)
        let name = name.octets.prefix(NightlightLimit.weekName)
        writer.write(UInt8(1))
        writer.write(UInt8(name.count))
        writer.write(name)
        let groups = groups.prefix(NightlightLimit.groups)
        writer.write(UInt8(groups.count))
        for group in groups {
            let periods = group.periods.prefix(NightlightLimit.periods)
            writer.write(group.days.rawValue)
            writer.write(UInt8(periods.count))
            for period in periods { period.encode(into: &writer) }
        }
        return writer.octets
    }

    /// The times of light that begin on a day.
    ///
    /// - Parameter day: The day.
    /// - Returns: The periods of the first group with this day.
    public func periods(on day: DayOfWeek) -> [LightPeriod] {
        for group in groups where group.days.contains(day) { return group.periods }
        return []
    }
}

extension WeekSchedule {
    /// Checks that a lamp would take it.
    ///
    /// - Throws: ``ScheduleError``, the first in the profile's order.
    public func check() throws(ScheduleError) {
        var found: ScheduleError?
        visitFaults { fault in
            found = fault
            return false
        }
        if let found { throw found }
    }

    /// Everything that is wrong with it, in the profile's order.
    public var faults: [ScheduleError] {
        var faults: [ScheduleError] = []
        visitFaults { fault in
            faults.append(fault)
            return true
        }
        return faults
    }

    /// Shows each fault until the visitor has enough.
    private func visitFaults(_ visit: (ScheduleError) -> Bool) {
        if name.octets.count > NightlightLimit.weekName, !visit(.nameTooLong(name.octets.count)) { return }
        if !name.isUTF8, !visit(.nameIsNotText) { return }
        if !(1...NightlightLimit.groups).contains(groups.count), !visit(.groupCount(groups.count)) { return }
        for (index, group) in groups.enumerated() where group.periods.count > NightlightLimit.periods {
            guard visit(.periodCount(group.periods.count, group: index)) else { return }
        }
        guard visitDays(visit) else { return }
        for day in DayOfWeek.allCases {
            guard visitOverlaps(on: day, visit) else { return }
        }
    }

    private func visitDays(_ visit: (ScheduleError) -> Bool) -> Bool {
        for (index, group) in groups.enumerated() where !DaySet.all.isSuperset(of: group.days) {
            guard visit(.unknownDay(mask: group.days.rawValue, group: index)) else { return false }
        }
        for day in DayOfWeek.allCases {
            var count = 0
            for group in groups where group.days.contains(day) { count += 1 }
            if count == 0, !visit(.dayMissing(day)) { return false }
            if count > 1, !visit(.dayTwice(day)) { return false }
        }
        return true
    }

    /// Holds the periods of a day against each other and against those of the day after.
    private func visitOverlaps(on day: DayOfWeek, _ visit: (ScheduleError) -> Bool) -> Bool {
        let periods = periods(on: day)
        let following = self.periods(on: day.next)
        for index in periods.indices {
            for other in periods.indices where other > index && periods[index].overlaps(periods[other]) {
                let inOrder = periods[index].on <= periods[other].on
                let first = periods[inOrder ? index : other]
                let second = periods[inOrder ? other : index]
                guard visit(.overlap(day, first, day, second)) else { return false }
            }
        }
        for evening in periods where evening.wrapsPastMidnight {
            for morning in following where evening.reaches(nextDaysPeriod: morning) {
                guard visit(.overlap(day, evening, day.next, morning)) else { return false }
            }
        }
        return true
    }
}

extension WireText {
    /// Whether the octets are UTF-8.
    ///
    /// Spec: RFC 3629, 4.
    var isUTF8: Bool {
        var index = 0
        while index < octets.count {
            let first = octets[index]
            index += 1
            let rest: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch first {
            case 0x00...0x7F: rest = 0
            case 0xC2...0xDF: rest = 1
            case 0xE0: (rest, second) = (2, 0xA0...0xBF)
            case 0xED: (rest, second) = (2, 0x80...0x9F)
            case 0xE1...0xEF: rest = 2
            case 0xF0: (rest, second) = (3, 0x90...0xBF)
            case 0xF1...0xF3: rest = 3
            case 0xF4: (rest, second) = (3, 0x80...0x8F)
            default: return false
            }
            guard octets.count - index >= rest else { return false }
            for place in 0..<rest {
                let allowed = place == 0 ? second : 0x80...0xBF
                guard allowed.contains(octets[index + place]) else { return false }
            }
            index += rest
        }
        return true
    }
}
