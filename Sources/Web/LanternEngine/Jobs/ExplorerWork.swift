// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Companion
import CompanionText

/// Explores a device for a page: finds what it has, reads it once, and then does what the page asks for.
final class ExplorerWork: EngineWork {
    /// How it is, and what it has, once that is known.
    private(set) var state: HubExplorer
    private(set) var tree: GATTTree?
    private(set) var log = ExplorerLog()
    private var run: ExplorerRun?
    private var targets: [AttributeHandle: AttributeTarget] = [:]
    private var waiting = 0
    private var nextValues = HostInstant.zero

    init(_ engine: Engine, _ job: DeviceJob, mayWrite: Bool) {
        state = HubExplorer(job, mayWrite: mayWrite)
        super.init(engine)
        let run = ExplorerRun(job.peer) { [self] event in receive(event) }
        self.run = run
        engine.radio.run(run, at: engine.now)
    }

    override var explorer: ExplorerWork? { self }
    override var isUnderWay: Bool { waiting > 0 }
    override var isWatching: Bool { !state.watched.isEmpty }
    override func close() { run?.close() }
    override func count() { state.revision += 1 }
    override func publish() { engine.publish(ExplorerChanged(state)) }
    override var nextDeadline: HostInstant? {
        .earliest(super.nextDeadline, log.hasNews ? nextValues : nil)
    }

    override func show(_ job: DeviceJob) {
        state.job = job
        if job.phase == .ended { (run, state.watched, state.rssi) = (nil, [], nil) }
        tell()
    }

    override func refresh() {
        if log.hasNews, nextValues <= engine.now { tellValues() }
        super.refresh()
    }

    // MARK: What it has

    private func receive(_ event: ExplorerRun.Event) {
        switch event {
        case .connected(let mtu):
            state.mtu = mtu
            engine.opened(self, name: nil)
            find()
        case .mtu(let mtu):
            state.mtu = mtu
            tree?.mtu = mtu
            state.note("MTU \(mtu)", at: engine.time)
            tell()
        case .discovered(.success(let services)): learn(services)
        case .discovered(.failure(let failure)):
            // A device may refuse to say what it has, and be good for other things.
            failed("What the device has could not be found: \(failure.description).")
        case .value(let handle, let octets, let kind):
            tree?.set(.value(octets), at: handle)
            _ = keep(part(handle), kind == .notify ? .notify : .indicate, octets)
        case .servicesChanged(let first, let last):
            state.watched.removeAll { Int(first.rawValue) <= $0 && $0 <= Int(last.rawValue) }
            state.note("Its services have changed", at: engine.time)
            find()
        case .ended(let sentence):
            if log.hasNews { tellValues() }
            engine.ended(self, sentence)
        }
    }

    /// Finds everything, and reads what can be read.
    func find() {
        state.step = .discovering
        run?.discover()
        tell()
    }

    private func failed(_ sentence: String) {
        state.trouble = sentence
        ready()
    }

    private func ready() {
        state.step = .ready
        if let tree { targets = tree.targets }
        state.treeRevision += 1
        tell()
    }

    private func learn(_ services: [GATT.Service]) {
        var found = GATTTree(peer: state.job.peer, mtu: state.mtu ?? 23, services: services, readings: [:])
        let handles = found.markOurs()
        tree = found
        targets = found.targets
        state.progress = (0, handles.count)
        state.treeRevision += 1
        state.step = .reading
        tell()
        readNext(handles[...])
    }

    private func readNext(_ left: ArraySlice<AttributeHandle>) {
        guard let handle = left.first else { return ready() }
        run?.ask(.read(handle), at: engine.now) { [self] result in
            if case .failure(.disconnected) = result { return }
            tree?.set(Self.reading(result), at: handle)
            state.progress.read += 1
            tell()
            readNext(left.dropFirst())
        }
    }

    private static func reading(_ result: Result<[UInt8], RequestFailure>) -> GATTTree.Reading {
        switch result {
        case .success(let octets): .value(octets)
        case .failure(.refused(let code)): .refused(code.description, code)
        case .failure(.badResponse): .refused("the answer makes no sense", nil)
        case .failure(let failure): .refused(failure.description, nil)
        }
    }

    // MARK: Values

    private func part(_ handle: AttributeHandle) -> AttributePart { AttributePart(handle, targets[handle]) }

    private func keep(
        _ attribute: AttributePart, _ kind: ExplorerValue.Kind, _ octets: [UInt8]?, error: String? = nil,
        code: ATT.ErrorCode? = nil
    ) -> ExplorerValue {
        let value = log.append(attribute, kind, octets, error: error, code: code, at: engine.time)
        state.count(log)
        if nextValues <= engine.now { tellValues() }
        return value
    }

    private func tellValues() {
        nextValues = engine.now.advanced(byMilliseconds: 200)
        let (values, leftOut) = log.takeNews()
        engine.publish(
            ExplorerValuesCame(
                job: state.job.id, values, leftOut: leftOut, total: log.total, logged: log.count,
                dropped: log.dropped))
    }

    // MARK: What a page asks for

    private func ask(
        _ request: ClientRequest, _ answered: @escaping (Result<[UInt8], RequestFailure>) -> Void
    ) throws(HubFault) {
        let run = try state.admit(run, waiting: waiting)
        waiting += 1
        run.ask(request, at: engine.now) { [self] result in
            waiting -= 1
            answered(result)
        }
    }

    /// Reads a value, and gives it, or why the device could not be asked.
    func read(
        _ handle: AttributeHandle, _ done: @escaping (Result<ExplorerValue, HubFault>) -> Void
    ) throws(HubFault) {
        try ask(.read(handle)) { [self] result in
            if let fault = fault(in: result) { return done(.failure(fault)) }
            let reading = Self.reading(result)
            tree?.set(reading, at: handle)
            state.trouble = reading.error.map { "Reading was refused: \($0)." }
            tell()
            done(
                .success(
                    keep(part(handle), .read, reading.octets, error: reading.error, code: reading.errorCode)))
        }
    }

    /// Writes a value, and gives it, or why the device could not be asked.
    func write(
        _ octets: [UInt8], to handle: AttributeHandle, isAnswered: Bool,
        _ done: @escaping (Result<ExplorerValue, HubFault>) -> Void
    ) throws(HubFault) {
        let attribute = part(handle)
        let kind: ExplorerValue.Kind = isAnswered ? .write : .writeWithoutResponse
        let request: ClientRequest =
            isAnswered ? .write(handle, octets) : .writeWithoutResponse(handle, octets)
        try ask(request) { [self] result in
            if let fault = fault(in: result) { return done(.failure(fault)) }
            guard case .refused(var reason, let code) = Self.reading(result) else {
                state.trouble = nil
                tell()
                return done(.success(keep(attribute, kind, octets)))
            }
            if let properties = attribute.target?.characteristic?.properties,
                properties.contains(.writeWithoutResponse), !properties.contains(.write)
            {
                reason += "; it takes writes without response only"
            }
            state.trouble = "Writing was refused: \(reason)."
            tell()
            done(.success(keep(attribute, kind, octets, error: reason, code: code)))
        }
    }

    /// Subscribes to a value, or no longer.
    func watch(
        _ handle: AttributeHandle, isOn: Bool, _ done: @escaping (Result<Void, HubFault>) -> Void
    ) throws(HubFault) {
        guard let characteristic = targets[handle]?.characteristic else {
            throw .badValue("Only the value of a characteristic can be subscribed to.")
        }
        let properties = characteristic.properties
        guard !isOn || properties.contains(.notify) || properties.contains(.indicate) else {
            throw .notNow("This value is not sent by itself. Read it instead.")
        }
        let wanted: GATT.Subscription = !isOn ? [] : properties.contains(.notify) ? .notify : .indicate
        try ask(.subscribe(characteristic, wanted)) { [self] result in
            if case .failure(let failure) = result {
                let fault = fault(in: result) ?? .notNow("The device has refused it: \(failure.description).")
                state.trouble = fault.description
                tell()
                return done(.failure(fault))
            }
            state.watched.removeAll { $0 == Int(handle.rawValue) }
            if isOn { state.watched.append(Int(handle.rawValue)) }
            state.trouble = nil
            tell()
            done(.success(()))
        }
    }

    /// Notes that somebody has confirmed that the device may be written to.
    func confirmWriting() {
        guard !state.mayWrite else { return }
        state.mayWrite = true
        tell()
    }

    /// Why the device could not be asked; what it refuses is for the page to show.
    private func fault(in result: Result<[UInt8], RequestFailure>) -> HubFault? {
        switch result {
        case .success, .failure(.refused), .failure(.badResponse): nil
        case .failure(.disconnected): .notNow(JobText.linkLost)
        case .failure(let failure): .notNow("It did not work: \(failure.description). Try again.")
        }
    }
}
