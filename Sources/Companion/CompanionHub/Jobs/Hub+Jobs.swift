// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionDevices

/// The jobs of a hub: those that go on, and how the last ones have ended.
struct HubJobs {
    /// Jobs whose end is remembered, so that a page that comes back can say how it went.
    static let endedLimit = 8

    /// Those that go on, by the numbers of their devices: one device, one job.
    private(set) var running: [Int: HubJob] = [:]
    private var ended: [HubJob] = []
    private var lastID: Int64

    /// Makes none; numbers begin with the time, so that those of an earlier run are known for what they are.
    init(at now: Timestamp) { lastID = min(max(0, now.milliseconds), 1 << 42) * 1000 }

    mutating func nextID() -> Int64 {
        lastID += 1
        return lastID
    }

    mutating func add(_ job: HubJob) { running[job.device] = job }

    mutating func end(_ job: HubJob) {
        guard running[job.device] === job else { return }
        running.removeValue(forKey: job.device)
        ended.append(job)
        if ended.count > Self.endedLimit { ended.removeFirst() }
    }

    subscript(id: Int64) -> HubJob? { running.values.first { $0.id == id } ?? ended.last { $0.id == id } }
}

extension Hub {
    /// The jobs that go on, the oldest first.
    package func currentJobs() async -> [DeviceJob] {
        var found: [DeviceJob] = []
        for job in jobs.running.values { found.append(await job.job) }
        return found.sorted { $0.id < $1.id }
    }

    /// Handles that the page of a job is there.
    ///
    /// - Throws: ``HubFault/notFound(_:)``.
    package func keep(job id: Int64) async throws(HubFault) -> DeviceJob {
        guard let job = jobs[id] else { throw .noJob }
        // Who looks at what a device sends by itself has no reason to ask it for anything.
        if let work = job.work as? ExplorerWork, await work.isWatching { await job.use() }
        return await job.keep()
    }

    /// Ends a job, and returns when its link is closed; one that has ended stays so.
    ///
    /// - Throws: ``HubFault/notFound(_:)``.
    package func end(job id: Int64) async throws(HubFault) {
        guard let job = jobs[id] else { throw .noJob }
        await job.end()
    }

    /// Links that are open or wanted.
    var linkCount: Int { links.count + jobs.running.count }

    /// Begins a job on a device.
    ///
    /// - Parameters:
    ///   - kind: What it is about.
    ///   - id: The device.
    ///   - work: Makes what is done.
    /// - Returns: The job.
    /// - Throws: ``HubFault`` that says why it cannot be now.
    func begin<Work: JobWork>(
        _ kind: DeviceJob.Kind, with id: Int, _ work: (DeviceJob) -> Work
    ) async throws(HubFault) -> Work {
        let state = await radio.state
        guard ![.missing, .forbidden].contains(state.condition) else {
            throw .notNow("There is no radio to connect with. \(state.text)")
        }
        // From here on nothing waits, so that two who ask at once do not both get it.
        let device = try device(id)
        guard !isLeaving else { throw .notNow("The hub is about to stop.") }
        guard links[id] == nil else {
            throw .notNow("The hub is connected to this device already. Disconnect it first.")
        }
        guard jobs.running[id] == nil else {
            throw .notNow("Another page is busy with this device. Wait until it has done, or go on there.")
        }
        guard linkCount < source.maximumConnections else {
            throw .notNow(
                "All \(source.maximumConnections) connections are in use. Disconnect another device first.")
        }
        let patience = options.jobPatience
        let job = DeviceJob(
            id: jobs.nextID(), kind, with: device, begun: clock.now(),
            lease: Int(patience.lease.components.seconds))
        let made = work(job)
        let running = HubJob(job, made, clock: clock, patience: patience)
        jobs.add(running)
        board.update(id) { device in
            (device.link, device.reason, device.nextTry) = (.connecting, nil, nil)
        }
        await running.begin(on: { [radio] in await radio.usable() }) { [weak self, running] job in
            await self?.changed(job, of: running)
        }
        return made
    }

    private func changed(_ job: DeviceJob, of running: HubJob) async {
        let now = clock.now()
        switch job.phase {
        case .connecting: break
        case .open:
            // A device is what its characteristics say, whatever it is called.
            if job.kind == .wifi { board.proveWiFi(job.device) }
            if job.kind == .bulb { board.proveBulb(job.device) }
            board.update(job.device) { device in
                (device.link, device.connectedSince, device.lastHeard) = (.connected, now, now)
                device.name = device.name ?? job.name
            }
        case .ended:
            jobs.end(running)
            board.update(job.device) { ($0.link, $0.connectedSince) = (.none, nil) }
        }
        if let work = running.work as? LampWork { await lampChanged(job, work) }
    }
}
