// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionCore
import Nightlight
import NightlightCompanion
import SessionTesting
import Testing

@Suite("Changes that have waited for a lamp")
struct LampChangeTests {
    private let name: LampChange
    private let power: LampChange

    init() throws {
        name = try LampChange(text: #"{"name":"Jonas"}"#)
        power = try LampChange(text: #"{"power":false}"#)
    }

    private func started(isForChanges: Bool = true) -> LampBench {
        let bench = LampBench(isForChanges: isForChanges)
        bench.start()
        return bench
    }

    @Test func theyComeBackByTheirNumbersAndTheJobEnds() throws {
        let bench = started()
        #expect(bench.phase == .open)
        try bench.send([(3, name), (5, power)])
        #expect(bench.sent.map(\.number) == [3, 5] && bench.sent.allSatisfy { $0.refusal == nil })
        #expect(bench.written == [.childName, .ledPower])
        #expect(bench.phase == .ended && !bench.pair.isConnected)
        #expect(bench.dashboard.state?.values.isPowered == false)
    }

    @Test func eachComesWithWhatTheLampHasThen() throws {
        let bench = started()
        try bench.send([(3, name), (5, power)])
        let states = bench.pair.events.compactMap { output in
            if case .changeSent(let dashboard, _, _) = output { dashboard.state } else { nil }
        }
        #expect(states.map(\.childName) == ["Jonas", "Jonas"])
        #expect(states.map(\.values.isPowered) == [true, false])
    }

    @Test func aJobThatHasDoneWhatItWasForEndsWithoutAReason() throws {
        let bench = started()
        try bench.send([(3, name)])
        #expect(bench.phases == [.open, .ended] && bench.reason == nil)
    }

    @Test func whereNothingWaitsAnyMoreItEndsAtOnce() throws {
        let bench = started()
        try bench.send([])
        #expect(bench.phase == .ended && bench.sent.isEmpty && bench.writes.isEmpty)
    }

    @Test func aRefusalComesBackWithThem() throws {
        let bench = started()
        bench.refuse(.childName)
        try bench.send([(3, name), (5, power)])
        #expect(bench.sent.map(\.number) == [3, 5])
        #expect(bench.sent.first?.refusal?.hasPrefix("The lamp refused ") == true)
        #expect(bench.sent.last?.refusal == nil && bench.dashboard.refusals == 1)
        #expect(bench.phase == .ended)
    }

    @Test func itGoesOnWhenAPageLooks() throws {
        let bench = started()
        bench.decideWrites(.carriedOut(afterMilliseconds: 200))
        try bench.send([(3, name)])
        bench.update { job, moment in job.look("page", at: moment) }
        #expect(bench.sent.isEmpty && bench.dashboard.viewers == 1)
        bench.run(seconds: 5)
        #expect(bench.sent.map(\.number) == [3] && bench.phase == .open)
    }

    @Test func itDoesWhatItWasBegunForThoughNoPageIsThere() throws {
        let bench = started()
        bench.decideWrites(.carriedOut(afterMilliseconds: 20_000))
        try bench.send([(3, name), (5, power)])
        // Longer than a page that says nothing is waited for.
        bench.pair.run(seconds: 45)
        #expect(bench.sent.map(\.number) == [3, 5] && bench.phase == .ended)
    }

    @Test func onTheLinkOfAPageTheyAreSentToo() throws {
        let bench = started(isForChanges: false)
        try bench.send([(3, name)])
        #expect(bench.sent.map(\.number) == [3] && bench.phase == .open)
        // What a page wants now is no such change.
        try bench.change(power)
        #expect(bench.sent.count == 1)
    }

    @Test func whatWaitsWhenTheLinkIsLostWaitsOn() throws {
        let bench = started()
        bench.decideWrites(.carriedOut(afterMilliseconds: 1000))
        try bench.send([(3, name), (5, power)])
        bench.run(milliseconds: 1500)
        #expect(bench.sent.map(\.number) == [3])
        bench.pair.loseLink()
        #expect(bench.phase == .ended && bench.sent.map(\.number) == [3])
        #expect(bench.reason == "The link to the device was lost. Bring it near and try again.")
        #expect(!bench.dashboard.isWorking && bench.dashboard.proofEnd == nil)
    }

    @Test func whatWaitsWhenSomebodyEndsTheJobWaitsOn() throws {
        let bench = started()
        bench.decideWrites(.carriedOut(afterMilliseconds: 1000))
        try bench.send([(3, name), (5, power)])
        bench.end()
        #expect(bench.phase == .ended && bench.reason == nil && bench.sent.isEmpty)
    }
}
