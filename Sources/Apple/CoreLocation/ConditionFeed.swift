// SPDX-License-Identifier: Apache-2.0

import PhoneSurroundings
import Synchronization
import VirtualPhone

/// Something that an app is told when it is no longer the same.
protocol Told: Sendable {
    static func isSame(_ a: Self, _ b: Self) -> Bool
}

/// What an app wants, as a session of it says.
enum SessionNeed: Sendable {
    /// Nothing is asked.
    case none
    /// A person is asked.
    case session(always: Bool)
}

/// Why an app is not told where the phone is.
struct Reasons: Sendable {
    let denied, deniedGlobally, restricted, asking, sessionRequired, insufficientlyInUse: Bool

    init(_ app: VirtualPhone.App) {
        let (permission, isOn) = (app.locationPermission, app.phone.surroundings.isLocationOn)
        deniedGlobally = !isOn
        denied = permission == .denied || !isOn
        restricted = permission == .restricted
        asking = app.phone.surroundings.isAsking([.location, .locationAlways, .preciseLocation], app)
        sessionRequired = app.requiresServiceSession && !app.record.hasSession
        // Nobody can be asked while the app is not on the screen.
        insufficientlyInUse = permission == .notAsked && isOn && !asking && !app.isInForeground
    }
}

/// Tells what has changed, one after another; what comes while nobody waits is told later, but no more than some.
final class ConditionFeed<Value: Told>: Sendable {
    private struct State {
        var last: Value?
        var waiting: [Value] = []
        var waiter: CheckedContinuation<Value?, Never>?
        var isOver = false
        var listener: Listener?
    }

    /// As many as wait for an app that does not ask; the oldest are left out.
    private static var limit: Int { 1000 }

    private let app: VirtualPhone.App
    private let value: @Sendable () -> Value?
    private let state = Mutex(State())

    /// Begins to follow an app.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - needs: What it wants a person to be asked for.
    ///   - isImplicit: Whether this stands for a session that the app does not hold.
    ///   - value: What there is to be told; `nil` while that is nothing.
    init(
        _ app: VirtualPhone.App, needs: SessionNeed, implicit isImplicit: Bool,
        value: @escaping @Sendable () -> Value?
    ) {
        (self.app, self.value) = (app, value)
        let listener = Listener(app) { [weak self] change in
            if isImplicit { Self.ask(app, needs, implicit: true) }
            self?.look(change)
        }
        state.withLock { $0.listener = listener }
        if isImplicit { Self.ask(app, needs, implicit: true) }
        look(.permission)
    }

    deinit { state.withLock { $0.listener }?.stop() }

    /// Asks a person for what is needed and was not asked for yet.
    static func ask(_ app: VirtualPhone.App, _ needs: SessionNeed, implicit isImplicit: Bool) {
        guard case .session(let always) = needs, app.isInForeground else { return }
        if isImplicit, app.requiresServiceSession { return }
        app.record.askForLocation(always: always)
    }

    private func look(_ change: Listener.Change) {
        if change == .ended { return end() }
        let now = value()
        let waiter = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            guard !state.isOver, let now else { return nil }
            if let last = state.last, Value.isSame(last, now) { return nil }
            state.last = now
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            state.waiting.append(now)
            if state.waiting.count > Self.limit { state.waiting.removeFirst() }
            return nil
        }
        waiter?.resume(returning: now)
    }

    private func end() {
        let waiter = state.withLock { state in
            state.isOver = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// Waits for the next; `nil` when the task is cancelled or the app has ended.
    func next() async -> Value? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (isThere, value) = state.withLock { state -> (Bool, Value?) in
                    if state.isOver || Task.isCancelled { return (true, nil) }
                    if !state.waiting.isEmpty { return (true, state.waiting.removeFirst()) }
                    state.waiter = waiter
                    return (false, nil)
                }
                if isThere { waiter.resume(returning: value) }
            }
        } onCancel: {
            end()
        }
    }
}
