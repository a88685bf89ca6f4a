// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionText
import Testing

@testable import CompanionCore

@Suite("The pages of a job, and what they are told")
struct JobPageTests {
    private let scripted = ScriptedJob()

    private func look(_ page: String) { scripted.act { job, moment in job.look(page, at: moment) } }
    private func leave(_ page: String) { scripted.act { job, moment in job.leave(page, at: moment) } }

    // MARK: Pages

    @Test func theLastPageEndsIt() {
        look("first")
        look("second")
        look("second")
        #expect(scripted.viewers == 2)
        leave("second")
        #expect(scripted.viewers == 1 && !scripted.job.isLeaving)
        // Whoever leaves twice, or never came, was the last one no more than before.
        leave("second")
        leave("nobody")
        #expect(!scripted.job.isLeaving && scripted.phase == .open)
        leave("first")
        #expect(scripted.job.isLeaving && scripted.phase == .ended && scripted.reason == nil)
    }

    @Test func aPageThatLooksKeepsIt() {
        for _ in 0..<10 {
            look("page")
            scripted.run(seconds: 29)
        }
        #expect(scripted.phase == .open)
    }

    @Test func aPageThatSaysNothingIsForgotten() {
        look("asleep")
        scripted.run(seconds: 20)
        look("awake")
        #expect(scripted.viewers == 2)
        scripted.run(milliseconds: 10_001)
        look("awake")
        #expect(scripted.viewers == 1)
        leave("awake")
        #expect(scripted.phase == .ended && scripted.reason == nil)
    }

    @Test func aPageThatSaysNothingIsNotWaitedForByTheLastOne() {
        look("asleep")
        scripted.run(seconds: 20)
        look("awake")
        scripted.run(seconds: 15)
        // The other one has said nothing for longer than its lease.
        leave("awake")
        #expect(scripted.viewers == 0 && scripted.phase == .ended && scripted.reason == nil)
    }

    @Test func whoComesBackBeforeItIsClosedIsThere() {
        scripted.change { $0.isUnderWay = true }
        look("first")
        leave("first")
        #expect(scripted.job.isLeaving && scripted.phase == .open)
        look("second")
        #expect(!scripted.job.isLeaving)
        scripted.change { $0.isUnderWay = false }
        scripted.run(seconds: 29)
        #expect(scripted.phase == .open)
    }

    @Test func whenTheLastOneLeavesWhatIsUnderWayIsDoneFirst() {
        scripted.change { $0.isUnderWay = true }
        look("page")
        leave("page")
        scripted.run(seconds: 10)
        #expect(scripted.job.isLeaving && scripted.phase == .open && scripted.closings == 0)
        scripted.change { $0.isUnderWay = false }
        scripted.run(seconds: 21)
        #expect(scripted.phase == .ended)
    }

    @Test func howManyLookIsToldWhenItChanges() {
        scripted.run(seconds: 1)
        look("page")
        let count = scripted.told.count
        scripted.run(seconds: 1)
        look("page")
        scripted.run(seconds: 1)
        #expect(scripted.told.count == count)
        look("other")
        #expect(scripted.told.count == count + 1)
    }

    // MARK: What is told

    @Test func howItBeginsIsToldAtOnce() {
        let scripted = ScriptedJob(opens: false)
        #expect(scripted.told.map(\.revision) == [1])
    }

    @Test func itIsToldTenTimesASecondAndTheLastStateAlways() {
        scripted.run(seconds: 1)
        let before = scripted.told.count
        for _ in 0..<1000 {
            scripted.take(.changed)
            scripted.run(milliseconds: 1)
        }
        let told = scripted.told.dropFirst(before)
        #expect((9...11).contains(told.count))
        #expect(
            zip(told, told.dropFirst()).allSatisfy { $1.at.microseconds(since: $0.at) >= 100_000 })
        scripted.run(seconds: 1)
        #expect(scripted.told.last?.revision == scripted.revision)
        let after = scripted.told.count
        scripted.run(seconds: 5)
        #expect(scripted.told.count == after)
    }

    @Test func whatChangesAfterAPauseIsToldAtOnce() {
        scripted.run(seconds: 1)
        let before = scripted.told.count
        scripted.take(.changed)
        #expect(scripted.told.count == before + 1 && scripted.told.last?.at == scripted.now)
        // The next one waits, and says so by a deadline.
        scripted.take(.changed)
        #expect(scripted.told.count == before + 1)
        #expect(scripted.job.nextDeadline == scripted.now.advanced(byMilliseconds: 100))
    }

    @Test func whatWasNotToldYetIsToldWithTheEnd() {
        scripted.run(seconds: 1)
        scripted.take(.changed)
        scripted.take(.changed)
        let before = scripted.told.count
        scripted.take(.ended("The link is gone."))
        #expect(scripted.told.count == before + 1 && scripted.told.last?.revision == scripted.revision)
        scripted.run(seconds: 1)
        #expect(scripted.told.count == before + 1)
    }

    @Test func whatAMachineHasForItsHostIsPassedOn() throws {
        scripted.take(.output(.completed(JobRequest(id: 5), .success(.done))))
        guard case .completed(let request, .success(.done)) = try #require(scripted.outputs.last).output
        else {
            Issue.record("it was not passed on")
            return
        }
        #expect(request == JobRequest(id: 5))
    }
}
