// SPDX-License-Identifier: Apache-2.0

/// A local clock: an offset from UTC, and the moments at which it changes.
public struct WallClock: Hashable, Sendable {
    /// A change of the offset.
    public struct Change: Hashable, Sendable {
        /// When the clock is changed.
        public var at: UnixTime
        /// The offset from then on, in seconds east of UTC.
        public var offset: Int32

        /// Makes a change.
        public init(at: UnixTime, offset: Int32) {
            self.at = at
            self.offset = offset
        }
    }

    /// The offset before the first change, in seconds east of UTC.
    public let offset: Int32
    /// The changes that are known, earliest first.
    public let changes: [Change]

    /// UTC itself.
    public static let utc = WallClock(offset: 0)

    /// Makes a clock.
    ///
    /// - Parameters:
    ///   - offset: The offset before the first change, in seconds east of UTC; at most a day either way.
    ///   - changes: The changes that are known, in any order.
    public init(offset: Int32, changes: [Change] = []) {
        func limited(_ offset: Int32) -> Int32 { max(-86_400, min(offset, 86_400)) }
        self.offset = limited(offset)
        var sorted: [Change] = []
        for change in changes {
            let place = sorted.firstIndex { change.at < $0.at } ?? sorted.count
            sorted.insert(Change(at: change.at, offset: limited(change.offset)), at: place)
        }
        self.changes = sorted
    }

    /// The offset at a moment, in seconds east of UTC.
    ///
    /// - Parameter moment: The moment.
    /// - Returns: The offset.
    public func offset(at moment: UnixTime) -> Int32 {
        var offset = offset
        for change in changes where change.at <= moment { offset = change.offset }
        return offset
    }

    /// What the clock shows at a moment.
    ///
    /// - Parameter moment: The moment.
    /// - Returns: The time.
    public func time(at moment: UnixTime) -> LocalTime {
        LocalTime(wallSeconds: moment.advanced(bySeconds: Int64(offset(at: moment))).seconds)
    }

    /// When the clock first shows a time or a later one.
    ///
    /// So a time that a change skips is the moment of that change, and one that comes twice is the first of the two.
    ///
    /// Spec: Documentation/Protocols/nightlight.md, What shines when.
    ///
    /// - Parameter time: The time.
    /// - Returns: The moment.
    public func moment(of time: LocalTime) -> UnixTime {
        var start: Int64 = .min
        var offset = offset
        for change in changes {
            let moment = max(time.wallSeconds - Int64(offset), start)
            if moment < change.at.seconds { return UnixTime(seconds: moment) }
            start = change.at.seconds
            offset = change.offset
        }
        return UnixTime(seconds: max(time.wallSeconds - Int64(offset), start))
    }
}
