// SPDX-License-Identifier: Apache-2.0

import Foundation
import PhoneSurroundings
import VirtualPhone

extension UNUserNotificationCenter {
    /// Has a notification shown.
    ///
    /// - Parameters:
    ///   - request: The notification.
    ///   - completionHandler: Called with why it will not be shown.
    public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let error = accept(request)
        answer { completionHandler?(error) }
    }

    /// Has a notification shown.
    ///
    /// - Parameter request: The notification.
    /// - Throws: ``UNError`` when it will not be shown.
    nonisolated(nonsending) public func add(_ request: UNNotificationRequest) async throws {
        if let error = accept(request) { throw error }
    }

    private func accept(_ request: UNNotificationRequest) -> UNError? {
        guard let app, [.allowed, .provisional].contains(app.notificationPermission) else {
            return UNError(.notificationsNotAllowed)
        }
        let now = app.phone.surroundings.date
        guard let trigger = request.trigger else {
            removeWaiting([request.identifier])
            present(request)
            return nil
        }
        guard let date = trigger.next(after: now) else { return UNError(.notificationInvalidNoDate) }
        schedule(request, at: date)
        return nil
    }

    private func schedule(_ request: UNNotificationRequest, at date: Date) {
        guard let app else { return }
        // The center lives as long as its app, and guards itself by its lock.
        let (center, identifier) = (Carried(self), request.identifier)
        let seconds = date.timeIntervalSince(app.phone.surroundings.date)
        wait(request, app.phone.surroundings.after(seconds) { center.value.due(identifier, date) })
    }

    private func due(_ identifier: String, _ due: Date) {
        guard let app, let request = take(identifier) else { return }
        present(request)
        // The clock may show a little less than what was waited for.
        let now = max(due, app.phone.surroundings.date)
        guard let trigger = request.trigger, trigger.repeats, let date = trigger.next(after: now) else {
            return
        }
        schedule(request, at: date)
    }

    /// Shows a notification, of which the app decides how much while it is on the screen.
    private func present(_ request: UNNotificationRequest) {
        guard let app else { return }
        let notification = UNNotification(request, app.phone.surroundings.date)
        guard app.isInForeground else {
            let isLoud = app.notificationPermission == .allowed && wants(.alert)
            let isPassive = request.content.interruptionLevel == .passive
            var options: UNNotificationPresentationOptions = [.list, .badge]
            if isLoud, !isPassive { options.insert(.banner) }
            if app.notificationPermission == .allowed, wants(.sound), !isPassive { options.insert(.sound) }
            return show(notification, options)
        }
        // They are used on the main queue alone.
        let all = Carried((self, notification))
        app.tell {
            let (center, notification) = all.value
            guard let delegate = center.delegate else { return }
            delegate.userNotificationCenter(center, willPresent: notification) { options in
                center.show(notification, options)
            }
        }
    }

    private func show(_ notification: UNNotification, _ options: UNNotificationPresentationOptions) {
        guard let app, [.allowed, .provisional].contains(app.notificationPermission) else { return }
        let content = notification.request.content
        let isOld = options.contains(UNNotificationPresentationOptions(rawValue: 1 << 2))
        let isListed = isOld || options.contains(.list)
        let isBanner = isOld || options.contains(.banner)
        let isHeard = options.contains(.sound) && content.sound != nil
        if options.contains(.badge), wants(.badge), let badge = content.badge {
            app.record.badge = badge.intValue
        }
        guard isListed || isBanner || isHeard else { return }
        if isListed { list(notification) }
        let actions = category(content.categoryIdentifier)?.actions ?? []
        // The center lives as long as its app, and guards itself by its lock.
        let all = Carried((self, notification))
        app.phone.surroundings.show(
            Surroundings.Notice(
                app, notification.request.identifier, content.plain,
                actions.map { .init($0.identifier, $0.title) }, date: notification.date, isBanner: isBanner,
                isHeard: isHeard, isListed: isListed
            ) { all.value.0.answered(all.value.1, $0) })
    }

    /// A person has done something with a notification.
    private func answered(_ notification: UNNotification, _ answer: Surroundings.Notice.Answer) {
        guard let app else { return }
        removeShown([notification.request.identifier])
        let category = category(notification.request.content.categoryIdentifier)
        let response: UNNotificationResponse
        var opens = false
        switch answer {
        case .tap:
            opens = true
            response = UNNotificationResponse(notification, UNNotificationDefaultActionIdentifier)
        case .dismiss:
            guard category?.options.contains(.customDismissAction) == true else { return }
            response = UNNotificationResponse(notification, UNNotificationDismissActionIdentifier)
        case .choose(let identifier, let text):
            let action = category?.actions.first { $0.identifier == identifier }
            opens = action?.options.contains(.foreground) == true
            response =
                action is UNTextInputNotificationAction
                ? UNTextInputNotificationResponse(notification, identifier, text: text ?? "")
                : UNNotificationResponse(notification, identifier)
        }
        // One that does not run is told when it was started and has a delegate.
        app.wakeUp()
        if opens { app.isInForeground = true }
        tell(response)
    }

    // MARK: Those that wait

    /// The notifications that wait for their trigger.
    ///
    /// - Returns: Those.
    nonisolated(nonsending) public func pendingNotificationRequests() async -> [UNNotificationRequest] {
        waiting
    }

    /// The notifications that wait for their trigger.
    ///
    /// - Parameter completionHandler: Called with those.
    public func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        let waiting = Carried(waiting)
        answer { completionHandler(waiting.value) }
    }

    /// Shows some not at all that wait.
    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        removeWaiting(identifiers)
    }

    /// Shows none of those that wait.
    public func removeAllPendingNotificationRequests() { removeWaiting(nil) }

    // MARK: Those that are on the list

    /// The app's notifications that are on the list.
    ///
    /// - Returns: Those.
    nonisolated(nonsending) public func deliveredNotifications() async -> [UNNotification] { shown }

    /// The app's notifications that are on the list.
    ///
    /// - Parameter completionHandler: Called with those.
    public func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        let shown = Carried(shown)
        answer { completionHandler(shown.value) }
    }

    /// Takes some off the list.
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        removeShown(identifiers)
        if let app { app.phone.surroundings.removeNotices(identifiers, of: app) }
    }

    /// Takes all of the app off the list.
    public func removeAllDeliveredNotifications() {
        removeShown(nil)
        if let app { app.phone.surroundings.removeNotices(nil, of: app) }
    }

    // MARK: The number at the icon

    /// Sets the number at the app's icon.
    ///
    /// - Parameters:
    ///   - newBadgeCount: The number; 0 takes it away.
    ///   - completionHandler: Called with why it cannot be set.
    public func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let error = setBadge(newBadgeCount)
        answer { completionHandler?(error) }
    }

    /// Sets the number at the app's icon.
    ///
    /// - Parameter newBadgeCount: The number; 0 takes it away.
    /// - Throws: ``UNError`` when it cannot be set.
    nonisolated(nonsending) public func setBadgeCount(_ newBadgeCount: Int) async throws {
        if let error = setBadge(newBadgeCount) { throw error }
    }

    private func setBadge(_ count: Int) -> UNError? {
        guard let app, app.notificationPermission == .allowed else {
            return UNError(.notificationsNotAllowed)
        }
        guard count >= 0 else { return UNError(.badgeInputInvalid) }
        app.record.badge = count
        return nil
    }
}

extension UNNotificationContent {
    /// What a person sees of it.
    var plain: Surroundings.Notice.Content {
        var content = Surroundings.Notice.Content()
        (content.title, content.subtitle, content.body) = (title, subtitle, body)
        (content.thread, content.category) = (threadIdentifier, categoryIdentifier)
        (content.badge, content.hasSound) = (badge?.intValue, sound != nil)
        content.relevance = relevanceScore
        content.level =
            switch interruptionLevel {
            case .passive: .passive
            case .active: .active
            case .timeSensitive: .timeSensitive
            case .critical: .critical
            }
        return content
    }
}
