// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Synchronization

/// Consumers of streams that have something to take, to be woken when everything that came together is there.
///
/// A consumer that was woken for each element would cost a change of threads for each.
@usableFromInline
package struct StreamWakeUps: Sendable {
    @usableFromInline var waiters: [CheckedContinuation<Void, Never>] = []

    /// Starts with nobody.
    package init() {}

    /// Wakes them all.
    package mutating func wake() {
        guard !waiters.isEmpty else { return }
        for waiter in waiters { waiter.resume() }
        waiters.removeAll(keepingCapacity: true)
    }
}

/// What is done when elements are not taken out as fast as they come.
@usableFromInline
package enum Overflow<Element: Sendable>: Sendable {
    /// They wait: somebody else sees to it that they are not too many.
    case wait
    /// From so many on the oldest is dropped.
    case dropOldest(Int)
    /// From so many on at most one waits of each device and kind of PDU, the newest.
    case coalesce(Int, key: @Sendable (Element) -> ReportKey)
}

extension RadioStream {
    /// The end of a stream at which elements are put in.
    ///
    /// A consumer that waits is resumed by an element, by the end of the stream and by the cancellation of its task, which
    /// ends the stream as well; a stream of which nobody holds a copy any more ends, and what waits goes.
    @usableFromInline
    package final class Source: Sendable {
        @usableFromInline
        enum Next {
            case element(Element)
            case nothing
            case ended(Failure?)
        }

        @usableFromInline
        enum End {
            case open
            case ended(Failure?)
            /// Nobody can take elements out any more.
            case abandoned
        }

        @usableFromInline
        struct State {
            @usableFromInline var elements = FIFO<Element>()
            /// What does not wait in `elements` because they are too many.
            @usableFromInline var surplus = ReportQueue<Element>()
            @usableFromInline var waiters: [CheckedContinuation<Void, Never>] = []
            @usableFromInline var end = End.open
            @usableFromInline var dropped = 0

            @inlinable
            init() {}

            @inlinable
            mutating func popSurplus() -> Element? { surplus.isEmpty ? nil : surplus.popFirst() }

            /// Whether so many more can wait with nothing dropped or replaced.
            func hasRoom(for count: Int, _ overflow: Overflow<Element>) -> Bool {
                switch overflow {
                case .wait: true
                case .dropOldest(let limit), .coalesce(let limit, key: _):
                    elements.count + count <= limit && surplus.isEmpty
                }
            }

            mutating func append(_ element: Element, _ overflow: Overflow<Element>) {
                switch overflow {
                case .coalesce(_, let key) where !hasRoom(for: 1, overflow):
                    dropped += surplus.append(element, key(element))
                    return
                case .dropOldest where !hasRoom(for: 1, overflow):
                    _ = elements.popFirst()
                    dropped += 1
                default: break
                }
                elements.append(element)
            }

            /// Takes out whom so many elements wake up.
            mutating func moveWaiters(_ count: Int, to wakeUps: inout StreamWakeUps) {
                // Not handed out as an optional: where nobody waits, that would cost more than all the rest.
                guard !waiters.isEmpty else { return }
                let woken = waiters.prefix(count)
                wakeUps.waiters += woken
                waiters.removeFirst(woken.count)
            }
        }

        @usableFromInline let state = Mutex(State())
        @usableFromInline let overflow: Overflow<Element>
        @usableFromInline let consumed: (@Sendable (Element) -> Void)?
        @usableFromInline let abandoned: @Sendable () -> Void

        /// Makes the source of one stream.
        ///
        /// - Parameters:
        ///   - overflow: What is done when many elements wait.
        ///   - consumed: Called for each element that waits no more, taken out or given up.
        ///   - abandoned: Called once when nobody can take elements out any more: the stream is gone, or the task
        ///     that waited was cancelled.
        package init(
            _ overflow: Overflow<Element> = .wait, consumed: (@Sendable (Element) -> Void)? = nil,
            abandoned: @escaping @Sendable () -> Void = {}
        ) {
            self.overflow = overflow
            self.consumed = consumed
            self.abandoned = abandoned
        }

        /// How many elements wait.
        package var count: Int { state.withLock { $0.elements.count + $0.surplus.count } }

        /// How many elements were dropped.
        package var droppedCount: Int { state.withLock { $0.dropped } }

        /// Whether elements can still be put in.
        package var isOpen: Bool {
            state.withLock { if case .open = $0.end { true } else { false } }
        }

        /// Puts an element in.
        ///
        /// - Parameters:
        ///   - element: The element.
        ///   - wakeUps: Whom to wake when everything is put in.
        /// - Returns: Whether it waits now; not when the stream has ended.
        @discardableResult
        package func yield(_ element: Element, _ wakeUps: inout StreamWakeUps) -> Bool {
            state.withLock { state in
                guard case .open = state.end else { return false }
                state.append(element, overflow)
                state.moveWaiters(1, to: &wakeUps)
                return true
            }
        }

        /// Puts elements in that came together; where none waits they are handed over as they are.
        ///
        /// - Parameters:
        ///   - elements: The elements, which are taken out of it.
        ///   - wakeUps: Whom to wake when everything is put in.
        /// - Returns: Whether they wait now; not when the stream has ended, which leaves them where they are.
        @discardableResult
        package func yield(contentsOf elements: inout FIFO<Element>, _ wakeUps: inout StreamWakeUps) -> Bool {
            state.withLock { state in
                guard case .open = state.end else { return false }
                let count = elements.count
                if state.hasRoom(for: count, overflow) {
                    state.elements.append(contentsOf: &elements)
                } else {
                    while let element = elements.popFirst() { state.append(element, overflow) }
                }
                state.moveWaiters(count, to: &wakeUps)
                return true
            }
        }

        /// Puts one element in and wakes the consumer.
        ///
        /// - Parameter element: The element.
        /// - Returns: Whether it waits now; not when the stream has ended.
        @discardableResult
        package func yield(_ element: Element) -> Bool {
            var wakeUps = StreamWakeUps()
            defer { wakeUps.wake() }
            return yield(element, &wakeUps)
        }

        /// Lets the stream end once what waits was taken out.
        ///
        /// - Parameter failure: What it throws then; nothing when this side has ended it.
        package func finish(throwing failure: Failure? = nil) {
            let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                guard case .open = state.end else { return [] }
                state.end = .ended(failure)
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }

        /// Takes an element out.
        @inlinable
        @inline(never)
        func pull() -> Next {
            let next = state.withLock { state -> Next in
                if let element = state.elements.popFirst() ?? state.popSurplus() {
                    return .element(element)
                }
                switch state.end {
                case .open: return .nothing
                case .ended(let failure): return .ended(failure)
                case .abandoned: return .ended(nil)
                }
            }
            guard let consumed, case .element(let element) = next else { return next }
            consumed(element)
            return .element(element)
        }

        /// Has the waiter resumed when there is something to take, or nothing to wait for.
        @usableFromInline
        func wait(_ waiter: CheckedContinuation<Void, Never>) {
            let isReady = state.withLock { state in
                guard case .open = state.end, state.elements.isEmpty, state.surplus.isEmpty else {
                    return true
                }
                state.waiters.append(waiter)
                return false
            }
            if isReady { waiter.resume() }
        }

        /// The consumer waits no more.
        @usableFromInline
        func end() {
            let (waiters, isFirst) = state.withLock { state in
                defer {
                    state.end = .abandoned
                    state.waiters = []
                }
                if case .abandoned = state.end { return (state.waiters, false) }
                return (state.waiters, true)
            }
            for waiter in waiters { waiter.resume() }
            if isFirst { abandoned() }
        }

        /// The consumer is gone, and what waits with it.
        @usableFromInline
        func abandon() {
            end()
            let left = state.withLock { state in
                state.surplus = ReportQueue()
                return state.elements.removeAll()
            }
            if let consumed { for element in left { consumed(element) } }
        }
    }
}
