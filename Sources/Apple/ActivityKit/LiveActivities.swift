// SPDX-License-Identifier: Apache-2.0

/// The live activities of the phone, as a test reads them.
///
/// Apple's interface has them for the whole app, so they are kept so here, too.
package enum LiveActivities {
    // Guarded by the lock.
    private nonisolated(unsafe) static var all: [any LiveActivity] = []
    private nonisolated(unsafe) static var enabled = true
    private nonisolated(unsafe) static var watchers: [AsyncStream<Bool>.Continuation] = []
    private static let lock = NSLock()

    /// An activity that is shown.
    package struct Shown {
        /// What it is known by.
        package let id: String
        /// What it is about.
        package let attributes: Any
        /// What it shows.
        package let state: Any
        /// Where it is in its life.
        package let phase: ActivityState
        /// The titles of the alerts that came with its updates.
        package let alerts: [String]
    }

    /// Those that are shown now.
    package static var shown: [Shown] { live.map(\.shown) }

    /// Whether the person wants any.
    package static var areEnabled: Bool {
        get { lock.withLock { enabled } }
        set {
            let told = lock.withLock {
                enabled = newValue
                return watchers
            }
            for watcher in told { watcher.yield(newValue) }
        }
    }

    /// Takes an activity away, as a person does.
    package static func dismiss(_ id: String) { live.first { $0.id == id }?.dismiss() }

    static var live: [any LiveActivity] {
        lock.lock()
        defer { lock.unlock() }
        return all.filter { $0.phase != .dismissed }
    }

    static func add(_ activity: any LiveActivity) {
        lock.lock()
        defer { lock.unlock() }
        all.append(activity)
    }

    static func enablement() -> AsyncStream<Bool> {
        AsyncStream { continuation in lock.withLock { watchers.append(continuation) } }
    }
}

/// An activity of any type.
protocol LiveActivity: AnyObject {
    var id: String { get }
    var phase: ActivityState { get }
    var shown: LiveActivities.Shown { get }
    func dismiss()
}

/// Whether the app may have live activities.
public final class ActivityAuthorizationInfo: Sendable {
    /// What is known now.
    public init() {}

    /// Whether the person wants any.
    public var areActivitiesEnabled: Bool { LiveActivities.areEnabled }
    /// Whether they may be updated often; nobody does so from afar here.
    public var frequentPushesEnabled: Bool { false }
    /// Tells when the person changes it.
    public var activityEnablementUpdates: ActivityEnablementUpdates {
        .init(stream: LiveActivities.enablement())
    }

    /// Tells when the person changes whether there are any.
    public struct ActivityEnablementUpdates: AsyncSequence, Sendable {
        /// Whether there are any.
        public typealias Element = Bool
        let stream: AsyncStream<Bool>
        /// The changes, one by one.
        public func makeAsyncIterator() -> AsyncStream<Bool>.Iterator { stream.makeAsyncIterator() }
    }
}
