// SPDX-License-Identifier: Apache-2.0

public import Foundation
import PhoneSurroundings

/// Who decides about notifications while the app is on the screen, and is told what a person does with them; on the main queue.
///
/// Apple's is a protocol of Objective-C with optional requirements, each of which can be written with `async` or with a completion
/// handler; here each has a default: the one with a handler calls the other, which does nothing.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// Asks what is to be shown of a notification while the app is on the screen.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)
    /// Asks what is to be shown of a notification while the app is on the screen.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions
    /// Says what a person has done with a notification.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void)
    /// Says what a person has done with a notification.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async
    /// Says that a person wants to see the app's own settings.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

extension UNUserNotificationCenterDelegate {
    /// Asks what is to be shown of a notification while the app is on the screen.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        let question = Question(
            delegate: self, center: center, about: notification, answered: completionHandler)
        // A clock of tests stands still until the delegate has answered.
        let release = center.app?.telling {}
        Task {
            let options = await question.delegate.userNotificationCenter(
                question.center, willPresent: question.about)
            question.answered(options)
            release?()
        }
    }

    /// Asks what is to be shown of a notification while the app is on the screen.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [] }

    /// Says what a person has done with a notification.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let question = Question<UNNotificationResponse, Void>(
            delegate: self, center: center, about: response, answered: { _ in completionHandler() })
        // A clock of tests stands still until the delegate has answered.
        let release = center.app?.telling {}
        Task {
            await question.delegate.userNotificationCenter(question.center, didReceive: question.about)
            question.answered(())
            release?()
        }
    }

    /// Says what a person has done with a notification.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {}

    /// Says that a person wants to see the app's own settings.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {}
}

/// What a delegate is asked: used by one task, and by nobody else as long as that runs.
private struct Question<Subject, Answer>: @unchecked Sendable {
    let delegate: any UNUserNotificationCenterDelegate
    let center: UNUserNotificationCenter
    let about: Subject
    let answered: (Answer) -> Void
}
