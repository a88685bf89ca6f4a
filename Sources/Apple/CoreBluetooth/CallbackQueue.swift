// SPDX-License-Identifier: Apache-2.0

package import BluetoothLE
package import Dispatch
import Synchronization
package import VirtualPhone

/// What an app is told, in order, on the queue that it has named.
///
/// What comes while the app sleeps in the background waits until it is awake; what comes after the system has ended the app
/// waits until it was started again (``detach()``, ``attach(_:first:)``). Whoever waits for a callback is resumed when it has
/// run, or when it never will (``close()``).
package final class CallbackQueue: Sendable {
    private struct Callback {
        let body: @Sendable () -> Void
        let done: CheckedContinuation<Void, Never>?
    }

    private struct State {
        /// Where callbacks run; `nil` while the app does not run.
        var queue: DispatchQueue?
        var isAwake = true
        var isClosed = false
        /// Changes with each ``detach()``: what was on its way to the app before is not told.
        var generation = 0
        var waiting: [Callback] = []
    }

    private let app: VirtualPhone.App?
    private let clock: (any RadioClock)?
    private let state: Mutex<State>

    init(_ queue: DispatchQueue, _ app: VirtualPhone.App?) {
        self.app = app
        clock = app?.phone.radio.backend.clock
        state = Mutex(State(queue: queue))
    }

    /// Tells the app something after all that it was told before, and waits for nothing.
    func post(_ body: @escaping @Sendable () -> Void) { add(Callback(body: body, done: nil)) }

    /// Tells the app something after all that it was told before, and waits until it knows.
    nonisolated(nonsending) func deliver(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { done in add(Callback(body: body, done: done)) }
    }

    private func add(_ callback: Callback) {
        let (isClosed, isAsleep) = state.withLock { state in
            guard !state.isClosed else { return (true, false) }
            guard let queue = state.queue, state.isAwake, state.waiting.isEmpty else {
                state.waiting.append(callback)
                return (false, state.queue == nil)
            }
            submit(callback, to: queue, state.generation)
            return (false, false)
        }
        if isClosed { callback.done?.resume() }
        if isAsleep { app?.wakeUp() }
    }

    /// Puts a callback on the app's queue; a clock of tests stands still until it has run.
    private func submit(_ callback: Callback, to queue: DispatchQueue, _ generation: Int) {
        clock?.hold()
        queue.async { [self] in
            if state.withLock({ $0.generation == generation && !$0.isClosed }) {
                if let app { app.run(callback.body) } else { callback.body() }
            }
            callback.done?.resume()
            clock?.release()
        }
    }

    private func submitWaiting(_ state: inout State) {
        guard let queue = state.queue, state.isAwake else { return }
        for callback in state.waiting { submit(callback, to: queue, state.generation) }
        state.waiting = []
    }

    /// The app sleeps, or does no more.
    func setAwake(_ isAwake: Bool) {
        state.withLock { state in
            state.isAwake = isAwake
            submitWaiting(&state)
        }
    }

    /// The app has ended and may be started again: what comes from now on waits for that.
    func detach() {
        state.withLock { state in
            state.queue = nil
            state.generation += 1
        }
    }

    /// The app was started again.
    ///
    /// - Parameters:
    ///   - queue: Where callbacks run from now on.
    ///   - first: What it is told before everything that waits.
    func attach(_ queue: DispatchQueue, first: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.queue = queue
            state.waiting.insert(Callback(body: first, done: nil), at: 0)
            submitWaiting(&state)
        }
    }

    /// The app is told nothing any more.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for callback in waiting { callback.done?.resume() }
    }
}

/// An object that is used on its queue only, carried there and back.
struct Carried<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
