// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import LEDBulbCompanion

@testable import CompanionCore

/// A machine that does what a test says.
struct ScriptedMachine: JobMachine, ~Copyable {
    var isUnderWay = false
    var isWatching = false
    /// Whether its link is gone as soon as it is closed.
    var endsWhenClosed = true
    var nextDeadline: HostInstant?
    private(set) var bulb: HubBulb
    private(set) var viewers = 0
    private(set) var closings = 0
    private var steps = FIFO<JobStep>()

    init(_ job: DeviceJob) { bulb = HubBulb(job, isDialectChosen: false) }

    static func job(in job: AnyJob) -> Job<Self>? { nil }

    var shown: HubBulb { bulb }
    var event: JobEvent { .bulb(BulbChanged(bulb)) }

    mutating func take(_ step: JobStep) { steps.append(step) }
    mutating func receive(_ input: ClientInput, at moment: Moment) { steps.append(.changed) }
    mutating func deadlineReached(at moment: Moment) {
        nextDeadline = nil
        steps.append(.changed)
    }
    mutating func nextStep(at moment: Moment) -> JobStep? { steps.popFirst() }
    mutating func show(_ job: DeviceJob, at moment: Moment) { bulb.job = job }
    mutating func show(viewers: Int) -> Bool {
        guard viewers != self.viewers else { return false }
        self.viewers = viewers
        return true
    }
    mutating func countChange() { bulb.revision += 1 }
    mutating func close(at moment: Moment) {
        closings += 1
        if endsWhenClosed { steps.append(.ended("The scripted link is gone.")) }
    }
}

/// A job whose machine a test drives, on a clock that the test moves.
final class ScriptedJob {
    let job: Job<ScriptedMachine>
    private(set) var now = HostInstant.zero
    private(set) var outputs: [(at: HostInstant, output: JobOutput)] = []

    init(opens: Bool = true) {
        let moment = Moment.beginning
        let begun = DeviceJob(id: 1, .bulb, with: .tested, begun: moment.time, lease: 30)
        job = Job(begun, ScriptedMachine(begun), patience: JobPatience(), at: moment)
        job.begin(at: moment)
        drain()
        if opens { take(.opened(name: "Scripted")) }
    }

    var moment: Moment { .at(now) }
    var phase: DeviceJob.Phase { job.job.phase }
    var reason: String? { job.job.reason }
    var revision: Int { job.machine.bulb.revision }
    var viewers: Int { job.machine.viewers }
    var closings: Int { job.machine.closings }

    /// Does something with the job.
    func act(_ body: (Job<ScriptedMachine>, Moment) -> Void) {
        body(job, moment)
        drain()
    }

    /// Changes the machine.
    func change(_ body: (inout ScriptedMachine) -> Void) {
        // The body throws nothing.
        try? job.update { machine throws(HubError) in body(&machine) }
        drain()
    }

    /// Lets the machine want something.
    func take(_ step: JobStep) { change { $0.take(step) } }

    /// Lets time go by, with every deadline on the way.
    func run(milliseconds: UInt64) {
        let end = now.advanced(byMilliseconds: milliseconds)
        while let due = job.nextDeadline, due <= end {
            now = max(now, due)
            job.deadlineReached(at: moment)
            drain()
        }
        now = end
    }

    func run(seconds: UInt64) { run(milliseconds: seconds * 1000) }

    private func drain() {
        while job.nextAction(at: moment) != nil {}
        while let output = job.nextOutput() { outputs.append((now, output)) }
    }

    // MARK: What has come of it

    /// The phases that the host was told.
    var phases: [DeviceJob.Phase] {
        outputs.compactMap { if case .changed(let job) = $0.output { job.phase } else { nil } }
    }

    /// The revisions that pages were told, with the moment.
    var told: [(at: HostInstant, revision: Int)] {
        outputs.compactMap { at, output in
            if case .event(.bulb(let event)) = output { (at, event.bulb.revision) } else { nil }
        }
    }
}
