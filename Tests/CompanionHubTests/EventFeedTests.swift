// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import Testing

@Suite("What happens in a hub, for those who follow", .timeLimit(.minutes(5)))
struct EventFeedTests {
    private let start = Timestamp(milliseconds: 1_790_000_000_000)

    private func feed(events: Int = 100, octets: Int = 1 << 20) -> EventFeed {
        EventFeed(startedAt: start, limits: EventFeed.Limits(events: events, octets: octets))
    }

    private func publish(_ numbers: ClosedRange<Int>, to feed: EventFeed) {
        for number in numbers { feed.publish(LinesLeftOut(lines: number), at: start) }
    }

    /// The numbers that were published, and for each gap the negative of what was lost.
    private func numbers(_ items: [EventFeed.Item]?) throws -> [Int]? {
        try items?.map { item in
            let json = try JSONReader.read(item.json)
            let key = item.name == "gap" ? "lost" : "lines"
            let number = try #require(try json.member(key)).number(
                key, in: 0...10_000_000 as ClosedRange<Int>)
            return item.name == "gap" ? -number : number
        }
    }

    @Test func whoFollowsGetsEverythingInOrderAndEachEventIsEncodedOnce() async throws {
        let feed = feed()
        let one = feed.subscribe()
        let other = feed.subscribe()
        publish(1...3, to: feed)
        let items = try #require(await one.next())
        #expect(try numbers(items) == [1, 2, 3])
        #expect(items == (await other.next()))
        #expect(items.map { $0.id } == [feed.lastID - 2, feed.lastID - 1, feed.lastID])
        #expect(
            String(decoding: items[0].json, as: UTF8.self)
                == #"{"event":"left_out","time":"\#(start)","lines":1}"#)
    }

    @Test func whoHasNothingToReadWaitsUntilSomethingHappens() async throws {
        let feed = feed()
        let subscription = feed.subscribe()
        async let waiting = subscription.next()
        await Task.yield()
        publish(7...7, to: feed)
        #expect(try numbers(await waiting) == [7])
    }

    @Test func ofTwoWhoWaitAtOnePlaceEachGetsWhatTheOtherDoesNot() async throws {
        let feed = feed()
        let subscription = feed.subscribe()
        let tasks = (0..<2).map { _ in Task { await subscription.next(atMost: 1) } }
        for _ in 0..<100 { await Task.yield() }
        publish(1...2, to: feed)
        var all: [Int] = []
        for task in tasks { all += try #require(try numbers(await task.value)) }
        #expect(all.sorted() == [1, 2])
    }

    @Test func whoIsCancelledLeavesTheOtherWaiting() async throws {
        let feed = feed()
        let subscription = feed.subscribe()
        let tasks = (0..<2).map { _ in Task { await subscription.next() } }
        for _ in 0..<100 { await Task.yield() }
        tasks[1].cancel()
        #expect(await tasks[1].value == nil)
        publish(1...1, to: feed)
        #expect(try numbers(await tasks[0].value) == [1])
        let ending = (0..<2).map { _ in Task { await subscription.next() } }
        for _ in 0..<100 { await Task.yield() }
        subscription.end()
        for task in ending { #expect(await task.value == nil) }
    }

    @Test func whoComesBackGoesOnWhereTheyWere() async throws {
        let feed = feed()
        publish(1...5, to: feed)
        let subscription = feed.subscribe(after: feed.lastID - 2)
        #expect(try numbers(await subscription.next()) == [4, 5])
        #expect(try numbers(await feed.subscribe(after: feed.lastID - 5).next()) == [1, 2, 3, 4, 5])
    }

    @Test func aLimitLeavesTheRestForTheNextTime() async throws {
        let feed = feed()
        let subscription = feed.subscribe()
        publish(1...5, to: feed)
        #expect(try numbers(await subscription.next(atMost: 2)) == [1, 2])
        #expect(try numbers(await subscription.next(atMost: 2)) == [3, 4])
        #expect(try numbers(await subscription.next(atMost: 2)) == [5])
    }

    @Test func whoFallsBehindWhatIsKeptGetsAGapAndGoesOnFromThere() async throws {
        let feed = feed(events: 10)
        let slow = feed.subscribe()
        publish(1...10, to: feed)
        #expect(try numbers(await feed.subscribe(after: feed.lastID - 10).next()) == Array(1...10))
        publish(11...11, to: feed)
        let gap = try #require(await slow.next())
        #expect(try numbers(gap) == [-11])
        #expect(gap[0].id == feed.lastID)
        publish(12...12, to: feed)
        #expect(try numbers(await slow.next()) == [12])
    }

    @Test func octetsAreBoundedToo() async throws {
        let size = LinesLeftOut(lines: 1).json(at: start).count
        let feed = feed(events: 100, octets: 3 * size)
        publish(1...4, to: feed)
        #expect(try numbers(await feed.subscribe(after: feed.lastID - 3).next()) == [2, 3, 4])
        #expect(try numbers(await feed.subscribe(after: feed.lastID - 4).next()) == [-4])
        // One that is larger than everything that may be kept is kept alone.
        let large = self.feed(octets: 1)
        publish(1...2, to: large)
        #expect(try numbers(await large.subscribe(after: large.lastID - 1).next()) == [2])
    }

    @Test func numbersOfAnotherRunAreKnown() async throws {
        let feed = feed()
        let earlier = EventFeed(startedAt: Timestamp(milliseconds: start.milliseconds - 1))
        let later = EventFeed(startedAt: Timestamp(milliseconds: start.milliseconds + 1))
        publish(1...3, to: earlier)
        publish(1...3, to: later)
        publish(1...2, to: feed)
        for id in [earlier.lastID, later.lastID, 0, -5, .min, .max] {
            let subscription = feed.subscribe(after: id)
            #expect(try numbers(await subscription.next()) == [-2], "\(id)")
        }
        #expect(feed.lastID < 1 << 53)
    }

    @Test func aNudgeLetsWhoWaitsGoOnWithNothing() async throws {
        let feed = feed()
        let subscription = feed.subscribe()
        async let waiting = subscription.next()
        var isDone = false
        // Until it waits, nobody is there to be nudged.
        let nudging = Task { while !Task.isCancelled { feed.nudge(); await Task.yield() } }
        isDone = await waiting?.isEmpty == true
        nudging.cancel()
        #expect(isDone)
        publish(1...1, to: feed)
        #expect(try numbers(await subscription.next()) == [1])
    }

    @Test func theEndComesAfterWhatIsKeptAndResumesEverybody() async throws {
        let feed = feed()
        let waiting = feed.subscribe()
        async let end = waiting.next()
        await Task.yield()
        let late = feed.subscribe()
        publish(1...1, to: feed)
        #expect(try numbers(await end) == [1])
        async let next = waiting.next()
        await Task.yield()
        feed.finish()
        publish(2...2, to: feed)
        #expect(await next == nil)
        #expect(try numbers(await late.next()) == [1])
        #expect(await late.next() == nil)
        #expect(await feed.subscribe().next() == nil)
    }

    @Test func onePlaceCanBeEndedAlone() async throws {
        let feed = feed()
        let (one, other) = (feed.subscribe(), feed.subscribe())
        async let end = one.next()
        await Task.yield()
        one.end()
        publish(1...1, to: feed)
        #expect(await end == nil)
        #expect(await one.next() == nil)
        #expect(try numbers(await other.next()) == [1])
        #expect(feed.subscriptions == 1)
    }

    @Test func aCancelledTaskIsResumed() async {
        let feed = feed()
        let waiting = Task { await feed.subscribe().next() }
        await Task.yield()
        waiting.cancel()
        #expect(await waiting.value == nil)
        #expect(feed.subscriptions == 0)
    }

    @Test func manyWhoDoNotReadCostNothingAndHoldUpNobody() async throws {
        let feed = feed(events: 64)
        let idle = (0..<100).map { _ in feed.subscribe() }
        let readers = (0..<100).map { _ in
            let subscription = feed.subscribe()
            return Task {
                var (count, lost) = (0, 0)
                while let items = await subscription.next() {
                    for item in items {
                        guard item.name == "gap" else { count += 1; continue }
                        let json = try JSONReader.read(item.json)
                        lost +=
                            try json.member("lost")?.number("lost", in: 0...1_000_000 as ClosedRange<Int>)
                            ?? 0
                    }
                }
                return count + lost
            }
        }
        for number in 1...2000 {
            publish(number...number, to: feed)
            if number % 16 == 0 { await Task.yield() }
        }
        feed.finish()
        for reader in readers { #expect(try await reader.value == 2000) }
        #expect(feed.subscriptions == idle.count)
        for subscription in idle { #expect(try numbers(await subscription.next()) == [-2000]) }
    }
}
