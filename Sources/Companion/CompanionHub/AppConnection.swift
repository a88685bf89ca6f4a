// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionCore
import CompanionDevices

/// An app's hold on a job, which goes on for it as it would for a page.
struct AppConnection<Machine: JobMachine & ~Copyable>: Sendable {
    let job: JobHandle<Machine>
    let feed: EventFeed

    /// Waits until the job is connected and so far; each event of the hub is a reason to look again.
    ///
    /// Who waits goes on when the job ends, the hub ends or the task is cancelled, which all throw.
    ///
    /// - Parameters:
    ///   - orEnded: Whether the end of the job is as good.
    ///   - isReached: Whether it is so far.
    /// - Returns: How it is then.
    /// - Throws: ``HubError`` that says why it never will be.
    func until(
        orEnded: Bool = false, _ isReached: @Sendable (Machine.Shown) -> Bool
    ) async throws(HubError) -> Machine.Shown {
        let changes = feed.subscribe()
        while true {
            let (now, shown) = try await look()
            if now.phase == .ended, orEnded { return shown }
            if now.phase == .ended { throw .notNow(now.reason ?? "The link was ended.") }
            if now.phase == .open, isReached(shown) { return shown }
            guard await changes.next() != nil else { throw .notNow("The hub was stopped, or the task.") }
        }
    }

    private func look() async throws(HubError) -> (DeviceJob, Machine.Shown) {
        try await job.host.with(job.id) { (job: Job<Machine>, _) in (job.job, job.machine.shown) }
    }

    /// Holds the job while something is done with it, and lets it go then; it goes on for a page that looks, too.
    func hold<Value>(
        as viewer: String, isolation: isolated (any Actor)?,
        until isReady: @Sendable (Machine.Shown) -> Bool, _ body: () async throws -> Value
    ) async throws -> Value {
        let keeping = Task { [job] in
            while !Task.isCancelled {
                _ = try await job.look(viewer)
                try await Task.sleep(for: .seconds(10))
            }
        }
        let result: Result<Value, any Error>
        do {
            _ = try await until(isReady)
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        keeping.cancel()
        _ = await keeping.result
        // A link that has ended is let go already. What is written goes to its end, also when this task was cancelled.
        await withoutCancellation { try? await job.leave(viewer) }
        return try result.get()
    }

    /// How the device is, whenever that changes.
    ///
    /// - Parameter revision: How often it has changed.
    /// - Returns: The states.
    func states(_ revision: @escaping @Sendable (Machine.Shown) -> Int) -> DeviceStates<Machine.Shown> {
        DeviceStates(feed: feed) {
            guard let (now, shown) = try? await look() else { return nil }
            return (shown, revision(shown), isOver: now.phase == .ended)
        }
    }
}

extension Hub {
    /// An app's hold on a job.
    nonisolated func connection<Machine: JobMachine & ~Copyable>(
        _ id: DeviceJob.ID
    ) -> AppConnection<Machine> { AppConnection(job: job(id), feed: feed) }

    /// A name that no page has given itself.
    static func viewer() -> String { "app \(UInt64.random(in: 0 ... .max))" }
}

/// How a device is, now and whenever that changes; ends with its link, the hub or the task.
///
/// Who is slow gets what is newest, and misses what was between.
public struct DeviceStates<State: Sendable>: AsyncSequence, Sendable {
    let feed: EventFeed
    let look: @Sendable () async -> (State, revision: Int, isOver: Bool)?

    /// Begins to follow.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: feed.subscribe(), look: look) }

    /// Follows a device.
    public struct Iterator: AsyncIteratorProtocol {
        let changes: EventFeed.Subscription
        let look: @Sendable () async -> (State, revision: Int, isOver: Bool)?
        private var last: Int?
        private var isOver = false

        init(
            changes: EventFeed.Subscription,
            look: @escaping @Sendable () async -> (State, revision: Int, isOver: Bool)?
        ) { (self.changes, self.look) = (changes, look) }

        /// Waits for the next state.
        ///
        /// - Returns: The state; `nil` at the end.
        public mutating func next() async -> State? { await next(isolation: nil) }

        /// Waits for the next state.
        ///
        /// - Parameter actor: Where the caller is.
        /// - Returns: The state; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
            while !isOver {
                guard let (state, revision, isOver) = await look() else { return nil }
                self.isOver = isOver
                if revision != last {
                    last = revision
                    return state
                }
                guard !isOver, await changes.next() != nil else { return nil }
            }
            return nil
        }
    }
}
