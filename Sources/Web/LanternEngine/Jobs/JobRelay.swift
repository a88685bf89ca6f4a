// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionCore

/// The link of a job, as the engine's radio runs it.
final class JobRelay: RunningSession {
    private let job: any RunningJob
    /// Both end with the page.
    private let engine: Engine

    init(_ job: any RunningJob, of engine: Engine) { (self.job, self.engine) = (job, engine) }

    var isFinished: Bool { job.job.phase == .ended }

    /// None: the engine keeps the deadlines of its jobs.
    var nextDeadline: HostInstant? { nil }

    func receive(_ input: ClientInput, at now: HostInstant) { job.receive(input, at: engine.moment) }

    func deadlineReached(at now: HostInstant) {}

    func nextAction(at now: HostInstant) -> ClientAction? { job.nextAction(at: engine.moment) }
}
