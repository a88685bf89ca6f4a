// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Testing

/// Runs each test on a thread of its own.
///
/// All other tests take turns on a few threads, one a processor. Who computes for seconds holds one of them for as long, and
/// whoever has a time limit is late through no fault of its own.
struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    private final class Executor: TaskExecutor {
        private let queue = DispatchQueue(label: "a test's own thread")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Executor()) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// Runs each test on a thread of its own; see ``OwnThread``.
    static var ownThread: OwnThread { OwnThread() }
}
