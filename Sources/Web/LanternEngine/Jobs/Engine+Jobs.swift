// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

extension Engine {
    /// Links that are open or wanted.
    var linkCount: Int { links.count + jobs.running.count }

    /// Begins a job on a device.
    ///
    /// - Parameters:
    ///   - kind: What it is about.
    ///   - id: The device.
    ///   - make: Makes what is done.
    /// - Returns: What is done.
    /// - Throws: ``HubFault`` that says why it cannot be now.
    func begin<Work: EngineWork>(
        _ kind: DeviceJob.Kind, with id: Int, _ make: (DeviceJob) -> Work
    ) throws(HubFault) -> Work {
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
        let job = DeviceJob(
            id: jobs.nextID(at: time), kind, with: device, begun: time, lease: Int(EngineJob.lease))
        let work = make(job)
        jobs.add(EngineJob(job, work, at: now))
        devices.update(id) { device in
            (device.link, device.reason, device.nextTry) = (.connecting, nil, nil)
        }
        return work
    }

    /// The job that something is done for, while it goes on.
    func job(of work: EngineWork) -> EngineJob? { jobs.running.values.first { $0.work === work } }

    /// Handles that a device listens.
    func opened(_ work: EngineWork, name: String?) {
        guard let job = job(of: work), job.ending == nil else { return }
        job.job.phase = .open
        job.job.name = job.job.name ?? name
        let id = job.job.device
        // A device is what its characteristics say, whatever it is called.
        if job.job.kind == .wifi { devices.prove(id, is: .wifiSet) }
        if job.job.kind == .bulb { devices.prove(id, is: .bulb) }
        devices.update(id) { device in
            (device.link, device.connectedSince, device.lastHeard) = (.connected, time, time)
            device.name = device.name ?? job.job.name
        }
        work.show(job.job)
    }

    /// Handles that the link of a job is gone.
    ///
    /// - Parameters:
    ///   - work: What was done.
    ///   - reason: Why, unless it was ended from here.
    func ended(_ work: EngineWork, _ reason: String) {
        guard let job = job(of: work) else { return }
        job.job.phase = .ended
        job.job.reason = job.ending ?? reason
        jobs.end(job)
        devices.update(job.job.device) { ($0.link, $0.connectedSince) = (.none, nil) }
        work.show(job.job)
        work.tellLast()
        for answer in job.waiting { answer() }
        job.waiting = []
    }

    /// Does for jobs what is due.
    func refreshJobs() {
        for job in jobs.running.values {
            job.watch(at: now)
            job.work.refresh()
        }
        radio.turn(at: now)
    }

    // MARK: Requests

    /// A job that goes on or has ended.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - isUsed: Whether something is asked of it.
    /// - Returns: The job.
    /// - Throws: ``HubFault/notFound(_:)``.
    func job(_ id: Int64?, isUsed: Bool = false) throws(HubFault) -> EngineJob {
        guard let job = id.flatMap({ jobs[$0] }) else { throw .noJob }
        if isUsed { job.use(at: now) }
        return job
    }

    /// Handles that a page has the device of a job in hand, or still has.
    func look(_ request: EngineRequest, at work: EngineWork) {
        guard let job = job(of: work) else { return }
        job.keep(at: now)
        work.viewers.forget(after: Int64(EngineJob.lease), at: ticks)
        work.viewers.look(request.filterText("page") ?? "", at: ticks)
    }

    /// Handles that a page has the device of a job in hand no more; the last one ends the link.
    func leave(_ request: EngineRequest, _ work: EngineWork) {
        work.viewers.forget(after: Int64(EngineJob.lease), at: ticks)
        work.viewers.leave(request.filterText("page") ?? "")
        if work.viewers.isLeft, !work.isUnderWay { job(of: work)?.end() }
        answer(request.id)
    }

    /// The time by a clock that nobody sets, in milliseconds.
    var ticks: Int64 { Int64(now.microseconds / 1000) }

    func performJob(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubFault) {
        switch (request.method, id, verb) {
        case ("GET", nil, nil):
            answerList(request.id, jobs.running.values.map { $0.job }.sorted { $0.id < $1.id })
        case ("POST", let id?, "keep"):
            guard let job = jobs[id] else { throw .noJob }
            // Who looks at what a device sends by itself has no reason to ask it for anything.
            if job.work.isWatching { job.use(at: now) } else { job.keep(at: now) }
            answer(request.id) { job.job.write(into: &$0) }
        case ("DELETE", let id?, nil):
            guard let job = jobs[id] else { throw .noJob }
            guard !job.isOver else { return answer(request.id) }
            job.waiting.append { [self] in answer(request.id) }
            job.end()
        default: throw .noJob
        }
    }
}
