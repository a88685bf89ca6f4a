// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

extension WrittenTime {
    /// Reads a time as people say it: as files write it, `now`, `today`, `yesterday`, or how long ago, as in `90s`, `30m`, `2h`,
    /// `2 hours ago`, `3d` and `1w`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - now: The time.
    init?(spoken text: String, at now: Timestamp) {
        let word = text.trimmingCharacters(in: .whitespaces).lowercased()
        let ago: Int64
        switch word {
        case "now": ago = 0
        case "today", "yesterday":
            let days = word == "today" ? 0 : -1
            let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
            let calendar = Calendar(identifier: .gregorian)
            guard let day = calendar.date(byAdding: .day, value: days, to: date) else { return nil }
            let parts = calendar.dateComponents([.year, .month, .day], from: day)
            self.init(String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0))
            return
        default:
            let digits = word.prefix { ("0"..."9").contains($0) }
            guard let unit = Self.seconds(in: word.dropFirst(digits.count)), let number = Int64(digits),
                number <= 5_000_000_000 / unit
            else {
                self.init(text)
                return
            }
            ago = number * unit
        }
        self.init(Timestamp(milliseconds: now.milliseconds - ago * 1000).description)
    }

    /// How long a unit is that stands behind a number: `h`, ` hours`, `hours ago`; `nil` where it is none.
    private static func seconds(in text: Substring) -> Int64? {
        var name = text.trimmingCharacters(in: .whitespaces)
        if name.hasSuffix("ago") { name = name.dropLast(3).trimmingCharacters(in: .whitespaces) }
        switch name {
        case "s", "sec", "second", "seconds": return 1
        case "m", "min", "minute", "minutes": return 60
        case "h", "hour", "hours": return 3600
        case "d", "day", "days": return 86_400
        case "w", "week", "weeks": return 604_800
        default: return nil
        }
    }

    /// The moment at which it begins, and that at which what comes after it begins; without a zone, in this computer's.
    var local: Timestamp { start(in: .current) }
    var localEnd: Timestamp { end(in: .current) }

    /// The moment at which it begins.
    ///
    /// A time that comes twice is the first of the two; one that a change of the clocks skips begins with the change.
    ///
    /// - Parameter zone: Where it is that time, if it says no zone of its own.
    /// - Returns: The moment.
    func start(in zone: TimeZone) -> Timestamp {
        if let offset { return start(offset: offset) }
        return Self.moments(milliseconds, zone).lowerBound
    }

    /// The moment at which what comes after it begins.
    ///
    /// The last millisecond of a time that comes twice is that of the second; one that is skipped ends with the change.
    ///
    /// - Parameter zone: Where it is that time, if it says no zone of its own.
    /// - Returns: The moment.
    func end(in zone: TimeZone) -> Timestamp {
        if let offset { return next.start(offset: offset) }
        let last = next.milliseconds - 1
        let end = Self.moments(last, zone).upperBound
        // What is skipped never was.
        return Self.fitting(last, zone).isEmpty ? end : Timestamp(milliseconds: end.milliseconds + 1)
    }

    /// Milliseconds by which local clocks are ahead of UTC.
    private static func difference(at moment: Int64, _ zone: TimeZone) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment) / 1000))) * 1000
    }

    /// The moments at which local clocks show a time, by what holds a day before and after: clocks change by less, and seldom.
    private static func fitting(_ local: Int64, _ zone: TimeZone) -> [Int64] {
        [-86_400_000, 86_400_000].map { local - difference(at: local + $0, zone) }
            .filter { $0 + difference(at: $0, zone) == local }
    }

    /// The first and the last moment at which local clocks show a time; the change of the clocks, where they skip it.
    private static func moments(_ local: Int64, _ zone: TimeZone) -> ClosedRange<Timestamp> {
        let found = fitting(local, zone)
        if let first = found.min(), let last = found.max() {
            return Timestamp(milliseconds: first)...Timestamp(milliseconds: last)
        }
        // Between two days before and two days after there is one change.
        var (low, high) = (local - 2 * 86_400_000, local + 2 * 86_400_000)
        let before = difference(at: low, zone)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if difference(at: middle, zone) == before { low = middle } else { high = middle }
        }
        return Timestamp(milliseconds: high)...Timestamp(milliseconds: high)
    }
}
