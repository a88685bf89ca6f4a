// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Synchronization

/// A bounded queue between tasks: whoever posts to a full one waits; there is one consumer.
final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages = FIFO<Message>()
        var consumer: CheckedContinuation<Message?, Never>?
        var producers = FIFO<CheckedContinuation<Void, Never>>()
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Posts a message; waits while the mailbox is full, drops it when the mailbox is closed.
    func post(_ message: Message) async {
        if push(message) { return }
        await withCheckedContinuation { producer in
            let mayGoOn = state.withLock { state in
                guard !state.isClosed, state.messages.count >= limit else { return true }
                state.producers.append(producer)
                return false
            }
            if mayGoOn { producer.resume() }
        }
    }

    /// Posts a message without waiting.
    ///
    /// - Returns: Whether the mailbox has room for more.
    @discardableResult
    func push(_ message: Message) -> Bool {
        let (consumer, hasRoom) = state.withLock { state -> (CheckedContinuation<Message?, Never>?, Bool) in
            guard !state.isClosed else { return (nil, true) }
            if let consumer = state.consumer {
                state.consumer = nil
                return (consumer, true)
            }
            state.messages.append(message)
            return (nil, state.messages.count < limit)
        }
        consumer?.resume(returning: message)
        return hasRoom
    }

    /// Waits for the next message.
    ///
    /// - Returns: The message; `nil` after closing.
    func next() async -> Message? {
        await withCheckedContinuation { consumer in
            let (message, isDone, producer) = state.withLock {
                state -> (Message?, Bool, CheckedContinuation<Void, Never>?) in
                if let message = state.messages.popFirst() {
                    let producer = state.messages.count < limit ? state.producers.popFirst() : nil
                    return (message, true, producer)
                }
                if state.isClosed { return (nil, true, nil) }
                state.consumer = consumer
                return (nil, false, nil)
            }
            producer?.resume()
            if isDone { consumer.resume(returning: message) }
        }
    }

    /// Lets nobody wait any more; what waits is dropped.
    func close() {
        let (consumer, producers) = state.withLock { state in
            state.isClosed = true
            _ = state.messages.removeAll()
            defer { state.consumer = nil }
            return (state.consumer, state.producers.removeAll())
        }
        consumer?.resume(returning: nil)
        for producer in producers { producer.resume() }
    }
}
