// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import Testing

@testable import CommandIO

@Suite struct TimeLimitTests {
    private struct Oops: Error {}

    /// Waits until it is cancelled.
    @Sendable private func wait() async -> String {
        let (stream, keep) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        keep.finish()
        return Task.isCancelled ? "cancelled" : "ended"
    }

    @Test(arguments: [nil, Duration.seconds(3600)])
    func whatEndsByItselfIsNotHeldUp(limit: Duration?) async throws {
        #expect(try await TimeLimit.run(limit, on: nil) { Task.isCancelled ? 0 : 1 } == 1)
    }

    @Test func whatTakesTooLongIsCancelledAndStillReturns() async throws {
        #expect(try await TimeLimit.run(.zero, on: nil, wait) == "cancelled")
    }

    @Test(arguments: [nil, Duration.seconds(3600)])
    func errorsComeThrough(limit: Duration?) async {
        await #expect(throws: Oops.self) { try await TimeLimit.run(limit, on: nil) { throw Oops() } }
    }

    @Test(arguments: [nil, Duration.seconds(3600)])
    func cancellingReachesTheBody(limit: Duration?) async throws {
        let task = Task { try await TimeLimit.run(limit, on: nil, wait) }
        task.cancel()
        #expect(try await task.value == "cancelled")
    }

    @Test func cleaningUpGoesOnWhenTheCommandIsCancelled() async {
        let task = Task { await withoutCancellation { Task.isCancelled } }
        task.cancel()
        #expect(await task.value == false)
    }

    @Test func progressIsForPeopleOnly() {
        let screen = Recorder(Terminal(isInteractive: true, hasColor: false, columns: 8, rows: 24))
        let progress = ProgressLine(on: screen.output)
        progress.show("Looking for it")
        progress.clear()
        #expect(screen.text == "\rLookin…\u{1B}[K\r\u{1B}[K")
        ProgressLine.none.show("nothing")
    }
}
