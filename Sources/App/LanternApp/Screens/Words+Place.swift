// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

// Where the phone is, in words; numbers and units by the locale.
extension Words {
    static func condition(_ condition: PhonePlace.Condition) -> String? {
        switch condition {
        case .off: nil
        case .asking: String(localized: "Waiting for your answer …")
        case .refused(everyApp: true):
            String(localized: "Location Services are off. Turn them on in Settings, under Privacy.")
        case .refused(everyApp: false):
            String(localized: "Lantern may not see where the phone is. Allow it in Settings.")
        case .searching: String(localized: "No fix yet")
        case .known(isRough: true):
            String(localized: "Only roughly known, as you have set it. Detections are some kilometres off.")
        case .known(isRough: false): String(localized: "Known")
        case .failed(let reason): reason
        }
    }

    /// Degrees, and how far off they may be.
    static func place(_ position: Position, accuracy: Double?) -> String {
        func degrees(_ value: Double) -> String {
            value.formatted(.number.precision(.fractionLength(5)).grouping(.never))
        }
        let place = "\(degrees(position.latitude)), \(degrees(position.longitude))"
        guard let accuracy else { return place }
        return "\(place) ±\(Int(accuracy.rounded())) m"
    }

    static func speed(_ speed: Double, _ units: HubSettings.Units) -> String {
        let measured = Measurement(value: speed, unit: UnitSpeed.metersPerSecond)
        let wanted = measured.converted(to: units == .metric ? .kilometersPerHour : .milesPerHour)
        return "\(Int(wanted.value.rounded())) \(wanted.unit.symbol)"
    }

    /// One of eight winds.
    static func heading(_ degrees: Double) -> String {
        let winds = [
            String(localized: "North"), String(localized: "Northeast"), String(localized: "East"),
            String(localized: "Southeast"), String(localized: "South"), String(localized: "Southwest"),
            String(localized: "West"), String(localized: "Northwest"),
        ]
        return winds[Int((degrees / 45).rounded()) & 7]
    }

    static func activity(_ activity: PhonePlace.Activity) -> String {
        switch activity {
        case .stationary: String(localized: "Standing still")
        case .walking: String(localized: "Walking")
        case .running: String(localized: "Running")
        case .cycling: String(localized: "Cycling")
        case .driving: String(localized: "Driving")
        }
    }
}
