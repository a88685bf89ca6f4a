// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionCore
import SessionTesting

extension Moment {
    /// A moment of a test; the clock on the wall goes along, from 2027-01-15 08:00 UTC, a Friday.
    static func at(_ now: HostInstant) -> Moment {
        Moment(now, Timestamp(milliseconds: 1_800_000_000_000 + Int64(clamping: now.microseconds / 1000)))
    }

    /// When all tests begin.
    static var beginning: Moment { .at(.zero) }
}

extension HubDevice {
    /// The device of a `SessionPair`.
    static var tested: HubDevice {
        HubDevice(id: 7, peer: Peer(BluetoothAddress(0xC0FF_EE00_0001, kind: .random)))
    }
}

extension JobTable {
    /// A table without jobs, as a page has it that has just been opened.
    static var fresh: JobTable { JobTable(seed: 1, at: Moment.beginning.time) }
}

/// A job as the client of a `SessionPair`.
struct JobClient: ClientSession, ~Copyable {
    typealias Event = JobOutput

    private let job: any RunningJob
    /// When something has happened last.
    var now = HostInstant.zero
    private var hasFinished = false

    init(_ job: any RunningJob) { self.job = job }

    var nextDeadline: HostInstant? { job.nextDeadline }

    mutating func receive(_ input: ClientInput, at now: HostInstant) {
        self.now = now
        job.receive(input, at: .at(now))
    }

    mutating func deadlineReached(at now: HostInstant) {
        self.now = now
        job.deadlineReached(at: .at(now))
    }

    mutating func nextOutput() -> ClientOutput<JobOutput>? {
        if let action = job.nextAction(at: .at(now)) { return .action(action) }
        if let output = job.nextOutput() { return .event(output) }
        guard job.job.phase == .ended, !hasFinished else { return nil }
        hasFinished = true
        return .finished
    }
}

/// A job and a kit's device back to back.
final class JobBench<Machine: JobMachine & ~Copyable, Device: DeviceSession & ~Copyable> {
    let job: Job<Machine>
    let pair: SessionPair<JobClient, Device>

    /// Joins them; nothing happens before `start()`.
    init(_ job: Job<Machine>, _ device: consuming Device, mtu: Int = 247) {
        self.job = job
        pair = SessionPair(JobClient(job), device, mtu: mtu)
    }

    func start() { pair.start() }

    /// Does something with the job, and lets everything happen that needs no time.
    func update(_ body: (Job<Machine>, Moment) -> Void) {
        pair.client.now = pair.now
        body(job, .at(pair.now))
        pair.exchange()
    }

    /// Asks something of the job, as a page does.
    func ask(_ body: (inout Machine, Moment) throws(HubError) -> Void) throws(HubError) {
        let moment = Moment.at(pair.now)
        pair.client.now = pair.now
        defer { pair.exchange() }
        job.use(at: moment)
        try job.update { machine throws(HubError) in try body(&machine, moment) }
    }

    /// Lets time go by while a page says that it is there.
    func run(milliseconds: UInt64) {
        var left = milliseconds
        while left > 0 {
            let part = min(left, 10_000)
            update { job, moment in job.keep(at: moment) }
            pair.run(milliseconds: part)
            left -= part
        }
    }

    /// Lets time go by while a page says that it is there.
    func run(seconds: UInt64) { run(milliseconds: seconds * 1000) }

    /// Ends the job.
    func end(_ reason: String? = nil) { update { job, moment in job.end(reason, at: moment) } }

    // MARK: What has come of it

    var phase: DeviceJob.Phase { job.job.phase }
    var reason: String? { job.job.reason }

    /// The phases that the host was told.
    var phases: [DeviceJob.Phase] {
        pair.events.compactMap { if case .changed(let job) = $0 { job.phase } else { nil } }
    }

    /// The requests that were answered, in order.
    var completed: [(id: Int64, result: Result<JobAnswer, HubError>)] {
        pair.events.compactMap { output in
            if case .completed(let request, let result) = output { (request.id, result) } else { nil }
        }
    }

    /// What was written, in order.
    var writes: [(handle: AttributeHandle, octets: [UInt8])] {
        pair.requests.compactMap { _, request in
            switch request {
            case .write(let handle, let octets), .writeWithoutResponse(let handle, let octets):
                (handle, octets)
            case .read, .subscribe: nil
            }
        }
    }

    /// How often a value was read.
    func readings(of uuid: BluetoothUUID) -> Int {
        guard let handle = pair.handle(of: uuid) else { return 0 }
        return pair.requests.count { $0.request == .read(handle) }
    }

    /// What becomes of writes from now on.
    func decideWrites(_ fate: SessionPair<JobClient, Device>.Fate) {
        pair.fate = { request in
            switch request {
            case .write, .writeWithoutResponse: fate
            case .read, .subscribe: .carriedOut()
            }
        }
    }
}
