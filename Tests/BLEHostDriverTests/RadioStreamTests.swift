// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Synchronization
import Testing

@testable import BluetoothLE

@Suite("Streams of a radio", .timeLimit(.minutes(5)))
struct RadioStreamTests {
    typealias Stream = RadioStream<Int, BluetoothError>
    typealias Source = Stream.Source

    /// Counts calls.
    private final class Count: Sendable {
        let calls = Atomic<Int>(0)
        var value: Int { calls.load(ordering: .sequentiallyConsistent) }
        @Sendable func add() { calls.add(1, ordering: .sequentiallyConsistent) }
    }

    /// Takes everything out.
    private func all(of stream: Stream) async throws(BluetoothError) -> [Int] {
        var elements: [Int] = []
        for try await element in stream { elements.append(element) }
        return elements
    }

    @Test func aConsumerInAnotherTaskGetsEverythingInOrder() async throws {
        let source = Source()
        async let received = all(of: Stream(source))
        var wakeUps = StreamWakeUps()
        for element in 0..<10_000 {
            #expect(source.yield(element, &wakeUps))
            if element % 32 == 31 {
                wakeUps.wake()
                await Task.yield()
            }
        }
        wakeUps.wake()
        source.finish()
        #expect(try await received == Array(0..<10_000))
    }

    @Test func aConsumerThatWaitsIsWokenOnceForAllThatCameTogether() async throws {
        let source = Source()
        async let received = all(of: Stream(source))
        source.yield(0)
        var wakeUps = StreamWakeUps()
        for element in 1..<100 { source.yield(element, &wakeUps) }
        source.finish()
        // Whoever waited is woken by the end of the stream as well; nobody is woken twice.
        wakeUps.wake()
        #expect(try await received == Array(0..<100))
    }

    @Test func theOldestGoesWhenTheStreamIsFull() async throws {
        let source = Source(.dropOldest(3))
        for element in 0..<5 { source.yield(element) }
        let stream = Stream(source)
        #expect(stream.droppedCount == 2)
        source.finish()
        #expect(try await all(of: stream) == [2, 3, 4])
    }

    /// Elements that come together.
    private func together(_ elements: Range<Int>) -> FIFO<Int> {
        var fifo = FIFO<Int>()
        for element in elements { fifo.append(element) }
        return fifo
    }

    @Test func whatComesTogetherFollowsWhatWaits() async throws {
        let source = Source()
        var wakeUps = StreamWakeUps()
        for start in [0, 100, 200] {
            var elements = together(start..<(start + 100))
            #expect(source.yield(contentsOf: &elements, &wakeUps))
            #expect(elements.isEmpty)
        }
        #expect(source.count == 300)
        source.finish()
        var late = together(300..<302)
        #expect(!source.yield(contentsOf: &late, &wakeUps))
        #expect(late.count == 2)
        #expect(try await all(of: Stream(source)) == Array(0..<300))
    }

    @Test func ofWhatComesTogetherTheOldestGoes() async throws {
        let source = Source(.dropOldest(3))
        var wakeUps = StreamWakeUps()
        for elements in [0..<2, 2..<7] {
            var elements = together(elements)
            #expect(source.yield(contentsOf: &elements, &wakeUps))
        }
        #expect(source.droppedCount == 4)
        source.finish()
        #expect(try await all(of: Stream(source)) == [4, 5, 6])
    }

    @Test func asManyConsumersAreWokenAsElementsCame() async throws {
        let source = Source()
        let stream = Stream(source)
        let received = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    var iterator = stream.makeAsyncIterator()
                    return try await iterator.next()
                }
            }
            while source.waitingConsumers < 5 { await Task.yield() }
            var wakeUps = StreamWakeUps()
            var elements = together(0..<3)
            source.yield(contentsOf: &elements, &wakeUps)
            wakeUps.wake()
            #expect(source.waitingConsumers == 2)
            var first: [Int?] = []
            for _ in 0..<3 { first.append(try await group.next() ?? nil) }
            source.finish()
            for try await last in group { #expect(last == nil) }
            return first.compactMap { $0 }
        }
        #expect(received.sorted() == [0, 1, 2])
    }

    @Test func aStreamEndsByThrowingAfterWhatWaits() async {
        let source = Source()
        source.yield(1)
        source.finish(throwing: .timeout)
        source.finish()
        var iterator = Stream(source).makeAsyncIterator()
        var received: [Int?] = []
        let end = await failure { () async throws(BluetoothError) in
            while true { received.append(try await iterator.next()) }
        }
        #expect(received == [1] && end == .timeout)
    }

    @Test func itIsToldOfEachElementThatWaitsNoMore() async throws {
        let received = Count()
        let source = Source(consumed: { _ in received.add() })
        do {
            let stream = Stream(source)
            for element in 0..<9 { source.yield(element) }
            var iterator = stream.makeAsyncIterator()
            for expected in 0..<4 { #expect(try await iterator.next() == expected) }
            #expect(received.value == 4 && source.count == 5)
        }
        #expect(received.value == 9 && source.count == 0)
    }

    @Test func aStreamThatIsDroppedEndsItsSourceAndTellsOnce() {
        let abandoned = Count()
        let source = Source(abandoned: abandoned.add)
        do {
            let stream = Stream(source)
            source.yield(1)
            withExtendedLifetime((stream, stream.makeAsyncIterator())) { #expect(abandoned.value == 0) }
        }
        #expect(abandoned.value == 1 && !source.isOpen && !source.yield(2))
    }

    @Test func aTaskThatIsCancelledWhileItWaitsEndsTheStream() async throws {
        let abandoned = Count()
        let source = Source(abandoned: abandoned.add)
        let stream = Stream(source)
        let task = Task { try await all(of: stream) }
        task.cancel()
        #expect(try await task.value == [])
        #expect(abandoned.value == 1 && !source.yield(1))
        #expect(try await all(of: stream) == [])
    }

    @Test func whatWaitsIsStillTakenOutByACancelledTask() async throws {
        let source = Source()
        let stream = Stream(source)
        for element in 0..<3 { source.yield(element) }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await all(of: stream)
        }
        task.cancel()
        #expect(try await task.value == [0, 1, 2])
    }

    @Test func severalConsumersShareWhatThereIs() async throws {
        let source = Source()
        let stream = Stream(source)
        let received = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<3 { group.addTask { try await all(of: stream) } }
            for element in 0..<300 { source.yield(element) }
            source.finish()
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(received.sorted() == Array(0..<300))
    }
}

extension RadioStream.Source {
    fileprivate var waitingConsumers: Int { state.withLock { $0.waiters.count } }
}
