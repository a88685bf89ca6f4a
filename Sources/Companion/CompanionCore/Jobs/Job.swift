// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
package import BLEWire
package import Companion
import CompanionText

/// How long a job waits for what, in seconds.
package struct JobPatience: Hashable, Sendable {
    /// How long it goes on when no page says that it is there.
    package var lease: UInt64 = 30
    /// How long its device is looked for, until there is a link to it.
    package var search: UInt64 = 10
    /// How long it goes on when nothing is asked of it.
    package var idleness: UInt64 = 900

    /// Makes the usual patience.
    package init() {}
}

/// A job that goes on or has ended, whatever it is about.
package protocol RunningJob: AnyObject {
    /// How it is.
    var job: DeviceJob { get }
    /// Whether it is being ended, or its last page has left.
    var isLeaving: Bool { get }
    /// When to call ``deadlineReached(at:)`` at the latest.
    var nextDeadline: HostInstant? { get }

    /// Takes what has happened on its link.
    func receive(_ input: ClientInput, at moment: Moment)
    /// Does what is due.
    func deadlineReached(at moment: Moment)
    /// The next thing that it asks of the radio.
    func nextAction(at moment: Moment) -> ClientAction?
    /// The next thing for its host.
    func nextOutput() -> JobOutput?

    /// Handles that a page is there, which has said nothing of itself.
    func keep(at moment: Moment)
    /// Handles that something was asked of it.
    func use(at moment: Moment)
    /// Handles that a page looks, or still does.
    func look(_ page: String, at moment: Moment)
    /// Handles that a page looks no more; the last one ends it, once what is under way is done.
    func leave(_ page: String, at moment: Moment)
    /// Ends it.
    ///
    /// - Parameters:
    ///   - reason: Why, in a sentence; `nil` when somebody wanted it so.
    ///   - moment: The moment.
    func end(_ reason: String?, at moment: Moment)
    /// Handles that nothing comes from its link any more, however it is: it ends at once.
    ///
    /// - Parameters:
    ///   - reason: Why, in a sentence, unless it is being ended for another reason.
    ///   - moment: The moment.
    func abandon(_ reason: String?, at moment: Moment)
}

/// A job on one device for pages: it holds the link for as long as a page asks for that, and no longer.
///
/// ```
/// connecting ─► open ─► ended: cancelled, failed, its page is gone, or nothing was asked of it for long
/// ```
///
/// What changes is told at once, and then at most ten times a second, so that a device that talks without end fills nothing.
package final class Job<Machine: JobMachine & ~Copyable>: RunningJob {
    /// How long what comes is gathered before it is told, in milliseconds.
    private static var pause: UInt64 { 100 }

    package private(set) var job: DeviceJob
    /// What is done on the link; it is changed by ``update(_:)``.
    package private(set) var machine: Machine
    private let patience: JobPatience
    private var viewers = Viewers()
    /// Until when its page has asked for it, and until when it may be idle.
    private var leaseEnd: HostInstant
    private var idleEnd: HostInstant
    /// Why it is ended from outside; the first reason counts.
    private var ending: String??
    private var isUntold = false
    private var nextTelling = HostInstant.zero
    private var outputs = FIFO<JobOutput>()

    init(_ job: DeviceJob, _ machine: consuming Machine, patience: JobPatience, at moment: Moment) {
        self.job = job
        self.machine = machine
        self.patience = patience
        leaseEnd = moment.now.advanced(bySeconds: patience.lease)
        idleEnd = moment.now.advanced(bySeconds: patience.idleness)
    }

    /// Tells that it has begun.
    func begin(at moment: Moment) {
        machine.show(job, at: moment)
        tell(at: moment)
    }

    package var isLeaving: Bool { ending != nil || viewers.isLeft }
    private var isOver: Bool { job.phase == .ended }

    // MARK: What pages ask for

    /// Asks something of the machine.
    ///
    /// - Parameter body: What to ask.
    /// - Throws: What the body throws.
    package func update(_ body: (inout Machine) throws(HubError) -> Void) throws(HubError) {
        try body(&machine)
    }

    package func keep(at moment: Moment) {
        leaseEnd = moment.now.advanced(bySeconds: patience.lease)
        // Who looks at what a device sends by itself has no reason to ask it for anything.
        if machine.isWatching { idleEnd = moment.now.advanced(bySeconds: patience.idleness) }
    }

    package func use(at moment: Moment) {
        leaseEnd = moment.now.advanced(bySeconds: patience.lease)
        idleEnd = moment.now.advanced(bySeconds: patience.idleness)
    }

    package func look(_ page: String, at moment: Moment) {
        keep(at: moment)
        viewers.look(page, at: moment.ticks)
        countViewers(at: moment)
    }

    package func leave(_ page: String, at moment: Moment) {
        countViewers(at: moment)
        viewers.leave(page)
        countViewers(at: moment)
        guard viewers.isLeft else { return }
        if machine.isUnderWay { leaseEnd = moment.now } else { end(nil, at: moment) }
    }

    private func countViewers(at moment: Moment) {
        viewers.forget(after: Int64(patience.lease), at: moment.ticks)
        if machine.show(viewers: viewers.count) { tell(at: moment) }
    }

    package func end(_ reason: String?, at moment: Moment) {
        guard !isOver else { return }
        if ending == nil { ending = .some(reason) }
        machine.close(at: moment)
    }

    package func abandon(_ reason: String?, at moment: Moment) {
        guard !isOver else { return }
        if ending == nil { ending = .some(reason) }
        // Who waits for the device is answered first.
        machine.receive(.disconnected(.radioLost), at: moment)
        while nextAction(at: moment) != nil {}
        close(reason, at: moment)
    }

    // MARK: The link

    package var nextDeadline: HostInstant? {
        guard !isOver else { return nil }
        return .earliest(
            .earliest(ending == nil ? min(leaseEnd, idleEnd) : nil, isUntold ? nextTelling : nil),
            machine.nextDeadline)
    }

    package func receive(_ input: ClientInput, at moment: Moment) { machine.receive(input, at: moment) }

    package func deadlineReached(at moment: Moment) {
        guard !isOver else { return }
        if let due = machine.nextDeadline, due <= moment.now { machine.deadlineReached(at: moment) }
        if isUntold, nextTelling <= moment.now { tell(at: moment) }
        guard ending == nil, min(leaseEnd, idleEnd) <= moment.now else { return }
        if machine.isUnderWay {
            let soon = moment.now.advanced(bySeconds: 1)
            (leaseEnd, idleEnd) = (max(leaseEnd, soon), max(idleEnd, soon))
        } else {
            let isGone = leaseEnd <= moment.now
            end(
                viewers.isLeft
                    ? nil : isGone ? JobText.pageGone : JobText.idle(minutes: Int(patience.idleness / 60)),
                at: moment)
        }
    }

    package func nextAction(at moment: Moment) -> ClientAction? {
        while let step = machine.nextStep(at: moment) {
            switch step {
            case .action(let action): return action
            case .changed: tell(at: moment)
            case .output(let output): outputs.append(output)
            case .opened(let name): open(name, at: moment)
            case .ended(let sentence): close(sentence, at: moment)
            }
        }
        return nil
    }

    package func nextOutput() -> JobOutput? { outputs.popFirst() }

    private func open(_ name: String?, at moment: Moment) {
        guard ending == nil, !isOver else { return }
        job.phase = .open
        job.name = job.name ?? name
        machine.show(job, at: moment)
        outputs.append(.changed(job))
        tell(at: moment)
    }

    private func close(_ sentence: String?, at moment: Moment) {
        guard !isOver else { return }
        job.phase = .ended
        job.reason = ending ?? sentence
        machine.show(job, at: moment)
        // The end is told at once, however lately something else was.
        machine.countChange()
        outputs.append(.event(machine.event))
        isUntold = false
        outputs.append(.changed(job))
    }

    // MARK: What is told

    private func tell(at moment: Moment) {
        guard !isOver else { return }
        machine.countChange()
        guard nextTelling <= moment.now else { return isUntold = true }
        outputs.append(.event(machine.event))
        isUntold = false
        nextTelling = moment.now.advanced(byMilliseconds: Self.pause)
    }
}
