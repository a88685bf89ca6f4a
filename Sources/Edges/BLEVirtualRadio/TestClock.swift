// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BLEWire
import Synchronization

/// The clock of a ``TestAir``: jumps to what comes next whenever nothing else can happen.
final class TestClock: Sendable {
    /// How many rests nothing may happen for before nothing will: half a minute, since whoever is on the way back from another
    /// thread takes seconds on a busy machine.
    private static let patience = 3000
    /// Time that passes before other threads get some: they have a thousandth of it at least.
    private static let stride = Duration.seconds(1)
    /// A jump before which other threads get some time: somebody may be on the way from one, to ask for something that comes before.
    private static let leap = Duration.seconds(5)

    let manual = ManualLoop()
    private let isOver = Atomic(false)

    /// The test has ended.
    func end() { isOver.store(true, ordering: .relaxed) }

    /// Runs the loop and lets time pass until the test has ended.
    ///
    /// - Parameters:
    ///   - limit: How much may pass.
    ///   - giveUp: Ends what the test waits for, once, when it has to be ended.
    /// - Returns: Why it had to be.
    func drive(
        within limit: Duration, giveUp: @escaping @Sendable () async -> Void
    ) async -> TestAir.Failure? {
        let end = manual.loop.now + limit
        var failure: TestAir.Failure?
        var nextRest = manual.loop.now + Self.stride
        var rests = 0
        while !isOver.load(ordering: .relaxed) {
            guard await isSettled() else { continue }
            if manual.isHeld {
                await rest(milliseconds: 1)
            } else if let deadline = manual.nextDeadline {
                rests = 0
                if deadline > manual.loop.now + Self.leap, await !isStillSettled() { continue }
                if deadline > end, failure == nil {
                    failure = .timeLimit(limit)
                    Task.detached { await giveUp() }
                }
                manual.advance(to: deadline)
                guard deadline >= nextRest else { continue }
                nextRest = deadline + Self.stride
                await rest(milliseconds: 1)
            } else {
                rests += 1
                if rests > Self.patience, failure == nil {
                    failure = .standstill
                    Task.detached { await giveUp() }
                }
                await rest(milliseconds: 10)
            }
        }
        // What the test has left behind ends in its own time.
        manual.runUntilIdle()
        return failure
    }

    /// Runs what waits on the loop, lets the main actor and others do what waits there, and looks whether that led to anything.
    private func isSettled() async -> Bool {
        guard manual.runUntilIdle() else { return false }
        for _ in 0..<2 {
            await MainActor.run {}
            await Task.yield()
            guard manual.runUntilIdle(steps: 1) else { return false }
        }
        return true
    }

    /// Whether nothing comes from other threads for a moment.
    private func isStillSettled() async -> Bool {
        for _ in 0..<3 {
            await rest(milliseconds: 1)
            guard await isSettled(), !manual.isHeld else { return false }
        }
        return true
    }

    /// Lets others go on, whatever was cancelled.
    private func rest(milliseconds: Int) async {
        await Task.detached { try? await Task.sleep(for: .milliseconds(milliseconds)) }.value
    }
}
