// SPDX-License-Identifier: Apache-2.0

import Foundation
import PhoneSurroundings
import Synchronization
import VirtualPhone

/// Where the phone is, or why that is not told.
public struct CLLocationUpdate: Sendable {
    /// What locations are wanted for.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LiveConfiguration: Sendable {
        /// Nothing special.
        case `default`
        /// To find the way in a car.
        case automotiveNavigation
        /// To find the way on a boat, a train.
        case otherNavigation
        /// A walk, a run, a ride.
        case fitness
        /// In the air.
        case airborne
    }

    /// Where the phone is; `nil` where that is not told.
    public internal(set) var location: CLLocation?
    /// Whether the phone lies still; there is no update then until it moves.
    public internal(set) var stationary = false
    /// The older name of ``stationary``.
    public var isStationary: Bool { stationary }
    /// Whether a person does not let the app know.
    public internal(set) var authorizationDenied = false
    /// Whether Location Services are switched off.
    public internal(set) var authorizationDeniedGlobally = false
    /// Whether nobody here can let the app know.
    public internal(set) var authorizationRestricted = false
    /// Whether a person is being asked.
    public internal(set) var authorizationRequestInProgress = false
    /// Whether the app is told no exact location.
    public internal(set) var accuracyLimited = false
    /// Whether the app would have to be on the screen.
    public internal(set) var insufficientlyInUse = false
    /// Whether the phone cannot find out.
    public internal(set) var locationUnavailable = false
    /// Whether the app would have to hold a ``CLServiceSession``.
    public internal(set) var serviceSessionRequired = false

    /// Has the phone tell where it is, from when the sequence is iterated until that ends.
    ///
    /// - Parameter configuration: What for.
    /// - Returns: The updates; an iteration that its task's cancellation ends gives `nil`.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        Updates(app: VirtualPhone.App.current)
    }

    /// Updates as they come.
    public struct Updates: AsyncSequence {
        /// An update.
        public typealias Element = CLLocationUpdate

        let app: VirtualPhone.App?

        /// Begins to tell.
        public func makeAsyncIterator() -> Iterator { Iterator(app) }

        /// Gives one update after another.
        public struct Iterator: AsyncIteratorProtocol {
            private let feed: ConditionFeed<CLLocationUpdate>?

            init(_ app: VirtualPhone.App?) {
                guard let app else {
                    feed = nil
                    Locating.missPhone("CLLocationUpdate.liveUpdates()")
                    return
                }
                feed = ConditionFeed(app, needs: .session(always: false), implicit: true) {
                    CLLocationUpdate(app)
                }
            }

            /// Waits for the next update.
            ///
            /// - Returns: The update; `nil` when the task is cancelled or there is no phone.
            public mutating func next() async throws -> CLLocationUpdate? { await feed?.next() }
        }
    }

    /// What there is to be told now; `nil` while the app sleeps.
    private init?(_ app: VirtualPhone.App) {
        let (locating, surroundings) = (Locating(app: app), app.phone.surroundings)
        let isInUse =
            app.isInForeground || app.record.hasBackgroundSession
            || (locating.status == .authorizedAlways && app.backgroundModes.contains(.location))
        guard app.isRunning, isInUse || app.isAwake(for: [.central, .peripheral]) else { return nil }
        let why = Reasons(app)
        authorizationDenied = why.denied
        authorizationDeniedGlobally = why.deniedGlobally
        authorizationRestricted = why.restricted
        authorizationRequestInProgress = why.asking
        serviceSessionRequired = why.sessionRequired
        insufficientlyInUse = why.insufficientlyInUse || (locating.isAuthorized && !isInUse)
        guard locating.isAuthorized, isInUse, !serviceSessionRequired else { return }
        if !app.isInForeground, !app.record.hasBackgroundSession { app.record.confirmAlways() }
        accuracyLimited = locating.accuracy == .reducedAccuracy
        location = locating.location
        locationUnavailable = location == nil
        stationary = location != nil && surroundings.activity.kinds.contains(.stationary)
    }
}

extension CLLocationUpdate: Told {
    /// Whether two updates say the same but for their time.
    static func isSame(_ a: Self, _ b: Self) -> Bool {
        a.flags == b.flags && a.numbers == b.numbers
    }

    private var flags: [Bool] {
        [
            stationary, authorizationDenied, authorizationDeniedGlobally, authorizationRestricted,
            authorizationRequestInProgress, accuracyLimited, insufficientlyInUse, locationUnavailable,
            serviceSessionRequired,
        ]
    }

    private var numbers: [Double]? {
        location.map {
            [$0.coordinate.latitude, $0.coordinate.longitude, $0.altitude, $0.course, $0.speed]
                + [$0.horizontalAccuracy]
        }
    }
}
