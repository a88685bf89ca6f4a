// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion

/// When something happens, by both clocks of a host.
package struct Moment: Hashable, Sendable {
    /// By a clock that nobody sets: what deadlines are measured by.
    package let now: HostInstant
    /// By the clock on the wall: what people are shown.
    package let time: Timestamp

    package init(_ now: HostInstant, _ time: Timestamp) { (self.now, self.time) = (now, time) }

    /// The first clock in milliseconds.
    package var ticks: Int64 { Int64(clamping: now.microseconds / 1000) }
}
