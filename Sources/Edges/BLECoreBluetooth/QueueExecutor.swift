// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Dispatch

/// Runs tasks on the queue on which Core Bluetooth calls its delegates, so that all of a radio happens on one thread at a time.
///
/// Apple's `DispatchSerialQueue` is such an executor by itself; other platforms do not have it. While something waits for its turn, a
/// clock of tests stands still.
final class QueueExecutor: SerialExecutor, TaskExecutor {
    let queue: DispatchQueue
    let clock: any RadioClock

    init(_ clock: any RadioClock) {
        self.clock = clock
        queue = DispatchQueue(label: "lantern.corebluetooth")
    }

    /// Does something after all that was to be done before.
    func perform(_ body: @escaping @Sendable () -> Void) {
        clock.hold()
        queue.async { [clock] in
            body()
            clock.release()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        perform { [self] in
            job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    /// Waits for what Core Bluetooth tells by a callback.
    ///
    /// - Parameters:
    ///   - waiter: Whoever waits: resumed by the callback, by the end of the link or the radio, or by the cancellation of its task.
    ///   - begin: Asks for it, on the queue; not done when the task is cancelled already.
    /// - Returns: What the callback brought.
    /// - Throws: Why none has come.
    func wait<Value>(
        for waiter: Waiter<Value>, _ begin: @escaping @Sendable () -> Void = {}
    ) async throws(BluetoothError) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                perform {
                    waiter.begin(continuation)
                    if !waiter.isOver { begin() }
                }
            }
        } onCancel: {
            perform { waiter.end(.failure(.cancelled)) }
        }
        return try result.get()
    }
}

/// Somebody who waits for one callback, and is resumed once.
///
/// Unchecked: but for its making it is used on the queue only.
final class Waiter<Value: Sendable>: @unchecked Sendable {
    private var continuation: CheckedContinuation<Result<Value, BluetoothError>, Never>?
    private var result: Result<Value, BluetoothError>?
    /// What has to know of the answer before whatever comes after it.
    private let request: OrderedRequest?

    init() {
        request = OrderedRequest.current
        request?.begin()
    }

    /// Whether it waits no more.
    var isOver: Bool { result != nil }

    func begin(_ continuation: CheckedContinuation<Result<Value, BluetoothError>, Never>) {
        if let result { continuation.resume(returning: result) } else { self.continuation = continuation }
    }

    /// Has it go on, unless it has before.
    func end(_ result: Result<Value, BluetoothError>) {
        guard self.result == nil else { return }
        self.result = result
        request?.answered()
        continuation?.resume(returning: result)
        continuation = nil
    }
}

/// What belongs to the queue, carried through a task that leaves it alone.
struct OnQueue<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
