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
    static func place(
        _ position: Position, accuracy: Double?, _ units: HubSettings.Units
    ) -> LocalizedStringKey {
        let degrees = FloatingPointFormatStyle<Double>.number.precision(.fractionLength(5)).grouping(.never)
        let (latitude, longitude) = (position.latitude, position.longitude)
        guard let accuracy else {
            return "\(latitude, format: degrees), \(longitude, format: degrees)"
        }
        let metres = Measurement(value: accuracy, unit: UnitLength.meters)
        return switch units {
        case .metric:
            "\(latitude, format: degrees), \(longitude, format: degrees) ±\(metres.value, format: whole) m"
        case .imperial:
            "\(latitude, format: degrees), \(longitude, format: degrees) ±\(metres.converted(to: .feet).value, format: whole) ft"
        }
    }

    static func speed(_ speed: Double, _ units: HubSettings.Units) -> LocalizedStringKey {
        let measured = Measurement(value: speed, unit: UnitSpeed.metersPerSecond)
        return switch units {
        case .metric: "\(measured.converted(to: .kilometersPerHour).value, format: whole) km/h"
        case .imperial: "\(measured.converted(to: .milesPerHour).value, format: whole) mph"
        }
    }

    private static var whole: FloatingPointFormatStyle<Double> { .number.precision(.fractionLength(0)) }

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
