// SPDX-License-Identifier: Apache-2.0

import Foundation
import PhoneSurroundings
import VirtualPhone

/// What an app may know of where its phone is.
struct Locating: Sendable {
    let app: VirtualPhone.App

    private var surroundings: Surroundings { app.phone.surroundings }

    /// What the app is told that it may.
    var status: CLAuthorizationStatus {
        guard surroundings.isLocationOn else { return .denied }
        return switch app.locationPermission {
        case .notAsked: .notDetermined
        case .restricted: .restricted
        case .denied: .denied
        case .whileUsing: .authorizedWhenInUse
        case .always: .authorizedAlways
        }
    }

    var isAuthorized: Bool { [.authorizedWhenInUse, .authorizedAlways].contains(status) }

    /// How exactly it may know.
    var accuracy: CLAccuracyAuthorization { app.isLocationPrecise ? .fullAccuracy : .reducedAccuracy }

    /// Where the phone is, as the app may know it; `nil` where the phone does not know.
    var location: CLLocation? {
        guard let place = surroundings.place else { return nil }
        let source = CLLocationSourceInformation(
            softwareSimulationState: true, andExternalAccessoryState: false)
        if accuracy == .fullAccuracy {
            return CLLocation(
                coordinate: .init(latitude: place.latitude, longitude: place.longitude),
                altitude: place.altitude, horizontalAccuracy: place.accuracy,
                verticalAccuracy: place.accuracy, course: place.course,
                courseAccuracy: place.course < 0 ? -1 : 5, speed: place.speed,
                speedAccuracy: place.speed < 0 ? -1 : 0.5, timestamp: surroundings.date, sourceInfo: source)
        }
        // The middle of a square of some kilometres, which does not tell where in it the phone is.
        let grid = { (degrees: Double) in (degrees / 0.05).rounded() * 0.05 }
        return CLLocation(
            coordinate: .init(latitude: grid(place.latitude), longitude: grid(place.longitude)), altitude: 0,
            horizontalAccuracy: kCLLocationAccuracyReduced, verticalAccuracy: -1, course: -1,
            courseAccuracy: -1, speed: -1, speedAccuracy: -1, timestamp: surroundings.date,
            sourceInfo: source)
    }

    /// Says on the standard error that something cannot be had without a phone.
    static func missPhone(_ what: String) {
        FileHandle.standardError.write(
            Data(
                "[CoreLocation] \(what): no app of a VirtualPhone runs here, so nobody is asked and no location comes. Use app.launch { … } or VirtualPhone.App.use(app).\n"
                    .utf8))
    }
}
