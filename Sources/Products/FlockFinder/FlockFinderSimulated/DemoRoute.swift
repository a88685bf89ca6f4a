// SPDX-License-Identifier: Apache-2.0

package import Companion
package import Detections

/// Where the car of the demo is: on an oval around a former airfield, where no house stands.
package struct DemoRoute: Sendable {
    /// The speed of the simulated device's car, in metres a second.
    private static let speed = 13.75
    /// About the length of the oval, in metres.
    private static let length = 5180.0
    private static let center = (latitude: 52.4731, longitude: 13.4019)
    private static let radii = (latitude: 0.0055, longitude: 0.0150)

    /// When the car started.
    package let start: Timestamp

    package init(start: Timestamp) { self.start = start }

    /// Where the car is at a moment.
    package func position(at time: Timestamp) -> Position? {
        let seconds = Double(time.milliseconds - start.milliseconds) / 1000
        let angle = seconds * Self.speed / Self.length * 360
        return Position(
            latitude: Self.rounded(Self.center.latitude + Self.radii.latitude * Trigonometry.sine(angle)),
            longitude: Self.rounded(Self.center.longitude + Self.radii.longitude * Trigonometry.cosine(angle))
        )
    }

    /// Where the car is, and how it moves, as a receiver would say it.
    package func fix(at time: Timestamp) -> Fix? {
        guard let position = position(at: time),
            let ahead = self.position(at: Timestamp(milliseconds: time.milliseconds + 1000))
        else { return nil }
        // Over a second the Earth is flat.
        let north = ahead.latitude - position.latitude
        let east = (ahead.longitude - position.longitude) * Trigonometry.cosine(position.latitude)
        let course = Trigonometry.bearing(east: east, north: north).rounded()
        return Fix(
            time: time.milliseconds, latitude: position.latitude, longitude: position.longitude, accuracy: 3,
            speed: Self.speed, course: course == 360 ? 0 : course, source: .track)
    }

    /// Six digits behind the point are finer than any receiver.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1_000_000).rounded() / 1_000_000 }
}
