// SPDX-License-Identifier: Apache-2.0

/// Advertisements as they are heard.
///
/// The radio goes on listening as long as the stream or one of its iterators lives. When too many wait, the oldest
/// are dropped.
public typealias ScanStream = RadioStream<Advertisement>

/// Values that a peer sends by itself, in the order in which they came; none is dropped.
public typealias ValueStream = RadioStream<ReceivedValue>

/// What clients of our server do, in the order in which it happens; nothing is dropped.
public typealias ServerEventStream = RadioStream<ServerEvent>

/// Elements that a radio brings, many at a time.
///
/// It ends when its source says so, and when the task that waits for an element is cancelled.
public struct RadioStream<Element: Sendable>: AsyncSequence, Sendable {
    /// Nothing fails.
    public typealias Failure = Never

    /// One element at a time, in order.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let consumer: Consumer

        @inlinable
        init(_ consumer: Consumer) { self.consumer = consumer }

        /// The next element.
        ///
        /// - Returns: The element; `nil` when there will be no more or the task is cancelled.
        @inlinable
        public mutating func next() async -> Element? { await next(isolation: nil) }

        /// The next element.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The element; `nil` when there will be no more or the task is cancelled.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            let source = consumer.source
            while true {
                switch source.take() {
                case .element(let element): return element
                case .ended: return nil
                case .nothing:
                    await withTaskCancellationHandler(
                        operation: {
                            await withCheckedContinuation(isolation: actor) { source.wait($0) }
                        }, onCancel: { source.end() }, isolation: actor)
                }
            }
        }
    }

    /// Tells the source when the last copy of the stream and its iterators is gone.
    @usableFromInline
    final class Consumer: Sendable {
        @usableFromInline let source: Source

        @inlinable
        init(_ source: Source) { self.source = source }

        deinit { source.abandon() }
    }

    @usableFromInline let consumer: Consumer

    /// Takes from a source, which has one stream; for backends.
    ///
    /// - Parameter source: Where the elements come from.
    public init(_ source: Source) { consumer = Consumer(source) }

    /// Starts taking elements out; all iterators share what there is.
    @inlinable
    public func makeAsyncIterator() -> Iterator { Iterator(consumer) }
}
