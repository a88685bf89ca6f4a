// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import Synchronization

/// A claim on a record that is on its way to the disk.
public struct PendingDetection: Sendable {
    private let promise: Promise<[DetectionRecord?]>

    init(_ promise: Promise<[DetectionRecord?]>) { self.promise = promise }

    /// Waits until the record is durable.
    ///
    /// - Returns: The record with its number.
    /// - Throws: ``StoreError`` when it could not be stored.
    public func record() async throws(StoreError) -> DetectionRecord {
        guard let record = try await promise.value().first ?? nil else { throw StoreError.closed }
        return record
    }
}

/// A value that comes later, once, for anyone who waits.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Result<Value, StoreError>, Never>])
        case done(Result<Value, StoreError>)
    }

    private let state = Mutex(State.waiting([]))

    /// Gives the value to all who wait and will wait; a second value is ignored.
    func fulfill(_ result: Result<Value, StoreError>) {
        let waiters = state.withLock { state in
            guard case .waiting(let waiters) = state else {
                return [CheckedContinuation<Result<Value, StoreError>, Never>]()
            }
            state = .done(result)
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    /// Whether it has its value.
    var isFulfilled: Bool {
        state.withLock { state in
            if case .done = state { true } else { false }
        }
    }

    /// Waits for the value.
    func value() async throws(StoreError) -> Value {
        let result = await withCheckedContinuation { continuation in
            let known: Result<Value, StoreError>? = state.withLock { state in
                switch state {
                case .done(let result): return result
                case .waiting(let waiters):
                    state = .waiting(waiters + [continuation])
                    return nil
                }
            }
            if let known { continuation.resume(returning: known) }
        }
        return try result.get()
    }
}
