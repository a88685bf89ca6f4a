// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What one evaluation gathers.
package final class Pass {
    let store: Store
    /// What was found of the store; what was not is forgotten.
    private(set) var touched: Set<String> = []
    /// Below these, what was not evaluated stays in the store.
    var asleep: [String] = []
    var lifecycles: [Lifecycle] = []
    /// What is done when all is evaluated.
    package var after: [() -> Void] = []
    var layers: [Layer] = []
    var keys: [String] = []
    var openURL: [(URL) -> Void] = []
    var ids: Set<AnyHashable> = []

    init(store: Store) { self.store = store }

    func kept<Kept: AnyObject>(_ path: String, _ make: () -> Kept) -> Kept {
        touched.insert(path)
        if let kept = store.kept[path] as? Kept { return kept }
        let kept = make()
        store.kept[path] = kept
        return kept
    }

    /// Forgets what has gone.
    func forget() {
        for path in store.kept.keys where !touched.contains(path) && !isAsleep(path) {
            store.kept[path] = nil
        }
    }

    private func isAsleep(_ path: String) -> Bool { asleep.contains { path.hasPrefix($0 + "/") } }
}

/// What stays from one evaluation to the next.
final class Store {
    var kept: [String: AnyObject] = [:]
    let change: Change
    var presented = 0
    /// The texts of a catalogue.
    var strings: (String) -> String? = { _ in nil }
    /// How large the screen is, in points.
    var size = CGSize(width: 390, height: 844)
    /// The time that a test has set, if it has.
    var time: Date?
    /// What changes the environment of all, one after the other.
    var surroundings: [(inout EnvironmentValues) -> Void] = []
    /// What the scene keeps.
    var scene: [String: Any] = [:]
    /// The identities of the views that are shown.
    var ids: Set<AnyHashable> = []
    /// What the screen has done besides showing something.
    var done = Done()

    init(change: Change) { self.change = change }
}

/// What was done that no view shows.
struct Done {
    var shared: [Screen.Shared] = []
    var feedback: [SensoryFeedback] = []
    var copied: [String] = []
    var scrolled: [AnyHashable] = []
}

/// Says that something has changed which was read; from any thread.
final class Change: Sendable {
    private struct State {
        var isMarked = true
        var isUnderWay = false
        var notify: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Called for the first mark after each ``take()``.
    func onMark(_ notify: @escaping @Sendable () -> Void) { state.withLock { $0.notify = notify } }

    func mark() {
        let notify = state.withLock { state in
            if state.isMarked { return nil as (@Sendable () -> Void)? }
            state.isMarked = true
            return state.notify
        }
        notify?()
    }

    /// Whether there was a mark since the last time.
    func take() -> Bool {
        state.withLock { state in
            defer { state.isMarked = false }
            return state.isMarked
        }
    }
}

/// A view that says what is to be done when it comes, and when it goes.
struct Lifecycle {
    let path: String
    /// Whether another page lies over it.
    var isCovered = false
    var appear: () -> Void = {}
    var disappear: () -> Void = {}
}

/// Something that lies over all else until it is dismissed.
package struct Layer {
    package let node: Node
    let order: Int
    let dismiss: (() -> Void)?
}
