// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Who is told what a location manager learns; on the thread on which the manager was made.
///
/// Apple's is a protocol of Objective-C with optional requirements; here what is optional has a default that does
/// nothing. A class that conforms is written the same.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Says where the phone is now, the newest last.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    /// Says that it cannot be found out.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// Says what a person allows, once soon after the manager was made, and whenever that changes.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    /// The same, as it was before iOS 14; told only to those that do not have the newer method.
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
    /// Says that the system has paused updates, since the phone lies still.
    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
    /// Says that updates go on.
    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
}

extension CLLocationManagerDelegate {
    /// Says where the phone is now, the newest last.
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    /// Says that it cannot be found out.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    /// Says what a person allows, once soon after the manager was made, and whenever that changes.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }
    /// The same, as it was before iOS 14; told only to those that do not have the newer method.
    public func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {}
    /// Says that the system has paused updates, since the phone lies still.
    public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
    /// Says that updates go on.
    public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}
}
