// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionText
import LEDBulbCompanion
import Testing

@testable import CompanionCore

@Suite("A job for pages")
struct JobTests {
    private let scripted = ScriptedJob()

    @Test func itConnectsOpensAndEnds() {
        let scripted = ScriptedJob(opens: false)
        #expect(scripted.phase == .connecting && scripted.phases.isEmpty)
        scripted.take(.opened(name: "Scripted"))
        #expect(scripted.phase == .open && scripted.job.job.name == "Scripted")
        scripted.act { job, moment in job.end(nil, at: moment) }
        #expect(scripted.phases == [.open, .ended] && scripted.reason == nil)
        #expect(scripted.closings == 1)
    }

    @Test func aNameThatItsOwnerHasGivenStays() {
        var device = HubDevice.tested
        device.ownName = "Kitchen"
        let begun = DeviceJob(id: 1, .bulb, with: device, begun: Moment.beginning.time, lease: 30)
        let job = Job(begun, ScriptedMachine(begun), patience: JobPatience(), at: .beginning)
        job.begin(at: .beginning)
        try? job.update { machine throws(HubError) in machine.take(.opened(name: "Triones")) }
        #expect(job.nextAction(at: .beginning) == nil)
        #expect(job.job.phase == .open && job.job.name == "Kitchen")
    }

    @Test func aLinkThatEndsSaysWhy() {
        scripted.take(.ended("The link is gone."))
        #expect(scripted.phases == [.open, .ended] && scripted.reason == "The link is gone.")
    }

    // MARK: How long it goes on

    @Test func itEndsWhenItsPageIsGone() {
        scripted.run(milliseconds: 29_999)
        #expect(scripted.phase == .open)
        scripted.run(milliseconds: 1)
        #expect(scripted.phase == .ended && scripted.reason == JobText.pageGone)
    }

    @Test func whileItsPageIsThereItGoesOn() {
        for _ in 0..<10 {
            scripted.run(seconds: 20)
            scripted.act { job, moment in job.keep(at: moment) }
        }
        scripted.run(milliseconds: 29_999)
        #expect(scripted.phase == .open)
        scripted.run(milliseconds: 1)
        #expect(scripted.reason == JobText.pageGone)
    }

    @Test func aPageThatIsForgottenOnADeskHoldsNoLinkForEver() {
        keep(times: 35)
        scripted.run(milliseconds: 24_999)
        #expect(scripted.phase == .open)
        scripted.run(milliseconds: 1)
        #expect(scripted.phase == .ended && scripted.reason == JobText.idle(minutes: 15))
    }

    @Test func whatIsAskedOfItCountsAndWhatItSendsToo() {
        scripted.run(seconds: 25)
        scripted.act { job, moment in job.use(at: moment) }
        keep(times: 35)
        #expect(scripted.phase == .open)
        scripted.change { $0.isWatching = true }
        scripted.act { job, moment in job.keep(at: moment) }
        keep(times: 80)
        #expect(scripted.phase == .open)
        scripted.change { $0.isWatching = false }
        keep(times: 36)
        #expect(scripted.reason == JobText.idle(minutes: 15))
    }

    private func keep(times: Int) {
        for _ in 0..<times {
            scripted.run(seconds: 25)
            scripted.act { job, moment in job.keep(at: moment) }
        }
    }

    @Test func whatIsUnderWayIsDoneFirst() {
        scripted.change { $0.isUnderWay = true }
        scripted.run(seconds: 30)
        // It is looked after once a second.
        #expect(scripted.job.nextDeadline == scripted.now.advanced(bySeconds: 1))
        scripted.run(seconds: 20)
        #expect(scripted.phase == .open)
        scripted.change { $0.isUnderWay = false }
        scripted.run(milliseconds: 999)
        #expect(scripted.phase == .open)
        scripted.run(milliseconds: 1)
        #expect(scripted.phase == .ended && scripted.reason == JobText.pageGone)
    }

    @Test func aPageThatComesBackInTimeKeepsIt() {
        scripted.change { $0.isUnderWay = true }
        scripted.run(seconds: 31)
        scripted.act { job, moment in job.keep(at: moment) }
        scripted.change { $0.isUnderWay = false }
        scripted.run(milliseconds: 29_999)
        #expect(scripted.phase == .open)
    }

    @Test func theMachineHasDeadlinesOfItsOwn() {
        let due = scripted.now.advanced(bySeconds: 5)
        scripted.change { $0.nextDeadline = due }
        scripted.run(seconds: 1)
        #expect(scripted.job.nextDeadline == due)
        let before = scripted.told.count
        scripted.run(seconds: 4)
        #expect(scripted.told.count == before + 1)
        #expect(scripted.job.nextDeadline == HostInstant.zero.advanced(bySeconds: 30))
    }

    // MARK: How it is ended

    @Test func theFirstReasonCounts() {
        scripted.change { $0.endsWhenClosed = false }
        scripted.act { job, moment in job.end("The lid was closed.", at: moment) }
        #expect(scripted.phase == .open && scripted.job.isLeaving)
        scripted.run(seconds: 1)
        // Nothing is waited for but the link.
        #expect(scripted.job.nextDeadline == nil)
        scripted.act { job, moment in job.end(nil, at: moment) }
        scripted.run(seconds: 60)
        scripted.take(.ended("The link is gone."))
        #expect(scripted.reason == "The lid was closed.")
    }

    @Test func whoeverWantsItEndedNeedsNoReason() {
        scripted.change { $0.endsWhenClosed = false }
        scripted.act { job, moment in job.end(nil, at: moment) }
        scripted.act { job, moment in job.end("The lid was closed.", at: moment) }
        scripted.take(.ended("The link is gone."))
        #expect(scripted.phase == .ended && scripted.reason == nil)
    }

    @Test func whatIsBeingEndedDoesNotOpenAnyMore() {
        let scripted = ScriptedJob(opens: false)
        scripted.change { $0.endsWhenClosed = false }
        scripted.act { job, moment in job.end(nil, at: moment) }
        scripted.take(.opened(name: "Scripted"))
        #expect(scripted.phase == .connecting)
        scripted.take(.ended("The link is gone."))
        #expect(scripted.phases == [.ended] && scripted.reason == nil)
    }

    @Test func afterTheEndNothingComes() throws {
        scripted.act { job, moment in job.end("The lid was closed.", at: moment) }
        let count = scripted.outputs.count
        // The end is told twice: to the pages, and then to the host.
        guard case .event(.bulb(let last)) = try #require(scripted.outputs.dropLast().last).output,
            case .changed(let job) = try #require(scripted.outputs.last).output
        else {
            Issue.record("the end was not told last")
            return
        }
        #expect(last.bulb.job == job && job.phase == .ended)
        #expect(scripted.job.nextDeadline == nil)
        scripted.act { job, moment in
            job.end(nil, at: moment)
            job.keep(at: moment)
            job.use(at: moment)
            job.deadlineReached(at: moment)
        }
        scripted.take(.ended("Once more."))
        scripted.run(seconds: 2000)
        #expect(scripted.outputs.count == count && scripted.reason == "The lid was closed.")
    }
}
