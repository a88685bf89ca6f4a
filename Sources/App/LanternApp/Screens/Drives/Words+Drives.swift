// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

// Drives in words; numbers, units and times by the locale.
extension Words {
    /// Its day, and when it began and ended.
    static func times(_ drive: Drive) -> String {
        let day = drive.begin.date.formatted(date: .abbreviated, time: .omitted)
        let begin = drive.begin.date.formatted(date: .omitted, time: .shortened)
        let end = drive.end.date.formatted(date: .omitted, time: .shortened)
        return String(localized: "\(day), \(begin) to \(end)")
    }

    static func duration(_ drive: Drive) -> String {
        let minutes = max(0, drive.end.milliseconds - drive.begin.milliseconds) / 60_000
        return minutes < 60
            ? String(localized: "\(minutes) min")
            : String(localized: "\(minutes / 60) h \(minutes % 60) min")
    }

    /// How long a way is.
    static func length(_ metres: Double, _ units: HubSettings.Units) -> String {
        func text(_ value: Double, _ digits: Int, _ unit: String) -> String {
            "\(value.formatted(.number.precision(.fractionLength(digits)))) \(unit)"
        }
        switch units {
        case .metric:
            return metres < 1000 ? text(metres, 0, "m") : text(metres / 1000, 1, "km")
        case .imperial:
            let feet = metres / 0.3048
            return feet < 1000 ? text(feet, 0, "ft") : text(feet / 5280, 1, "mi")
        }
    }

    /// Why no drive goes on yet, though one is wanted.
    static func waiting(_ condition: PhonePlace.Condition) -> String {
        if case .known = condition {
            return String(localized: "The drive begins when you are 50 m away from here.")
        }
        return Words.condition(condition) ?? ""
    }
}
