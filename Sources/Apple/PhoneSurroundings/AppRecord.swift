// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Synchronization
public import VirtualPhone

/// What a person has let an app know and do.
package final class AppRecord: Sendable {
    private struct State {
        var location = VirtualPhone.App.LocationPermission.notAsked
        /// Allowed until the app leaves the screen.
        var isOnce = false
        /// Told to the app as always, and to be confirmed when it is first used in the background.
        var isProvisional = false
        /// Always can be asked for once.
        var hasAskedAlways = false
        var isPrecise = true
        var isPreciseForNow = false
        var requiresSession = false
        var sessions = 0
        var backgroundSessions = 0
        var motion = VirtualPhone.App.Permission.notAsked
        /// Far moves start the app again.
        var wantsFarMoves = false
        var farFrom: Surroundings.Place?
        var notifications = VirtualPhone.App.NotificationPermission.notAsked
        var badge = 0
    }

    let app: VirtualPhone.App
    private var surroundings: Surroundings { app.phone.surroundings }
    private let state = Mutex(State())

    init(_ app: VirtualPhone.App) { self.app = app }

    // MARK: Location

    /// What a person has allowed, and not the switch of the phone.
    package var location: VirtualPhone.App.LocationPermission {
        get { state.withLock { $0.location } }
        set {
            state.withLock { ($0.location, $0.isOnce, $0.isProvisional) = (newValue, false, false) }
            surroundings.tell(.permission)
        }
    }

    package var isPrecise: Bool {
        get { state.withLock { $0.isPrecise || $0.isPreciseForNow } }
        set {
            state.withLock { ($0.isPrecise, $0.isPreciseForNow) = (newValue, false) }
            surroundings.tell(.permission)
        }
    }

    package var requiresSession: Bool {
        get { state.withLock { $0.requiresSession } }
        set {
            state.withLock { $0.requiresSession = newValue }
            surroundings.tell(.permission)
        }
    }

    /// Asks for a location while the app is used, and provisionally always.
    package func askForLocation(always: Bool) {
        guard surroundings.isLocationOn, app.isInForeground else { return }
        switch location {
        case .notAsked:
            surroundings.ask(.location, for: app) { [self] answer in
                state.withLock { state in
                    guard state.location == .notAsked else { return }
                    state.isOnce = answer == .allowOnce
                    state.isProvisional = always && answer == .allow
                    state.location =
                        answer == .refuse ? .denied : state.isProvisional ? .always : .whileUsing
                }
                surroundings.tell(.permission)
            }
        case .whileUsing where always: askForAlways()
        default: break
        }
    }

    private func askForAlways() {
        let mayAsk = state.withLock { state in
            guard !state.isOnce, !state.hasAskedAlways else { return false }
            state.hasAskedAlways = true
            return true
        }
        guard mayAsk else { return }
        surroundings.ask(.locationAlways, for: app) { [self] answer in
            state.withLock { state in
                guard [.whileUsing, .always].contains(state.location) else { return }
                (state.location, state.isProvisional) = (answer == .refuse ? .whileUsing : .always, false)
            }
            surroundings.tell(.permission)
        }
    }

    /// The app learns where it is in the background: what was allowed provisionally is asked for now.
    package func confirmAlways() {
        if state.withLock({ $0.isProvisional }) { askForAlways() }
    }

    /// Asks for an exact location for a while.
    package func askForPrecision(answered: @escaping @Sendable () -> Void) {
        surroundings.ask(.preciseLocation, for: app) { [self] answer in
            if answer != .refuse { state.withLock { $0.isPreciseForNow = true } }
            surroundings.tell(.permission)
            answered()
        }
    }

    /// A session of the app has begun or ended.
    package func countSessions(_ difference: Int) {
        state.withLock { $0.sessions += difference }
        surroundings.tell(.permission)
    }

    /// Whether the app says by a session that it wants locations.
    package var hasSession: Bool { state.withLock { $0.sessions > 0 } }

    /// A background session of the app has begun or ended.
    package func countBackgroundSessions(_ difference: Int) {
        state.withLock { $0.backgroundSessions += difference }
        placeChanged()
        surroundings.tell(.permission)
    }

    /// Whether the app goes on in the background by a session.
    package var hasBackgroundSession: Bool {
        app.backgroundModes.contains(.location) && state.withLock { $0.backgroundSessions > 0 }
    }

    // MARK: Its place on the screen, and its end

    /// The app may have left the screen.
    func placeChanged() {
        guard !app.isInForeground else { return }
        let isOver = state.withLock { state in
            state.isPreciseForNow = false
            guard state.isOnce, state.backgroundSessions == 0 else { return false }
            (state.isOnce, state.location) = (false, .notAsked)
            return true
        }
        if isOver { surroundings.tell(.permission) }
    }

    func appEnded(isRestorable: Bool) {
        state.withLock { state in
            (state.sessions, state.backgroundSessions) = (0, 0)
            if !isRestorable { state.wantsFarMoves = false }
        }
        placeChanged()
    }

    // MARK: Far moves

    /// The app wants to be started when the phone has moved far, even after the system has ended it.
    package func wantFarMoves(_ isWanted: Bool) {
        let place = surroundings.place
        state.withLock { state in
            state.wantsFarMoves = isWanted
            state.farFrom = place
        }
        surroundings.follow(self, isWanted)
    }

    /// The phone has moved: the system starts the app if it was ended, and that far from where it was.
    func moved() {
        guard !app.isRunning, location == .always, let place = surroundings.place else { return }
        let isFar = state.withLock { state in
            guard state.wantsFarMoves else { return false }
            guard let from = state.farFrom else { return true }
            return Earth.distance(from.latitude, from.longitude, place.latitude, place.longitude) >= 500
        }
        guard isFar else { return }
        state.withLock { $0.farFrom = place }
        app.wakeUp()
    }

    // MARK: Notifications

    package var notifications: VirtualPhone.App.NotificationPermission {
        get { state.withLock { $0.notifications } }
        set { state.withLock { $0.notifications = newValue } }
    }

    package var badge: Int {
        get { state.withLock { $0.badge } }
        set { state.withLock { $0.badge = newValue } }
    }

    // MARK: Motion

    package var motion: VirtualPhone.App.Permission {
        get { state.withLock { $0.motion } }
        set {
            state.withLock { $0.motion = newValue }
            surroundings.tell(.permission)
        }
    }

    /// Asks whether the app may know how the phone is moved.
    package func askForMotion() {
        guard motion == .notAsked, app.isInForeground else { return }
        surroundings.ask(.motion, for: app) { [self] answer in
            if motion == .notAsked { motion = answer == .refuse ? .denied : .allowed }
        }
    }
}

extension VirtualPhone.App {
    /// Whether an app may know where the phone is.
    public enum LocationPermission: Hashable, Sendable {
        /// Nobody was asked yet.
        case notAsked
        /// The phone does not let a person allow it.
        case restricted
        case denied
        case whileUsing
        case always
    }

    /// Whether an app may show notifications.
    public enum NotificationPermission: Hashable, Sendable {
        /// Nobody was asked yet.
        case notAsked
        case denied
        case allowed
        /// Quietly, until a person has said more.
        case provisional
    }

    package var record: AppRecord { parts.part { AppRecord(self) } }

    /// Whether a person lets it know where the phone is; a change tells the app, as one in Settings does.
    public var locationPermission: LocationPermission {
        get { record.location }
        set { record.location = newValue }
    }

    /// Whether a person lets it know that exactly; yes, if nothing else is said.
    public var isLocationPrecise: Bool {
        get { record.isPrecise }
        set { record.isPrecise = newValue }
    }

    /// Whether a person lets it know how the phone is moved.
    public var motionPermission: Permission {
        get { record.motion }
        set { record.motion = newValue }
    }

    /// Whether a person lets it show notifications.
    public var notificationPermission: NotificationPermission {
        get { record.notifications }
        set { record.notifications = newValue }
    }

    /// The number at its icon; 0 is none.
    public var badge: Int { record.badge }

    /// Whether its Info.plist has `NSLocationRequireExplicitServiceSession`; no, if nothing else is said.
    public var requiresServiceSession: Bool {
        get { record.requiresSession }
        set { record.requiresSession = newValue }
    }
}

extension VirtualPhone.App.BackgroundModes {
    /// `location`: learning where the phone is.
    ///
    /// It has to be set, unlike those of Bluetooth.
    public static let location = Self(rawValue: 4)
}
