// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Nightlight
import NightlightCompanion

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
        let ahead = Int32(zone.daylightSavingTimeOffset(for: now.date).rounded())
        return ClockReading(wall(zone, around: now, days: 366), ahead: ahead, at: now)
    }

    /// A time zone by its name, with the changes of its clocks around a moment.
    ///
    /// - Parameters:
    ///   - name: The name, such as `Europe/Berlin`; `nil` for this computer's zone.
    ///   - moment: The moment.
    /// - Returns: The clock; `nil` when there is no such time zone.
    public static func wall(inZone name: String?, around moment: UnixTime) -> WallClock? {
        guard let name else { return wall(.current, around: moment) }
        return TimeZone(identifier: name).map { wall($0, around: moment) }
    }
}

extension UnixTime {
    fileprivate var date: Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }
}

extension TimeZone {
    /// How far it is ahead of UTC at a moment, in seconds.
    package func offset(at moment: UnixTime) -> Int32 { Int32(secondsFromGMT(for: moment.date)) }

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
