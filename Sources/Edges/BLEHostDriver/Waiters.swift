// SPDX-License-Identifier: Apache-2.0

import BluetoothLE

/// Tasks that wait, each for what a key names.
///
/// Whoever is added is resumed exactly once: by what was waited for, by ``cancel(_:_:)`` when the task is cancelled, or
/// with the others when what they wait for cannot come any more (``fail(_:_:)``).
struct Waiters<Key: Hashable & Sendable, Value: Sendable> {
    typealias Outcome = Result<Value, BluetoothError>
    typealias Continuation = CheckedContinuation<Outcome, Never>

    private struct Waiter {
        let id: UInt64
        let continuation: Continuation
        /// What has to know of the answer before whatever comes after it.
        let request: OrderedRequest?

        func resume(_ outcome: Outcome) {
            request?.answered()
            continuation.resume(returning: outcome)
        }
    }

    /// Nearly always one waits for a key.
    private enum Queue {
        case one(Waiter)
        case several([Waiter])

        var firstID: UInt64 {
            switch self {
            case .one(let waiter): waiter.id
            case .several(let waiters): waiters[0].id
            }
        }
    }

    private var queues: [Key: Queue] = [:]
    private var lastID: UInt64 = 0

    /// How many tasks wait.
    var count: Int {
        queues.values.reduce(0) { sum, queue in
            if case .several(let waiters) = queue { sum + waiters.count } else { sum + 1 }
        }
    }

    /// Whether somebody waits for a key.
    func isAwaited(_ key: Key) -> Bool { queues[key] != nil }

    /// A name for a task that is about to wait.
    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func add(
        _ continuation: Continuation, _ key: Key, _ id: UInt64, for request: OrderedRequest? = nil
    ) {
        let waiter = Waiter(id: id, continuation: continuation, request: request)
        switch queues[key] {
        case nil: queues[key] = .one(waiter)
        case .one(let first): queues[key] = .several([first, waiter])
        case .several(let waiters): queues[key] = .several(waiters + [waiter])
        }
    }

    /// What a task waits for; seldom asked, and slow.
    func key(of id: UInt64) -> Key? {
        queues.first { _, queue in
            switch queue {
            case .one(let waiter): waiter.id == id
            case .several(let waiters): waiters.contains { $0.id == id }
            }
        }?.key
    }

    /// Resumes all who wait for a key.
    mutating func resume(_ key: Key, _ outcome: Outcome) {
        switch queues.removeValue(forKey: key) {
        case nil: break
        case .one(let waiter): waiter.resume(outcome)
        case .several(let waiters): for waiter in waiters { waiter.resume(outcome) }
        }
    }

    /// Resumes who waits longest for a key.
    mutating func resumeFirst(_ key: Key, _ outcome: Outcome) {
        guard case .several(var waiters) = queues[key] else {
            resume(key, outcome)
            return
        }
        waiters.removeFirst().resume(outcome)
        queues[key] = waiters.isEmpty ? nil : .several(waiters)
    }

    /// Resumes a task that was cancelled, if it still waits.
    mutating func cancel(_ key: Key, _ id: UInt64) {
        switch queues[key] {
        case .one(let waiter) where waiter.id == id: resume(key, .failure(.cancelled))
        case .several(var waiters):
            guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
            waiters.remove(at: index).resume(.failure(.cancelled))
            queues[key] = waiters.isEmpty ? nil : .several(waiters)
        default: break
        }
    }

    /// Resumes all whose key cannot come any more.
    mutating func fail(_ error: BluetoothError, where isHopeless: (Key) -> Bool) {
        guard !queues.isEmpty else { return }
        let hopeless = queues.filter { isHopeless($0.key) }
        // Who began to wait first goes on first, so that the same inputs lead to the same.
        for (key, _) in hopeless.sorted(by: { $0.value.firstID < $1.value.firstID }) {
            resume(key, .failure(error))
        }
    }
}
