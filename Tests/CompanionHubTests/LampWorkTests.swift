// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLEWire
import Companion
import CompanionDevices
import CompanionHub
import CompanionText
import Nightlight
import SimulatedDevices
import Testing

@Suite("A lamp that pages look at", .manualTime, .timeLimit(.minutes(5)))
struct LampWorkTests {
    /// A lamp that is looked at.
    private struct Bench {
        let base: JobBench<LampWork>

        var job: HubJob { base.job }
        var work: LampWork { base.work }

        func until(_ isWanted: (LampDashboard) -> Bool) async throws -> LampDashboard {
            try await base.until({ await $0.dashboard }, isWanted)
        }
    }

    private func bench(
        isForWishes: Bool = false,
        _ device: @escaping @Sendable () -> any SimulatedHost = {
            SimulatedNightlight.make(clock: HostClock.reading())
        }
    ) async throws -> Bench {
        let base = try await JobBench(.nightlight, with: SimulatedNightlight.address, device) {
            LampWork($0, isForWishes: isForWishes, clock: $1, feed: $2)
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
        await bench.job.end()
        #expect(await bench.work.dashboard.job.phase == .ended)
        await #expect(
            throws: HubFault.notNow("The lamp is not connected. Wait a moment, or start again.")
        ) { try await bench.work.endProof() }
    }

    @Test func whatIsWantedIsWrittenAndTheSecondPersonIsTold() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.job.phase == .open }
        try await bench.work.change(change(#"{"name":"Jonas"}"#), ifChanges: 0)
        let named = try await bench.until { $0.state?.childName == "Jonas" && !$0.isWorking }
        #expect(named.changes == 1 && named.refusals == 0)
        // Who has looked before that would undo it without knowing.
        let late = try change(#"{"name":"Ida"}"#)
        await #expect(throws: HubFault.self) { try await bench.work.change(late, ifChanges: 0) }
        // From noon to noon there is a morning of these two days, whatever the time is.
        try await bench.work.change(
            change(
                #"{"tonight":{"periods":[{"on":"10:00","off":"11:00","color":"red"}]},"tonight_days":2}"#),
            ifChanges: 1)
        let tonight = try await bench.until { $0.state?.values.day != nil && !$0.isWorking }
        #expect(tonight.state?.values.day?.daysLeft == 2 && tonight.changes == 2)
        #expect(tonight.night?.periods.contains { $0.source == .day } == true)
        // Also while it is dark until then; what the week began before midnight shines on to its end.
        #expect(
            tonight.reason.hasPrefix("Tonight’s own schedule.")
                || tonight.reason == "The week “School”. Then dark until 10:00.")
        try await bench.work.change(change(#"{"clear_tonight":true,"power":false}"#))
        let dark = try await bench.until { $0.state?.values.isPowered == false && !$0.isWorking }
        #expect(dark.state?.values.day == nil && dark.title == "Dark, the LEDs have no power")
        await #expect(throws: HubFault.badValue("There is nothing to change.")) {
            try await bench.work.change(change("{}"))
        }
        await bench.job.end()
    }

    @Test func aColourEndsByItself() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.job.phase == .open }
        try await bench.work.tryOut(RGBColor(rgb: 0xFF5C9E), on: [1, 2, 3, 4])
        let shown = try await bench.until { $0.proofEnd != nil && $0.state?.values.source?.source == .proof }
        #expect(shown.state?.values.ledColors == Array(repeating: RGBColor(rgb: 0xFF5C9E), count: 4))
        #expect(shown.title.hasPrefix("Pink") && shown.reason.hasPrefix("A colour is being tried out."))
        #expect(shown.night?.guest?.source == .proof)
        // Nobody does anything: a minute later the lamp follows its schedules again.
        let over = try await bench.until { $0.state?.values.source?.source != .proof }
        #expect(over.proofEnd == nil && over.night?.guest == nil)
        await #expect(throws: HubFault.self) { try await bench.work.tryOut(.white, on: [5]) }
        await bench.job.end()
    }

    @Test func aFingerOnTheColoursLeavesTheLastOneToBeShown() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.job.phase == .open }
        // More than may wait: what was not shown yet need not be.
        for level in 1...40 {
            try await bench.work.tryOut(RGBColor(red: UInt8(level), green: 0, blue: 0), on: [1, 2, 3, 4])
        }
        let last = RGBColor(red: 40, green: 0, blue: 0)
        _ = try await bench.until { $0.state?.values.ledColors == Array(repeating: last, count: 4) }
        await bench.job.end()
    }

    @Test func ofLEDsThatFollowTheFirstOnlyThatIsWritten() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.job.phase == .open }
        for isLinked in [false, true] {
            try await bench.work.change(change(#"{"linked":\#(isLinked)}"#))
            let dashboard = try await bench.until { $0.state?.values.isLinked == isLinked && !$0.isWorking }
            let state = try #require(dashboard.state)
            #expect(LampController.proof(of: .white, on: [1, 2, 3, 4], state).count == (isLinked ? 1 : 4))
            #expect(LampController.proof(of: .white, on: [2, 3], state).count == 2)
        }
        await bench.job.end()
    }

    @Test func pagesAreCountedAndTheLastOneEndsIt() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.job.phase == .open }
        await bench.work.look("first")
        await bench.work.look("second")
        await bench.work.look("second")
        #expect(await bench.work.dashboard.viewers == 2)
        #expect(await bench.work.leave("second") == 1)
        #expect(await !bench.work.isLeft)
        #expect(await bench.work.leave("first") == 0)
        #expect(await bench.work.isLeft)
        await bench.job.end()
    }

    @Test func aPageThatSaysNothingAnyMoreIsNotCounted() async throws {
        let bench = try await bench()
        _ = try await bench.until { $0.job.phase == .open }
        await bench.work.look("asleep")
        #expect(await bench.work.dashboard.viewers == 1)
        _ = try await bench.until { $0.viewers == 0 }
        await bench.job.end()
    }

    @Test func withoutAPageItEndsWhenWhatWaitedIsSent() async throws {
        let bench = try await bench(isForWishes: true)
        let ended = try await bench.until { $0.job.phase == .ended }
        #expect(ended.job.reason == nil && ended.state != nil)
    }

    @Test func aClockThatIsALittleOffIsSetAndThatIsSaid() async throws {
        let near = try await bench {
            var reading = HostClock.reading()
            reading.time = WallClock.utc.time(
                at: WallClock.utc.moment(of: reading.time).advanced(bySeconds: 600))
            return SimulatedNightlight.make(clock: reading)
        }
        let set = try await near.until { $0.job.phase == .open }
        #expect(set.clockNote?.hasSuffix("fast; it is right now.") == true)
        #expect(set.state?.action != .ask)
        await near.job.end()
    }

    @Test func aClockThatIsFarOffIsLeftUntilSomebodyWantsItSet() async throws {
        let far = try await bench {
            var reading = HostClock.reading()
            reading.time = WallClock.utc.time(
                at: WallClock.utc.moment(of: reading.time).advanced(bySeconds: 7200))
            return SimulatedNightlight.make(clock: reading)
        }
        let open = try await far.until { $0.job.phase == .open }
        #expect(open.state?.action == .ask && open.clockNote == nil)
        try await far.work.setClock()
        _ = try await far.until { $0.state?.action == ClockAction.none || $0.state?.action == .set }
        await far.job.end()
    }
}
