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

    /// Takes a device for a job.
    ///
    /// - Parameter id: Its number.
    /// - Returns: The device.
    /// - Throws: ``HubError`` that says why none can be begun now.
    func takeForJob(_ id: Int) throws(HubError) -> HubDevice {
        try connections.beginJob(id, obstacle: obstacle(to: id))
    }

    /// Runs a job that was begun.
    func run(_ job: any RunningJob) { radio.run(JobRelay(job, of: self), at: now) }

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
        connections.openJob(job, at: time)
        if let lamp = jobs[job.id]?.lamp { sendChanges(to: lamp) }
    }

    private func ended(_ job: DeviceJob) {
        connections.endJob(job)
        if let lamp = jobs[job.id]?.lamp { remember(lamp.machine.dashboard) }
    }

    private func complete(_ request: JobRequest, _ result: Result<JobAnswer, HubError>) {
        guard let pending = pending.removeValue(forKey: request.id) else { return }
        switch (pending, result) {
        case (_, .failure(let fault)): refuse(request.id, RequestError(fault))
        case (.end, .success): answer(request.id)
        case (.begin(let again), .success):
            do throws(RequestError) { try perform(again) } catch { refuse(request.id, error) }
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
    /// - Throws: ``HubError/notFound(_:)``.
    func job(_ id: Int64?, isUsed: Bool = false) throws(HubError) -> AnyJob {
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

    func performJob(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubError) {
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
