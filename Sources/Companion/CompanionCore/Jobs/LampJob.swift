// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
package import BLEWire
package import Companion
import Nightlight
package import NightlightCompanion

/// Shows a lamp to pages, and writes what they want: one link for all of them.
package struct LampJob: JobMachine, ~Copyable {
    /// What is asked of the lamp.
    private enum Request {
        /// Settings, and the number of what waited for the lamp, if that is what they are.
        case set([NightlightSetting], change: Int?)
        /// Shows a colour on some LEDs.
        case proof([Int], RGBColor)
        case setClock
        /// Sets the clock of a lamp that has just been connected to; what is said about that.
        case firstClock(note: String?)
        case read
    }

    /// A request that is being done: the settings that are still to be written, and why one was not taken.
    private struct Work {
        let request: Request
        var rest: [NightlightSetting] = []
        var refusal: String?
    }

    /// How often what changes without a word is read again, in seconds.
    private static var readInterval: UInt64 { 60 }

    private var session: JobSession<NightlightClient>
    private var controller: LampController
    private let clock: LocalClock
    private var state: LampState?
    private var requests = FIFO<Request>()
    private var work: Work?
    private var nextReading: HostInstant?
    /// Whether it ends when no page looks and nothing is left to do.
    private var isForChanges: Bool
    /// Whether it has ended the link because of that.
    private var isDone = false
    private var steps = FIFO<JobStep>()

    init(
        _ job: DeviceJob, clock: LocalClock, isForChanges: Bool = false, lookingFor patience: UInt64,
        seed: UInt64, at moment: Moment
    ) {
        let options = NightlightClient.Options(target: .peer(job.peer), reconnects: false, seed: seed)
        session = JobSession(NightlightClient(options: options), lookingFor: patience)
        controller = LampController(job)
        self.clock = clock
        self.isForChanges = isForChanges
    }

    /// How it is.
    package var dashboard: LampDashboard { controller.dashboard }
    package static func job(in job: AnyJob) -> Job<Self>? { job.lamp }

    package var isUnderWay: Bool { dashboard.isWorking }
    package var nextDeadline: HostInstant? { .earliest(session.nextDeadline, nextReading) }
    package var shown: LampDashboard { dashboard }
    package var event: JobEvent { .lamp(NightlightChanged(dashboard)) }

    package mutating func countChange() { controller.dashboard.revision += 1 }
    package mutating func close(at moment: Moment) { session.close(at: moment.now) }

    package mutating func show(_ job: DeviceJob, at moment: Moment) {
        controller.dashboard.job = job
        guard job.phase == .ended else { return }
        (controller.dashboard.isWorking, controller.dashboard.proofEnd, nextReading) = (false, nil, nil)
        // What waited for the lamp waits on: nothing is said of it.
        (requests, work) = (FIFO(), nil)
    }

    package mutating func show(viewers: Int) -> Bool {
        if viewers > 0 { isForChanges = false }
        guard dashboard.viewers != viewers else { return false }
        controller.dashboard.viewers = viewers
        return true
    }

    package mutating func receive(_ input: ClientInput, at moment: Moment) {
        session.receive(input, at: moment.now)
    }

    package mutating func deadlineReached(at moment: Moment) {
        session.deadlineReached(at: moment.now)
        guard let due = nextReading, due <= moment.now else { return }
        nextReading = moment.now.advanced(bySeconds: Self.readInterval)
        if work == nil { begin(.read, at: moment) }
    }

    package mutating func nextStep(at moment: Moment) -> JobStep? {
        if let step = steps.popFirst() { return step }
        while let output = session.nextOutput() {
            switch output {
            case .action(let action): return .action(action)
            case .event(let event): receive(event, at: moment)
            case .ended(let end): return .ended(isDone ? nil : end.sentence)
            }
            if let step = steps.popFirst() { return step }
        }
        return nil
    }

    // MARK: What the lamp says

    private mutating func receive(_ event: NightlightEvent, at moment: Moment) {
        switch event {
        case .ready(let peer, _, let values):
            take(reading(values, of: peer, at: moment), at: moment)
            guard let state, state.action == .set || state.action == .setAndReport else {
                return open(at: moment)
            }
            begin(.firstClock(note: LampNowText(state, nil).clockNote(isSet: true)), at: moment)
        case .values(let values):
            guard let state else { return }
            take(reading(values, of: state.peer, at: moment), at: moment)
            finish(at: moment)
        case .changed(let item, let values):
            guard let state, work == nil else { return }
            if NightlightItem.leds.contains(item) || item == .ledProof {
                // Only the picture of the LEDs is another one: the clock need not be asked.
                take(state.having(values), at: moment)
            } else {
                begin(.read, at: moment)
            }
        case .written(let item): written(item, at: moment)
        // What the lamp has not taken because its link ends waits on.
        case .refused(_, .disconnected): break
        case .refused(let item, let failure):
            refused(item, NightlightText.refusal(item, failure), at: moment)
        case .notKept(let item):
            // What a clock shows then says more than its octets.
            let clocks: [NightlightItem] = [.localTimeInformation, .timeWithDST, .currentTime]
            if clocks.contains(item) {
                written(item, at: moment)
            } else {
                refused(item, NightlightText.notKept(item), at: moment)
            }
        case .missing(let item): refused(item, NightlightText.missing(item), at: moment)
        case .state, .unreadable, .malformed: break
        }
    }

    private func reading(_ values: NightlightValues, of peer: Peer, at moment: Moment) -> LampState {
        let (host, fraction) = clock.reading(at: moment.time)
        return LampState(peer, values, host: host, hostFraction: fraction)
    }

    private mutating func take(_ state: LampState, clockNote: String? = nil, at moment: Moment) {
        self.state = state
        controller.take(state, clockNote: clockNote, at: moment.time)
        steps.append(.changed)
    }

    private mutating func open(at moment: Moment) {
        nextReading = moment.now.advanced(bySeconds: Self.readInterval)
        steps.append(.opened(name: state?.childName))
    }

    // MARK: One after the other

    /// Begins what was asked for next; a lamp that only changes were sent to is left when they are.
    private mutating func beginNext(at moment: Moment) {
        guard work == nil, nextReading != nil else { return }
        if let request = requests.popFirst() {
            begin(request, at: moment)
        } else if isForChanges {
            isDone = true
            close(at: moment)
        }
    }

    private mutating func begin(_ request: Request, at moment: Moment) {
        guard let state else { return }
        var work = Work(request: request)
        switch request {
        case .set(let settings, _): work.rest = settings
        case .proof(let leds, let color): work.rest = LampController.proof(of: color, on: leds, state)
        case .read: break
        case .setClock, .firstClock:
            let reading = clock.reading(at: moment.time).host
            if state.values[.localTimeInformation] != nil { work.rest.append(.zone(reading.zone)) }
            if state.values[.timeWithDST] != nil { work.rest.append(.nextDSTChange(reading.next)) }
            // The time, which goes on meanwhile, is put in when its turn has come.
            work.rest.append(.clock(CurrentTime(reading.time, fractions: 0)))
        }
        self.work = work
        write(at: moment)
    }

    private mutating func write(at moment: Moment) {
        guard let work else { return }
        guard var setting = work.rest.first else {
            return session.update { client in
                // Of a colour that is tried out nothing but the LEDs is another one.
                if work.refusal == nil, case .proof = work.request { return client.reportValues() }
                client.readAgain(
                    [.batteryLevel, .batteryStatus, .day, .activeSource, .currentTime], at: moment.now)
            }
        }
        if case .clock = setting {
            let (host, fraction) = clock.reading(at: moment.time)
            setting = .clock(CurrentTime(host.time, fractions: UInt8(clamping: Int(fraction * 256))))
        }
        session.update { $0.set(setting, at: moment.now) }
    }

    private mutating func written(_ item: NightlightItem, at moment: Moment) {
        guard work?.rest.first?.item == item else { return }
        work?.rest.removeFirst()
        write(at: moment)
    }

    private mutating func refused(_ item: NightlightItem, _ sentence: String, at moment: Moment) {
        guard work?.rest.first?.item == item else { return }
        work?.refusal = sentence
        work?.rest = []
        write(at: moment)
    }

    /// Handles that what the lamp has was read after a request.
    private mutating func finish(at moment: Moment) {
        guard let work, work.rest.isEmpty else { return }
        self.work = nil
        if case .proof = work.request, work.refusal == nil { controller.beginProof(at: moment.time) }
        controller.dashboard.isWorking = !requests.isEmpty
        if let refusal = work.refusal { controller.note(refusal) }
        switch work.request {
        case .firstClock(let note):
            if let state, work.refusal == nil { take(state, clockNote: note, at: moment) }
            return open(at: moment)
        case .set(_, let change?):
            steps.append(.output(.changeSent(dashboard, change, refusal: work.refusal)))
        case .set, .proof, .setClock, .read: break
        }
        steps.append(.changed)
        beginNext(at: moment)
    }

    /// Handles that all that waited for the lamp was asked of it.
    package mutating func noMoreChanges(at moment: Moment) { beginNext(at: moment) }

    // MARK: What is asked of it

    /// Has settings written.
    ///
    /// - Parameters:
    ///   - change: What is to be others.
    ///   - changes: What ``LampDashboard/changes`` was when the person looked; `nil` for whatever it is.
    ///   - number: The number of what waited for the lamp; `nil` for what a page wants now.
    ///   - moment: The moment.
    /// - Throws: ``HubError`` that says why it cannot be.
    package mutating func change(
        _ change: LampChange, ifChanges changes: Int? = nil, waited number: Int? = nil, at moment: Moment
    ) throws(HubError) {
        try ask(.set(controller.settings(of: change, ifChanges: changes), change: number), at: moment)
    }

    /// Shows a colour, which ends by itself.
    ///
    /// - Parameters:
    ///   - color: The colour.
    ///   - leds: On which LEDs, from 1.
    ///   - moment: The moment.
    /// - Throws: ``HubError`` that says why it cannot be.
    package mutating func tryOut(_ color: RGBColor, on leds: [Int], at moment: Moment) throws(HubError) {
        let known = try LampController.known(leds)
        // What was not shown yet need not be.
        requests.removeAll { if case .proof(known, _) = $0 { true } else { false } }
        try ask(.proof(known, color), at: moment)
    }

    /// Ends what is tried out.
    package mutating func endProof(at moment: Moment) throws(HubError) {
        try ask(.set([.proof(false)], change: nil), at: moment)
    }

    /// Sets the clock, however far it is off.
    package mutating func setClock(at moment: Moment) throws(HubError) {
        try ask(.setClock, at: moment)
    }

    private mutating func ask(_ request: Request, at moment: Moment) throws(HubError) {
        let link: Void? = session.isOver ? nil : ()
        try controller.admit(link, waiting: requests.count)
        requests.append(request)
        steps.append(.changed)
        beginNext(at: moment)
    }
}
