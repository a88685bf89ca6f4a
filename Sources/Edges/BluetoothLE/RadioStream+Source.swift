// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Synchronization

/// Consumers of streams that have something to take, to be woken when everything that came together is there.
///
/// A consumer that was woken for each element would cost a change of threads for each.
public struct StreamWakeUps {
    @usableFromInline var waiters: [CheckedContinuation<Void, Never>] = []

    /// Starts with nobody.
    public init() {}

    /// Wakes them all.
    @inlinable
    public mutating func wake() {
        guard !waiters.isEmpty else { return }
        for waiter in waiters { waiter.resume() }
        waiters.removeAll(keepingCapacity: true)
    }
}

extension RadioStream {
    /// The end of a stream at which elements are put in; for backends.
    public final class Source: Sendable {
        /// What happened to an element.
        public enum Outcome: Hashable, Sendable {
            /// It waits for the consumer.
            case taken
            /// It waits for the consumer, and the oldest one was dropped for it.
            case droppedOldest
            /// There is no room for it.
            case refused
            /// There is no consumer any more.
            case ended
        }

        /// What is done when the stream is full.
        public enum Overflow: Hashable, Sendable {
            /// The oldest element is dropped.
            case dropOldest
            /// The new element is refused.
            case refuse
        }

        @usableFromInline
        enum Next {
            case element(Element)
            case nothing
            case ended
        }

        @usableFromInline
        struct State {
            @usableFromInline var elements = FIFO<Element>()
            @usableFromInline var waiters: [CheckedContinuation<Void, Never>] = []
            @usableFromInline var isEnded = false
            @usableFromInline var isAbandoned = false

            @inlinable
            init() {}
        }

        @usableFromInline let state = Mutex(State())
        @usableFromInline let limit: Int
        @usableFromInline let overflow: Overflow
        @usableFromInline let pause: Int
        @usableFromInline let drained: @Sendable () -> Void
        private let abandoned: @Sendable () -> Void

        /// Makes the source of one stream.
        ///
        /// - Parameters:
        ///   - limit: How many elements may wait.
        ///   - overflow: What is done when so many wait.
        ///   - pause: From how many on the producer should pause (``isFull``).
        ///   - drained: Called when half of those that made it pause were taken out.
        ///   - abandoned: Called once when nobody can take elements out any more: the stream is gone, or the task
        ///     that waited was cancelled.
        public init(
            limit: Int, overflow: Overflow, pause: Int = .max, drained: @escaping @Sendable () -> Void = {},
            abandoned: @escaping @Sendable () -> Void = {}
        ) {
            self.limit = limit
            self.overflow = overflow
            self.pause = pause
            self.drained = drained
            self.abandoned = abandoned
        }

        /// Whether so many elements wait that the producer should pause.
        public var isFull: Bool { state.withLock { $0.elements.count >= pause } }

        /// Puts an element in.
        ///
        /// - Parameters:
        ///   - element: The element.
        ///   - always: Whether it is put in although the stream is full.
        ///   - wakeUps: Whom to wake when everything is put in.
        /// - Returns: What became of it.
        @inlinable
        public func yield(
            _ element: Element, always: Bool = false, _ wakeUps: inout StreamWakeUps
        ) -> Outcome {
            state.withLock { state in
                guard !state.isEnded else { return .ended }
                var outcome = Outcome.taken
                if state.elements.count >= limit, !always {
                    guard case .dropOldest = overflow else { return .refused }
                    _ = state.elements.popFirst()
                    outcome = .droppedOldest
                }
                state.elements.append(element)
                if !state.waiters.isEmpty { wakeUps.waiters.append(state.waiters.removeFirst()) }
                return outcome
            }
        }

        /// Puts one element in and wakes the consumer.
        ///
        /// - Parameter element: The element.
        /// - Returns: What became of it.
        @discardableResult
        public func yield(_ element: Element) -> Outcome {
            var wakeUps = StreamWakeUps()
            defer { wakeUps.wake() }
            return yield(element, &wakeUps)
        }

        /// Lets the stream end once what waits was taken out.
        public func finish() {
            let waiters = state.withLock { state in
                state.isEnded = true
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }

        /// Takes an element out.
        @inlinable
        func take() -> Next {
            let (next, isDrained) = state.withLock { state -> (Next, Bool) in
                guard let element = state.elements.popFirst() else {
                    return (state.isEnded ? .ended : .nothing, false)
                }
                return (.element(element), state.elements.count == pause / 2)
            }
            if isDrained { drained() }
            return next
        }

        /// Has the waiter resumed when there is something to take, or nothing to wait for.
        @usableFromInline
        func wait(_ waiter: CheckedContinuation<Void, Never>) {
            let isReady = state.withLock { state in
                if state.isEnded || !state.elements.isEmpty { return true }
                state.waiters.append(waiter)
                return false
            }
            if isReady { waiter.resume() }
        }

        /// The consumer waits no more.
        @usableFromInline
        func end() {
            let isFirst = state.withLock { state in
                defer { state.isAbandoned = true }
                return !state.isAbandoned
            }
            finish()
            if isFirst { abandoned() }
        }

        /// The consumer is gone, and what waits with it.
        @usableFromInline
        func abandon() {
            end()
            state.withLock { $0.elements = FIFO() }
            drained()
        }
    }
}
