// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import LEDBulb
import SessionTesting
import Testing

@Suite("Turning through the hues")
struct BulbCycleTests {
    @Test("A turn of 5 s goes from red to red in steps of 50 ms, in each dialect", arguments: BulbDialect.all)
    func turn(dialect: BulbDialect) {
        let pair = BulbPair(dialect)
        pair.start()
        pair.client.startCycle(turnMilliseconds: 5000, turns: 1, at: pair.now)
        pair.run(milliseconds: 10_000)
        #expect(pair.shown.count == 101)
        // 1530 hues in 100 steps: 15.3 a step, rounded down.
        #expect(pair.shown == (0..<100).map { RGBColor(hue: $0 * 153 / 10) } + [RGBColor(hue: 0)])
        #expect(pair.events.contains(.cycleEnded(turns: 1)))
        #expect(pair.events.last == .settled)
        let colors = pair.octets.filter { $0 != dialect.encode(.requestState) }
        #expect(colors == pair.shown.compactMap { dialect.encode(.color($0)) })
        #expect(pair.device.state.shown == RGBColor(rgb: 0xFF0000))
    }

    @Test("Two turns take twice as long")
    func turns() {
        let pair = BulbPair(.triones)
        pair.start()
        pair.client.startCycle(turnMilliseconds: 1000, turns: 2, at: pair.now)
        pair.run(milliseconds: 1999)
        #expect(pair.shown.count == 40 && !pair.events.contains(.cycleEnded(turns: 2)))
        pair.run(milliseconds: 60)
        #expect(pair.shown.count == 41 && pair.events.contains(.cycleEnded(turns: 2)))
    }

    @Test(
        "Writes are never closer than 50 ms, however short the turn",
        arguments: [UInt64(0), 1, 49, 50, 100, 333])
    func bounded(turn: UInt64) {
        let pair = BulbPair(.colorific)
        pair.start()
        pair.client.startCycle(turnMilliseconds: turn, turns: 200, at: pair.now)
        pair.run(milliseconds: 100_000)
        #expect(pair.events.contains(.cycleEnded(turns: 200)))
        for (write, next) in zip(pair.writes, pair.writes.dropFirst()) {
            #expect(next.at.microseconds - write.at.microseconds >= 50_000)
        }
    }

    @Test("A slow turn writes each hue once")
    func slow() {
        let pair = BulbPair(.elkBLEDOM)
        pair.start()
        // 153 s for 1530 hues: a hue each 100 ms.
        pair.client.startCycle(turnMilliseconds: 153_000, turns: 1, at: pair.now)
        pair.run(milliseconds: 160_000)
        #expect(pair.shown.count == 1531)
        for (color, next) in zip(pair.shown, pair.shown.dropFirst()) { #expect(color != next) }
    }

    @Test("A slow link gets fewer colours, one at a time, and the turn takes no longer")
    func slowLink() {
        let pair = BulbPair(.triones)
        pair.decideWrites(.carriedOut(afterMilliseconds: 400))
        pair.start()
        pair.client.startCycle(turnMilliseconds: 4000, turns: 1, at: pair.now)
        pair.run(milliseconds: 4400)
        #expect(pair.shown.count == 11)
        #expect(pair.shown == (0..<10).map { RGBColor(hue: $0 * 153) } + [RGBColor(hue: 0)])
        #expect(pair.events.contains(.cycleEnded(turns: 1)))
    }

    @Test("Without a number of turns it goes on until it is stopped, and keeps its colour")
    func endless() {
        let pair = BulbPair(.triones)
        pair.start()
        pair.client.startCycle(turnMilliseconds: 1000, at: pair.now)
        pair.run(milliseconds: 100_500)
        #expect(pair.shown.count == 2011)
        pair.client.stopCycle(at: pair.now)
        pair.run(milliseconds: 10_000)
        #expect(pair.shown.count == 2011)
        #expect(pair.device.state.shown == pair.shown.last && pair.events.last == .settled)
    }

    @Test("No turns are none")
    func none() {
        let pair = BulbPair(.triones)
        pair.start()
        pair.client.startCycle(turnMilliseconds: 1000, turns: 0, at: pair.now)
        pair.run(milliseconds: 1000)
        #expect(pair.octets.isEmpty && pair.events.last == .cycleEnded(turns: 0))
    }

    @Test("A colour ends it; switching off does not")
    func ended() {
        let pair = BulbPair(.triones)
        pair.start()
        pair.client.startCycle(turnMilliseconds: 1000, at: pair.now)
        pair.run(milliseconds: 500)
        pair.perform(.power(false))
        pair.run(milliseconds: 500)
        #expect(pair.shown.count == 21 && !pair.device.state.isOn)
        pair.perform(.color(.white))
        pair.run(milliseconds: 1000)
        #expect(pair.shown.count == 21 && pair.device.state.light == .color(.white))
    }

    @Test("A refused write ends it, and says so")
    func refused() {
        let pair = BulbPair(.triones)
        pair.start()
        pair.client.startCycle(turnMilliseconds: 1000, at: pair.now)
        pair.decideWrites(.answered(.failure(.queueFull)))
        pair.run(milliseconds: 1000)
        #expect(pair.octets.count == 1)
        #expect(pair.events.last == .refused(.color(RGBColor(rgb: 0xFF0000)), .writeFailed(.queueFull)))
    }

    @Test("The turns go on when the link is back")
    func reconnects() {
        let pair = BulbPair(.colorific, reconnects: true)
        pair.start()
        pair.client.startCycle(turnMilliseconds: 10_000, turns: 1, at: pair.now)
        pair.run(milliseconds: 1000)
        pair.loseLink()
        pair.run(milliseconds: 9500)
        #expect(pair.events.contains(.cycleEnded(turns: 1)))
        #expect(pair.device.state.shown == RGBColor(rgb: 0xFF0000))
    }

    @Test("The longest and the most are no trap")
    func extremes() {
        let pair = BulbPair(.triones)
        pair.start()
        pair.client.startCycle(turnMilliseconds: .max, turns: .max, at: pair.now)
        pair.run(milliseconds: 86_400_000)
        #expect(pair.shown.count == 1531)
    }
}
