// SPDX-License-Identifier: Apache-2.0

import BLEATT
package import BLEGATT
package import BLEWire
package import Companion
import CompanionText

/// Explores a device for a page: finds what it has, reads it once, and then does what the page asks for, one after the other.
package struct ExplorerJob: JobMachine, ~Copyable {
    /// How long a link is waited for, in seconds.
    private static var patience: UInt64 { 15 }
    /// How long an answer is waited for, after which the link is closed; a little longer than the attribute protocol does, which
    /// says more of it.
    private static var answerPatience: UInt64 { 35 }
    /// How often values are told, in milliseconds.
    private static var valuePause: UInt64 { 200 }

    enum Phase {
        case waiting, connecting, open, leaving, over
    }

    /// What an answer of the device is for.
    enum Purpose {
        /// The value is one of all that are read at the beginning; these are left.
        case sweep(AttributeHandle, rest: ArraySlice<AttributeHandle>, number: Int)
        case read(AttributeHandle, JobRequest)
        case write([UInt8], AttributeHandle, isAnswered: Bool, JobRequest)
        case watch(AttributeHandle, isOn: Bool, JobRequest)
    }

    /// How it is, and what the device has, once that is known.
    package internal(set) var explorer: HubExplorer
    package private(set) var tree: GATTTree?
    package private(set) var log = ExplorerLog()
    var targets: [AttributeHandle: AttributeTarget] = [:]
    var phase = Phase.waiting
    private var requests = FIFO<(ClientRequest, Purpose)>()
    private var current: (id: UInt32, purpose: Purpose)?
    private var lastID: UInt32 = 0
    /// Requests of pages that the device has not answered yet.
    var waiting = 0
    /// Whether everything is being found; and whether that is to be done once more, since the device has changed meanwhile.
    private var isDiscovering = false
    private var isStale = false
    /// How often everything was found: what was to be read before counts no more.
    private var sweeps = 0
    /// Until when the link, or an answer, is waited for.
    private var answerEnd: HostInstant?
    private var nextValues = HostInstant.zero
    private var trouble: String?
    var steps = FIFO<JobStep>()

    init(_ job: DeviceJob, mayWrite: Bool) { explorer = HubExplorer(job, mayWrite: mayWrite) }

    package static func job(in job: AnyJob) -> Job<Self>? { job.explorer }

    package var isUnderWay: Bool { waiting > 0 || explorer.isPairing }
    package var isWatching: Bool { !explorer.watched.isEmpty }
    package var nextDeadline: HostInstant? { .earliest(answerEnd, log.hasNews ? nextValues : nil) }
    package var shown: HubExplorer { explorer }
    package var event: JobEvent { .explorer(ExplorerChanged(explorer)) }

    package mutating func countChange() { explorer.revision += 1 }

    package mutating func show(_ job: DeviceJob, at moment: Moment) {
        explorer.job = job
        if job.phase == .ended { (explorer.watched, explorer.isPairing, explorer.rssi) = ([], false, nil) }
    }

    // MARK: The link

    package mutating func receive(_ input: ClientInput, at moment: Moment) {
        switch input {
        case .radio(.ready):
            guard phase == .waiting else { return }
            phase = .connecting
            answerEnd = moment.now.advanced(bySeconds: Self.patience)
            steps.append(.action(.connect(explorer.job.peer)))
        case .radio: end(JobText.linkLost, at: moment)
        case .connected(_, let mtu):
            guard phase == .connecting else { return steps.append(.action(.disconnect)) }
            (phase, answerEnd, explorer.mtu) = (.open, nil, mtu)
            steps.append(.opened(name: nil))
            find()
        case .connectFailed(_, let failure):
            end(trouble ?? JobText.failed(.connectFailed(failure)), at: moment)
        case .mtuChanged(let mtu):
            explorer.mtu = mtu
            tree?.mtu = mtu
            explorer.note("MTU \(mtu)", at: moment.time)
            steps.append(.changed)
        case .discovered(let services, let faults):
            isDiscovering = false
            // What was found is of a device that is another one by now.
            if isStale { find() } else { learn(services, faults, at: moment) }
        case .discoveryFailed(let failure):
            isDiscovering = false
            if isStale { return find() }
            // A device may refuse to say what it has, and be good for other things.
            explorer.trouble = "What the device has could not be found: \(failure.description)."
            ready()
        case .servicesChanged(let range):
            explorer.watched.removeAll { Int(range.start.rawValue) <= $0 && $0 <= Int(range.end.rawValue) }
            explorer.note("Its services have changed", at: moment.time)
            find()
        case .value(let handle, let octets, let kind):
            tree?.set(.value(octets), at: handle)
            _ = keep(part(handle), kind == .notify ? .notify : .indicate, octets, at: moment)
        case .completed(let id, let result, let failure):
            guard let answered = current, answered.id == id else { return }
            (current, answerEnd) = (nil, nil)
            handle(result, cutShortBy: failure, for: answered.purpose, at: moment)
            askNext(at: moment)
        case .disconnected(let failure): end(trouble ?? JobText.failed(.lost(failure)), at: moment)
        case .advertisement: break
        }
    }

    package mutating func deadlineReached(at moment: Moment) {
        if log.hasNews, nextValues <= moment.now { tellValues(at: moment) }
        guard let due = answerEnd, due <= moment.now else { return }
        answerEnd = nil
        if phase == .connecting {
            trouble =
                "The device did not answer within \(Self.patience) seconds. Check that it is near, switched on and not connected to something else."
        } else if phase == .open {
            trouble = "The device did not answer what it was asked. Connect to it again."
        } else {
            // The radio does not say that the link has ended.
            return end(trouble ?? JobText.linkLost, at: moment)
        }
        close(at: moment)
    }

    package mutating func nextStep(at moment: Moment) -> JobStep? { steps.popFirst() }

    package mutating func close(at moment: Moment) {
        switch phase {
        case .waiting: end(JobText.linkLost, at: moment)
        case .connecting, .open:
            phase = .leaving
            answerEnd = moment.now.advanced(bySeconds: Self.answerPatience)
            steps.append(.action(.disconnect))
        case .leaving, .over: break
        }
    }

    private mutating func end(_ sentence: String, at moment: Moment) {
        guard phase != .over else { return }
        (phase, answerEnd) = (.over, nil)
        let answered = current
        var left = requests
        (current, requests) = (nil, FIFO())
        if let answered { handle(.failure(.disconnected), for: answered.purpose, at: moment) }
        while let (_, purpose) = left.popFirst() {
            handle(.failure(.disconnected), for: purpose, at: moment)
        }
        if log.hasNews { tellValues(at: moment) }
        steps.append(.ended(sentence))
    }

    // MARK: What it has

    /// Finds everything, and reads what can be read; what is being found already is found once more.
    mutating func find() {
        guard phase == .open else { return }
        guard !isDiscovering else { return isStale = true }
        (isDiscovering, isStale, explorer.step) = (true, false, .discovering)
        sweeps += 1
        // What was still to be read may not be there any more.
        requests.removeAll { if case .sweep = $0.1 { true } else { false } }
        steps.append(.action(.discover))
        steps.append(.changed)
    }

    private mutating func ready() {
        explorer.step = .ready
        // By now the device has said what it calls things.
        if let tree { targets = tree.targets }
        explorer.treeRevision += 1
        steps.append(.changed)
    }

    private mutating func learn(
        _ services: [GATT.Service], _ faults: [GATT.DiscoveryViolation], at moment: Moment
    ) {
        var found = GATTTree(
            peer: explorer.job.peer, mtu: explorer.mtu ?? 23, services: services, readings: [:],
            faults: faults)
        if let fault = faults.first, phase == .open {
            explorer.trouble =
                "The device has not said well what it has: \(fault.sentencePart). The rest is shown."
        }
        let handles = found.markOurs()
        if let ending = GATTTree.Ending(faults) { found.end(ending, left: handles) }
        tree = found
        targets = found.targets
        explorer.progress = (0, handles.count)
        explorer.treeRevision += 1
        explorer.step = .reading
        steps.append(.changed)
        if found.ending == nil { sweep(handles[...], at: moment) } else { ready() }
    }

    private mutating func sweep(_ left: ArraySlice<AttributeHandle>, at moment: Moment) {
        guard let handle = left.first else { return ready() }
        ask(.read(handle), for: .sweep(handle, rest: left.dropFirst(), number: sweeps), at: moment)
    }

    // MARK: Requests

    mutating func ask(_ request: ClientRequest, for purpose: Purpose, at moment: Moment) {
        requests.append((request, purpose))
        askNext(at: moment)
    }

    private mutating func askNext(at moment: Moment) {
        guard current == nil, phase == .open, let (request, purpose) = requests.popFirst() else { return }
        lastID += 1
        current = (lastID, purpose)
        answerEnd = moment.now.advanced(bySeconds: Self.answerPatience)
        steps.append(.action(.request(id: lastID, request)))
    }

    private mutating func handle(
        _ result: Result<[UInt8], GATTRequestError>, cutShortBy failure: GATTRequestError? = nil,
        for purpose: Purpose,
        at moment: Moment
    ) {
        let fault = Self.fault(in: result), reading = Self.reading(result, cutShortBy: failure)
        switch purpose {
        case .sweep(let handle, let rest, let number):
            // What is found anew is read anew.
            guard !isDiscovering, number == sweeps else { return }
            if let ending = GATTTree.Ending(handle, failure ?? Self.failure(in: result)) {
                // What was read before the link has ended stays.
                tree?.end(ending, failure == nil ? nil : reading, left: rest)
                return ready()
            }
            guard phase == .open else { return }
            tree?.set(reading, at: handle)
            explorer.progress.read += 1
            steps.append(.changed)
            sweep(rest, at: moment)
        case .read(let handle, let request):
            if let fault { return complete(request, .failure(fault)) }
            tree?.set(reading, at: handle)
            explorer.trouble = reading.error.map { "Reading was refused: \($0)." }
            steps.append(.changed)
            let value = keep(
                part(handle), .read, reading.octets, incomplete: reading.incomplete, error: reading.error,
                code: reading.errorCode, at: moment)
            complete(request, .success(.value(value)))
        case .write(let octets, let handle, let isAnswered, let request):
            if let fault { return complete(request, .failure(fault)) }
            let value = note(reading, ofWriting: octets, to: part(handle), isAnswered: isAnswered, at: moment)
            complete(request, .success(.value(value)))
        case .watch(let handle, let isOn, let request):
            if case .failure(let failure) = result {
                let fault = fault ?? .notNow("The device has refused it: \(failure.description).")
                explorer.trouble = fault.description
                steps.append(.changed)
                return complete(request, .failure(fault))
            }
            explorer.watched.removeAll { $0 == Int(handle.rawValue) }
            if isOn { explorer.watched.append(Int(handle.rawValue)) }
            explorer.trouble = nil
            if isOn, targets[handle]?.characteristic?.clientConfigurationHandle == nil {
                let event = ConfigurationMissing(explorer.job.peer, part(handle))
                explorer.note(event.line.text, at: moment.time)
            }
            steps.append(.changed)
            complete(request, .success(.done))
        }
    }

    private mutating func note(
        _ reading: GATTTree.Reading, ofWriting octets: [UInt8], to attribute: AttributeJSON, isAnswered: Bool,
        at moment: Moment
    ) -> ExplorerValue {
        let kind: ExplorerValue.Kind = isAnswered ? .write : .writeWithoutResponse
        steps.append(.changed)
        guard case .refused(var reason, let code) = reading else {
            explorer.trouble = nil
            return keep(attribute, kind, octets, at: moment)
        }
        if let properties = attribute.target?.characteristic?.properties,
            properties.contains(.writeWithoutResponse), !properties.contains(.write)
        {
            reason += "; it takes writes without response only"
        }
        explorer.trouble = "Writing was refused: \(reason)."
        return keep(attribute, kind, octets, error: reason, code: code, at: moment)
    }

    private mutating func complete(_ request: JobRequest, _ result: Result<JobAnswer, HubError>) {
        waiting -= 1
        steps.append(.output(.completed(request, result)))
    }

    private static func reading(
        _ result: Result<[UInt8], GATTRequestError>, cutShortBy failure: GATTRequestError?
    ) -> GATTTree.Reading {
        switch result {
        case .success(let octets): failure.map { .firstPart(octets, $0.incomplete) } ?? .value(octets)
        case .failure(.refused(let code)): .refused(code.description, code)
        case .failure(.badResponse): .refused("the answer makes no sense", nil)
        case .failure(let failure): .refused(failure.description, nil)
        }
    }

    private static func failure(in result: Result<[UInt8], GATTRequestError>) -> GATTRequestError? {
        if case .failure(let failure) = result { failure } else { nil }
    }

    /// Why the device could not be asked; what it refuses is for the page to show.
    private static func fault(in result: Result<[UInt8], GATTRequestError>) -> HubError? {
        switch result {
        case .success, .failure(.refused), .failure(.badResponse): nil
        case .failure(.disconnected): .notNow(JobText.linkLost)
        case .failure(let failure): .notNow("It did not work: \(failure.description). Try again.")
        }
    }

    // MARK: Values

    private func part(_ handle: AttributeHandle) -> AttributeJSON { AttributeJSON(handle, targets[handle]) }

    private mutating func keep(
        _ attribute: AttributeJSON, _ kind: ExplorerValue.Kind, _ octets: [UInt8]?, incomplete: String? = nil,
        error: String? = nil, code: ATT.ErrorCode? = nil, at moment: Moment
    ) -> ExplorerValue {
        let value = log.append(
            attribute, kind, octets, incomplete: incomplete, error: error, code: code, at: moment.time)
        explorer.count(log)
        if nextValues <= moment.now { tellValues(at: moment) }
        return value
    }

    private mutating func tellValues(at moment: Moment) {
        nextValues = moment.now.advanced(byMilliseconds: Self.valuePause)
        let (values, leftOut) = log.takeNews()
        let event = ExplorerValuesCame(
            job: explorer.job.id, values, leftOut: leftOut, total: log.total, logged: log.count,
            dropped: log.dropped)
        steps.append(.output(.event(.values(event))))
    }
}
