// SPDX-License-Identifier: Apache-2.0

/// Advertisements as they are heard.
///
/// The radio goes on listening as long as the stream or one of its iterators lives.
public typealias ScanStream = AsyncStream<Advertisement>

/// Values that a peer sends by itself, in the order in which they came.
public typealias ValueStream = BackpressureStream<ReceivedValue>

/// What clients of our server do, in the order in which it happens.
public typealias ServerEventStream = BackpressureStream<ServerEvent>

/// Elements of which none is ever dropped: the producer counts what waits and stops producing.
public struct BackpressureStream<Element: Sendable>: AsyncSequence, Sendable {
    /// Nothing fails.
    public typealias Failure = Never

    /// One element at a time, in order.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<Element>.Iterator
        let taken: @Sendable () -> Void

        /// The next element.
        ///
        /// - Returns: The element; `nil` when there will be no more or the task is cancelled.
        public mutating func next() async -> Element? { await next(isolation: nil) }

        /// The next element.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The element; `nil` when there will be no more or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            let element = await base.next(isolation: actor)
            if element != nil { taken() }
            return element
        }
    }

    let stream: AsyncStream<Element>
    let taken: @Sendable () -> Void

    /// Wraps a stream; for backends.
    ///
    /// - Parameters:
    ///   - stream: The elements.
    ///   - taken: Called for each element that was taken out.
    public init(_ stream: AsyncStream<Element>, taken: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.taken = taken
    }

    /// Starts taking elements out.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator(), taken: taken)
    }
}
