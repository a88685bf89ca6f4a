// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Dispatch
import Synchronization

/// A manager of an app, as the system of its phone sees it.
package protocol PhoneClient: AnyObject, Sendable {
    /// The switches, the permission or the app's place on the screen have changed.
    func conditionChanged()
    /// The app has ended, and its manager with it.
    ///
    /// - Parameter isRestorable: Whether the system may start the app again.
    /// - Returns: What is kept for that, and under which restore identifier; `nil` when nothing is.
    func ended(isRestorable: Bool) -> (identifier: String, kept: any Sendable)?
}

extension VirtualPhone {
    /// An app on a phone: whether it may use Bluetooth, whether it is on the screen, and whether it runs at all.
    ///
    /// What runs within ``launch(_:)``, and in the callbacks of its managers, is this app; a manager that is made elsewhere is
    /// of the app that ``use(_:)`` names.
    public final class App: Sendable {
        /// What a person has answered when the app first wanted to use Bluetooth.
        public enum Permission: Hashable, Sendable {
            /// Nobody was asked yet.
            case notAsked
            case allowed
            case denied
            /// The phone does not let a person allow it.
            case restricted
        }

        /// What the app may go on doing in the background, as its Info.plist says.
        public struct BackgroundModes: OptionSet, Sendable {
            /// The bits.
            public let rawValue: Int

            /// Takes the bits as they are.
            ///
            /// - Parameter rawValue: The bits.
            public init(rawValue: Int) { self.rawValue = rawValue }

            /// `bluetooth-central`: finding, connecting and using devices.
            public static let central = Self(rawValue: 1)
            /// `bluetooth-peripheral`: advertising and answering.
            public static let peripheral = Self(rawValue: 2)
        }

        private struct Client: Sendable {
            weak var client: (any PhoneClient)?
        }

        private struct State {
            var permission: Permission
            var backgroundModes: BackgroundModes = [.central, .peripheral]
            var isInForeground = false
            var isRunning = false
            var clients: [Client] = []
            var kept: [String: any Sendable] = [:]
            var relaunch: (@Sendable () -> Void)?
        }

        /// The phone that it is installed on.
        public let phone: VirtualPhone
        /// Its name, as `org.example.lamp`.
        public let bundleIdentifier: String
        /// What other modules keep of it.
        package let parts = PhoneParts()
        private let state: Mutex<State>

        init(_ bundleIdentifier: String, on phone: VirtualPhone, _ permission: Permission) {
            self.phone = phone
            self.bundleIdentifier = bundleIdentifier
            state = Mutex(State(permission: permission))
        }

        @TaskLocal private static var running: App?
        private static let process = Mutex<App?>(nil)

        /// The app that runs here: that of the task or callback, else the one of the process.
        public static var current: App? { running ?? process.withLock { $0 } }

        /// Has the whole process be an app, but for what runs within ``launch(_:)`` of another.
        ///
        /// - Parameter app: The app; `nil` for none.
        public static func use(_ app: App?) { process.withLock { $0 = app } }

        /// Runs something as this app.
        package func run<Value>(_ body: () throws -> Value) rethrows -> Value {
            try Self.$running.withValue(self, operation: body)
        }

        /// Starts the app, or comes back to it: it is on the screen then.
        ///
        /// - Parameter body: Makes what the app consists of.
        /// - Returns: What the body returns.
        public func launch<Value>(_ body: () throws -> Value) rethrows -> Value {
            state.withLock { ($0.isRunning, $0.isInForeground, $0.relaunch) = (true, true, nil) }
            conditionChanged()
            return try run(body)
        }

        // MARK: Its conditions

        /// What a person has answered; a change tells the app.
        public var permission: Permission {
            get { state.withLock { $0.permission } }
            set {
                state.withLock { $0.permission = newValue }
                conditionChanged()
            }
        }

        /// What it may go on doing in the background; both, if nothing else is said.
        public var backgroundModes: BackgroundModes {
            get { state.withLock { $0.backgroundModes } }
            set {
                state.withLock { $0.backgroundModes = newValue }
                conditionChanged()
            }
        }

        /// Whether it is on the screen, and that lit.
        public var isInForeground: Bool {
            get { state.withLock { $0.isInForeground } }
            set {
                state.withLock { $0.isInForeground = newValue && $0.isRunning }
                conditionChanged()
            }
        }

        /// Whether it runs.
        public var isRunning: Bool { state.withLock { $0.isRunning } }

        /// Whether it is told what happens now, for something that needs this in the background.
        package func isAwake(for mode: BackgroundModes) -> Bool {
            state.withLock {
                $0.isRunning && ($0.isInForeground || !$0.backgroundModes.isDisjoint(with: mode))
            }
        }

        func conditionChanged() { for client in clients { client.conditionChanged() } }

        private var clients: [any PhoneClient] {
            state.withLock { state in
                state.clients.removeAll { $0.client == nil }
                return state.clients.compactMap(\.client)
            }
        }

        /// Follows the conditions from now on.
        package func add(_ client: any PhoneClient) {
            state.withLock { state in
                state.isRunning = true
                state.clients.append(Client(client: client))
            }
        }

        // MARK: Its end, and another beginning

        /// The system ends the app, as it does when memory is short: what managers with a restore identifier have begun goes on.
        ///
        /// - Parameter relaunch: Starts the app again, in the background, as soon as there is something for it; `nil` when the
        ///   test does that by ``launch(_:)``. It runs on the main queue.
        public func endBySystem(relaunch: (@Sendable () -> Void)? = nil) {
            end(isRestorable: true)
            state.withLock { $0.relaunch = relaunch }
        }

        /// A person swipes the app away: nothing of it goes on, and the system does not start it again.
        public func endByPerson() { end(isRestorable: false) }

        private func end(isRestorable: Bool) {
            let clients = clients
            state.withLock { state in
                (state.isRunning, state.isInForeground, state.clients) = (false, false, [])
                state.relaunch = nil
            }
            let kept = clients.compactMap { $0.ended(isRestorable: isRestorable) }
            state.withLock { state in for one in kept { state.kept[one.identifier] = one.kept } }
        }

        /// What was kept for a manager with a restore identifier; it is given once.
        package func takeKept(_ identifier: String) -> (any Sendable)? {
            state.withLock { $0.kept.removeValue(forKey: identifier) }
        }

        /// There is something for the app: the system starts it, if it has ended it and may.
        package func wakeUp() {
            let relaunch = state.withLock { state -> (@Sendable () -> Void)? in
                guard !state.isRunning, let relaunch = state.relaunch else { return nil }
                (state.isRunning, state.relaunch) = (true, nil)
                return relaunch
            }
            guard let relaunch else { return }
            let clock = phone.radio.backend.clock
            clock.hold()
            DispatchQueue.main.async {
                self.run(relaunch)
                clock.release()
            }
        }
    }
}
