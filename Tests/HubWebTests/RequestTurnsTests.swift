// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import Testing

@testable import HubWeb

@Suite("Requests that wait behind others take turns")
struct RequestTurnsTests {
    /// What has begun, in order.
    private final class Log {
        var names: [String] = []
    }

    private let loop = EmbeddedEventLoop()
    private let log = Log()

    private func wait(_ turns: RequestTurns, _ name: String, _ isThere: Bool = true) -> RequestTurns.Turn {
        turns.wait { [log] in
            log.names.append(name)
            return isThere
        }
    }

    @Test func oneAtATimeWithAPauseBetween() {
        let turns = RequestTurns(loop)
        let first = wait(turns, "first")
        let second = wait(turns, "second")
        #expect(log.names == [])
        loop.run()
        #expect(log.names == ["first"])
        turns.end(first)
        loop.run()
        #expect(log.names == ["first"])
        loop.advanceTime(by: RequestTurns.pause)
        #expect(log.names == ["first", "second"])
        turns.end(second)
        loop.advanceTime(by: RequestTurns.pause)
        _ = wait(turns, "third")
        loop.run()
        #expect(log.names == ["first", "second", "third"])
    }

    @Test func anAnswerOfMinutesHoldsNobodyUp() {
        let turns = RequestTurns(loop)
        let first = wait(turns, "first")
        let second = wait(turns, "second")
        _ = wait(turns, "third")
        loop.advanceTime(by: RequestTurns.longest + RequestTurns.pause)
        #expect(log.names == ["first", "second"])
        // Its late end is not that of the second.
        turns.end(first)
        loop.advanceTime(by: RequestTurns.pause)
        #expect(log.names == ["first", "second"])
        turns.end(second)
        loop.advanceTime(by: RequestTurns.pause)
        #expect(log.names == ["first", "second", "third"])
    }

    @Test func whoIsGoneOrHasNothingIsPassedOver() {
        let turns = RequestTurns(loop)
        _ = wait(turns, "nothing", false)
        let gone = wait(turns, "gone")
        _ = wait(turns, "there")
        turns.end(gone)
        loop.run()
        #expect(log.names == ["nothing"])
        loop.advanceTime(by: RequestTurns.pause)
        #expect(log.names == ["nothing", "there"])
    }
}
