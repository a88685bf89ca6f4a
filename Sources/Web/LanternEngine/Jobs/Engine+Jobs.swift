// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import HubModel

/// A request whose answer waits for a device.
enum PendingRequest {
    /// It was to end a job.
    case end
    /// It begins a job once the one before it has ended.
    case begin(EngineRequest)
    /// It asked something of a device that is explored.
    case explore(Job<ExplorerJob>)
}

extension Engine {
    /// The moment, by both clocks.
    var moment: Moment { Moment(now, time) }

    /// Links that are open or wanted.
    var linkCount: Int { links.count + jobs.running.count }

    /// The device on which a job is begun.
    ///
    /// - Parameter id: Its number.
    /// - Returns: The device.
    /// - Throws: ``HubFault`` that says why none can be begun now.
    func deviceForJob(_ id: Int) throws(HubFault) -> HubDevice {
        guard radio.isReady else { throw .notNow("The radio of this page is not ready yet. Wait a moment.") }
        guard let device = devices.device(id) else { throw .noDevice }
        guard browser?.mayUse(device.peer) ?? true else { throw .notNow(Self.chooseAgain) }
        guard links[id] == nil else {
            throw .notNow("This page is connected to this device already. Disconnect it first.")
        }
        guard jobs.running[id] == nil else {
            throw .notNow("Another page is busy with this device. Wait until it has done, or go on there.")
        }
        guard linkCount < Self.maximumLinks else {
            throw .notNow(
                "All \(Self.maximumLinks) connections are in use. Disconnect another device first.")
        }
        return device
    }

    /// Runs a job that was begun.
    func run(_ job: any RunningJob) {
        devices.update(job.job.device) { device in
            (device.link, device.reason, device.nextTry) = (.connecting, nil, nil)
        }
        radio.run(JobLink(job, of: self), at: now)
    }

    /// Does for jobs what is due.
    func refreshJobs() {
        jobs.deadlineReached(at: moment)
        followJobs()
    }

    /// Carries what jobs ask for, and does what comes of it, until nothing moves.
    func followJobs() {
        var isMoving = true
        while isMoving {
            radio.turn(at: now)
            isMoving = false
            while let output = jobs.nextOutput() {
                isMoving = true
                follow(output)
            }
        }
    }

    private func follow(_ output: JobOutput) {
        switch output {
        case .event(.wifi(let event)): publish(event)
        case .event(.lamp(let event)): publish(event)
        case .event(.bulb(let event)): publish(event)
        case .event(.explorer(let event)): publish(event)
        case .event(.values(let event)): publish(event)
        case .changed(let job) where job.phase == .open: opened(job)
        case .changed(let job): if job.phase == .ended { ended(job) }
        case .completed(let request, let result): complete(request, result)
        case .changeSent(let dashboard, let change, let refusal): changeSent(change, refusal, dashboard)
        }
    }

    private func opened(_ job: DeviceJob) {
        // A device is what its characteristics say, whatever it is called.
        if job.kind == .wifi { devices.prove(job.device, is: .wifiSet) }
        if job.kind == .bulb { devices.prove(job.device, is: .bulb) }
        devices.update(job.device) { device in
            (device.link, device.connectedSince, device.lastHeard) = (.connected, time, time)
            device.name = device.name ?? job.name
        }
        if let lamp = jobs[job.id]?.lamp { sendChanges(to: lamp) }
    }

    private func ended(_ job: DeviceJob) {
        devices.update(job.device) { ($0.link, $0.connectedSince) = (.none, nil) }
        if let lamp = jobs[job.id]?.lamp { remember(lamp.machine.dashboard) }
    }

    private func complete(_ request: JobRequest, _ result: Result<JobAnswer, HubFault>) {
        guard let pending = pending.removeValue(forKey: request.id) else { return }
        switch (pending, result) {
        case (_, .failure(let fault)): refuse(request.id, RequestFault(fault))
        case (.end, .success): answer(request.id)
        case (.begin(let again), .success):
            do throws(RequestFault) { try perform(again) } catch { refuse(request.id, error) }
        case (.explore, .success(.value(let value))): answer(request.id) { value.write(into: &$0) }
        case (.explore(let job), .success(.done)):
            answer(request.id) { job.machine.explorer.write(into: &$0) }
        }
    }

    // MARK: Requests

    /// A job that goes on or has ended.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - isUsed: Whether something is asked of it.
    /// - Returns: The job.
    /// - Throws: ``HubFault/notFound(_:)``.
    func job(_ id: Int64?, isUsed: Bool = false) throws(HubFault) -> PageJob {
        guard let job = id.flatMap({ jobs[$0] }) else { throw .noJob }
        if isUsed { job.running.use(at: moment) }
        return job
    }

    /// The page that a request is of, by the name that it has given itself.
    static func page(_ request: EngineRequest) -> String { request.filterText("page") ?? "" }

    /// Has a request answered when it can begin a job, because the one that goes on has ended.
    func begin(_ request: EngineRequest, after job: DeviceJob) {
        pending[request.id] = .begin(request)
        jobs.end(job, for: JobRequest(id: request.id), at: moment)
        followJobs()
    }

    func performJob(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubFault) {
        switch (request.method, id, verb) {
        case ("GET", nil, nil): answerList(request.id, jobs.current)
        case ("POST", let id?, "keep"):
            let job = try job(id).running
            job.keep(at: moment)
            answer(request.id) { job.job.write(into: &$0) }
        case ("DELETE", let id?, nil):
            let job = try job(id).running.job
            pending[request.id] = .end
            jobs.end(job, for: JobRequest(id: request.id), at: moment)
            followJobs()
        default: throw .noJob
        }
    }
}
