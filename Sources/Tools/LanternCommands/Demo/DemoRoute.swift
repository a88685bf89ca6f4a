// SPDX-License-Identifier: Apache-2.0

import Companion
import FlockFinder
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

    /// Where the car is, and how it moves, as a receiver would say it.
    func fix(at time: Timestamp) -> Fix? {
        guard let position = position(at: time),
            let ahead = self.position(at: Timestamp(milliseconds: time.milliseconds + 1000))
        else { return nil }
        // Over a second the Earth is flat.
        let north = ahead.latitude - position.latitude
        let east = (ahead.longitude - position.longitude) * cos(position.latitude * .pi / 180)
        let course = (atan2(east, north) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360).rounded()
        return Fix(
            time: time.milliseconds, latitude: position.latitude, longitude: position.longitude, accuracy: 3,
            speed: Self.speed, course: course, source: .track)
    }

    /// Six digits behind the point are finer than any receiver.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1_000_000).rounded() / 1_000_000 }
}
