// SPDX-License-Identifier: Apache-2.0

package import Nightlight

extension ClockReading {
    /// What a clock on the wall shows, as it is written to a lamp, with the next change of DST that it knows of.
    ///
    /// - Parameters:
    ///   - wall: The clock.
    ///   - ahead: By how many seconds DST is ahead of standard time at that moment.
    ///   - now: The moment.
    package init(_ wall: WallClock, ahead: Int32, at now: UnixTime) {
        let offset = wall.offset(at: now)
        let information = LocalTimeInformation(offset: offset, ahead: ahead)
        var next = TimeWithDST.none
        if let change = wall.changes.first(where: { $0.at > now }), let standard = information.zone {
            let dst = DSTOffset(seconds: change.offset - Int32(standard) * 900)
            // As the clock shows it just before the change.
            let local = WallClock(offset: offset).time(at: change.at)
            if let dst { next = TimeWithDST(local, dst: dst) }
        }
        self.init(time: wall.time(at: now), zone: information, next: next)
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
