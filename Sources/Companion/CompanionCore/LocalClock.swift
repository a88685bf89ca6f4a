// SPDX-License-Identifier: Apache-2.0

package import Companion
package import Nightlight
import NightlightCompanion

/// The clock of the place where the host is, as it is written to a lamp.
package struct LocalClock: Sendable {
    /// What its time zone is called, where that is known.
    package var name: String?
    package var wall: WallClock
    /// The offset of standard time, in seconds.
    package var standardOffset: Int32

    package init(name: String? = nil, _ wall: WallClock = .utc, standardOffset: Int32 = 0) {
        (self.name, self.wall, self.standardOffset) = (name, wall, standardOffset)
    }

    /// How far it is ahead of UTC, in seconds.
    package func offset(at time: Timestamp) -> Int32 {
        wall.offset(at: UnixTime(seconds: time.milliseconds / 1000))
    }

    /// What it shows, and the part of a second behind that.
    package func reading(at time: Timestamp) -> (host: ClockReading, fraction: Double) {
        let moment = UnixTime(seconds: time.milliseconds / 1000)
        let ahead = offset(at: time) - standardOffset
        return (ClockReading(wall, ahead: max(0, ahead), at: moment), Double(time.milliseconds % 1000) / 1000)
    }
}
