// SPDX-License-Identifier: Apache-2.0

import PhoneSurroundings
import Synchronization
import VirtualPhone

/// Says what an app wants to know of where the phone is, for as long as it is held; a person is asked for it when the app is on the screen.
public final class CLServiceSession {
    /// What is wanted.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AuthorizationRequirement: Int, Sendable {
        /// Nothing, so that nobody is asked.
        case none = 0
        /// Locations while the app is used.
        case whenInUse = 1
        /// Locations at any time.
        case always = 2
    }

    private let app: VirtualPhone.App?
    private let requirement: AuthorizationRequirement
    private let isOver = Mutex(false)
    private var listener: Listener?

    /// Begins a session.
    ///
    /// - Parameter authorization: What is wanted.
    public convenience init(authorization: AuthorizationRequirement) {
        self.init(authorization, purpose: nil)
    }

    /// Begins a session that wants exact locations.
    ///
    /// - Parameters:
    ///   - authorization: What is wanted.
    ///   - fullAccuracyPurposeKey: What for: a key of the app's Info.plist.
    public convenience init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
        self.init(authorization, purpose: fullAccuracyPurposeKey)
    }

    private init(_ requirement: AuthorizationRequirement, purpose: String?) {
        self.requirement = requirement
        app = VirtualPhone.App.current
        guard let app else {
            Locating.missPhone("CLServiceSession")
            return
        }
        let needs: SessionNeed = requirement == .none ? .none : .session(always: requirement == .always)
        let asksForAccuracy = Mutex(purpose != nil)
        let ask: @Sendable () -> Void = {
            ConditionFeed<Diagnostic>.ask(app, needs, implicit: false)
            let locating = Locating(app: app)
            guard locating.isAuthorized, locating.accuracy == .reducedAccuracy, app.isInForeground else {
                return
            }
            let asksNow = asksForAccuracy.withLock { asks in
                defer { asks = false }
                return asks
            }
            if asksNow { app.record.askForPrecision {} }
        }
        listener = Listener(app) { _ in ask() }
        app.record.countSessions(1)
        ask()
    }

    deinit { invalidate() }

    /// Ends the session.
    public func invalidate() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        listener?.stop()
        app?.record.countSessions(-1)
    }

    /// What stands against what is wanted, now and whenever that changes.
    public var diagnostics: Diagnostics { Diagnostics(app: app, wantsAlways: requirement == .always) }

    /// What stands against what is wanted.
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
        /// Whether a person does not let the app know at any time.
        public let alwaysAuthorizationDenied: Bool
        /// Whether a person does not let the app know exactly.
        public let fullAccuracyDenied: Bool

        init(_ app: VirtualPhone.App, wantsAlways: Bool) {
            let why = Reasons(app)
            authorizationDenied = why.denied
            authorizationDeniedGlobally = why.deniedGlobally
            authorizationRestricted = why.restricted
            authorizationRequestInProgress = why.asking
            insufficientlyInUse = why.insufficientlyInUse
            serviceSessionRequired = why.sessionRequired
            let locating = Locating(app: app)
            alwaysAuthorizationDenied =
                wantsAlways && (why.denied || (locating.status == .authorizedWhenInUse && !why.asking))
            fullAccuracyDenied = locating.isAuthorized && locating.accuracy == .reducedAccuracy
        }
    }

    /// Diagnostics as they come.
    public struct Diagnostics: AsyncSequence {
        /// A diagnostic.
        public typealias Element = Diagnostic

        let app: VirtualPhone.App?
        let wantsAlways: Bool

        /// Begins to tell.
        public func makeAsyncIterator() -> Iterator { Iterator(app, wantsAlways) }

        /// Gives one after another.
        public struct Iterator: AsyncIteratorProtocol {
            private let feed: ConditionFeed<Diagnostic>?

            init(_ app: VirtualPhone.App?, _ wantsAlways: Bool) {
                feed = app.map { app in
                    ConditionFeed(app, needs: .none, implicit: false) {
                        Diagnostic(app, wantsAlways: wantsAlways)
                    }
                }
            }

            /// Waits for the next.
            ///
            /// - Returns: The diagnostic; `nil` when the task is cancelled or there is no phone.
            public mutating func next() async throws -> Diagnostic? { await feed?.next() }
        }
    }
}

extension CLServiceSession.Diagnostic: Told {
    static func isSame(_ a: Self, _ b: Self) -> Bool { a.flags == b.flags }

    private var flags: [Bool] {
        [
            authorizationDenied, authorizationDeniedGlobally, authorizationRestricted,
            authorizationRequestInProgress, insufficientlyInUse, serviceSessionRequired,
            alwaysAuthorizationDenied, fullAccuracyDenied,
        ]
    }
}
