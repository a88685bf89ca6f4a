// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import CoreLocation
import CoreMotion
import Detections
public import Observation

/// Where the phone is and how it is moved, given to the hub as it gets places from gpsd elsewhere.
///
/// The person is asked for permission when the hub is to take its places from here, and not before.
@MainActor @Observable public final class PhonePlace {
    /// How far it is with that.
    public enum Condition: Hashable, Sendable {
        /// Nobody wants to know.
        case off
        /// The person is being asked.
        case asking
        /// The person does not allow it: this app, or any.
        case refused(everyApp: Bool)
        /// The phone does not know yet.
        case searching
        /// It is known, to some kilometres where that is all that the person allows.
        case known(isRough: Bool)
        /// The phone cannot say, and why.
        case failed(String)
    }

    /// How the phone is moved, as it feels it.
    public enum Activity: Hashable, Sendable {
        case stationary, walking, running, cycling, driving
    }

    /// How far it is.
    public private(set) var condition = Condition.off
    /// How the phone is moved; `nil` when it cannot feel that or may not say so.
    public private(set) var activity: Activity?

    @ObservationIgnored private let repetition: Duration
    @ObservationIgnored private let receive: @Sendable (Fix) -> Void
    @ObservationIgnored private let wishes: AsyncStream<Bool>
    @ObservationIgnored private let wish: AsyncStream<Bool>.Continuation
    @ObservationIgnored private var isWanted = false

    /// Makes one that does nothing yet.
    ///
    /// - Parameters:
    ///   - repetition: How often a place is told again while the phone stands still: the hub takes one that is ten seconds old for lost.
    ///   - receive: Takes places.
    init(repetition: Duration = .seconds(4), receive: @escaping @Sendable (Fix) -> Void) {
        (self.repetition, self.receive) = (repetition, receive)
        (wishes, wish) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Says whether somebody wants to know.
    func want(_ isWanted: Bool) {
        guard isWanted != self.isWanted else { return }
        self.isWanted = isWanted
        wish.yield(isWanted)
    }

    /// Works until the task is cancelled.
    func run() async {
        var work: Task<Void, Never>?
        for await isWanted in wishes {
            work?.cancel()
            await work?.value
            work = isWanted ? Task { await listen() } : nil
        }
        work?.cancel()
        await work?.value
    }

    private func listen() async {
        condition = .searching
        // Asks the person, if nobody did yet; the second keeps places coming while another app is on the screen.
        let session = CLServiceSession(authorization: .whenInUse)
        let background = CLBackgroundActivitySession()
        let motion = CMMotionActivityManager()
        if CMMotionActivityManager.isActivityAvailable() {
            motion.startActivityUpdates(to: .main) { [weak self] activity in
                let felt = activity.flatMap(Activity.init)
                Task { @MainActor in self?.activity = felt }
            }
        }
        var repeating: Task<Void, Never>?
        do {
            for try await update in CLLocationUpdate.liveUpdates(.automotiveNavigation) {
                repeating?.cancel()
                repeating = take(update)
            }
            condition = .off
        } catch {
            condition = Task.isCancelled ? .off : .failed(error.localizedDescription)
        }
        repeating?.cancel()
        motion.stopActivityUpdates()
        background.invalidate()
        session.invalidate()
        activity = nil
    }

    /// Takes what the phone says.
    ///
    /// - Returns: What tells a place again that stays as it is, and would say nothing more.
    private func take(_ update: CLLocationUpdate) -> Task<Void, Never>? {
        if update.authorizationDeniedGlobally {
            condition = .refused(everyApp: true)
        } else if update.authorizationDenied || update.authorizationRestricted {
            condition = .refused(everyApp: false)
        } else if update.authorizationRequestInProgress {
            condition = .asking
        } else if let location = update.location {
            condition = .known(isRough: update.accuracyLimited)
            receive(Fix(location, at: location.timestamp))
            return update.stationary ? repeating(location) : nil
        } else {
            condition = .searching
        }
        return nil
    }

    private func repeating(_ location: CLLocation) -> Task<Void, Never> {
        Task { [repetition, receive] in
            while true {
                do { try await Task.sleep(for: repetition) } catch { return }
                receive(Fix(location, at: Date()))
            }
        }
    }
}

extension PhonePlace.Activity {
    /// The same in our words; `nil` for one that is not known or not sure.
    init?(_ activity: CMMotionActivity) {
        guard activity.confidence != .low else { return nil }
        if activity.automotive {
            self = .driving
        } else if activity.cycling {
            self = .cycling
        } else if activity.running {
            self = .running
        } else if activity.walking {
            self = .walking
        } else if activity.stationary {
            self = .stationary
        } else {
            return nil
        }
    }
}

extension Fix {
    /// The same for the hub; what Core Location says is negative is not known.
    init(_ location: CLLocation, at date: Date) {
        self.init(
            time: Int64((date.timeIntervalSince1970 * 1000).rounded()),
            latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
            altitude: location.verticalAccuracy > 0 ? location.altitude : nil,
            accuracy: location.horizontalAccuracy >= 0 ? location.horizontalAccuracy : nil,
            altitudeAccuracy: location.verticalAccuracy > 0 ? location.verticalAccuracy : nil,
            speed: location.speed >= 0 ? location.speed : nil,
            course: location.course >= 0 ? location.course : nil, source: .browser)
    }
}
