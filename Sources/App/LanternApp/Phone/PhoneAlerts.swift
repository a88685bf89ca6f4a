// SPDX-License-Identifier: Apache-2.0

import CompanionDevices
public import CompanionHub
import Foundation
public import Observation
import SwiftUI
import UserNotifications

/// Shows a notification for each alert that the hub raises: which ones, and how often, people have set there.
@MainActor @Observable public final class PhoneAlerts: AlertSink {
    /// Whether the app may show notifications.
    public enum Permission: Hashable, Sendable {
        /// Nobody was asked yet.
        case notAsked
        /// It may.
        case allowed
        /// The person does not want any.
        case refused
    }

    /// What a person does with a notification.
    enum Answer: Hashable, Sendable {
        /// Wants to see the source.
        case open(Int64)
        /// Wants no more of the source.
        case mark(Int64, SourceMark)
    }

    /// Whether it may show any; `nil` before that was read.
    public private(set) var permission: Permission?
    /// What could not be shown, and why.
    public private(set) var trouble: String?

    @ObservationIgnored private let center = UNUserNotificationCenter.current()
    @ObservationIgnored private var listener: NotificationListener?
    /// Whether alerts are heard, too.
    @ObservationIgnored var isHeard = true

    /// Makes one that shows nothing yet.
    public init() {}

    /// Works until the task is cancelled.
    ///
    /// - Parameter answered: Called with what a person does with a notification.
    func run(_ answered: @escaping @MainActor (Answer) async -> Void) async {
        let listener = NotificationListener(answered)
        self.listener = listener
        center.delegate = listener
        center.setNotificationCategories([.source])
        await read()
        await Wait.untilCancelled()
        center.delegate = nil
        self.listener = nil
    }

    /// Asks the person, if nobody did yet.
    public func ask() async {
        do {
            _ = try await center.requestAuthorization(options: [.alert, .sound])
            trouble = nil
        } catch {
            trouble = error.localizedDescription
        }
        await read()
    }

    /// Reads whether it may: the person may have changed that in the system's settings.
    public func read() async {
        permission =
            switch await center.notificationSettings().authorizationStatus {
            case .notDetermined: .notAsked
            case .denied: .refused
            default: .allowed
            }
    }

    /// Shows a notification; a later one of the same source takes its place.
    public func raise(_ alert: RaisedAlert) async {
        guard let source = alert.event.source else { return }
        await read()
        guard permission == .allowed else { return }
        let content = UNMutableNotificationContent()
        let sighting = alert.event.sighting
        content.title = sighting.label
        content.body = [
            sighting.ssid ?? sighting.mac,
            String(
                localized: "\(Words.proximity(sighting.rssi)), \(sighting.rssi, format: TrueMinus()) dBm"),
        ].compactMap { $0 }.joined(separator: " · ")
        content.sound = isHeard ? .default : nil
        content.threadIdentifier = sighting.label
        content.categoryIdentifier = UNNotificationCategory.source.identifier
        content.userInfo = [NotificationListener.source: NSNumber(value: source)]
        do {
            try await center.add(
                UNNotificationRequest(identifier: "source-\(source)", content: content, trigger: nil))
        } catch {
            alert.failed("The phone could not show a notification: \(error.localizedDescription)")
        }
    }

    /// Nothing goes on behind it.
    public func end() async {}
}

extension UNNotificationCategory {
    /// Notifications of a source, and what can be done with it at once.
    @MainActor fileprivate static let source = UNNotificationCategory(
        identifier: "source",
        actions: [
            UNNotificationAction(
                identifier: SourceMark.muted.rawValue, title: String(localized: "Mute this source")),
            UNNotificationAction(
                identifier: SourceMark.mine.rawValue, title: String(localized: "It is mine")),
        ],
        intentIdentifiers: [])
}

/// Hears what a person does with notifications, and shows them while the app is on the screen, too.
private final class NotificationListener: NSObject, UNUserNotificationCenterDelegate, Sendable {
    /// Under what the number of the source comes along.
    static let source = "source"

    private let answered: @MainActor @Sendable (PhoneAlerts.Answer) async -> Void

    init(_ answered: @escaping @MainActor (PhoneAlerts.Answer) async -> Void) { self.answered = answered }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [.banner, .list, .sound] }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        let content = response.notification.request.content
        guard let source = (content.userInfo[Self.source] as? NSNumber)?.int64Value else { return }
        if let mark = SourceMark(rawValue: response.actionIdentifier) {
            await answered(.mark(source, mark))
        } else if response.actionIdentifier == UNNotificationDefaultActionIdentifier {
            await answered(.open(source))
        }
    }
}
