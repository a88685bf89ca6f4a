// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// What the lamp does on the next few days in place of its week.
///
/// | octets | field |
/// |---|---|
/// | 1 | version, 1 |
/// | 1 | days left, 1 to 30 |
/// | 1 | period count N, 0 to 6 |
/// | 9 · N | periods |
///
/// No octets at all stand for no day schedule. Without periods the lamp stays dark on these days.
///
/// Spec: Documentation/Protocols/nightlight.md, Day.
public struct DaySchedule: Hashable, Sendable {
    /// How many days it is in force, with today.
    public var daysLeft: Int
    /// The times of light of each of these days.
    public var periods: [LightPeriod]

    /// Makes a schedule; it may still be faulty.
    public init(daysLeft: Int, periods: [LightPeriod]) {
        self.daysLeft = daysLeft
        self.periods = periods
    }

    /// Decodes a value of the characteristic.
    ///
    /// - Parameter octets: The value.
    /// - Returns: The schedule; `nil` for no octets.
    /// - Throws: ``ScheduleError``, the first in the profile's order.
    public static func decode(_ octets: [UInt8]) throws(ScheduleError) -> DaySchedule? {
        octets.isEmpty ? nil : try DaySchedule(decoding: octets)
    }

    /// Decodes a schedule.
    ///
    /// - Parameter octets: The value of the characteristic; not empty.
    /// - Throws: ``ScheduleError``, the first in the profile's order.
    public init(decoding octets: [UInt8]) throws(ScheduleError) {
        if let version = octets.first, version != 1 { throw .badVersion(version) }
        var shape = ByteReader(octets.octetSpan.bytes)
        do throws(DecodeError) {
            try shape.skip(2)
            try shape.skip(LightPeriod.width * Int(try shape.readUInt8()))
            try shape.finish()
        } catch {
            throw .badLength(error)
        }
        let count = Int(octets[2])
        daysLeft = Int(octets[1])
        guard (1...NightlightLimit.days).contains(daysLeft) else { throw .daysLeft(daysLeft) }
        guard count <= NightlightLimit.periods else { throw .periodCount(count, group: nil) }
        var reader = ByteReader(octets.octetSpan.bytes.extracting(droppingFirst: 3))
        periods = try [LightPeriod](decoding: &reader, count: count, group: nil)
        if let fault = firstOverlap { throw fault }
    }

    /// The value of the characteristic.
    ///
    /// - Returns: The octets; of a faulty schedule as many periods as there can be.
    public func encoded() -> [UInt8] {
        let kept = periods.prefix(NightlightLimit.periods)
        var writer = ByteWriter(capacity: 3 + LightPeriod.width * kept.count)
        writer.write(UInt8(1))
        writer.write(UInt8(truncatingIfNeeded: max(0, min(daysLeft, 255))))
        writer.write(UInt8(kept.count))
        for period in kept { period.encode(into: &writer) }
        return writer.octets
    }

    /// Checks that a lamp would take it.
    ///
    /// - Throws: ``ScheduleError``, the first in the profile's order.
    public func check() throws(ScheduleError) {
        guard (1...NightlightLimit.days).contains(daysLeft) else { throw .daysLeft(daysLeft) }
        guard periods.count <= NightlightLimit.periods else {
            throw .periodCount(periods.count, group: nil)
        }
        if let fault = firstOverlap { throw fault }
    }

    /// Everything that is wrong with it, in the profile's order.
    public var faults: [ScheduleError] {
        var faults: [ScheduleError] = []
        if !(1...NightlightLimit.days).contains(daysLeft) { faults.append(.daysLeft(daysLeft)) }
        if periods.count > NightlightLimit.periods {
            faults.append(.periodCount(periods.count, group: nil))
        }
        visitOverlaps { fault in
            faults.append(fault)
            return true
        }
        return faults
    }

    private var firstOverlap: ScheduleError? {
        var found: ScheduleError?
        visitOverlaps { fault in
            found = fault
            return false
        }
        return found
    }

    /// With more than one day left, the end of a night is held against the same periods of the next morning.
    private func visitOverlaps(_ visit: (ScheduleError) -> Bool) {
        for index in periods.indices {
            for other in periods.indices where other > index && periods[index].overlaps(periods[other]) {
                let inOrder = periods[index].on <= periods[other].on
                let first = periods[inOrder ? index : other]
                let second = periods[inOrder ? other : index]
                guard visit(.dayOverlap(first, second, nextDay: false)) else { return }
            }
        }
        guard daysLeft > 1 else { return }
        for evening in periods {
            for morning in periods where evening.reaches(nextDaysPeriod: morning) {
                guard visit(.dayOverlap(evening, morning, nextDay: true)) else { return }
            }
        }
    }
}

extension LightPeriod {
    /// Whether two periods of the same day overlap.
    func overlaps(_ other: LightPeriod) -> Bool {
        let start = Int(on.rawValue)
        let otherStart = Int(other.on.rawValue)
        return start < otherStart + other.minutes && otherStart < start + minutes
    }

    /// Whether this one still runs when a period of the next day begins.
    func reaches(nextDaysPeriod other: LightPeriod) -> Bool {
        Int(on.rawValue) + minutes > MinuteOfDay.count + Int(other.on.rawValue)
    }
}

extension [LightPeriod] {
    /// Reads periods; the caller has checked that their octets are there.
    init(decoding reader: inout ByteReader, count: Int, group: Int?) throws(ScheduleError) {
        self = []
        reserveCapacity(count)
        for index in 0..<count {
            let decoded: Result<LightPeriod, LightPeriod.Failure>
            do throws(DecodeError) {
                decoded = try LightPeriod.decode(&reader)
            } catch {
                throw .badLength(error)
            }
            switch decoded {
            case .success(let period): append(period)
            case .failure(let fault): throw .badPeriod(fault, group: group, period: index)
            }
        }
    }
}
