// SPDX-License-Identifier: Apache-2.0

public import Companion
import Foundation

extension Timestamp {
    /// The time of the system's clock.
    @Sendable public static func now() -> Timestamp { Timestamp(Date()) }
}
