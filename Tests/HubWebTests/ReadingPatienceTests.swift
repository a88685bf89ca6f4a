// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HubWeb

@Suite("How long a file is read that brings nothing")
struct ReadingPatienceTests {
    private let begin = ContinuousClock.now

    private func after(_ seconds: Double) -> ContinuousClock.Instant { begin + .seconds(seconds) }

    @Test func whileItsSenderIsWaitedForTheTimeStandsStill() {
        var patience = ReadingPatience(least: .seconds(60))
        #expect(!patience.isOver(at: after(1000)))
        patience.received(0, at: after(1000))
        #expect(!patience.isOver(at: after(1060)) && patience.isOver(at: after(1061)))
        patience.waits(at: after(1030))
        #expect(!patience.isOver(at: after(5000)))
        patience.received(0, at: after(5000))
        #expect(!patience.isOver(at: after(5030)) && patience.isOver(at: after(5031)))
    }

    @Test func eachMegabyteThatComesGivesASecond() {
        var patience = ReadingPatience(least: .seconds(60))
        patience.received(500_000, at: after(0))
        #expect(!patience.isOver(at: after(60.4)) && patience.isOver(at: after(60.6)))
        patience.waits(at: after(10))
        patience.received(9_500_000, at: after(10))
        #expect(!patience.isOver(at: after(69)) && patience.isOver(at: after(71)))
    }

    @Test func whatIsOfUseBeginsItAnew() {
        var patience = ReadingPatience(least: .seconds(60))
        patience.received(100_000_000, at: after(0))
        patience.found(0, at: after(50))
        #expect(!patience.isOver(at: after(159)) && patience.isOver(at: after(161)))
        patience.found(1, at: after(50))
        #expect(!patience.isOver(at: after(109)) && patience.isOver(at: after(111)))
        // The same is not found twice.
        patience.found(1, at: after(100))
        #expect(patience.isOver(at: after(111)))
        patience.waits(at: after(105))
        patience.found(2, at: after(106))
        patience.received(0, at: after(200))
        #expect(!patience.isOver(at: after(259)) && patience.isOver(at: after(261)))
    }
}
