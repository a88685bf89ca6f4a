// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
package import BLEWire
package import Companion
package import LEDBulbCompanion
package import NightlightCompanion

/// What a kind of job does on the link to its device; ``Job`` adds what all jobs have.
package protocol JobMachine: SendableMetatype, ~Copyable {
    /// What pages show of it.
    associatedtype Shown: EventPart & Sendable

    /// The job of this kind, if that is what a page has begun.
    static func job(in job: AnyJob) -> Job<Self>?

    /// Whether something is under way that goes on without a page, and ends by itself.
    var isUnderWay: Bool { get }
    /// Whether the device sends by itself what somebody wants to see.
    var isWatching: Bool { get }
    /// When to call ``deadlineReached(at:)`` at the latest.
    var nextDeadline: HostInstant? { get }
    /// How it is.
    var shown: Shown { get }
    /// The same for those who look.
    var event: JobEvent { get }

    /// Takes what has happened on the link.
    mutating func receive(_ input: ClientInput, at moment: Moment)
    /// Does what is due.
    mutating func deadlineReached(at moment: Moment)
    /// The next thing that comes of it.
    ///
    /// - Returns: The step; `nil` when there is nothing to do until the next input.
    mutating func nextStep(at moment: Moment) -> JobStep?
    /// Takes up how the job is: connected, or ended with a reason.
    mutating func show(_ job: DeviceJob, at moment: Moment)
    /// Takes up how many pages look.
    ///
    /// - Returns: Whether that is told.
    mutating func show(viewers: Int) -> Bool
    /// Counts a change of what is told.
    mutating func countChange()
    /// Ends the link; a step tells when it is gone.
    mutating func close(at moment: Moment)
}

extension JobMachine where Self: ~Copyable {
    package var isWatching: Bool { false }
    package mutating func show(viewers: Int) -> Bool { false }
}

/// What comes of a job's machine.
package enum JobStep: Sendable {
    /// Something for the radio.
    case action(ClientAction)
    /// The device listens: what it calls itself.
    case opened(name: String?)
    /// What is told has changed.
    case changed
    /// Something beside that.
    case output(JobOutput)
    /// The link is gone, and why, unless that was wanted; nothing comes after it.
    case ended(String?)
}

/// What comes of a job for its host.
package enum JobOutput: Sendable {
    /// Something to tell.
    case event(JobEvent)
    /// The device listens, or the link is gone.
    case changed(DeviceJob)
    /// A request has been answered that was taken before.
    case completed(JobRequest, Result<JobAnswer, HubError>)
    /// What waited for a lamp, by its number, was written; why not, if the lamp has refused it.
    case changeSent(LampDashboard, Int, refusal: String?)
}

/// The number of a request that is answered later, which its host has given it.
package struct JobRequest: Hashable, Sendable {
    package let id: Int64

    package init(id: Int64) { self.id = id }
}

/// What a job answers later.
package enum JobAnswer: Sendable {
    /// A value that was read or written.
    case value(ExplorerValue)
    /// Nothing but that it was done.
    case done
}

/// What a job tells.
package enum JobEvent: Sendable {
    case wifi(WiFiSetupChanged)
    case lamp(NightlightChanged)
    case bulb(BulbChanged)
    case explorer(ExplorerChanged)
    case values(ExplorerValuesCame)
}
