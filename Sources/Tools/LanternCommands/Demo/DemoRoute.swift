// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

/// Where the car of the demo is: on an oval around a former airfield, where no house stands.
struct DemoRoute: Sendable {
    /// The speed of the simulated device's car, in metres a second.
    private static let speed = 13.75
    /// About the length of the oval, in metres.
    private static let length = 5180.0
    private static let center = (latitude: 52.4731, longitude: 13.4019)
    private static let radii = (latitude: 0.0055, longitude: 0.0150)

    /// When the car started.
    let start: Timestamp

    /// Where the car is at a moment.
    func position(at time: Timestamp) -> Position? {
        let seconds = Double(time.milliseconds - start.milliseconds) / 1000
        let angle = seconds * Self.speed / Self.length * 2 * .pi
        return Position(
            latitude: Self.rounded(Self.center.latitude + Self.radii.latitude * sin(angle)),
            longitude: Self.rounded(Self.center.longitude + Self.radii.longitude * cos(angle)))
    }

    /// Six digits behind the point are finer than any receiver.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1_000_000).rounded() / 1_000_000 }
}
