// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import PhoneSurroundings
import Testing
import UserNotifications
import VirtualPhone

/// Shows and hears of notifications, as an app does.
private final class Receiver: NSObject, UNUserNotificationCenterDelegate {
    let diary = Diary()
    let shows: UNNotificationPresentationOptions

    init(shows: UNNotificationPresentationOptions = [.banner, .list, .sound]) { self.shows = shows }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        diary.add("present \(notification.request.identifier)")
        return shows
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        let text = (response as? UNTextInputNotificationResponse)?.userText
        let place = response.notification.request.content.userInfo["place"] as? Int
        diary.add(
            "did \(response.actionIdentifier) \(response.notification.request.identifier) \(text ?? "-") \(place ?? 0)"
        )
    }
}

@Suite("Notifications", .timeLimit(.minutes(5)))
struct NotificationTests {
    private static func content(_ title: String) -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = title
        content.body = "By the road"
        content.sound = .default
        content.categoryIdentifier = "camera"
        content.threadIdentifier = "cameras"
        content.userInfo = ["place": 7]
        content.interruptionLevel = .timeSensitive
        content.badge = 3
        return content
    }

    private static func center(_ app: VirtualPhone.App) -> UNUserNotificationCenter {
        let center = app.launch { UNUserNotificationCenter.current() }
        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "camera",
                actions: [
                    UNNotificationAction(identifier: "mute", title: "Mute"),
                    UNTextInputNotificationAction(
                        identifier: "note", title: "Note", textInputButtonTitle: "Add",
                        textInputPlaceholder: "What"),
                ], intentIdentifiers: [])
        ])
        return center
    }

    private static func request(_ name: String, _ trigger: UNNotificationTrigger? = nil)
        -> UNNotificationRequest
    { UNNotificationRequest(identifier: name, content: content("Camera \(name)"), trigger: trigger) }

    @Test func aPersonIsAsked() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            let center = Self.center(phone.app())
            #expect(await center.notificationSettings().authorizationStatus == .notDetermined)
            await #expect(throws: UNError(.notificationsNotAllowed)) {
                try await center.add(Self.request("a"))
            }
            let diary = Diary()
            center.requestAuthorization(options: [.alert, .badge]) { isAllowed, error in
                diary.add("\(isAllowed) \(error == nil)")
            }
            try await phone.surroundings.prompt(.notifications).answer(.refuse)
            try await diary.next("false true")
            #expect(try await !center.requestAuthorization(options: [.alert]))
            #expect(await center.notificationSettings().authorizationStatus == .denied)
            phone.app().notificationPermission = .allowed
            #expect(try await center.requestAuthorization(options: [.alert]))
            let settings = await center.notificationSettings()
            #expect(settings.authorizationStatus == .authorized && settings.alertSetting == .enabled)
            #expect(settings.soundSetting == .notSupported)
            #expect(phone.surroundings.shownNotifications.isEmpty)
        }
    }

    @Test func whatIsShownIsReadAndPressed() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            phone.surroundings.answers[.notifications] = .allow
            let app = phone.app()
            let (center, receiver) = (Self.center(app), Receiver())
            center.delegate = receiver
            #expect(try await center.requestAuthorization(options: [.alert, .sound, .badge]))
            app.isInForeground = false
            try await center.add(Self.request("a"))
            let notice = try await phone.surroundings.nextNotification()
            #expect(notice.content.title == "Camera a" && notice.content.body == "By the road")
            #expect(notice.content.category == "camera" && notice.content.level == .timeSensitive)
            #expect(notice.isBanner && notice.isHeard && app.badge == 3)
            #expect(notice.actions.map(\.title) == ["Mute", "Note"])
            #expect(await center.deliveredNotifications().map(\.request.identifier) == ["a"])
            notice.choose("mute")
            try await receiver.diary.next("did mute a - 7")
            #expect(!app.isInForeground)
            #expect(phone.surroundings.notifications.isEmpty)
            try await center.add(Self.request("b"))
            try await phone.surroundings.nextNotification().choose("note", text: "Tall")
            try await receiver.diary.next("did note b Tall")
            try await center.add(Self.request("c"))
            try await phone.surroundings.nextNotification().tap()
            try await receiver.diary.next("did com.apple.UNNotificationDefaultActionIdentifier c")
            #expect(app.isInForeground)
            // One that is wiped away is told of only where the kind says so.
            app.isInForeground = false
            try await center.add(Self.request("d"))
            try await phone.surroundings.nextNotification().dismiss()
            try await air.advance(by: .seconds(1))
            #expect(!receiver.diary.lines.contains { $0.contains(" d ") })
        }
    }

    @Test func onTheScreenTheAppDecides() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            let app = phone.app()
            app.notificationPermission = .allowed
            let (center, quiet, loud) = (Self.center(app), Receiver(shows: []), Receiver(shows: [.banner]))
            center.delegate = quiet
            try await center.add(Self.request("a"))
            try await quiet.diary.next("present a")
            center.delegate = loud
            try await center.add(Self.request("b"))
            let notice = try await phone.surroundings.nextNotification()
            #expect(notice.identifier == "b" && notice.isBanner && !notice.isHeard)
            #expect(phone.surroundings.notifications.isEmpty)
            #expect(await center.deliveredNotifications().isEmpty)
        }
    }

    @Test func triggersWait() async throws {
        try await TestAir.run(within: .seconds(20_000)) { air in
            let phone = try await VirtualPhone.make(on: air)
            let app = phone.app()
            app.notificationPermission = .allowed
            let center = Self.center(app)
            app.isInForeground = false
            let start = phone.surroundings.date
            for (name, seconds) in [("late", 300.0), ("soon", 30), ("never", 60)] {
                try await center.add(
                    Self.request(
                        name, UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)))
            }
            center.removePendingNotificationRequests(withIdentifiers: ["never"])
            #expect(await center.pendingNotificationRequests().count == 2)
            let soon = try await phone.surroundings.nextNotification()
            #expect(soon.identifier == "soon" && soon.date.timeIntervalSince(start).rounded() == 30)
            let late = try await phone.surroundings.nextNotification()
            #expect(late.identifier == "late" && late.date.timeIntervalSince(start).rounded() == 300)
            center.removeDeliveredNotifications(withIdentifiers: ["soon"])
            #expect(phone.surroundings.notifications.map(\.identifier) == ["late"])
            // Every full hour.
            let hourly = UNCalendarNotificationTrigger(
                dateMatching: DateComponents(minute: 0, second: 0), repeats: true)
            try await center.add(Self.request("hour", hourly))
            let (one, two) = (
                try await phone.surroundings.nextNotification(),
                try await phone.surroundings.nextNotification()
            )
            #expect(two.date.timeIntervalSince(one.date).rounded() == 3600)
            center.removeAllPendingNotificationRequests()
        }
    }

    @Test func whoWasNotThereIsToldLater() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            let app = phone.app()
            app.notificationPermission = .allowed
            let center = Self.center(app)
            try await center.add(
                Self.request("a", UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)))
            app.endBySystem()
            try await phone.surroundings.nextNotification().tap()
            let receiver = Receiver()
            app.launch { UNUserNotificationCenter.current().delegate = receiver }
            try await receiver.diary.next("did com.apple.UNNotificationDefaultActionIdentifier a")
        }
    }

    @Test func whoIsCancelledWaitsNoMore() async throws {
        try await TestAir.run { air in
            let phone = try await VirtualPhone.make(on: air)
            let surroundings = phone.surroundings
            let tasks = [
                Task { _ = try await surroundings.nextNotification() },
                Task { _ = try await surroundings.prompt(.motion) },
            ]
            try await air.advance(by: .seconds(1))
            for task in tasks {
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
    }
}
