// SPDX-License-Identifier: Apache-2.0

extension Surroundings {
    /// Where a phone is, as it would measure it.
    public struct Place: Hashable, Sendable {
        /// Degrees north.
        public var latitude: Double
        /// Degrees east.
        public var longitude: Double
        /// Metres above the sea.
        public var altitude: Double
        /// How far off the place may be, in metres.
        public var accuracy: Double
        /// Where the phone heads, in degrees from north; negative where that is not known.
        public var course: Double
        /// How fast, in metres a second; negative where that is not known.
        public var speed: Double

        /// Makes a place.
        ///
        /// - Parameters:
        ///   - latitude: Degrees north.
        ///   - longitude: Degrees east.
        ///   - altitude: Metres above the sea.
        ///   - accuracy: How far off it may be, in metres.
        ///   - course: Where the phone heads, in degrees from north; negative where that is not known.
        ///   - speed: How fast, in metres a second; negative where that is not known.
        public init(
            _ latitude: Double, _ longitude: Double, altitude: Double = 0, accuracy: Double = 5,
            course: Double = -1, speed: Double = -1
        ) {
            (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
            (self.accuracy, self.course, self.speed) = (accuracy, course, speed)
        }
    }

    /// Places, and when a phone gets to them.
    public struct Route: Hashable, Sendable {
        /// A place, and how long after the one before the phone is there.
        public struct Step: Hashable, Sendable {
            /// How long after the step before.
            public var after: Duration
            /// Where.
            public var place: Place

            /// Makes a step.
            ///
            /// - Parameters:
            ///   - after: How long after the step before.
            ///   - place: Where.
            public init(after: Duration, _ place: Place) { (self.after, self.place) = (after, place) }
        }

        /// The steps in order.
        public var steps: [Step]

        /// Makes a route of steps, as they were recorded.
        ///
        /// - Parameter steps: The steps in order.
        public init(_ steps: [Step]) { self.steps = steps }

        /// Makes a route along straight lines at one speed, with course and speed filled in.
        ///
        /// - Parameters:
        ///   - places: The corners; the phone is at the first at once.
        ///   - speed: Metres a second.
        ///   - interval: How often the phone measures where it is.
        public init(through places: [Place], at speed: Double, every interval: Duration = .seconds(1)) {
            precondition(speed > 0 && interval > .zero, "A route needs a speed and an interval above zero.")
            steps = []
            let stride =
                speed * (Double(interval.components.seconds) + Double(interval.components.attoseconds) / 1e18)
            for (from, to) in zip(places, places.dropFirst()) {
                let length = Earth.distance(from.latitude, from.longitude, to.latitude, to.longitude)
                let course = Earth.course(from.latitude, from.longitude, to.latitude, to.longitude)
                let count = max(1, Int((length / stride).rounded(.up)))
                for number in 0...count where number > 0 || steps.isEmpty {
                    let share = number == count ? 1 : Double(number) * stride / length
                    var place = number == count ? to : from
                    place.latitude = from.latitude + (to.latitude - from.latitude) * share
                    place.longitude = from.longitude + (to.longitude - from.longitude) * share
                    place.altitude = from.altitude + (to.altitude - from.altitude) * share
                    (place.course, place.speed) = (course, speed)
                    steps.append(Step(after: number == 0 ? .zero : interval, place))
                }
            }
        }
    }
}
