// SPDX-License-Identifier: Apache-2.0

// Apple may add cases to its enums, so that apps have to write `@unknown default`, and have to here, where Swift knows how to say it.

/// Whether an app may know where the phone is.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CLAuthorizationStatus: Int32, Sendable {
    /// Nobody was asked yet.
    case notDetermined = 0
    /// Nobody here can allow it.
    case restricted = 1
    /// Somebody said no, or Location Services are switched off.
    case denied = 2
    /// At any time.
    case authorizedAlways = 3
    /// While the app is used.
    case authorizedWhenInUse = 4
}

/// How exactly an app may know where the phone is.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CLAccuracyAuthorization: Int, Sendable {
    /// Exactly.
    case fullAccuracy = 0
    /// To some kilometres.
    case reducedAccuracy = 1
}

/// What a location is wanted for.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CLActivityType: Int, Sendable {
    /// Something else.
    case other = 1
    /// To find the way in a car.
    case automotiveNavigation = 2
    /// A walk, a run, a ride.
    case fitness = 3
    /// To find the way on a boat, a train.
    case otherNavigation = 4
    /// In the air.
    case airborne = 5
}
