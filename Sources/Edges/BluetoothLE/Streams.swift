// SPDX-License-Identifier: Apache-2.0

/// Advertisements as they are heard.
///
/// The radio goes on listening as long as the stream or one of its iterators lives.
public struct ScanStream: AsyncSequence, Sendable {
    /// One element at a time, in order.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<Advertisement>.Iterator

        /// The next advertisement.
        ///
        /// - Returns: The advertisement; `nil` when the radio is gone or the task is cancelled.
        public mutating func next() async -> Advertisement? { await base.next() }

        /// The next advertisement.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The advertisement; `nil` when the radio is gone or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Advertisement? {
            await base.next(isolation: actor)
        }
    }

    let stream: AsyncStream<Advertisement>

    /// Wraps a stream; for backends.
    ///
    /// - Parameter stream: The advertisements; its end handler stops the scan.
    public init(_ stream: AsyncStream<Advertisement>) { self.stream = stream }

    /// Starts taking advertisements out.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }
}

/// Values that a peer sends by itself, in the order in which they came.
public struct ValueStream: AsyncSequence, Sendable {
    /// One element at a time, in order.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<ReceivedValue>.Iterator
        let taken: @Sendable () -> Void

        /// The next value.
        ///
        /// - Returns: The value; `nil` when the link is gone or the task is cancelled.
        public mutating func next() async -> ReceivedValue? {
            let value = await base.next()
            if value != nil { taken() }
            return value
        }

        /// The next value.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The value; `nil` when the link is gone or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ReceivedValue? {
            let value = await base.next(isolation: actor)
            if value != nil { taken() }
            return value
        }
    }

    let stream: AsyncStream<ReceivedValue>
    let taken: @Sendable () -> Void

    /// Wraps a stream; for backends.
    ///
    /// - Parameters:
    ///   - stream: The values.
    ///   - taken: Called for each value that was taken out, so that the backend can bound what waits.
    public init(_ stream: AsyncStream<ReceivedValue>, taken: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.taken = taken
    }

    /// Starts taking values out.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), taken: taken) }
}
