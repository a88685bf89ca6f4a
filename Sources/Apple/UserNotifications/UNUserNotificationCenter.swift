// SPDX-License-Identifier: Apache-2.0

public import Foundation
import PhoneSurroundings
import VirtualPhone

/// Shows an app's notifications, and asks a person whether it may.
open class UNUserNotificationCenter: NSObject {
    /// Guards what the app's threads and the phone's clock both see.
    let lock = NSLock()
    let app: VirtualPhone.App?
    private weak var told: (any UNUserNotificationCenterDelegate)?
    private var asked: UNAuthorizationOptions = []
    private var categories: Set<UNNotificationCategory> = []
    private var pending: [Pending] = []
    private var delivered: [UNNotification] = []
    /// What a person has done while nobody was there to be told.
    private var responses: [UNNotificationResponse] = []

    private struct Pending {
        let request: UNNotificationRequest
        let timer: Task<Void, Never>
    }

    init(_ app: VirtualPhone.App?) { self.app = app }

    /// The center of the app.
    open class func current() -> UNUserNotificationCenter {
        guard let app = VirtualPhone.App.current else {
            FileHandle.standardError.write(
                Data(
                    "[UserNotifications] No app of a VirtualPhone runs here, so nothing can be shown. Use app.launch { … } or VirtualPhone.App.use(app).\n"
                        .utf8))
            return UNUserNotificationCenter(nil)
        }
        // One for each app, which guards itself by its lock.
        return app.parts.part { Carried(UNUserNotificationCenter(app)) }.value
    }

    /// Who decides about notifications, and is told of them.
    open weak var delegate: (any UNUserNotificationCenterDelegate)? {
        get { lock.withLock { told } }
        set {
            let waiting = lock.withLock {
                told = newValue
                defer { if newValue != nil { responses = [] } }
                return newValue == nil ? [] : responses
            }
            for response in waiting { tell(response) }
        }
    }

    /// Whether the app can bring views of its own, which it cannot here.
    open var supportsContentExtensions: Bool { false }

    // MARK: What the app may

    /// Asks a person whether the app may show notifications, if nobody was asked yet.
    ///
    /// - Parameters:
    ///   - options: What the app wants to do.
    ///   - completionHandler: Called with whether it may.
    open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        guard let app else { return completionHandler(false, UNError(.notificationsNotAllowed)) }
        lock.withLock { asked.formUnion(options) }
        switch app.notificationPermission {
        case .allowed: app.tell(on: .global()) { completionHandler(true, nil) }
        case .provisional where options.contains(.provisional):
            app.tell(on: .global()) { completionHandler(true, nil) }
        case .denied: app.tell(on: .global()) { completionHandler(false, nil) }
        case .notAsked where options.contains(.provisional):
            app.notificationPermission = .provisional
            app.tell(on: .global()) { completionHandler(true, nil) }
        case .notAsked, .provisional:
            app.phone.surroundings.ask(.notifications, for: app) { answer in
                app.notificationPermission = answer == .refuse ? .denied : .allowed
                app.tell(on: .global()) { completionHandler(answer != .refuse, nil) }
            }
        }
    }

    /// Asks a person whether the app may show notifications, if nobody was asked yet.
    ///
    /// - Parameter options: What the app wants to do.
    /// - Returns: Whether it may.
    /// - Throws: ``UNError`` when nobody can be asked.
    nonisolated(nonsending) open func requestAuthorization(
        options: UNAuthorizationOptions = []
    ) async throws -> Bool {
        try await withCheckedThrowingContinuation { answer in
            requestAuthorization(options: options) { isAllowed, error in
                if let error { return answer.resume(throwing: error) }
                answer.resume(returning: isAllowed)
            }
        }
    }

    /// What a person has set.
    ///
    /// - Returns: The settings.
    nonisolated(nonsending) open func notificationSettings() async -> UNNotificationSettings { settings }

    /// What a person has set.
    ///
    /// - Parameter completionHandler: Called with the settings.
    open func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        let settings = Carried(settings)
        answer { completionHandler(settings.value) }
    }

    private var settings: UNNotificationSettings {
        let status: UNAuthorizationStatus =
            switch app?.notificationPermission {
            case .denied: .denied
            case .allowed: .authorized
            case .provisional: .provisional
            case .notAsked, nil: .notDetermined
            }
        return UNNotificationSettings(status, lock.withLock { asked })
    }

    func answer(_ body: @escaping @Sendable () -> Void) {
        guard let app else { return body() }
        app.tell(on: .global(), body)
    }

    // MARK: Kinds

    /// Says what kinds of notifications there are, instead of what was said before.
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        lock.withLock { self.categories = categories }
    }

    /// The kinds of notifications.
    ///
    /// - Returns: What was set.
    nonisolated(nonsending) open func notificationCategories() async -> Set<UNNotificationCategory> {
        lock.withLock { categories }
    }

    /// The kinds of notifications.
    ///
    /// - Parameter completionHandler: Called with what was set.
    open func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        let categories = Carried(lock.withLock { self.categories })
        answer { completionHandler(categories.value) }
    }

    func category(_ identifier: String) -> UNNotificationCategory? {
        lock.withLock { categories.first { $0.identifier == identifier } }
    }

    // MARK: Those that wait, and those that were shown

    var waiting: [UNNotificationRequest] { lock.withLock { pending.map(\.request) } }
    var shown: [UNNotification] { lock.withLock { delivered } }

    /// Whether the app has asked for something.
    func wants(_ option: UNAuthorizationOptions) -> Bool { lock.withLock { asked.contains(option) } }

    /// A notification waits, instead of one of the same name.
    func wait(_ request: UNNotificationRequest, _ timer: Task<Void, Never>) {
        removeWaiting([request.identifier])
        lock.withLock { pending.append(Pending(request: request, timer: timer)) }
    }

    /// Takes one that waits, whose time has come; `nil` when it does no longer.
    func take(_ identifier: String) -> UNNotificationRequest? {
        lock.withLock {
            guard let index = pending.firstIndex(where: { $0.request.identifier == identifier }) else {
                return nil
            }
            return pending.remove(at: index).request
        }
    }

    func removeWaiting(_ identifiers: [String]?) {
        let removed = lock.withLock {
            let removed = pending.filter { identifiers?.contains($0.request.identifier) != false }
            pending.removeAll { identifiers?.contains($0.request.identifier) != false }
            return removed
        }
        for one in removed { one.timer.cancel() }
    }

    func list(_ notification: UNNotification) {
        lock.withLock {
            delivered.removeAll { $0.request.identifier == notification.request.identifier }
            delivered.append(notification)
        }
    }

    func removeShown(_ identifiers: [String]?) {
        lock.withLock { delivered.removeAll { identifiers?.contains($0.request.identifier) != false } }
    }

    // MARK: What a person does

    /// Tells the app what a person has done, as soon as it has somebody to be told.
    func tell(_ response: UNNotificationResponse) {
        guard let app else { return }
        // They are used on the main queue alone.
        let all = Carried((self, response))
        guard app.isRunning, delegate != nil else {
            lock.withLock { responses.append(response) }
            return
        }
        app.tell {
            let (center, response) = all.value
            guard let delegate = center.delegate else {
                center.lock.withLock { center.responses.append(response) }
                return
            }
            delegate.userNotificationCenter(center, didReceive: response) {}
        }
    }
}
