// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BLEWire
import Synchronization
import Testing

/// Runs each test of a suite on a loop of its own that has no thread, and on that loop's clock.
///
/// Whenever nothing can go on, the clock jumps to the next deadline: no test waits for real time, and the same happens each
/// time on every machine. A test of which nothing can go on any more, or that takes an hour by that clock, fails: somebody
/// waits for what never comes. The suite's time limit ends it then.
struct ManualTime: TestTrait, SuiteTrait, TestScoping {
    /// How long a test may take by its own clock, in seconds.
    static let limit: UInt64 = 3600

    @TaskLocal private static var current: ManualLoop?

    /// The loop of the test that runs.
    static var loop: TransportLoop {
        guard let current else { preconditionFailure("the suite needs the trait .manualTime") }
        return current.loop
    }

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let manual = ManualLoop()
        let course = Course()
        // It never waits for others, so that it may keep a thread to itself.
        async let driver: Void = course.drive(manual)
        try await Self.$current.withValue(manual) {
            try await withTaskExecutorPreference(manual.loop) {
                course.begin()
                defer { course.end() }
                try await function()
            }
        }
        await driver
    }

    /// Lets time pass for the test that runs.
    static func pass(milliseconds: UInt64) async throws {
        try await loop.sleep(until: loop.now.advanced(byMilliseconds: milliseconds))
    }
}

/// How far a test is.
private final class Course: Sendable {
    private enum Phase {
        case beginning
        case running
        case ended
    }

    private let phase = Mutex(Phase.beginning)

    func begin() { phase.withLock { $0 = .running } }
    func end() { phase.withLock { $0 = .ended } }

    private var current: Phase { phase.withLock { $0 } }

    /// Runs the loop, and lets time pass whenever nothing else can happen, until the test has ended.
    func drive(_ manual: ManualLoop) async {
        while current == .beginning {
            manual.runUntilIdle(steps: 1)
            await Task.yield()
        }
        let end = manual.loop.now.advanced(bySeconds: ManualTime.limit)
        var jumps = 0
        while true {
            var isIdle = manual.runUntilIdle()
            // Somebody may be on the way back from another thread, which takes seconds on a busy machine.
            var patience = 3000
            while current == .running, isIdle, manual.nextDeadline == nil, patience > 0 {
                patience -= 1
                await rest()
                isIdle = manual.runUntilIdle()
            }
            guard current == .running else { break }
            guard isIdle, let deadline = manual.nextDeadline, deadline < end else {
                Issue.record(
                    "\(isIdle ? "nothing can go on" : "the loop is never idle") at \(manual.loop.now)")
                break
            }
            manual.advance(to: deadline)
            jumps += 1
            // What others are to do on other threads comes before much time has passed, however busy the machine is.
            if jumps.isMultiple(of: 64) { await Task.yield() }
        }
        // Whoever waits for what never comes is cancelled by the time limit.
        while current == .running {
            await rest()
            manual.runUntilIdle()
        }
        // What the test has left behind ends in its own time.
        manual.runUntilIdle()
    }
}

/// Lets others go on for ten milliseconds, also once the time limit has cancelled the test: a sleep of its own task would
/// return at once then, and who waits in a loop would keep a processor from whoever is to end it.
private func rest() async { await Task.detached { try? await Task.sleep(for: .milliseconds(10)) }.value }

extension Trait where Self == ManualTime {
    /// Runs each test on a loop whose clock jumps; see ``ManualTime``.
    static var manualTime: ManualTime { ManualTime() }
}

/// Begins something beside the test, on its loop.
@discardableResult
func begin<Success: Sendable>(
    _ body: @escaping @Sendable () async throws -> Success
) -> Task<Success, any Error> { Task(executorPreference: ManualTime.loop) { try await body() } }

/// Begins something beside the test that does not fail, on its loop.
@discardableResult
func begin<Success: Sendable>(
    _ body: @escaping @Sendable () async -> Success
) -> Task<Success, Never> { Task(executorPreference: ManualTime.loop) { await body() } }
