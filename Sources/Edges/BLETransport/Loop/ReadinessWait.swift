// SPDX-License-Identifier: Apache-2.0

import BLEWire

extension TransportLoop {
    /// Waits until a descriptor is ready.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor; nobody else watches it, and it stays the caller's.
    ///   - readiness: For what.
    ///   - deadline: Up to when; `nil` for ever.
    /// - Returns: Whether it is; not when the deadline has passed.
    /// - Throws: `CancellationError` when the task is cancelled before.
    func wait(
        for descriptor: CInt, _ readiness: Readiness, until deadline: HostInstant?
    ) async throws -> Bool {
        let wait = ReadinessWait(core)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                core.execute { wait.begin(descriptor, readiness, deadline, waiter) }
            }
        } onCancel: {
            core.execute { wait.cancel() }
        }
    }
}

/// One task that waits for a descriptor.
///
/// Resumed once: when the descriptor is ready, at the deadline or when the task is cancelled. Its task holds the
/// loop. Unchecked: only touched on the loop.
private final class ReadinessWait: DescriptorHandler, @unchecked Sendable {
    private let core: LoopCore
    private var waiter: CheckedContinuation<Bool, any Error>?
    private var watch: Watch?
    private var timer: LoopCore.Timer?
    private var isCancelled = false

    init(_ core: LoopCore) { self.core = core }

    func begin(
        _ descriptor: CInt, _ readiness: Readiness, _ deadline: HostInstant?,
        _ waiter: CheckedContinuation<Bool, any Error>
    ) {
        guard !isCancelled else { return waiter.resume(throwing: CancellationError()) }
        self.waiter = waiter
        let watch = core.waiting.watch(descriptor, self)
        core.waiting.change(watch, to: readiness)
        self.watch = watch
        let timer = LoopCore.Timer { [self] in finish(.success(false)) }
        core.set(timer, to: deadline)
        self.timer = timer
    }

    func ready(for readiness: Readiness) { finish(.success(true)) }

    func loopEnded() { finish(.success(false)) }

    func cancel() {
        isCancelled = true
        finish(.failure(CancellationError()))
    }

    private func finish(_ result: Result<Bool, any Error>) {
        if let watch { core.waiting.unwatch(watch) }
        if let timer { core.set(timer, to: nil) }
        (watch, timer) = (nil, nil)
        waiter?.resume(with: result)
        waiter = nil
    }
}
