// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

// What people read is in their own time zone; scripts get UTC.
extension Timestamp {
    /// The local time of day: `18:30:59`.
    package var clock: String {
        let parts = localParts
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.twoDigits).joined(separator: ":")
    }

    /// The local date and time of day: `2026-11-21 18:30:59`.
    package var localText: String {
        let parts = localParts
        let date = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map(Self.twoDigits)
        return date.joined(separator: "-") + " " + clock
    }

    private var localParts: tm {
        var parts = tm()
        var seconds = time_t(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
        unsafe localtime_r(&seconds, &parts)
        return parts
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
