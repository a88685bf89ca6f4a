// SPDX-License-Identifier: Apache-2.0

/// Makes guessing a token slow: who was wrong waits, longer each time, and so does everybody when many are wrong.
struct LoginGate {
    private struct Failures {
        var count = 0
        var closedUntil: ContinuousClock.Instant
        var last: ContinuousClock.Instant
    }

    /// A client that was wrong waits 1 s, then 2, 4 and so on up to this.
    static let longestWait = Duration.seconds(300)
    /// The same for all together, once so many were wrong; a stranger must not lock the owner out for long.
    static let longestWaitOfAll = Duration.seconds(10)
    /// Wrong tokens of all clients that close the gate for nobody else.
    static let freeFailures = 20
    /// What was wrong so long ago counts no more.
    static let memory = Duration.seconds(3600)
    /// Clients that are remembered.
    static let clients = 1024

    private var failures: [ClientAddress: Failures] = [:]
    private var all: Failures?

    /// How long a client has to wait before it may try; `nil` when it may.
    mutating func wait(for client: ClientAddress, at now: ContinuousClock.Instant) -> Duration? {
        forget(at: now)
        let until = max(failures[client]?.closedUntil ?? now, all?.closedUntil ?? now)
        return until > now ? until - now : nil
    }

    /// Notes that a client was wrong.
    ///
    /// - Returns: How long it has to wait now.
    mutating func fail(_ client: ClientAddress, at now: ContinuousClock.Instant) -> Duration {
        forget(at: now)
        let count = (failures[client]?.count ?? 0) + 1
        let wait = Self.wait(count, atMost: Self.longestWait)
        if failures[client] == nil, failures.count >= Self.clients {
            let oldest = failures.min { $0.value.last < $1.value.last }
            if let oldest { failures[oldest.key] = nil }
        }
        failures[client] = Failures(count: count, closedUntil: now + wait, last: now)
        let total = (all?.count ?? 0) + 1
        let waitOfAll =
            total > Self.freeFailures
            ? Self.wait(total - Self.freeFailures, atMost: Self.longestWaitOfAll) : .zero
        all = Failures(count: total, closedUntil: now + waitOfAll, last: now)
        return max(wait, waitOfAll)
    }

    /// Forgets what a client did wrong, because it was right.
    mutating func succeed(_ client: ClientAddress) {
        failures[client] = nil
        all = nil
    }

    private mutating func forget(at now: ContinuousClock.Instant) {
        if let one = all, now - one.last > Self.memory { all = nil }
        failures = failures.filter { now - $0.value.last <= Self.memory }
    }

    private static func wait(_ count: Int, atMost limit: Duration) -> Duration {
        min(limit, .seconds(1 << min(count - 1, 20)))
    }
}
