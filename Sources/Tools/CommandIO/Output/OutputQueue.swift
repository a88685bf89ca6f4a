// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionDevices
import CompanionText
import Dispatch
import Synchronization

/// What waits to be printed by a thread of its own, all of it at once, so that nobody else waits for who reads it.
///
/// ```
/// put(_:)    waits while too much waits            ─┐
/// offer(_:)  leaves out while too much waits, and  ─┴─► at most `limit` octets ─► one write at a time
///            says how much afterwards
/// ```
///
/// Who waits in ``put(_:)`` or ``drain()`` goes on when there is room, when writing has failed, and when its task is
/// cancelled.
package final class OutputQueue: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var isWriting = false
        /// Lines that were left out since the last one that was not.
        var left = 0
        var failure: OutputError?
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0

        mutating func removeWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }

    private let output: Output
    private let limit: Int
    private let gap: @Sendable (Int) -> String
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "output")
    private let failures: AsyncStream<OutputError>
    private let failed: AsyncStream<OutputError>.Continuation

    /// Makes an empty queue.
    ///
    /// - Parameters:
    ///   - output: Where to print.
    ///   - limit: How many octets may wait.
    ///   - gap: The line that says how many lines were left out.
    package init(
        to output: Output, limit: Int = 1 << 18, gap: @escaping @Sendable (Int) -> String = { _ in "" }
    ) {
        self.output = output
        self.limit = limit
        self.gap = gap
        (failures, failed) = AsyncStream.makeStream()
    }

    /// Prints a line, or leaves it out while nobody reads; never waits.
    ///
    /// - Parameter octets: The line with its end.
    /// - Throws: ``OutputError`` once writing has failed.
    package func offer(_ octets: [UInt8]) throws(OutputError) {
        try add(octets) { state in
            guard state.waiting.count < limit else {
                state.left += 1
                return false
            }
            if state.left > 0 {
                state.waiting += Array((gap(state.left) + "\n").utf8)
                state.left = 0
            }
            return true
        }
    }

    /// Prints a line; waits while too much waits.
    ///
    /// - Parameter line: The line without its end.
    /// - Throws: ``OutputError`` once writing has failed.
    package func put(_ line: [UInt8]) async throws(OutputError) {
        while isFull {
            await wait { $0.waiting.count >= self.limit }
            // What was taken in is printed, if only this.
            if Task.isCancelled { break }
        }
        try add(line + [UInt8(ascii: "\n")]) { _ in true }
    }

    /// Waits until everything is printed.
    ///
    /// - Throws: ``OutputError`` when it could not be.
    func drain() async throws(OutputError) {
        while !Task.isCancelled, state.withLock({ $0.isWriting && $0.failure == nil }) {
            await wait { $0.isWriting }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// What has come of ``drain()``.
    package func result() async -> Result<Void, OutputError> {
        do throws(OutputError) { return .success(try await drain()) } catch { return .failure(error) }
    }

    /// Waits until writing fails or the task is cancelled.
    ///
    /// - Throws: ``OutputError`` when it has failed; one caller.
    package func watch() async throws(OutputError) {
        for await failure in failures { throw failure }
    }

    private var isFull: Bool { state.withLock { $0.waiting.count >= limit && $0.failure == nil } }

    private func add(_ octets: [UInt8], _ isWanted: (inout State) -> Bool) throws(OutputError) {
        let (mustStart, failure) = state.withLock { state -> (Bool, OutputError?) in
            if let failure = state.failure { return (false, failure) }
            guard isWanted(&state) else { return (false, nil) }
            state.waiting += octets
            defer { state.isWriting = true }
            return (!state.isWriting, nil)
        }
        if let failure { throw failure }
        if mustStart { queue.async { self.writeAll() } }
    }

    private func writeAll() {
        while true {
            let (octets, waiters) = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty || state.failure != nil { state.isWriting = false }
                return (state.isWriting ? state.waiting : [], state.removeWaiters())
            }
            for waiter in waiters { waiter.resume() }
            if octets.isEmpty { return }
            do throws(OutputError) {
                try output.write(octets)
            } catch {
                state.withLock { $0.failure = error }
                failed.yield(error)
            }
        }
    }

    private func wait(while isNeeded: @escaping @Sendable (borrowing State) -> Bool) async {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let mustWait = state.withLock { state in
                    guard !Task.isCancelled, state.failure == nil, isNeeded(state) else { return false }
                    state.waiters[number] = waiter
                    return true
                }
                if !mustWait { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}

extension Output {
    /// How long what was printed last may take when the command ends.
    private static let patience = Duration.seconds(1)

    /// Runs what goes on when nobody reads what it prints: then lines are left out, and counted.
    ///
    /// - Parameters:
    ///   - isJSON: Whether lines are for scripts; so is the one that says how many were left out.
    ///   - now: The time of that one.
    ///   - body: Prints, and never waits for it.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    package func withoutWaiting<Value: Sendable>(
        isJSON: Bool, now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        _ body: (Output) async throws -> Value
    ) async throws -> Value {
        let queue = OutputQueue(to: self) { count in Self.gap(count, isJSON: isJSON, at: now()) }
        let output = Output(terminal: self.terminal) { octets throws(OutputError) in try queue.offer(octets) }
        let result: Result<Value, any Error>
        do { result = .success(try await body(output)) } catch { result = .failure(error) }
        // Who does not read does not keep the command from ending, and that it cannot be printed is no failure here.
        await withoutCancellation {
            try? await TimeLimit.run(Self.patience, on: nil) { try await queue.drain() }
        }
        return try result.get()
    }

    private static func gap(_ count: Int, isJSON: Bool, at now: Timestamp) -> String {
        let event = LinesLeftOut(lines: count)
        return isJSON ? String(decoding: event.json(at: now), as: UTF8.self) : "… " + event.line.text
    }
}
