// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import BLEWire
import BluetoothLE
import CoreLocation
import VirtualPhone

// An app as iPhones have it: nothing here knows that this is Linux.

/// Writes down where it is.
@MainActor
final class Walker: NSObject, CLLocationManagerDelegate {
    let manager = CLLocationManager()
    nonisolated let diary = Diary()

    override init() {
        super.init()
        manager.delegate = self
    }

    /// Has it do something, as a button of the app would.
    func with(_ body: @Sendable @MainActor (CLLocationManager) -> Void) { body(manager) }

    nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        MainActor.assumeIsolated {
            diary.add(
                "may \(self.manager.authorizationStatus) \(self.manager.accuracyAuthorization)")
        }
    }

    nonisolated func locationManager(
        _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
        for one in locations {
            diary.add("at \(one.coordinate.latitude) \(one.coordinate.longitude) \(one.speed)")
        }
    }

    nonisolated func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        diary.add("failed \((error as? CLError).map { "\($0.code)" } ?? "\(error)")")
    }
}

extension VirtualPhone {
    static func make(on air: TestAir, _ address: BluetoothAddress = "C0:AA:00:00:00:01") async throws
        -> VirtualPhone
    { VirtualPhone(name: "\(address)", radio: try await air.radio(address)) }
}
