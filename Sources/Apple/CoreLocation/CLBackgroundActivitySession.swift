// SPDX-License-Identifier: Apache-2.0

import PhoneSurroundings
import Synchronization
import VirtualPhone

/// Has an app go on learning where the phone is when it leaves the screen, for as long as it is held; the phone shows that.
///
/// It has to be made while the app is on the screen, or after one that the system has ended with the app.
public final class CLBackgroundActivitySession {
    private let app: VirtualPhone.App?
    private let isOver: Mutex<Bool>

    /// Begins a session.
    public init() {
        app = VirtualPhone.App.current
        guard let app else {
            isOver = Mutex(true)
            Locating.missPhone("CLBackgroundActivitySession")
            return
        }
        guard app.isInForeground, app.backgroundModes.contains(.location) else {
            isOver = Mutex(true)
            return
        }
        isOver = Mutex(false)
        app.record.countBackgroundSessions(1)
    }

    deinit { invalidate() }

    /// Ends the session.
    public func invalidate() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { app?.record.countBackgroundSessions(-1) }
    }

    /// What stands against the session, now and whenever that changes.
    public var diagnostics: Diagnostics { Diagnostics(app: app) }

    /// What stands against the session.
    public struct Diagnostic: Sendable {
        /// Whether a person does not let the app know.
        public let authorizationDenied: Bool
        /// Whether Location Services are switched off.
        public let authorizationDeniedGlobally: Bool
        /// Whether nobody here can let the app know.
        public let authorizationRestricted: Bool
        /// Whether a person is being asked.
        public let authorizationRequestInProgress: Bool
        /// Whether the app would have to be on the screen.
        public let insufficientlyInUse: Bool
        /// Whether the app would have to hold a session.
        public let serviceSessionRequired: Bool

        init(_ app: VirtualPhone.App) {
            let why = Reasons(app)
            authorizationDenied = why.denied
            authorizationDeniedGlobally = why.deniedGlobally
            authorizationRestricted = why.restricted
            authorizationRequestInProgress = why.asking
            insufficientlyInUse =
                why.insufficientlyInUse || (!app.isInForeground && !app.record.hasBackgroundSession)
            serviceSessionRequired = why.sessionRequired
        }
    }

    /// Diagnostics as they come.
    public struct Diagnostics: AsyncSequence {
        /// A diagnostic.
        public typealias Element = Diagnostic

        let app: VirtualPhone.App?

        /// Begins to tell.
        public func makeAsyncIterator() -> Iterator { Iterator(app) }

        /// Gives one after another.
        public struct Iterator: AsyncIteratorProtocol {
            private let feed: ConditionFeed<Diagnostic>?

            init(_ app: VirtualPhone.App?) {
                feed = app.map { app in
                    ConditionFeed(app, needs: .none, implicit: false) { Diagnostic(app) }
                }
            }

            /// Waits for the next.
            ///
            /// - Returns: The diagnostic; `nil` when the task is cancelled or there is no phone.
            public mutating func next() async throws -> Diagnostic? { await feed?.next() }
        }
    }
}

extension CLBackgroundActivitySession.Diagnostic: Told {
    static func isSame(_ a: Self, _ b: Self) -> Bool { a.flags == b.flags }

    private var flags: [Bool] {
        [
            authorizationDenied, authorizationDeniedGlobally, authorizationRestricted,
            authorizationRequestInProgress, insufficientlyInUse, serviceSessionRequired,
        ]
    }
}
