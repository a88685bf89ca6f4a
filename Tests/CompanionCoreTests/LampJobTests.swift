// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionCore
import Nightlight
import NightlightCompanion
import SessionTesting
import Testing

@Suite("A lamp that pages look at")
struct LampJobTests {
    private let pink = RGBColor(rgb: 0xFF5C9E)

    private func started(clockOff seconds: Int64 = 0) -> LampBench {
        let bench = LampBench(clockOff: seconds)
        bench.start()
        return bench
    }

    @Test func itIsReadAndSaidWhatShines() throws {
        let bench = started()
        let dashboard = bench.dashboard
        let state = try #require(dashboard.state)
        #expect(state.childName == "Mia" && state.values.batteryPercent == 82)
        #expect(dashboard.job == bench.job.job && dashboard.job.phase == .open && dashboard.job.name == "Mia")
        #expect(dashboard.changes == 0 && dashboard.proofEnd == nil && !dashboard.isWorking)
        #expect(dashboard.read == Moment.beginning.time && dashboard.clockNote == nil)
        let night = try #require(dashboard.night)
        #expect(night.shines.first?.from == night.from && night.shines.last?.to == night.to)
        #expect(!dashboard.title.isEmpty && dashboard.reason.hasSuffix("."))
        #expect(bench.writes.isEmpty)
    }

    // MARK: The clock

    @Test func aClockThatIsALittleOffIsSetFirstAndThatIsSaid() throws {
        let bench = LampBench(clockOff: 600)
        bench.decideWrites(.carriedOut(afterMilliseconds: 100))
        bench.start()
        // Not before its clock is right the lamp is there for pages.
        #expect(bench.phase == .connecting && bench.dashboard.state != nil)
        #expect(throws: HubError.self) { try bench.setClock() }
        bench.run(seconds: 1)
        #expect(bench.phases == [.open])
        #expect(bench.dashboard.clockNote?.hasSuffix("fast; it is right now.") == true)
        #expect(bench.written == [.localTimeInformation, .timeWithDST, .currentTime])
        let state = try #require(bench.dashboard.state)
        #expect(state.action == ClockAction.none && state.difference == 0)
    }

    @Test func aClockThatIsFarOffIsLeftUntilSomebodyWantsItSet() throws {
        let bench = started(clockOff: 7200)
        let state = try #require(bench.dashboard.state)
        #expect(state.action == .ask && bench.dashboard.clockNote == nil && bench.writes.isEmpty)
        bench.run(seconds: 5)
        try bench.setClock()
        let set = try #require(bench.dashboard.state)
        #expect(set.action == ClockAction.none && !bench.dashboard.isWorking)
        let moment = UnixTime(seconds: Moment.at(bench.pair.now).time.milliseconds / 1000)
        #expect(bench.localTime == WallClock.utc.time(at: moment))
    }

    @Test func aClockThatRefusesIsSaidToDoSo() {
        let bench = LampBench(clockOff: 600)
        bench.refuse(.currentTime)
        bench.start()
        #expect(bench.phase == .open && bench.dashboard.clockNote == nil)
        #expect(bench.dashboard.refusals == 1 && bench.dashboard.refusal?.isEmpty == false)
    }

    // MARK: What is written

    @Test func settingsAreWrittenOneAfterTheOther() throws {
        let bench = started()
        bench.decideWrites(.carriedOut(afterMilliseconds: 200))
        try bench.change(LampChange(text: #"{"name":"Jonas","power":false,"linked":false}"#))
        #expect(bench.isUnderWay && bench.written == [.childName])
        bench.run(milliseconds: 200)
        #expect(bench.written == [.childName, .ledPower])
        // What is asked meanwhile waits for its turn.
        try bench.change(LampChange(text: #"{"name":"Ida"}"#))
        bench.run(seconds: 1)
        #expect(bench.written == [.childName, .ledPower, .ledLink, .childName])
        let values = try #require(bench.dashboard.state).values
        #expect(values.childName == "Ida" && values.isPowered == false && values.isLinked == false)
        #expect(!bench.isUnderWay && bench.dashboard.refusals == 0 && bench.sent.isEmpty)
        // After each of the two it was read.
        #expect(bench.readings == 3 && bench.dashboard.changes == 2)
    }

    @Test func theSecondPersonIsTold() throws {
        let bench = started()
        try bench.change(LampChange(text: #"{"name":"Jonas"}"#), ifChanges: 0)
        #expect(bench.dashboard.state?.childName == "Jonas" && bench.dashboard.changes == 1)
        // Who has looked before that would undo it without knowing.
        let late = try LampChange(text: #"{"name":"Ida"}"#)
        #expect(
            throws: HubError.notNow(
                "Somebody else has changed this lamp meanwhile. Look at what it has now, then decide.")
        ) { try bench.change(late, ifChanges: 0) }
        #expect(bench.written == [.childName] && !bench.dashboard.isWorking)
        try bench.change(late, ifChanges: 1)
        #expect(bench.dashboard.state?.childName == "Ida" && bench.dashboard.changes == 2)
    }

    @Test func whatIsNothingIsNotWritten() throws {
        let bench = started()
        let nothing = try LampChange(text: "{}")
        #expect(throws: HubError.badValue("There is nothing to change.")) { try bench.change(nothing) }
        #expect(!bench.dashboard.isWorking)
    }

    @Test func whatTheLampRefusesIsSaidAndItIsReadAgain() throws {
        let bench = started()
        bench.refuse(.childName)
        let before = bench.readings
        try bench.change(LampChange(text: #"{"name":"Jonas","power":false}"#))
        let dashboard = bench.dashboard
        #expect(dashboard.refusals == 1 && !dashboard.isWorking && dashboard.changes == 0)
        #expect(dashboard.refusal?.hasPrefix("The lamp refused ") == true)
        #expect(dashboard.state?.childName == "Mia" && dashboard.state?.values.isPowered == true)
        // What comes after it is not written, and what the lamp has is known.
        #expect(bench.written == [.childName] && bench.readings == before + 1)
        try bench.change(LampChange(text: #"{"power":false}"#))
        #expect(bench.dashboard.state?.values.isPowered == false && bench.dashboard.refusals == 1)
    }

    @Test func onlySoManyRequestsWait() throws {
        let bench = started()
        bench.decideWrites(.carriedOut(afterMilliseconds: 100))
        // One is being done, and sixteen wait.
        for number in 0..<17 { try bench.change(LampChange(text: #"{"name":"\#(number)"}"#)) }
        let more = try LampChange(text: #"{"name":"more"}"#)
        #expect(
            throws: HubError.notNow(
                "The lamp has not done what it was asked for. Try again in a moment.")
        ) { try bench.change(more) }
        bench.run(seconds: 5)
        #expect(bench.dashboard.state?.childName == "16" && !bench.dashboard.isWorking)
        try bench.change(more)
    }

    @Test func withoutALinkNothingIsAskedOfIt() throws {
        let gone = HubError.notNow("The lamp is not connected. Wait a moment, or start again.")
        let bench = LampBench()
        #expect(throws: gone) { try bench.setClock() }
        bench.start()
        bench.end()
        #expect(bench.phases == [.open, .ended] && bench.reason == nil)
        #expect(throws: gone) { try bench.endProof() }
        #expect(bench.dashboard.job.phase == .ended && !bench.dashboard.isWorking)
        // What is known of it stays to be seen.
        #expect(bench.dashboard.state != nil)
    }

    // MARK: Colours that are tried out

    @Test func aColourEndsByItself() throws {
        let bench = started()
        let before = bench.readings
        try bench.tryOut(pink)
        let shown = bench.dashboard
        #expect(shown.state?.values.ledColors == Array(repeating: pink, count: 4))
        #expect(shown.proofEnd?.milliseconds == Moment.beginning.time.milliseconds + 60_000)
        #expect(shown.title.hasPrefix("Pink") && shown.reason.hasPrefix("A colour is being tried out."))
        #expect(shown.night?.guest?.source == .proof && !shown.isWorking)
        // Only the picture of the LEDs is another one: the clock was not asked.
        #expect(bench.readings == before)
        // Nobody does anything: a minute later the lamp follows its schedules again.
        bench.run(milliseconds: 60_500)
        #expect(bench.dashboard.proofEnd == nil && bench.dashboard.night?.guest == nil)
        #expect(bench.dashboard.state?.values.source?.source != .proof)
    }

    @Test func aColourIsEndedBySomebody() throws {
        let bench = started()
        try bench.tryOut(pink)
        try bench.endProof()
        #expect(bench.dashboard.proofEnd == nil && bench.dashboard.refusals == 0)
        #expect(bench.dashboard.state?.values.source?.source != .proof)
    }

    @Test func aFingerOnTheColoursLeavesTheLastOneToBeShown() throws {
        let bench = started()
        bench.decideWrites(.carriedOut(afterMilliseconds: 200))
        // More than may wait: what was not shown yet need not be.
        for level in 1...40 { try bench.tryOut(RGBColor(red: UInt8(level), green: 0, blue: 0)) }
        // On other LEDs it is another request.
        try bench.tryOut(pink, on: [4])
        bench.run(seconds: 3)
        #expect(bench.written == [.led1, .led1, .led4])
        #expect(bench.writes.map { $0.octets } == [[1, 0, 0], [40, 0, 0], pink.octets])
        #expect(!bench.dashboard.isWorking && bench.dashboard.refusals == 0)
    }

    @Test func ofLEDsThatFollowTheFirstOnlyThatIsWritten() throws {
        let bench = started()
        try bench.change(LampChange(text: #"{"linked":false}"#))
        try bench.tryOut(pink)
        #expect(bench.written == [.ledLink, .led1, .led2, .led3, .led4])
        try bench.change(LampChange(text: #"{"linked":true}"#))
        try bench.tryOut(pink)
        #expect(bench.written.suffix(2) == [.ledLink, .led1])
    }

    @Test func anLEDThatThereIsNotIsNotLit() {
        let bench = started()
        #expect(throws: HubError.badValue("Say which LEDs, from 1 to 4.")) {
            try bench.tryOut(pink, on: [0, 5])
        }
        #expect(bench.writes.isEmpty && !bench.dashboard.isWorking)
    }

    // MARK: What it says by itself

    @Test func whatChangesWithoutAWordIsReadOnceAMinute() {
        let bench = started()
        let before = bench.readings
        bench.run(milliseconds: 59_999)
        #expect(bench.readings == before)
        bench.run(milliseconds: 1)
        #expect(bench.readings == before + 1 && bench.dashboard.read == Moment.at(bench.pair.now).time)
        bench.run(seconds: 120)
        #expect(bench.readings == before + 3)
    }

    @Test func whatItTellsIsShown() {
        let bench = started()
        let before = bench.readings
        bench.pair.updateDevice { device, now in
            device.set(LampBattery(percent: 50, isCharging: false), at: now)
        }
        #expect(bench.dashboard.state?.values.batteryPercent == 50)
        #expect(bench.readings > before && !bench.dashboard.isWorking)
    }

    @Test func pagesAreCountedAndTheLastOneEndsIt() {
        let bench = started()
        for page in ["first", "second", "second"] {
            bench.update { job, moment in job.look(page, at: moment) }
        }
        #expect(bench.dashboard.viewers == 2)
        bench.update { job, moment in job.leave("second", at: moment) }
        #expect(bench.dashboard.viewers == 1 && bench.phase == .open)
        bench.update { job, moment in job.leave("first", at: moment) }
        #expect(bench.phase == .ended && bench.reason == nil && bench.dashboard.viewers == 0)
    }
}
