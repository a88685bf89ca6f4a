// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization
public import VirtualPhone

extension Surroundings {
    /// A notification that was shown, as a person reads it.
    public final class Notice: Sendable {
        /// A button below it.
        public struct Action: Hashable, Sendable {
            /// How the app calls it.
            public let identifier: String
            /// What is on it.
            public let title: String

            package init(_ identifier: String, _ title: String) {
                (self.identifier, self.title) = (identifier, title)
            }
        }

        /// How much it may disturb.
        public enum Level: Int, Sendable {
            case passive
            case active
            case timeSensitive
            case critical
        }

        /// What is written on it, and what comes with it.
        public struct Content: Hashable, Sendable {
            /// The first line, strong.
            public var title = ""
            /// The second line.
            public var subtitle = ""
            /// The text.
            public var body = ""
            /// Which notifications lie on one pile.
            public var thread = ""
            /// What kind it is of, which has its actions.
            public var category = ""
            /// The number at the app's icon; `nil` leaves it.
            public var badge: Int?
            /// Whether it is to be heard.
            public var hasSound = false
            /// How much it may disturb.
            public var level = Level.active
            /// How far up in a summary, 0 to 1.
            public var relevance = 0.0

            package init() {}
        }

        /// What a person does with it.
        package enum Answer: Hashable, Sendable {
            case tap
            case dismiss
            case choose(String, text: String?)
        }

        /// Whose it is.
        public let app: VirtualPhone.App
        /// How the app calls it.
        public let identifier: String
        /// What is written on it.
        public let content: Content
        /// Its buttons.
        public let actions: [Action]
        /// When it was shown.
        public let date: Date
        /// Whether it came into view, and not only onto the list.
        public let isBanner: Bool
        /// Whether it was heard.
        public let isHeard: Bool
        let isListed: Bool
        private let answered: @Sendable (Answer) -> Void

        package init(
            _ app: VirtualPhone.App, _ identifier: String, _ content: Content, _ actions: [Action],
            date: Date,
            isBanner: Bool, isHeard: Bool, isListed: Bool, answered: @escaping @Sendable (Answer) -> Void
        ) {
            (self.app, self.identifier, self.content, self.actions) = (app, identifier, content, actions)
            (self.date, self.isBanner, self.isHeard) = (date, isBanner, isHeard)
            (self.isListed, self.answered) = (isListed, answered)
        }

        /// Presses it, which opens the app.
        public func tap() { answer(.tap) }

        /// Presses one of its buttons.
        ///
        /// - Parameters:
        ///   - action: How the app calls it; one that it has.
        ///   - text: What is typed, where the button asks for that.
        public func choose(_ action: String, text: String? = nil) {
            precondition(
                actions.contains { $0.identifier == action },
                "The notification \(identifier) has no action \(action), but \(actions.map(\.identifier)).")
            answer(.choose(action, text: text))
        }

        /// Wipes it away.
        public func dismiss() { answer(.dismiss) }

        private func answer(_ answer: Answer) {
            app.phone.surroundings.notices.remove([identifier], of: app)
            answered(answer)
        }
    }

    /// The notifications that are on the phone's list now, the newest last.
    public var notifications: [Notice] { notices.listed }

    /// All notifications that were shown so far, the newest last.
    public var shownNotifications: [Notice] { notices.shown }

    /// Waits until a notification is shown that nobody has waited for before.
    ///
    /// - Returns: The notification.
    /// - Throws: `CancellationError` when the task is cancelled before.
    public nonisolated(nonsending) func nextNotification() async throws -> Notice {
        guard let notice = await notices.next() else { throw CancellationError() }
        return notice
    }

    /// Shows a notification.
    package func show(_ notice: Notice) { notices.show(notice) }

    /// Takes notifications of an app off the list; all for `nil`.
    package func removeNotices(_ identifiers: [String]?, of app: VirtualPhone.App) {
        notices.remove(identifiers, of: app)
    }
}

/// The notifications of a phone.
final class Notices: Sendable {
    private struct State {
        var shown: [Surroundings.Notice] = []
        var listed: [Surroundings.Notice] = []
        var taken = 0
        var waiters: [(number: Int, waiter: CheckedContinuation<Surroundings.Notice?, Never>)] = []
        var lastNumber = 0
    }

    private let state = Mutex(State())

    var shown: [Surroundings.Notice] { state.withLock { $0.shown } }
    var listed: [Surroundings.Notice] { state.withLock { $0.listed } }

    func show(_ notice: Surroundings.Notice) {
        let waiter = state.withLock { state -> CheckedContinuation<Surroundings.Notice?, Never>? in
            state.shown.append(notice)
            // One of the same name takes the place of the one before.
            state.listed.removeAll { $0.app === notice.app && $0.identifier == notice.identifier }
            if notice.isListed { state.listed.append(notice) }
            guard !state.waiters.isEmpty else { return nil }
            state.taken = state.shown.count
            return state.waiters.removeFirst().waiter
        }
        waiter?.resume(returning: notice)
    }

    func remove(_ identifiers: [String]?, of app: VirtualPhone.App) {
        state.withLock { state in
            state.listed.removeAll { $0.app === app && identifiers?.contains($0.identifier) != false }
        }
    }

    nonisolated(nonsending) func next() async -> Surroundings.Notice? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (isOver, notice) = state.withLock { state -> (Bool, Surroundings.Notice?) in
                    if state.taken < state.shown.count {
                        state.taken += 1
                        return (true, state.shown[state.taken - 1])
                    }
                    if Task.isCancelled { return (true, nil) }
                    state.waiters.append((number, waiter))
                    return (false, nil)
                }
                if isOver { waiter.resume(returning: notice) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let index = state.waiters.firstIndex { $0.number == number }
                return index.map { state.waiters.remove(at: $0).waiter }
            }
            waiter?.resume(returning: nil)
        }
    }
}
