// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLEVirtualRadio
import BLEWire
import Companion
import CompanionCore
import CompanionHub
import LEDBulb
import LEDBulbCompanion
import LEDBulbSimulated
import Synchronization
import Testing

@Suite("A bulb at hand for a page, on the air", .manualTime, .timeLimit(.minutes(5)))
struct HostedBulbTests {
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
        let base: JobBench<BulbJob>
        let shown: Shown

        var job: JobHandle<BulbJob> { base.job }

        func until(_ isWanted: (HubBulb) -> Bool) async throws -> HubBulb {
            try await base.until({ try await $0.shown }, isWanted)
        }
    }

    private func bench(
        _ dialect: BulbDialect = .triones, speaking chosen: BulbDialect? = nil, lease: UInt64 = 600
    ) async throws -> Bench {
        let shown = Shown()
        let base = try await JobBench(with: SimulatedBulb.address, lease: lease) {
            SimulatedBulb.make(dialect) { event, _ in shown.receive(event) }
        } does: { table, device, moment in
            table.beginBulb(device, speaking: chosen, at: moment)
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
        try await bench.job.perform(.color(violet))
        #expect(try await bench.job.shown.isBusy)
        let colored = try await bench.until { !$0.isBusy && $0.said?.light == .color(violet) }
        #expect(colored.agrees == true && colored.asked?.isOn == true && colored.trouble == nil)
        #expect(colored.octets == [0x56, 0x7C, 0x6B, 0xFF, 0x00, 0xF0, 0xAA])

        try await bench.job.perform(.white(percent: 40))
        _ = try await bench.until { !$0.isBusy && $0.said?.light == .white(102) }
        try await bench.job.perform(.effect(BulbEffect(code: 0x26, speed: 5)))
        let plays = try await bench.until { !$0.isBusy && $0.asked?.light == $0.said?.light }
        #expect(plays.agrees == true && plays.said?.light == .effect(BulbEffect(code: 0x26, speed: 5)))
        try await bench.job.end()
        #expect(try await bench.job.shown.job.phase == .ended)
        await #expect(throws: HubError.self) { try await bench.job.perform(.power(true)) }
    }

    @Test func aLightSwitchesOnABulbThatIsOffAndASwitchAloneDoesNot() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.said != nil }
        try await bench.job.perform(.power(false))
        let off = try await bench.until { !$0.isBusy && $0.said?.isOn == false }
        #expect(off.agrees == true && off.asked?.isOn == false)
        try await bench.job.perform(.color(RGBColor(rgb: 0xFF8800)))
        let on = try await bench.until { !$0.isBusy && $0.said?.isOn == true }
        #expect(on.said?.light == .color(RGBColor(rgb: 0xFF8800)) && on.agrees == true)
        // Asked once more, one that somebody else has switched off stays off.
        try await bench.job.perform(.power(false))
        _ = try await bench.until { !$0.isBusy && $0.said?.isOn == false }
        let before = try await bench.job.shown.saidTime
        try await bench.job.perform(.requestState)
        let still = try await bench.until { $0.saidTime != before }
        #expect(still.said?.isOn == false && still.asked?.isOn == false)
        try await bench.job.end()
    }

    @Test func ofAHundredColoursTheLastArrivesAndTheFeedIsNotFilled() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.said != nil }
        for step in 0..<100 { try await bench.job.perform(.color(RGBColor(hue: step * 10))) }
        let done = try await bench.until { !$0.isBusy && $0.said?.light == .color(RGBColor(hue: 990)) }
        #expect(done.agrees == true)
        #expect(bench.shown.states.count < 60)
        try await bench.job.end()
    }

    @Test func allHuesUntilSomethingElseIsAsked() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.said != nil }
        try await bench.job.startCycle(turn: 2000)
        let turning = try await bench.until { $0.hue != nil }
        #expect(turning.turn == 2000 && turning.asked == nil)
        _ = try await bench.until { $0.hue.map { $0.hue > 700 } ?? false }
        try await bench.job.stopCycle()
        let stopped = try await bench.until { $0.turn == nil && !$0.isBusy }
        #expect(stopped.hue == nil && stopped.agrees == true)
        try await bench.job.startCycle(turn: 2000)
        _ = try await bench.until { $0.hue != nil }
        try await bench.job.perform(.power(false))
        let off = try await bench.until { $0.turn == nil && $0.said?.isOn == false }
        #expect(off.asked?.isOn == false)
        try await bench.job.end()
    }

    @Test func oneThatSaysNothingIsToldAllTheSame() async throws {
        let bench = try await bench(.elkBLEDOM)
        let ready = try await bench.until { $0.job.phase == .open }
        #expect(!ready.reportsState && ready.said == nil)
        #expect(ready.dialectReason?.contains("bulbs have the same.") == true)
        try await bench.job.perform(.color(.white))
        let done = try await bench.until { !$0.isBusy && $0.asked != nil }
        #expect(done.agrees == nil && done.trouble == nil)
        #expect(bench.shown.states.last?.light == .color(.white))
        await #expect(throws: HubError.badValue("ELK-BLEDOM bulbs cannot do this.")) {
            try await bench.job.perform(.effect(BulbEffect(code: 0x25)))
        }
        try await bench.job.end()
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
        try await bench.job.look("first")
        try await bench.job.look("second")
        try await bench.job.look("second")
        try await bench.job.leave("second")
        // Whoever leaves twice, or never came, was the last one no more than before.
        try await bench.job.leave("second")
        try await bench.job.leave("nobody")
        try await ManualTime.pass(milliseconds: 2000)
        #expect(try await bench.job.shown.job.phase == .open)
        try await bench.job.leave("first")
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == nil)
    }

    @Test func whoComesWhileTheLastCommandOfThoseBeforeIsUnderWayKeepsIt() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.said != nil }
        try await bench.job.look("first")
        let violet = RGBColor(rgb: 0x7C6BFF)
        try await bench.job.perform(.color(violet))
        try await bench.job.leave("first")
        #expect(try await bench.job.shown.isBusy)
        try await bench.job.look("second")
        _ = try await bench.until { !$0.isBusy && $0.said?.light == .color(violet) }
        try await ManualTime.pass(milliseconds: 2000)
        #expect(try await bench.job.shown.job.phase == .open)
        // What the last one has asked for is done before it ends.
        try await bench.job.perform(.power(false))
        try await bench.job.leave("second")
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == nil && bench.shown.states.last?.isOn == false)
    }

    @Test func aTurnThroughTheHuesEndsWithItsPage() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.said != nil }
        try await bench.job.look("page")
        try await bench.job.startCycle(turn: 2000)
        _ = try await bench.until { $0.hue != nil }
        try await bench.job.leave("page")
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == nil && ended.turn == nil && ended.hue == nil)
    }

    @Test func aPageThatSaysNothingAnyMoreIsNotWaitedFor() async throws {
        let bench = try await bench(lease: 30)
        _ = try await bench.until { $0.said != nil }
        try await bench.job.look("asleep")
        try await ManualTime.pass(milliseconds: 20_000)
        try await bench.job.look("awake")
        try await ManualTime.pass(milliseconds: 11_000)
        try await bench.job.leave("awake")
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == nil)
    }
}
