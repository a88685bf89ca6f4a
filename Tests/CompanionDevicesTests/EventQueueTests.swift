// SPDX-License-Identifier: Apache-2.0

import CompanionDevices
import Testing

@Suite("The queue between radio and disk", .timeLimit(.minutes(5)))
struct EventQueueTests {
    @Test func takesOutEverythingThatWaitsInOrder() async {
        let queue = EventQueue<Int>(capacity: 10)
        for number in 1...3 { await queue.append(number) }
        #expect(await queue.next() == [1, 2, 3])
        await queue.append(4)
        await queue.finish()
        #expect(await queue.next() == [4])
        #expect(await queue.next() == nil)
    }

    @Test func whoBringsToAFullQueueWaitsUntilSomethingWasTaken() async {
        let queue = EventQueue<Int>(capacity: 2)
        let producer = Task {
            for number in 0..<100 { await queue.append(number) }
            await queue.finish()
        }
        var received: [Int] = []
        while let some = await queue.next() {
            #expect(some.count <= 2)
            received += some
        }
        #expect(received == Array(0..<100))
        await producer.value
    }

    @Test func whoTakesFromAnEmptyQueueWaitsForTheNextElement() async {
        let queue = EventQueue<Int>(capacity: 2)
        async let waiting = queue.next()
        await queue.append(7)
        #expect(await waiting == [7])
    }

    @Test func anAbandonedQueueLetsNobodyWaitAndKeepsNothing() async {
        let queue = EventQueue<Int>(capacity: 1)
        let producer = Task { for number in 0..<10 { await queue.append(number) } }
        _ = await queue.next()
        await queue.abandon()
        await producer.value
        #expect(await queue.next() == nil)
    }
}
