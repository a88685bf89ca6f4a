// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Who wants the values of which characteristics of one link: one descriptor for all that listen.
///
/// A change waits for the one before it, so that the peer has what was wanted last. Whoever waits is resumed when the
/// peer has taken it, when it has refused, when the link is gone (the write fails then), or when its task is cancelled,
/// which takes back what it wanted.
final class Subscriptions: Sendable {
    /// Somebody who wants values.
    typealias Holder = UInt64
    /// Whoever subscribes by hand.
    static let byHand: Holder = 0

    private struct Entry {
        let characteristic: GATT.Characteristic
        var wanted: [Holder: GATT.Subscription] = [:]
        /// What the peer has taken; `nil` when nothing was said yet.
        var current: GATT.Subscription?
        var isChanging = false
        var waiters: [Holder: CheckedContinuation<Result<Void, BluetoothError>, Never>] = [:]

        /// Those who wait, in the order in which they came, so that the same inputs lead to the same.
        var waitersInOrder: [CheckedContinuation<Result<Void, BluetoothError>, Never>] {
            waiters.sorted { $0.key < $1.key }.map(\.value)
        }

        var target: GATT.Subscription { wanted.values.reduce([]) { $0.union($1) } }
    }

    private struct State {
        var last = Subscriptions.byHand
        var entries: [AttributeHandle: Entry] = [:]
    }

    private let state = Mutex(State())

    /// A new name for somebody who will want values.
    func makeHolder() -> Holder {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Wants values, or no more, and waits until the peer has taken that.
    nonisolated(nonsending) func want(
        _ subscription: GATT.Subscription, of characteristic: GATT.Characteristic, for holder: Holder,
        on link: any ConnectionBackend
    ) async throws(BluetoothError) {
        let handle = characteristic.valueHandle
        let result: Result<Void, BluetoothError> = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                typealias Waiter = CheckedContinuation<Result<Void, BluetoothError>, Never>
                let (before, isRegistered) = state.withLock { state -> (Waiter?, Bool) in
                    guard !Task.isCancelled else { return (nil, false) }
                    var entry = state.entries[handle] ?? Entry(characteristic: characteristic)
                    entry.wanted[holder] = subscription.isEmpty ? nil : subscription
                    let before = entry.waiters.updateValue(waiter, forKey: holder)
                    state.entries[handle] = entry
                    return (before, true)
                }
                before?.resume(returning: .failure(.cancelled))
                guard isRegistered else {
                    waiter.resume(returning: .failure(.cancelled))
                    return
                }
                change(handle, on: link)
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.entries[handle]?.waiters.removeValue(forKey: holder)
                if waiter != nil { state.entries[handle]?.wanted[holder] = nil }
                return waiter
            }
            waiter?.resume(returning: .failure(.cancelled))
            if waiter != nil { change(handle, on: link) }
        }
        try result.get()
    }

    /// Wants values no more and waits for nothing.
    func leave(_ handle: AttributeHandle, _ holder: Holder, on link: any ConnectionBackend) {
        let wasThere = state.withLock { $0.entries[handle]?.wanted.removeValue(forKey: holder) != nil }
        if wasThere { change(handle, on: link) }
    }

    /// Handles that the peer has other services at these handles.
    func forget(_ range: ATT.HandleRange) {
        let waiters = state.withLock { state in
            let gone = state.entries.filter {
                range.start <= $0.key && $0.key <= range.end && !$0.value.isChanging
            }
            for handle in gone.keys { state.entries[handle] = nil }
            return gone.sorted { $0.key < $1.key }.flatMap(\.value.waitersInOrder)
        }
        for waiter in waiters { waiter.resume(returning: .failure(.servicesChanged)) }
    }

    /// Sees to it that the peer has what is wanted.
    private func change(_ handle: AttributeHandle, on link: any ConnectionBackend) {
        let isFree = state.withLock { state in
            guard state.entries[handle]?.isChanging == false else { return false }
            state.entries[handle]?.isChanging = true
            return true
        }
        guard isFree else { return }
        // A task of its own: whoever has asked may be cancelled, others still wait. It ends with the last write.
        Task(executorPreference: link.executor) { await self.writeChanges(handle, on: link) }
    }

    private func writeChanges(_ handle: AttributeHandle, on link: any ConnectionBackend) async {
        while let (target, characteristic) = nextChange(handle) {
            do throws(BluetoothError) {
                try await link.subscribe(target, to: characteristic)
                state.withLock { $0.entries[handle]?.current = target }
            } catch {
                fail(handle, error)
            }
        }
    }

    /// What the peer has to be told next; when nothing, whoever waits has what it wanted.
    private func nextChange(_ handle: AttributeHandle) -> (GATT.Subscription, GATT.Characteristic)? {
        let (change, waiters) = state.withLock {
            state -> (
                (GATT.Subscription, GATT.Characteristic)?,
                [CheckedContinuation<Result<Void, BluetoothError>, Never>]
            ) in
            guard var entry = state.entries[handle] else { return (nil, []) }
            if entry.target != entry.current { return ((entry.target, entry.characteristic), []) }
            let waiters = entry.waitersInOrder
            entry.waiters = [:]
            entry.isChanging = false
            state.entries[handle] = entry.wanted.isEmpty ? nil : entry
            return (nil, waiters)
        }
        for waiter in waiters { waiter.resume(returning: .success(())) }
        return change
    }

    /// The peer has refused, or is gone: whoever waits wants nothing any more.
    private func fail(_ handle: AttributeHandle, _ error: BluetoothError) {
        let waiters = state.withLock { state in
            guard var entry = state.entries[handle] else {
                return [] as [CheckedContinuation<Result<Void, BluetoothError>, Never>]
            }
            for holder in entry.waiters.keys { entry.wanted[holder] = nil }
            defer { state.entries[handle] = entry }
            // What cannot be said is not said again.
            entry.current = entry.target
            defer { entry.waiters = [:] }
            return entry.waitersInOrder
        }
        for waiter in waiters { waiter.resume(returning: .failure(error)) }
    }
}
