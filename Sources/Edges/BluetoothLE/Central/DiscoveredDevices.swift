// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Synchronization

/// Gives out each device of a scan once, as soon as it has said all, or after a while what it has said.
///
/// Devices are remembered as long as the scan does, so the oldest may be given out again after very many others.
final class DiscoveredDevices: Sendable {
    private struct State {
        /// Those that were heard; whether they were given out.
        var areGiven = RecencyDictionary<Peer, Bool>(limit: ScanFilter.peerLimit)
        /// Those that have more to say, and until when that is waited for.
        var waiting = FIFO<(peer: Peer, deadline: HostInstant)>()
        var timer: Task<Void, Never>?
        var isStopped = false
    }

    private let state = Mutex(State())
    private let clock: any RadioClock
    private let executor: (any TaskExecutor)?

    init(on clock: any RadioClock, _ executor: (any TaskExecutor)?) {
        self.clock = clock
        self.executor = executor
    }

    /// Whether a device is given out now, of which a PDU was heard.
    ///
    /// - Parameters:
    ///   - peer: The device.
    ///   - expectsMore: Whether the rest of what it says is waited for.
    ///   - giveOut: Called later with devices that were waited for in vain.
    /// - Returns: Whether it is.
    func isDue(_ peer: Peer, expectsMore: Bool, _ giveOut: @escaping @Sendable ([Peer]) -> Void) -> Bool {
        state.withLock { state in
            let wasGiven = state.areGiven[peer]
            guard wasGiven != true, !state.isStopped else { return false }
            guard expectsMore else {
                state.areGiven.use(peer, default: true) { $0 = true }
                return true
            }
            guard wasGiven == nil else { return false }
            state.areGiven.use(peer, default: false) { _ in }
            state.waiting.append((peer, clock.now + Scan.patience))
            if state.timer == nil {
                state.timer = Task(executorPreference: executor) { await self.run(giveOut) }
            }
            return false
        }
    }

    /// Those that still wait, which nobody waits for any more.
    func stop() -> [Peer] {
        state.withLock { state in
            state.isStopped = true
            state.timer?.cancel()
            state.timer = nil
            return due(in: &state, at: nil)
        }
    }

    private func run(_ giveOut: @Sendable ([Peer]) -> Void) async {
        while let deadline = nextDeadline() {
            do { try await clock.sleep(until: deadline) } catch { return }
            giveOut(state.withLock { due(in: &$0, at: clock.now) })
        }
    }

    private func nextDeadline() -> HostInstant? {
        state.withLock { state in
            let next = state.waiting.first?.deadline
            if next == nil { state.timer = nil }
            return next
        }
    }

    /// Takes out those that were waited for long enough, or all.
    private func due(in state: inout State, at now: HostInstant?) -> [Peer] {
        var due: [Peer] = []
        while let first = state.waiting.first, now.map({ first.deadline <= $0 }) ?? true {
            _ = state.waiting.popFirst()
            if state.areGiven[first.peer] == false {
                state.areGiven.use(first.peer, default: true) { $0 = true }
                due.append(first.peer)
            }
        }
        return due
    }
}
