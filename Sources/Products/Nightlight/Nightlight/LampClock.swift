// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// The clock of a lamp: runs with the moments that it is given, and takes part in DST by itself.
///
/// It shows the same from one DST change that it knows to the next; how the night before the last change went,
/// it remembers. A clock that was never set shows no time.
struct LampClock: Sendable {
    /// The moment at which the clock showed ``anchorTime``.
    private var anchor: HostInstant
    /// Microseconds since 1970 in UTC, as far as the lamp knows.
    private var anchorTime: Int64
    /// The last change of DST that the clock has lived through, and the offset before it.
    private var last: (change: WallClock.Change, before: Int32)?
    /// The next change, as a moment.
    private var nextMoment: UnixTime?

    /// Whether it shows a time.
    private(set) var isSet: Bool
    /// The time zone and DST.
    private(set) var zone: LocalTimeInformation
    /// The next change of DST.
    private(set) var next: TimeWithDST
    /// What turns moments into times on the wall.
    private(set) var wall = WallClock.utc

    /// Starts a clock.
    ///
    /// - Parameters:
    ///   - reading: What it shows; `nil` when it was never set.
    ///   - now: The moment.
    init(_ reading: ClockReading?, at now: HostInstant) {
        anchor = now
        anchorTime = 0
        isSet = reading != nil
        zone = reading?.zone ?? .unknown
        next = reading?.next ?? .none
        if let reading { anchorTime = Self.microseconds(reading.time.wallSeconds - Int64(offset)) }
        rebuild(at: now)
    }

    /// The moment as the lamp knows it.
    func unix(at now: HostInstant) -> UnixTime {
        let time = microseconds(at: now)
        return UnixTime(seconds: time / 1_000_000 - (time % 1_000_000 < 0 ? 1 : 0))
    }

    /// What the clock on the wall shows; for one that was never set, from 1970 on.
    func time(at now: HostInstant) -> LocalTime { wall.time(at: unix(at: now)) }

    /// The value of «Current Time».
    func currentTime(at now: HostInstant) -> CurrentTime {
        guard isSet else { return CurrentTime(nil) }
        let fraction = (microseconds(at: now) % 1_000_000 + 1_000_000) % 1_000_000
        return CurrentTime(time(at: now), fractions: UInt8(fraction * 256 / 1_000_000))
    }

    /// When a moment comes; at once when it is past.
    func instant(of moment: UnixTime) -> HostInstant {
        let distance = Self.microseconds(moment.seconds).subtractingReportingOverflow(anchorTime)
        guard !distance.overflow else { return HostInstant(microseconds: .max) }
        return anchor.advanced(byMicroseconds: UInt64(max(0, distance.partialValue)))
    }

    /// When DST changes next.
    var nextDeadline: HostInstant? { nextMoment.map { instant(of: $0) } }

    // MARK: Changes

    /// Sets what the clock shows; the time zone stays.
    ///
    /// - Parameters:
    ///   - time: What it is to show.
    ///   - fractions: 256ths of a second more.
    ///   - now: The moment.
    mutating func set(_ time: LocalTime, fractions: UInt8 = 0, at now: HostInstant) {
        let seconds = time.wallSeconds - Int64(offset)
        anchor = now
        anchorTime = Self.microseconds(seconds) + Int64(fractions) * 1_000_000 / 256
        isSet = true
        if let last, seconds < last.change.at.seconds { self.last = nil }
        rebuild(at: now)
    }

    /// Sets the time zone and DST; what the clock shows stays.
    ///
    /// - Parameters:
    ///   - zone: The time zone and DST.
    ///   - now: The moment.
    mutating func set(_ zone: LocalTimeInformation, at now: HostInstant) {
        guard zone != self.zone else { return }
        let shown = microseconds(at: now) + Self.microseconds(Int64(offset))
        self.zone = zone
        last = nil
        anchor = now
        anchorTime = shown - Self.microseconds(Int64(offset))
        rebuild(at: now)
    }

    /// Sets the next change of DST.
    ///
    /// - Parameters:
    ///   - next: The change; one that is past never comes.
    ///   - now: The moment.
    mutating func set(_ next: TimeWithDST, at now: HostInstant) {
        self.next = next
        rebuild(at: now)
    }

    /// Changes to DST or back, if the time has come.
    ///
    /// - Parameter now: The moment.
    /// - Returns: Whether it has.
    mutating func advance(to now: HostInstant) -> Bool {
        guard let moment = nextMoment, moment <= unix(at: now) else { return false }
        let before = offset
        zone.dst = next.dst
        last = (WallClock.Change(at: moment, offset: offset), before)
        next = .none
        rebuild(at: now)
        return true
    }

    // MARK: Private

    /// Seconds east of UTC at the moment; what is not known counts as none.
    private var offset: Int32 { Int32(zone.zone ?? 0) * 900 + (zone.dst.seconds ?? 0) }

    private static func microseconds(_ seconds: Int64) -> Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : product
    }

    private func microseconds(at now: HostInstant) -> Int64 {
        let (sum, overflow) = anchorTime.addingReportingOverflow(
            Int64(clamping: now.microseconds(since: anchor)))
        return overflow ? .max : sum
    }

    /// A change that the clock was set past is none that it lives through.
    private mutating func rebuild(at now: HostInstant) {
        let moment = unix(at: now)
        let ahead = WallClock(zone, next: next).changes.filter { moment < $0.at }
        nextMoment = ahead.first?.at
        wall =
            if let last {
                WallClock(offset: last.before, changes: [last.change] + ahead)
            } else {
                WallClock(offset: offset, changes: ahead)
            }
    }
}
