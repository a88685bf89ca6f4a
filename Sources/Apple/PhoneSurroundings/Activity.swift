// SPDX-License-Identifier: Apache-2.0

extension Surroundings {
    /// How a phone is moved, as it feels it.
    public struct Activity: Hashable, Sendable {
        /// A way of moving.
        public enum Kind: Hashable, Sendable {
            case stationary
            case walking
            case running
            case cycling
            case automotive
            case unknown
        }

        /// How sure the phone is.
        public enum Confidence: Int, Sendable {
            case low
            case medium
            case high
        }

        /// The ways; a car that waits is stationary and automotive at once, and nothing is known where there is none.
        public var kinds: Set<Kind>
        /// How sure the phone is.
        public var confidence: Confidence

        /// Makes an activity.
        ///
        /// - Parameters:
        ///   - kinds: The ways of moving.
        ///   - confidence: How sure the phone is.
        public init(_ kinds: Set<Kind>, confidence: Confidence = .high) {
            (self.kinds, self.confidence) = (kinds, confidence)
        }

        /// The phone lies still.
        public static let stationary = Self([.stationary])
        /// A person walks with it.
        public static let walking = Self([.walking])
        /// A person runs with it.
        public static let running = Self([.running])
        /// It is on a bicycle.
        public static let cycling = Self([.cycling])
        /// It is in a car that drives.
        public static let automotive = Self([.automotive])
        /// It cannot tell.
        public static let unknown = Self([.unknown], confidence: .low)
    }
}
