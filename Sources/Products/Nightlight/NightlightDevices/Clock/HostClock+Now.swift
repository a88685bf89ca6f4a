// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Nightlight

extension HostClock {
    /// What this computer's clock shows, in its own time zone.
    public static func reading() -> ClockReading { precise().reading }

    /// What this computer's clock shows, and the part of a second behind it, from 0 to 1.
    public static func precise() -> (reading: ClockReading, fraction: Double) {
        let seconds = Date().timeIntervalSince1970
        let whole = seconds.rounded(.down)
        return (reading(.current, at: UnixTime(seconds: Int64(whole))), seconds - whole)
    }
}
