// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionText
import Nightlight

/// Shows a lamp to pages, and writes what they want: one link for all of them.
final class LampWork: EngineWork {
    /// What is asked of the lamp, and what is to be done when it has ended: why it was not, if it was not.
    private struct Request {
        enum Action {
            case set([NightlightSetting])
            case proof([Int], RGBColor)
            case setClock
            /// Sets the clock of a lamp that has just been connected to; what is said about that.
            case firstClock(String?)
            case read
        }

        let action: Action
        var ended: (String?) -> Void = { _ in }
    }

    /// How often what changes without a word is read again, in seconds.
    private static let readInterval: UInt64 = 60

    private var desk: LampDesk
    private var run: DeviceRun<NightlightClient>?
    private var state: LampState?
    private var requests = FIFO<Request>()
    /// What is being done, the settings that are still to be written, and why one was not taken.
    private var current: Request?
    private var rest: [NightlightSetting] = []
    private var refusal: String?
    private var nextReading: HostInstant?
    /// Whether it ends when nobody looks and nothing is left to do.
    private var isForWishes: Bool

    init(_ engine: Engine, _ job: DeviceJob, isForWishes: Bool = false) {
        desk = LampDesk(job)
        self.isForWishes = isForWishes
        super.init(engine)
        let options = NightlightClient.Options(
            target: .peer(job.peer), reconnects: false, seed: engine.random.next())
        let run = DeviceRun(NightlightClient(options: options), at: engine.now) { [self] event in
            receive(event)
        } ended: { [self] end in
            self.run = nil
            engine.ended(self, end.sentence)
        }
        self.run = run
        engine.radio.run(run, at: engine.now)
    }

    /// How it is.
    var dashboard: LampDashboard { desk.dashboard }

    override var lamp: LampWork? { self }
    override var isUnderWay: Bool { dashboard.isWorking }
    override var nextDeadline: HostInstant? { .earliest(super.nextDeadline, nextReading) }
    override func close() { run?.close(at: engine.now) }
    override func count() { desk.dashboard.revision += 1 }
    override func publish() { engine.publish(NightlightChanged(dashboard)) }

    override func show(_ job: DeviceJob) {
        desk.dashboard.job = job
        if job.phase == .ended {
            (desk.dashboard.isWorking, desk.dashboard.proofEnd, nextReading) = (false, nil, nil)
            let reason = job.reason ?? "It was ended before it was done."
            if let request = current { request.ended(reason) }
            while let request = requests.popFirst() { request.ended(reason) }
            current = nil
            engine.remember(self)
        }
        tell()
    }

    /// Handles that a page looks.
    func countPages() {
        isForWishes = false
        guard dashboard.viewers != viewers.count else { return }
        desk.dashboard.viewers = viewers.count
        tell()
    }

    // MARK: The link

    private func receive(_ event: NightlightEvent) {
        switch event {
        case .ready(let peer, _, let values):
            take(reading(values, of: peer))
            guard let state, state.action == .set || state.action == .setAndReport else { return open() }
            next(Request(action: .firstClock(LampNowText(state, nil).clockNote(isSet: true))))
        case .values(let values):
            guard let state else { return }
            take(reading(values, of: state.peer))
            finish()
        case .changed(let item, let values):
            guard let state, current == nil else { return }
            if NightlightItem.leds.contains(item) || item == .ledProof {
                // Only the picture of the LEDs is another one: the clock need not be asked.
                take(state.having(values))
            } else {
                next(Request(action: .read))
            }
        case .written(let item): written(item)
        case .refused(let item, let failure): refused(item, NightlightText.refusal(item, failure))
        case .notKept(let item):
            // What a clock shows then says more than its octets.
            let clocks: [NightlightItem] = [.localTimeInformation, .timeWithDST, .currentTime]
            if clocks.contains(item) { written(item) } else { refused(item, NightlightText.notKept(item)) }
        case .missing(let item): refused(item, NightlightText.missing(item))
        case .state, .unreadable, .malformed: break
        }
    }

    private func reading(_ values: NightlightValues, of peer: Peer) -> LampState {
        let (host, fraction) = engine.hostClock
        return LampState(peer, values, host: host, hostFraction: fraction)
    }

    private func take(_ state: LampState, clockNote: String? = nil) {
        self.state = state
        desk.take(state, clockNote: clockNote, at: engine.time)
        tell()
    }

    private func open() {
        nextReading = engine.now.advanced(bySeconds: Self.readInterval)
        engine.opened(self, name: state?.childName)
        engine.sendWishes(to: self)
        nextRequest()
    }

    // MARK: One after the other

    private func nextRequest() {
        guard current == nil else { return }
        if let request = requests.popFirst() {
            return next(request)
        }
        if isForWishes, nextReading != nil { close() }
    }

    private func next(_ request: Request) {
        (current, refusal) = (request, nil)
        guard let state else { return }
        switch request.action {
        case .set(let settings): rest = settings
        case .proof(let leds, let color): rest = LampDesk.proof(of: color, on: leds, state)
        case .read: rest = []
        case .setClock, .firstClock:
            rest = []
            if state.values[.localTimeInformation] != nil {
                rest.append(.zone(engine.hostClock.reading.zone))
            }
            if state.values[.timeWithDST] != nil {
                rest.append(.nextDSTChange(engine.hostClock.reading.next))
            }
            // The time, which goes on meanwhile, is put in when its turn has come.
            rest.append(.clock(CurrentTime(engine.hostClock.reading.time, fractions: 0)))
        }
        write()
    }

    private func write() {
        guard let run else { return }
        guard var setting = rest.first else {
            return run.update { client in
                // Of a colour that is tried out nothing but the LEDs is another one.
                if refusal == nil, case .proof? = current?.action { return client.reportValues() }
                client.readAgain(
                    [.batteryLevel, .batteryStatus, .day, .activeSource, .currentTime], at: engine.now)
            }
        }
        if case .clock = setting {
            let (host, fraction) = engine.hostClock
            setting = .clock(CurrentTime(host.time, fractions: UInt8(clamping: Int(fraction * 256))))
        }
        run.update { $0.set(setting, at: engine.now) }
    }

    private func written(_ item: NightlightItem) {
        guard current != nil, rest.first?.item == item else { return }
        rest.removeFirst()
        write()
    }

    private func refused(_ item: NightlightItem, _ sentence: String) {
        guard current != nil, rest.first?.item == item else { return }
        (refusal, rest) = (sentence, [])
        write()
    }

    /// Handles that what the lamp has was read after a request.
    private func finish() {
        guard let request = current, rest.isEmpty else { return }
        current = nil
        if case .proof = request.action, refusal == nil { desk.beginProof(at: engine.time) }
        desk.dashboard.isWorking = !requests.isEmpty
        if let refusal { desk.note(refusal) }
        if case .firstClock(let note) = request.action {
            if let state, refusal == nil { take(state, clockNote: note) }
            return open()
        }
        request.ended(refusal)
        tell()
        nextRequest()
    }

    override func refresh() {
        if let due = nextReading, due <= engine.now {
            nextReading = engine.now.advanced(bySeconds: Self.readInterval)
            viewers.forget(after: Int64(EngineJob.lease), at: engine.ticks)
            if current == nil { next(Request(action: .read)) }
        }
        super.refresh()
    }

    // MARK: What pages ask for

    func change(
        _ change: LampChange, ifChanges changes: Int? = nil, ended: @escaping (String?) -> Void = { _ in }
    ) throws(HubFault) {
        try ask(Request(action: .set(desk.settings(of: change, ifChanges: changes)), ended: ended))
    }

    func tryOut(_ color: RGBColor, on leds: [Int]) throws(HubFault) {
        let known = try LampDesk.known(leds)
        // What was not shown yet need not be.
        requests.removeAll { if case .proof(known, _) = $0.action { true } else { false } }
        try ask(Request(action: .proof(known, color)))
    }

    func endProof() throws(HubFault) { try ask(Request(action: .set([.proof(false)]))) }

    func setClock() throws(HubFault) { try ask(Request(action: .setClock)) }

    private func ask(_ request: Request) throws(HubFault) {
        _ = try desk.admit(run, waiting: requests.count)
        requests.append(request)
        tell()
        nextRequest()
    }
}
