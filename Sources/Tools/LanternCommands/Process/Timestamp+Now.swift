// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

extension Timestamp {
    /// The time of the system's clock.
    @Sendable static func now() -> Timestamp { Timestamp(Date()) }
}
