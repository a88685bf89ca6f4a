// SPDX-License-Identifier: Apache-2.0

/// Elements that a radio brings, many at a time.
///
/// One rule for all streams: a stream ends quietly when this side ends it (the link was closed, the server stopped, the
/// task that waits was cancelled), and throws when something else does (the link was lost, the radio is gone).
public struct RadioStream<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// One element at a time, in order.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let consumer: Consumer

        @inlinable
        init(_ consumer: Consumer) { self.consumer = consumer }

        /// The next element.
        ///
        /// - Returns: The element; `nil` when there will be no more or the task is cancelled.
        /// - Throws: Why the stream has ended, when this side did not end it.
        @inlinable
        public mutating func next() async throws(Failure) -> Element? { try await next(isolation: nil) }

        /// The next element.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The element; `nil` when there will be no more or the task is cancelled.
        /// - Throws: Why the stream has ended, when this side did not end it.
        @inlinable
        @inline(__always)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            // Built into the consumer's loop: what waits costs no change of executors.
            if case .element(let element) = consumer.source.pull() { return element }
            return try await nextAfterWaiting(isolation: actor)
        }

        @inlinable
        @inline(never)
        func nextAfterWaiting(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            let source = consumer.source
            while true {
                switch source.pull() {
                case .element(let element): return element
                case .ended(nil): return nil
                case .ended(let failure?): throw failure
                case .nothing:
                    await withTaskCancellationHandler(
                        operation: {
                            await withCheckedContinuation(isolation: actor) { source.wait($0) }
                        }, onCancel: { source.end() }, isolation: actor)
                }
            }
        }
    }

    /// Lets the source know when the last copy of the stream and its iterators is gone.
    @usableFromInline
    final class Consumer: Sendable {
        @usableFromInline let source: Source

        @inlinable
        init(_ source: Source) { self.source = source }

        deinit { source.abandon() }
    }

    @usableFromInline let consumer: Consumer

    /// Takes from a source, which has one stream; for backends.
    package init(_ source: Source) { consumer = Consumer(source) }

    /// How many elements were dropped because they were not taken out in time.
    ///
    /// Only streams that say so drop elements.
    public var droppedCount: Int { consumer.source.droppedCount }

    /// The next element that fits; what comes before it is taken out, too.
    ///
    /// - Parameter predicate: Whether an element fits; it runs where the caller does.
    /// - Returns: The element; `nil` when the stream ends before.
    /// - Throws: Why the stream has ended, when this side did not end it.
    public nonisolated(nonsending) func first(
        where predicate: (Element) -> Bool
    ) async throws(Failure) -> Element? {
        var iterator = makeAsyncIterator()
        while let element = try await iterator.next(isolation: #isolation) {
            if predicate(element) { return element }
        }
        return nil
    }

    /// Starts taking elements out; all iterators share what there is.
    @inlinable
    public func makeAsyncIterator() -> Iterator { Iterator(consumer) }
}

/// Advertisements as they are heard.
///
/// The radio goes on listening as long as the stream or one of its iterators lives. Up to 512 reports wait; of what
/// comes beyond, at most one of each device and kind of PDU does, the newest, and those it replaces are counted in
/// ``RadioStream/droppedCount``. So a slow consumer misses repetitions, never a device.
public typealias ScanStream = RadioStream<Advertisement, BluetoothError>

/// Values that a peer sends by itself, in the order in which they came; none is dropped.
///
/// A consumer that is far behind holds the air up where the controller can do that; where it cannot, the link is closed with
/// `LinkError.consumerTooSlow`.
public typealias ValueStream = RadioStream<ReceivedValue, BluetoothError>

/// Values of one characteristic, in the order in which they came; none is dropped, as with ``ValueStream``.
public typealias NotificationStream = RadioStream<[UInt8], BluetoothError>

/// What clients of our server do, in the order in which it happens; nothing is dropped, as with ``ValueStream``.
public typealias ServerEventStream = RadioStream<ServerEvent, BluetoothError>

/// SDUs of a channel, in the order in which they came; the peer may send more as they are taken out.
public typealias SDUStream = RadioStream<[UInt8], BluetoothError>

/// Channels that peers open; none is dropped.
public typealias ChannelStream = RadioStream<Channel, BluetoothError>

/// What happens to a link; up to 64 changes wait, then the oldest are dropped.
public typealias LinkChangeStream = RadioStream<LinkChange, Never>

/// Handles whose services are not what they were; up to 16 changes wait, then the oldest are dropped.
public typealias ServiceChangeStream = RadioStream<ATT.HandleRange, Never>

/// Whether a radio can be used; only the last state waits.
public typealias RadioStateStream = RadioStream<RadioState, Never>
