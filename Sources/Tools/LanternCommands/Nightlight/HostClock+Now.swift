// SPDX-License-Identifier: Apache-2.0

import Foundation
import Nightlight

extension HostClock {
    /// What this computer's clock shows, in its own time zone.
    static func reading() -> ClockReading { reading(.current, at: now()) }
}
