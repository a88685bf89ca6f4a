// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
package import BLEWire
package import Companion
package import LEDBulb
package import LEDBulbCompanion

/// Has a bulb at hand for pages: gives it what they ask for, the newest only, and tells what it says.
package struct BulbJob: JobMachine, ~Copyable {
    private var session: JobSession<LEDBulbClient>
    private var controller: BulbController
    private var misfit: BulbIncompatibility?
    /// Whether it is asked what it does as soon as the job is open.
    private var asksState = false
    private var steps = FIFO<JobStep>()

    init(
        _ job: DeviceJob, speaking dialect: BulbDialect?, lookingFor patience: UInt64, seed: UInt64,
        at moment: Moment
    ) {
        let options = LEDBulbClient.Options(
            target: .peer(job.peer), dialect: dialect, reconnects: false, asksName: false, seed: seed)
        session = JobSession(LEDBulbClient(options: options), lookingFor: patience)
        controller = BulbController(job, speaking: dialect)
    }

    /// How it is.
    package var bulb: HubBulb { controller.bulb }
    /// What it speaks, if somebody has chosen that.
    package var chosen: BulbDialect? { controller.chosen }
    package static func job(in job: AnyJob) -> Job<Self>? { job.bulb }

    package var isUnderWay: Bool { controller.isUnderWay }
    package var nextDeadline: HostInstant? { session.nextDeadline }
    package var shown: HubBulb { bulb }
    package var event: JobEvent { .bulb(BulbChanged(controller.bulb)) }

    package mutating func countChange() { controller.bulb.revision += 1 }
    package mutating func close(at moment: Moment) { session.close(at: moment.now) }

    package mutating func show(_ job: DeviceJob, at moment: Moment) {
        controller.show(job)
        guard asksState, job.phase == .open else { return }
        asksState = false
        // Only a bulb that is connected can be asked: it is, and an error says no more than that.
        try? controller.perform(.requestState, at: moment.time)
        pass(at: moment)
    }

    package mutating func receive(_ input: ClientInput, at moment: Moment) {
        session.receive(input, at: moment.now)
    }

    package mutating func deadlineReached(at moment: Moment) { session.deadlineReached(at: moment.now) }

    package mutating func nextStep(at moment: Moment) -> JobStep? {
        if let step = steps.popFirst() { return step }
        while let output = session.nextOutput() {
            switch output {
            case .action(let action): return .action(action)
            case .event(let event): receive(event, at: moment)
            case .ended(let end): return .ended(misfit.map { BulbText.pageSentence($0) } ?? end.sentence)
            }
            if let step = steps.popFirst() { return step }
        }
        return nil
    }

    private mutating func receive(_ event: LEDBulbEvent, at moment: Moment) {
        switch event {
        case .unfit(let found):
            misfit = found
            controller.note(found)
            session.close(at: moment.now)
        case .ready(_, let name, let dialect, let reportsState):
            controller.begin(dialect, reportsState: reportsState)
            asksState = reportsState
            steps.append(.opened(name: name?.string))
        default: if controller.receive(event, at: moment.time) { pass(at: moment) }
        }
    }

    /// Gives the link what it is asked for, and tells how it is.
    private mutating func pass(at moment: Moment) {
        while let request = controller.nextRequest() {
            session.update { client in
                switch request {
                case .perform(let command): client.perform(command, at: moment.now)
                case .startCycle(let turn): client.startCycle(turnMilliseconds: turn, at: moment.now)
                case .stopCycle: client.stopCycle(at: moment.now)
                }
            }
        }
        steps.append(.changed)
    }

    // MARK: What pages ask for

    /// Gives the bulb a command.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - moment: The moment.
    /// - Throws: ``HubError`` that says why it cannot be.
    package mutating func perform(_ command: BulbCommand, at moment: Moment) throws(HubError) {
        try controller.perform(command, at: moment.time)
        pass(at: moment)
    }

    /// Lets the bulb go through all hues until something else is asked of it, or the page is gone.
    ///
    /// - Parameters:
    ///   - turn: How long a turn takes, in milliseconds.
    ///   - moment: The moment.
    /// - Throws: ``HubError`` that says why it cannot be.
    package mutating func startCycle(turn: Int, at moment: Moment) throws(HubError) {
        try controller.startCycle(turn: turn)
        pass(at: moment)
    }

    /// Ends the turns; the bulb keeps the hue that it has come to.
    ///
    /// - Parameter moment: The moment.
    /// - Throws: ``HubError`` that says why it cannot be.
    package mutating func stopCycle(at moment: Moment) throws(HubError) {
        try controller.stopCycle(at: moment.time)
        pass(at: moment)
    }
}
