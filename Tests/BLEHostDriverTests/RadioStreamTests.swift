// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Synchronization
import Testing

@Suite("Streams of a radio", .timeLimit(.minutes(2)))
struct RadioStreamTests {
    typealias Source = RadioStream<Int>.Source

    /// Counts calls.
    private final class Count: Sendable {
        let calls = Atomic<Int>(0)
        var value: Int { calls.load(ordering: .sequentiallyConsistent) }
        @Sendable func add() { calls.add(1, ordering: .sequentiallyConsistent) }
    }

    /// Takes everything out.
    private func all(of stream: RadioStream<Int>) async -> [Int] {
        var elements: [Int] = []
        for await element in stream { elements.append(element) }
        return elements
    }

    @Test func aConsumerInAnotherTaskGetsEverythingInOrder() async {
        let source = Source(limit: .max, overflow: .refuse)
        async let taken = all(of: RadioStream(source))
        var wakeUps = StreamWakeUps()
        for element in 0..<10_000 {
            #expect(source.yield(element, &wakeUps) == .taken)
            if element % 32 == 31 {
                wakeUps.wake()
                await Task.yield()
            }
        }
        wakeUps.wake()
        source.finish()
        #expect(await taken == Array(0..<10_000))
    }

    @Test func aConsumerThatWaitsIsWokenOnceForAllThatCameTogether() async {
        let source = Source(limit: .max, overflow: .refuse)
        async let taken = all(of: RadioStream(source))
        source.yield(0)
        var wakeUps = StreamWakeUps()
        for element in 1..<100 { _ = source.yield(element, &wakeUps) }
        source.finish()
        // Whoever waited is woken by the end of the stream as well; nobody is woken twice.
        wakeUps.wake()
        #expect(await taken == Array(0..<100))
    }

    @Test func theOldestGoesWhenTheStreamIsFull() async {
        let source = Source(limit: 3, overflow: .dropOldest)
        let outcomes = (0..<5).map { source.yield($0) }
        #expect(outcomes == [.taken, .taken, .taken, .droppedOldest, .droppedOldest])
        source.finish()
        #expect(await all(of: RadioStream(source)) == [2, 3, 4])
    }

    @Test func theNewestIsRefusedUnlessItMustBeTold() async {
        let source = Source(limit: 2, overflow: .refuse)
        var wakeUps = StreamWakeUps()
        let outcomes = (0..<3).map { source.yield($0) }
        #expect(outcomes == [.taken, .taken, .refused])
        #expect(source.yield(3, always: true, &wakeUps) == .taken)
        source.finish()
        #expect(source.yield(4) == .ended)
        #expect(await all(of: RadioStream(source)) == [0, 1, 3])
    }

    @Test func theProducerIsToldWhenHalfOfItIsTakenOut() async {
        let drained = Count()
        let source = Source(limit: 100, overflow: .refuse, pause: 10, drained: drained.add)
        let stream = RadioStream(source)
        for element in 0..<9 { source.yield(element) }
        #expect(!source.isFull)
        source.yield(9)
        #expect(source.isFull)
        var iterator = stream.makeAsyncIterator()
        for expected in 0..<4 { #expect(await iterator.next() == expected) }
        #expect(drained.value == 0)
        #expect(await iterator.next() == 4)
        #expect(drained.value == 1 && !source.isFull)
    }

    @Test func aStreamThatIsDroppedEndsItsSourceAndTellsOnce() {
        let (drained, abandoned) = (Count(), Count())
        let source = Source(
            limit: 100, overflow: .refuse, pause: 1, drained: drained.add, abandoned: abandoned.add)
        do {
            let stream = RadioStream(source)
            source.yield(1)
            #expect(source.isFull)
            withExtendedLifetime((stream, stream.makeAsyncIterator())) { #expect(abandoned.value == 0) }
        }
        #expect(abandoned.value == 1 && drained.value == 1)
        #expect(!source.isFull && source.yield(2) == .ended)
    }

    @Test func aTaskThatIsCancelledWhileItWaitsEndsTheStream() async {
        let abandoned = Count()
        let source = Source(limit: 100, overflow: .refuse, abandoned: abandoned.add)
        let stream = RadioStream(source)
        let task = Task { await all(of: stream) }
        task.cancel()
        #expect(await task.value == [])
        #expect(abandoned.value == 1 && source.yield(1) == .ended)
        #expect(await all(of: stream) == [])
    }

    @Test func whatWaitsIsStillTakenOutByACancelledTask() async {
        let source = Source(limit: 100, overflow: .refuse)
        let stream = RadioStream(source)
        for element in 0..<3 { source.yield(element) }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await all(of: stream)
        }
        task.cancel()
        #expect(await task.value == [0, 1, 2])
    }

    @Test func severalConsumersShareWhatThereIs() async {
        let source = Source(limit: .max, overflow: .refuse)
        let stream = RadioStream(source)
        let taken = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<3 { group.addTask { await all(of: stream) } }
            for element in 0..<300 { source.yield(element) }
            source.finish()
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(taken.sorted() == Array(0..<300))
    }
}
