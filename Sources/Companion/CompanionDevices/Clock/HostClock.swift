// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Nightlight

/// What this computer knows of clocks and time zones, in the nightlight's terms.
public enum HostClock {
    /// The present moment.
    public static func now() -> UnixTime {
        UnixTime(seconds: Int64(Date().timeIntervalSince1970.rounded(.down)))
    }

    /// A time zone with the changes of its clocks around a moment.
    ///
    /// - Parameters:
    ///   - zone: The time zone.
    ///   - moment: The moment.
    ///   - days: How many days after it have to be right; as many before it are, too.
    /// - Returns: The clock.
    public static func wall(_ zone: TimeZone, around moment: UnixTime, days: Int = 62) -> WallClock {
        let day: Int64 = 86_400
        var place = moment.advanced(bySeconds: -Int64(days) * day)
        let end = moment.advanced(bySeconds: Int64(days) * day)
        var offset = zone.offset(at: place)
        let first = offset
        var changes: [WallClock.Change] = []
        while place < end {
            let next = place.advanced(bySeconds: day)
            if zone.offset(at: next) != offset {
                let change = zone.change(after: place, by: next)
                offset = zone.offset(at: change)
                changes.append(WallClock.Change(at: change, offset: offset))
                place = change
            } else {
                place = next
            }
        }
        return WallClock(offset: first, changes: changes)
    }

    /// What this computer's clock shows, as it is written to a lamp.
    ///
    /// - Parameters:
    ///   - zone: The time zone.
    ///   - now: The moment.
    /// - Returns: The time, the zone, and the next change of DST within a year.
    public static func reading(_ zone: TimeZone, at now: UnixTime) -> ClockReading {
        let wall = wall(zone, around: now, days: 366)
        let offset = wall.offset(at: now)
        let ahead = Int32(zone.daylightSavingTimeOffset(for: now.date).rounded())
        let information = LocalTimeInformation(offset: offset, ahead: ahead)
        var next = TimeWithDST.none
        if let change = wall.changes.first(where: { $0.at > now }), let standard = information.zone {
            let dst = DSTOffset(seconds: change.offset - Int32(standard) * 900)
            // As the clock shows it just before the change.
            let local = WallClock(offset: offset).time(at: change.at)
            if let dst { next = TimeWithDST(local, dst: dst) }
        }
        return ClockReading(time: wall.time(at: now), zone: information, next: next)
    }
}

extension UnixTime {
    fileprivate var date: Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }
}

extension TimeZone {
    fileprivate func offset(at moment: UnixTime) -> Int32 { Int32(secondsFromGMT(for: moment.date)) }

    /// The second of the one change between two moments.
    fileprivate func change(after start: UnixTime, by end: UnixTime) -> UnixTime {
        let before = offset(at: start)
        var (low, high) = (start.seconds, end.seconds)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: UnixTime(seconds: middle)) == before { low = middle } else { high = middle }
        }
        return UnixTime(seconds: high)
    }
}

extension DSTOffset {
    /// Makes an offset of seconds ahead of standard time; `nil` when the SIG has no code for so many.
    fileprivate init?(seconds: Int32) {
        guard seconds % 900 == 0, (0..<255).contains(seconds / 900) else { return nil }
        self.init(rawValue: UInt8(seconds / 900))
        guard isValid else { return nil }
    }
}

extension LocalTimeInformation {
    /// Splits an offset into time zone and DST; where the SIG has no code for that DST, it counts as zone.
    fileprivate init(offset: Int32, ahead: Int32) {
        let dst = DSTOffset(seconds: ahead) ?? .standard
        let quarters = (offset - (dst.seconds ?? 0)) / 900
        self.init(zone: (-48...56).contains(quarters) ? Int8(quarters) : nil, dst: dst)
    }
}
