// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLEVirtualRadio
import BLEWire
import Companion
import CompanionDevices
import CompanionHub
import LEDBulb
import SimulatedDevices
import Synchronization
import Testing

@Suite("A bulb at hand for a page", .manualTime, .timeLimit(.minutes(5)))
struct BulbWorkTests {
    /// What a bulb was written and how it shone, as it happened.
    private final class Shown: Sendable {
        private let all = Mutex<[BulbState]>([])

        func receive(_ event: LEDBulbDevice.Event) {
            if case .shines(let state) = event { all.withLock { $0.append(state) } }
        }
        var states: [BulbState] { all.withLock { $0 } }
    }

    /// A bulb that is connected to.
    private struct Bench {
        let base: JobBench<BulbWork>
        let shown: Shown

        var job: HubJob { base.job }
        var work: BulbWork { base.work }

        func until(_ isWanted: (HubBulb) -> Bool) async throws -> HubBulb {
            try await base.until({ await $0.bulb }, isWanted)
        }
    }

    private func bench(
        _ dialect: BulbDialect = .triones, speaking chosen: BulbDialect? = nil
    ) async throws -> Bench {
        let shown = Shown()
        let base = try await JobBench(.bulb, with: SimulatedBulb.address) {
            SimulatedBulb.make(dialect) { event, _ in shown.receive(event) }
        } does: {
            BulbWork($0, speaking: chosen, clock: $1, feed: $2)
        }
        return Bench(base: base, shown: shown)
    }

    @Test func whatIsAskedAndWhatTheBulbSaysStandSideBySide() async throws {
        let bench = try await bench()
        let ready = try await bench.until { $0.said != nil }
        #expect(ready.dialect == .triones && ready.reportsState && !ready.isDialectChosen)
        #expect(ready.dialectReason == "Taken because the bulb has FFD9 in the service FFD5.")
        #expect(ready.asked == nil && ready.agrees == nil && ready.job.phase == .open)

        let violet = RGBColor(rgb: 0x7C6BFF)
        try await bench.work.perform(.color(violet))
        #expect(await bench.work.isUnderWay)
        let colored = try await bench.until { !$0.isBusy && $0.said?.light == .color(violet) }
        #expect(colored.agrees == true && colored.asked?.isOn == true && colored.trouble == nil)
        #expect(colored.octets == [0x56, 0x7C, 0x6B, 0xFF, 0x00, 0xF0, 0xAA])

        try await bench.work.perform(.white(percent: 40))
        _ = try await bench.until { !$0.isBusy && $0.said?.light == .white(102) }
        try await bench.work.perform(.effect(BulbEffect(code: 0x26, speed: 5)))
        let plays = try await bench.until { !$0.isBusy && $0.asked?.light == $0.said?.light }
        #expect(plays.agrees == true && plays.said?.light == .effect(BulbEffect(code: 0x26, speed: 5)))
        await bench.job.end()
        #expect(await bench.work.bulb.job.phase == .ended)
        await #expect(throws: HubFault.self) { try await bench.work.perform(.power(true)) }
    }

    @Test func aLightSwitchesOnABulbThatIsOffAndASwitchAloneDoesNot() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.said != nil }
        try await bench.work.perform(.power(false))
        let off = try await bench.until { !$0.isBusy && $0.said?.isOn == false }
        #expect(off.agrees == true && off.asked?.isOn == false)
        try await bench.work.perform(.color(RGBColor(rgb: 0xFF8800)))
        let on = try await bench.until { !$0.isBusy && $0.said?.isOn == true }
        #expect(on.said?.light == .color(RGBColor(rgb: 0xFF8800)) && on.agrees == true)
        // Asked once more, one that somebody else has switched off stays off.
        try await bench.work.perform(.power(false))
        _ = try await bench.until { !$0.isBusy && $0.said?.isOn == false }
        let before = await bench.work.bulb.saidTime
        try await bench.work.perform(.requestState)
        let still = try await bench.until { $0.saidTime != before }
        #expect(still.said?.isOn == false && still.asked?.isOn == false)
        await bench.job.end()
    }

    @Test func ofAHundredColoursTheLastArrivesAndTheFeedIsNotFilled() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.said != nil }
        for step in 0..<100 { try await bench.work.perform(.color(RGBColor(hue: step * 10))) }
        let done = try await bench.until { !$0.isBusy && $0.said?.light == .color(RGBColor(hue: 990)) }
        #expect(done.agrees == true)
        #expect(bench.shown.states.count < 60)
        await bench.job.end()
    }

    @Test func allHuesUntilSomethingElseIsAsked() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.said != nil }
        try await bench.work.startCycle(turn: 2000)
        let turning = try await bench.until { $0.hue != nil }
        #expect(turning.turn == 2000 && turning.asked == nil)
        // It ends with its page.
        #expect(await !bench.work.isUnderWay)
        _ = try await bench.until { $0.hue.map { $0.hue > 700 } ?? false }
        try await bench.work.stopCycle()
        let stopped = try await bench.until { $0.turn == nil && !$0.isBusy }
        #expect(stopped.hue == nil && stopped.agrees == true)
        try await bench.work.startCycle(turn: 2000)
        _ = try await bench.until { $0.hue != nil }
        try await bench.work.perform(.power(false))
        let off = try await bench.until { $0.turn == nil && $0.said?.isOn == false }
        #expect(off.asked?.isOn == false)
        await bench.job.end()
    }

    @Test func oneThatSaysNothingIsToldAllTheSame() async throws {
        let bench = try await bench(.elkBLEDOM)
        let ready = try await bench.until { $0.job.phase == .open }
        #expect(!ready.reportsState && ready.said == nil)
        #expect(ready.dialectReason?.contains("bulbs have the same.") == true)
        try await bench.work.perform(.color(.white))
        let done = try await bench.until { !$0.isBusy && $0.asked != nil }
        #expect(done.agrees == nil && done.trouble == nil)
        #expect(bench.shown.states.last?.light == .color(.white))
        await #expect(throws: HubFault.badValue("ELK-BLEDOM bulbs cannot do this.")) {
            try await bench.work.perform(.effect(BulbEffect(code: 0x25)))
        }
        await bench.job.end()
    }

    @Test func aDialectThatItDoesNotSpeakIsRefusedWithWhatItSpeaks() async throws {
        let bench = try await bench(.magicBlue, speaking: .triones)
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.fitting == [.magicBlue] && ended.isDialectChosen)
        #expect(
            ended.job.reason
                == "It does not speak Triones: it lacks FFD9 in the service FFD5. Nothing was written. It has what Magic Blue bulbs have."
        )
    }

    @Test func oneThatGoesAwayEndsItWithAReason() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.said != nil }
        await bench.base.air.move(bench.base.controllers[0], to: VirtualAir.Position(x: 100_000))
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason?.contains("Bring it near") == true && !ended.isBusy)
    }

    @Test func severalPagesShareItAndTheLastOneEndsIt() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.said != nil }
        await bench.work.look("first")
        await bench.work.look("second")
        await bench.work.look("second")
        #expect(await !bench.work.leave("second"))
        #expect(await !bench.work.isLeft)
        // Whoever leaves twice, or never came, was the last one no more than before.
        #expect(await !bench.work.leave("second"))
        #expect(await bench.work.leave("first"))
        #expect(await bench.work.isLeft)
        await bench.work.look("third")
        #expect(await !bench.work.isLeft)
        await bench.job.end()
    }

    @Test func aPageThatSaysNothingAnyMoreIsNotWaitedFor() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.said != nil }
        await bench.work.look("asleep")
        try await HubClock.manual.sleep(.seconds(31))
        await bench.work.look("awake")
        #expect(await bench.work.leave("awake"))
        await bench.job.end()
    }
}
