// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import CompanionDevices
import Nightlight
import NightlightCompanion
import NightlightSimulated
import Synchronization
import Testing

@testable import CompanionHub

@Suite("A lamp that pages look at, on the air", .manualTime, .timeLimit(.minutes(5)))
struct HostedLampTests {
    /// A lamp that is looked at.
    private struct Bench {
        let base: JobBench<LampJob>

        var job: JobHandle<LampJob> { base.job }

        func until(_ isWanted: (LampDashboard) -> Bool) async throws -> LampDashboard {
            try await base.until({ try await $0.shown }, isWanted)
        }
    }

    /// What waited for a lamp and was written, by its number.
    private final class Sent: Sendable {
        private let all = Mutex<[Int]>([])

        func note(_ output: JobOutput) {
            if case .changeSent(_, let number, nil) = output { all.withLock { $0.append(number) } }
        }
        var numbers: [Int] { all.withLock { $0 } }
    }

    /// A lamp whose clock is off by so many seconds.
    private func bench(
        clockOff seconds: Int64 = 0, isForChanges: Bool = false, lease: UInt64 = 600
    ) async throws -> Bench {
        let moment = UnixTime(seconds: HubClock.manual.now().milliseconds / 1000)
        var reading = ClockReading(.utc, ahead: 0, at: moment)
        reading.time = WallClock.utc.time(at: moment.advanced(bySeconds: seconds))
        let clock = reading
        let base = try await JobBench(with: SimulatedNightlight.address, lease: lease) {
            SimulatedNightlight.make(clock: clock)
        } does: { table, device, moment in
            table.beginLamp(device, clock: LocalClock(), isForChanges: isForChanges, at: moment)
        }
        return Bench(base: base)
    }

    private func change(_ text: String) throws -> LampChange {
        try LampChange(JSONReader.read(Array(text.utf8)))
    }

    @Test func itIsReadAndSaidWhatShines() async throws {
        let bench = try await bench()
        let open = try await bench.until { $0.job.phase == .open }
        let state = try #require(open.state)
        #expect(state.childName == "Mia" && state.values.batteryPercent == 82)
        #expect(open.job.name == "Mia" && open.changes == 0 && open.proofEnd == nil && !open.isWorking)
        let night = try #require(open.night)
        #expect(night.shines.first?.from == night.from && night.shines.last?.to == night.to)
        #expect(!open.title.isEmpty && open.reason.hasSuffix("."))
        try await bench.job.end()
        #expect(try await bench.job.shown.job.phase == .ended)
        await #expect(
            throws: HubError.notNow("The lamp is not connected. Wait a moment, or start again.")
        ) { try await bench.job.endProof() }
    }

    @Test func whatIsWantedIsWrittenAndTheSecondPersonIsTold() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.job.phase == .open }
        try await bench.job.change(change(#"{"name":"Jonas"}"#), ifChanges: 0)
        let named = try await bench.until { $0.state?.childName == "Jonas" && !$0.isWorking }
        #expect(named.changes == 1 && named.refusals == 0)
        // Who has looked before that would undo it without knowing.
        let late = try change(#"{"name":"Ida"}"#)
        await #expect(throws: HubError.self) { try await bench.job.change(late, ifChanges: 0) }
        // It is eight: from noon to noon there is a morning of these two days.
        try await bench.job.change(
            change(
                #"{"tonight":{"periods":[{"on":"10:00","off":"11:00","color":"red"}]},"tonight_days":2}"#),
            ifChanges: 1)
        let tonight = try await bench.until { $0.state?.values.day != nil && !$0.isWorking }
        #expect(tonight.state?.values.day?.daysLeft == 2 && tonight.changes == 2)
        #expect(tonight.night?.periods.contains { $0.source == .day } == true)
        // Also while it is dark until then.
        #expect(tonight.reason.hasPrefix("Tonight’s own schedule."))
        try await bench.job.change(change(#"{"clear_tonight":true,"power":false}"#))
        let dark = try await bench.until { $0.state?.values.isPowered == false && !$0.isWorking }
        #expect(dark.state?.values.day == nil && dark.title == "Dark, the LEDs have no power")
        await #expect(throws: HubError.badValue("There is nothing to change.")) {
            try await bench.job.change(change("{}"))
        }
        try await bench.job.end()
    }

    @Test func aColourEndsByItself() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.job.phase == .open }
        try await bench.job.tryOut(RGBColor(rgb: 0xFF5C9E), on: [1, 2, 3, 4])
        let shown = try await bench.until { $0.proofEnd != nil && $0.state?.values.source?.source == .proof }
        #expect(shown.state?.values.ledColors == Array(repeating: RGBColor(rgb: 0xFF5C9E), count: 4))
        #expect(shown.title.hasPrefix("Pink") && shown.reason.hasPrefix("A colour is being tried out."))
        #expect(shown.night?.guest?.source == .proof)
        // Nobody does anything: a minute later the lamp follows its schedules again.
        let over = try await bench.until { $0.state?.values.source?.source != .proof }
        #expect(over.proofEnd == nil && over.night?.guest == nil)
        await #expect(throws: HubError.self) { try await bench.job.tryOut(.white, on: [5]) }
        try await bench.job.end()
    }

    @Test func aFingerOnTheColoursLeavesTheLastOneToBeShown() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.job.phase == .open }
        // More than may wait: what was not shown yet need not be.
        for level in 1...40 {
            try await bench.job.tryOut(RGBColor(red: UInt8(level), green: 0, blue: 0), on: [1, 2, 3, 4])
        }
        let last = RGBColor(red: 40, green: 0, blue: 0)
        _ = try await bench.until { $0.state?.values.ledColors == Array(repeating: last, count: 4) }
        try await bench.job.end()
    }

    @Test func ofLEDsThatFollowTheFirstOnlyThatIsWritten() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.job.phase == .open }
        for isLinked in [false, true] {
            try await bench.job.change(change(#"{"linked":\#(isLinked)}"#))
            let dashboard = try await bench.until { $0.state?.values.isLinked == isLinked && !$0.isWorking }
            let state = try #require(dashboard.state)
            #expect(LampController.proof(of: .white, on: [1, 2, 3, 4], state).count == (isLinked ? 1 : 4))
            #expect(LampController.proof(of: .white, on: [2, 3], state).count == 2)
        }
        try await bench.job.end()
    }

    @Test func pagesAreCountedAndTheLastOneEndsIt() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.job.phase == .open }
        try await bench.job.look("first")
        try await bench.job.look("second")
        try await bench.job.look("second")
        #expect(try await bench.job.shown.viewers == 2)
        try await bench.job.leave("second")
        try await ManualTime.pass(milliseconds: 2000)
        let left = try await bench.job.shown
        #expect(left.viewers == 1 && left.job.phase == .open)
        try await bench.job.leave("first")
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == nil && ended.viewers == 0)
    }

    @Test func aPageThatSaysNothingAnyMoreIsNotCounted() async throws {
        let bench = try await bench(lease: 30)
        _ = try await bench.until { $0.job.phase == .open }
        try await bench.job.look("asleep")
        try await ManualTime.pass(milliseconds: 20_000)
        try await bench.job.look("awake")
        #expect(try await bench.job.shown.viewers == 2)
        try await ManualTime.pass(milliseconds: 11_000)
        try await bench.job.look("awake")
        #expect(try await bench.job.shown.viewers == 1)
        try await bench.job.leave("awake")
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == nil && ended.viewers == 0)
    }

    @Test func withoutAPageItEndsWhenWhatWaitedIsSent() async throws {
        let bench = try await bench(isForChanges: true)
        let sent = Sent()
        await bench.base.jobs.follow { sent.note($0) }
        _ = try await bench.until { $0.job.phase == .open }
        try await bench.job.change(change(#"{"name":"Jonas"}"#), waited: 3)
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == nil && ended.state?.childName == "Jonas" && sent.numbers == [3])
    }

    @Test func withoutAPageItEndsWhenNothingWaitsAnyMore() async throws {
        let bench = try await bench(isForChanges: true)
        _ = try await bench.until { $0.job.phase == .open }
        try await bench.job.noMoreChanges()
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == nil && ended.state != nil)
    }

    @Test func aClockThatIsALittleOffIsSetAndThatIsSaid() async throws {
        let near = try await bench(clockOff: 600)
        let set = try await near.until { $0.job.phase == .open }
        #expect(set.clockNote?.hasSuffix("fast; it is right now.") == true)
        #expect(set.state?.action != .ask)
        try await near.job.end()
    }

    @Test func aClockThatIsFarOffIsLeftUntilSomebodyWantsItSet() async throws {
        let far = try await bench(clockOff: 7200)
        let open = try await far.until { $0.job.phase == .open }
        #expect(open.state?.action == .ask && open.clockNote == nil)
        try await far.job.setClock()
        _ = try await far.until { $0.state?.action == ClockAction.none || $0.state?.action == .set }
        try await far.job.end()
    }
}
