// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a link brings, in one line.
package enum LinkEvent: Sendable {
    /// The peer has sent a value by itself.
    case value(ReceivedValue)
    /// The link is not what it was.
    case change(LinkChange)
    /// The services at these handles are not what they were.
    case servicesChanged(ATT.HandleRange)
    /// A request was answered: ``OrderedRequest/completion(of:)`` has what is to be done then.
    case answered(OrderedRequest, attempt: Int)
}

/// What a link brings, in the order in which it came; nothing is dropped, as with ``ValueStream``.
package typealias LinkEventStream = RadioStream<LinkEvent, BluetoothError>

/// A link whose values and answers keep their order: what a request leads to is taken out where its answer came.
///
/// Tasks that wait for an answer and tasks that take values out go on in any order; a platform's API that calls back for
/// both needs one line of them. The line ends with the link.
package struct OrderedLink: Sendable {
    /// What comes; one consumer.
    package let events: LinkEventStream
    private let source: LinkEventStream.Source

    init(_ source: LinkEventStream.Source) {
        self.source = source
        events = LinkEventStream(source)
    }

    /// Makes a request of the link and puts what it leads to in line.
    ///
    /// - Parameter request: Makes it, and returns what is to be done when its answer's turn has come; not done at all when the
    ///   link has ended before.
    package nonisolated(nonsending) func perform(
        _ request: nonisolated(nonsending) () async -> @Sendable () -> Void
    ) async {
        let place = OrderedRequest(source)
        let completion = await OrderedRequest.local.withValue(place) { await request() }
        place.complete(completion)
    }
}

/// The place of one request's answer among the events of its link.
///
/// The backend says in its own turn when an answer has come, before anything that came later is given out; what it leads to
/// is there when the request's task has gone on. Whoever waits for that is resumed by it, or by another attempt of the same
/// request, whose answer counts instead.
package final class OrderedRequest: Sendable {
    /// The request that this task makes.
    package static var current: OrderedRequest? { local.get() }
    // Without the macro: Scripts/check-apple has none.
    fileprivate static let local = TaskLocal<OrderedRequest?>(wrappedValue: nil)

    private struct State {
        var attempt = 0
        var isInLine = false
        var completion: (@Sendable () -> Void)?
        var waiter: CheckedContinuation<(@Sendable () -> Void)?, Never>?
    }

    private let state = Mutex(State())
    private let source: LinkEventStream.Source

    fileprivate init(_ source: LinkEventStream.Source) { self.source = source }

    /// The radio was asked; an answer that came before was not the last.
    package func begin() {
        let waiter = state.withLock { state in
            state.attempt += 1
            state.isInLine = false
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// The answer is there; called before anything else of the link is given out.
    package func answered() {
        let attempt = state.withLock { state -> Int? in
            guard !state.isInLine else { return nil }
            state.isInLine = true
            return state.attempt
        }
        if let attempt { source.yield(.answered(self, attempt: attempt)) }
    }

    /// The request's task is over.
    fileprivate func complete(_ completion: @escaping @Sendable () -> Void) {
        // What the radio was not asked for has its place here.
        answered()
        let waiter = state.withLock { state in
            state.completion = completion
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: completion)
    }

    /// Waits for what is to be done.
    ///
    /// - Parameter attempt: Of which answer.
    /// - Returns: What is to be done; `nil` when another answer counts.
    package nonisolated(nonsending) func completion(of attempt: Int) async -> (@Sendable () -> Void)? {
        await withCheckedContinuation { waiter in
            let (isOver, completion) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
                guard state.attempt == attempt else { return (true, nil) }
                if state.completion == nil { state.waiter = waiter }
                return (state.completion != nil, state.completion)
            }
            if isOver { waiter.resume(returning: completion) }
        }
    }
}

extension Connection {
    /// Begins a line of what the link brings; each call gives one of its own.
    package func ordered() -> OrderedLink { OrderedLink(backend.state.events()) }

    /// The services that were found on this link, by whomever; none when they have changed since.
    package var knownServices: [GATT.Service] { backend.state.services ?? [] }

    /// Somebody who subscribes beside others: what all of them want is switched on.
    package func makeSubscriber() -> Subscriber {
        Subscriber(backend: backend, holder: backend.state.subscriptions.makeHolder())
    }

    /// One of those who want values of a link.
    package struct Subscriber: Sendable {
        let backend: any ConnectionBackend
        let holder: Subscriptions.Holder

        /// Switches notifications or indications for this one.
        package nonisolated(nonsending) func subscribe(
            _ subscription: GATT.Subscription, to characteristic: GATT.Characteristic
        ) async throws(BluetoothError) {
            try await backend.state.subscriptions.want(
                subscription, of: characteristic, for: holder, on: backend)
        }
    }
}
