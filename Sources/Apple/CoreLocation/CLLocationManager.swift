// SPDX-License-Identifier: Apache-2.0

public import Foundation
import PhoneSurroundings
import VirtualPhone

/// Asks whether an app may know where the phone is, and tells it.
///
/// Here a phone that stays where it is tells its place once, and again when it moves, not each second.
open class CLLocationManager: NSObject {
    /// What is told.
    open weak var delegate: (any CLLocationManagerDelegate)?
    /// What the locations are for.
    open var activityType = CLActivityType.other
    /// How far the phone has to move for the next location, in metres.
    open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
    /// How exact locations are to be, in metres.
    open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
    /// Whether the system may pause updates while the phone lies still.
    open var pausesLocationUpdatesAutomatically = true
    /// Whether the phone shows that the app knows where it is in the background.
    open var showsBackgroundLocationIndicator = false
    /// The last location that the app was told; before, where the phone is, if the app may know.
    open var location: CLLocation? {
        lastTold ?? locating.flatMap { $0.isAuthorized ? $0.location : nil }
    }

    let app: VirtualPhone.App?
    private var locating: Locating? { app.map { Locating(app: $0) } }
    private let thread = CallbackThread.current
    private let reference = WeakReference<CLLocationManager>()
    private var listener: Listener?
    private var told: CLAuthorizationStatus?
    private var toldAccuracy = CLAccuracyAuthorization.fullAccuracy
    private var lastTold: CLLocation?
    private var lastFar: CLLocation?
    private var updates = false
    private var isPaused = false
    private var wantsOne = false
    private var wantsFarMoves = false
    private var allowsBackground = false
    private var lastError: CLError.Code?

    /// Makes a manager; its delegate is told on this thread what the app may, soon.
    public override init() {
        app = VirtualPhone.App.current
        super.init()
        reference.set(self)
        guard let app else {
            Locating.missPhone("CLLocationManager")
            return
        }
        if !thread.isMain {
            FileHandle.standardError.write(
                Data(
                    "[CoreLocation] A CLLocationManager was made beside the main thread; its delegate is told only while the run loop of this thread runs.\n"
                        .utf8))
        }
        let (thread, reference) = (thread, reference)
        listener = Listener(app) { change in
            if change != .activity { thread.tell(app) { reference.object?.look(change) } }
        }
        thread.tell(app) { reference.object?.look(.permission) }
    }

    deinit { listener?.stop() }

    // MARK: What the app may

    /// Whether a person lets the app know where the phone is.
    open var authorizationStatus: CLAuthorizationStatus { locating?.status ?? .notDetermined }
    /// How exactly.
    open var accuracyAuthorization: CLAccuracyAuthorization { locating?.accuracy ?? .fullAccuracy }
    /// Whether widgets of the app may know it, which there are none of here.
    open var isAuthorizedForWidgetUpdates: Bool { false }

    /// Whether Location Services are switched on.
    open class func locationServicesEnabled() -> Bool {
        VirtualPhone.App.current?.phone.surroundings.isLocationOn ?? false
    }
    /// Whether the phone has a compass; it has none here.
    open class func headingAvailable() -> Bool { false }
    /// Whether far moves can be told.
    open class func significantLocationChangeMonitoringAvailable() -> Bool { VirtualPhone.App.current != nil }

    /// Asks a person for locations while the app is used, if nobody was asked yet.
    open func requestWhenInUseAuthorization() {
        guard let app else { return Locating.missPhone("requestWhenInUseAuthorization()") }
        app.record.askForLocation(always: false)
    }

    /// Asks a person for locations at any time, if nobody was asked yet or the app has them while it is used.
    open func requestAlwaysAuthorization() {
        guard let app else { return Locating.missPhone("requestAlwaysAuthorization()") }
        app.record.askForLocation(always: true)
    }

    /// Asks a person for exact locations for as long as the app is used.
    ///
    /// - Parameters:
    ///   - purposeKey: What for: a key of the app's Info.plist.
    ///   - completion: Called with an error when nobody could be asked.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        guard let app, let locating, locating.isAuthorized, app.isInForeground else {
            completion?(CLError(.promptDeclined))
            return
        }
        guard locating.accuracy == .reducedAccuracy else {
            completion?(nil)
            return
        }
        let thread = thread
        app.record.askForPrecision { thread.tell(app) { completion?(nil) } }
    }

    /// Whether locations go on in the background; the app's Info.plist must have the background mode.
    open var allowsBackgroundLocationUpdates: Bool {
        get { allowsBackground }
        set {
            if newValue, let app, !app.backgroundModes.contains(.location) {
                fatalError(
                    "allowsBackgroundLocationUpdates needs the background mode location: app.backgroundModes.insert(.location)"
                )
            }
            allowsBackground = newValue
            lookSoon()
        }
    }

    // MARK: Locations

    /// Tells the delegate from now on where the phone is.
    open func startUpdatingLocation() {
        guard app != nil else { return Locating.missPhone("startUpdatingLocation()") }
        (updates, isPaused, lastTold, lastError) = (true, false, nil, nil)
        lookSoon()
    }

    /// Tells it no more.
    open func stopUpdatingLocation() { (updates, isPaused) = (false, false) }

    /// Tells the delegate once where the phone is, or that it cannot be found out.
    open func requestLocation() {
        guard app != nil else { return Locating.missPhone("requestLocation()") }
        wantsOne = true
        lookSoon()
    }

    /// Tells the delegate whenever the phone has moved some 500 metres, and starts the app for it.
    open func startMonitoringSignificantLocationChanges() {
        guard let app else { return Locating.missPhone("startMonitoringSignificantLocationChanges()") }
        (wantsFarMoves, lastFar) = (true, nil)
        app.record.wantFarMoves(true)
        lookSoon()
    }

    /// Tells it no more.
    open func stopMonitoringSignificantLocationChanges() {
        wantsFarMoves = false
        app?.record.wantFarMoves(false)
    }

    private func lookSoon() {
        guard let app else { return }
        let reference = reference
        thread.tell(app) { reference.object?.look(.app) }
    }

    /// Something has changed: tells the delegate what is new for it; on the manager's thread.
    private func look(_ change: Listener.Change) {
        guard let app, let locating else { return }
        if change == .ended { return (updates, wantsOne, wantsFarMoves) = (false, false, false) }
        guard app.isRunning else { return }
        let isAwake = app.isInForeground || app.isAwake(for: [.central, .peripheral])
        if isAwake || mayKnowInBackground(app) { tellStatus(locating) }
        guard updates || wantsOne || wantsFarMoves else { return }
        switch locating.status {
        case .notDetermined: return
        case .denied, .restricted: return fail(.denied)
        default: break
        }
        let isFull = app.isInForeground || (updates && mayKnowInBackground(app))
        if !app.isInForeground, isFull || wantsFarMoves { app.record.confirmAlways() }
        guard let location = locating.location else {
            if isFull { fail(.locationUnknown) }
            return
        }
        lastError = nil
        var isNews = wantsOne && isFull
        if updates, isFull { isNews = isNewsForUpdates(location) || isNews }
        if wantsFarMoves, app.isInForeground || locating.status == .authorizedAlways {
            if (lastFar.map { $0.distance(from: location) >= 500 } ?? true) {
                (lastFar, isNews) = (location, true)
            }
        }
        guard isNews else { return }
        (lastTold, wantsOne) = (location, false)
        delegate?.locationManager(self, didUpdateLocations: [location])
    }

    private func isNewsForUpdates(_ location: CLLocation) -> Bool {
        guard let lastTold else { return true }
        let moved = lastTold.distance(from: location)
        if moved == 0 {
            return (lastTold.course, lastTold.speed, lastTold.altitude, lastTold.horizontalAccuracy)
                != (location.course, location.speed, location.altitude, location.horizontalAccuracy)
                && distanceFilter <= 0
        }
        return moved >= distanceFilter
    }

    /// Whether locations go on while the app is not on the screen.
    private func mayKnowInBackground(_ app: VirtualPhone.App) -> Bool {
        app.backgroundModes.contains(.location) && (allowsBackground || app.record.hasBackgroundSession)
    }

    private func tellStatus(_ locating: Locating) {
        let (status, accuracy) = (locating.status, locating.accuracy)
        guard told != status || toldAccuracy != accuracy else { return }
        (told, toldAccuracy) = (status, accuracy)
        delegate?.locationManagerDidChangeAuthorization(self)
    }

    private func fail(_ code: CLError.Code) {
        guard wantsOne || (updates && lastError != code) else { return }
        (lastError, wantsOne) = (code, false)
        delegate?.locationManager(self, didFailWithError: CLError(code))
    }
}
