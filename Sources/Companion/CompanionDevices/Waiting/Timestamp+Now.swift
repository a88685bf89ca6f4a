// SPDX-License-Identifier: Apache-2.0

package import Companion
import Foundation

extension Timestamp {
    /// The time of the system's clock.
    @Sendable package static func now() -> Timestamp { Timestamp(Date()) }
}
