// SPDX-License-Identifier: Apache-2.0

public import Foundation
import PhoneSurroundings

/// Something that the phone has felt, and when.
open class CMLogItem: NSObject, NSCopying {
    /// Seconds since the phone was started.
    public let timestamp: TimeInterval

    init(timestamp: TimeInterval) { self.timestamp = timestamp }

    /// The same, since it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// How sure the phone is of an activity.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CMMotionActivityConfidence: Int, Sendable {
    /// Not very.
    case low = 0
    /// Somewhat.
    case medium = 1
    /// Very.
    case high = 2
}

/// How a phone is moved; several may be so at once, and none where nothing is known.
open class CMMotionActivity: CMLogItem {
    /// How sure the phone is.
    public let confidence: CMMotionActivityConfidence
    /// Since when.
    public let startDate: Date
    /// Whether it cannot tell.
    public let unknown: Bool
    /// Whether it lies still.
    public let stationary: Bool
    /// Whether a person walks with it.
    public let walking: Bool
    /// Whether a person runs with it.
    public let running: Bool
    /// Whether it is in a car.
    public let automotive: Bool
    /// Whether it is on a bicycle.
    public let cycling: Bool

    init(_ activity: Surroundings.Activity, since start: Date, timestamp: TimeInterval) {
        startDate = start
        confidence =
            switch activity.confidence {
            case .low: .low
            case .medium: .medium
            case .high: .high
            }
        unknown = activity.kinds.contains(.unknown)
        stationary = activity.kinds.contains(.stationary)
        walking = activity.kinds.contains(.walking)
        running = activity.kinds.contains(.running)
        automotive = activity.kinds.contains(.automotive)
        cycling = activity.kinds.contains(.cycling)
        super.init(timestamp: timestamp)
    }
}

/// Whether an app may know how the phone is moved.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CMAuthorizationStatus: Int, Sendable {
    /// Nobody was asked yet.
    case notDetermined = 0
    /// Nobody here can allow it.
    case restricted = 1
    /// Somebody said no.
    case denied = 2
    /// Somebody said yes.
    case authorized = 3
}
