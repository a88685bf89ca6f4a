// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion
package import LEDBulb

/// A job, by what it is about.
package enum AnyJob {
    case wifi(Job<WiFiJob>)
    case lamp(Job<LampJob>)
    case bulb(Job<BulbJob>)
    case explorer(Job<ExplorerJob>)

    /// What all jobs have.
    package var running: any RunningJob {
        switch self {
        case .wifi(let job): job
        case .lamp(let job): job
        case .bulb(let job): job
        case .explorer(let job): job
        }
    }

    package var wifi: Job<WiFiJob>? { if case .wifi(let job) = self { job } else { nil } }
    package var lamp: Job<LampJob>? { if case .lamp(let job) = self { job } else { nil } }
    package var bulb: Job<BulbJob>? { if case .bulb(let job) = self { job } else { nil } }
    package var explorer: Job<ExplorerJob>? { if case .explorer(let job) = self { job } else { nil } }
}

/// The jobs that pages have begun: those that go on, one for a device, and how the last ones have ended.
package struct JobTable {
    /// Jobs whose end is remembered, so that a page that comes back can say how it went.
    private static let endedLimit = 8

    /// Those that go on, by the numbers of their devices.
    package private(set) var running: [Int: AnyJob] = [:]
    private var ended: [AnyJob] = []
    private var lastID: Int64
    private let patience: JobPatience
    /// Requests that are answered when the job of a device has ended.
    private var waiting: [Int: [JobRequest]] = [:]
    private var random: SplitMix64
    private var outputs = FIFO<JobOutput>()

    /// Makes a table without jobs.
    ///
    /// - Parameters:
    ///   - patience: How long jobs wait.
    ///   - seed: What the pauses of its sessions are made from.
    ///   - time: The time; numbers begin with it, so that those of an earlier run are known for what they are.
    package init(patience: JobPatience = JobPatience(), seed: UInt64, at time: Timestamp) {
        self.patience = patience
        random = SplitMix64(seed: seed)
        lastID = min(max(0, time.milliseconds), 1 << 42) * 1000
    }

    /// The jobs that go on, the oldest first.
    package var current: [DeviceJob] { running.values.map { $0.running.job }.ordered { $0.id < $1.id } }

    /// The job of a number, if it goes on or its end is remembered.
    package subscript(id: Int64) -> AnyJob? {
        running.values.first { $0.running.job.id == id } ?? ended.last { $0.running.job.id == id }
    }

    // MARK: Joining

    /// What a page finds that wants a device.
    package enum Found<Machine: JobMachine & ~Copyable> {
        /// No job: it may begin one.
        case none
        /// One that is to be ended first.
        case leaving(DeviceJob)
        /// One that goes on, at which it looks now, too.
        case joined(Job<Machine>)
    }

    private func join<Machine: JobMachine & ~Copyable>(
        _ job: Job<Machine>?, for page: String, isOther: Bool = false, at moment: Moment
    ) -> Found<Machine> {
        guard let job else { return .none }
        guard !job.isLeaving, !isOther else { return .leaving(job.job) }
        job.use(at: moment)
        job.look(page, at: moment)
        return .joined(job)
    }

    /// Has a page look at a lamp over the link that another page has, if one has it.
    ///
    /// - Parameters:
    ///   - device: The number of the device.
    ///   - page: The name of the page, which it has given itself.
    ///   - moment: The moment.
    /// - Returns: What it finds.
    package func joinLamp(_ device: Int, for page: String, at moment: Moment) -> Found<LampJob> {
        join(running[device]?.lamp, for: page, at: moment)
    }

    /// Has a page take a bulb in hand over the link that another page has, if one has it.
    ///
    /// - Parameters:
    ///   - device: The number of the device.
    ///   - page: The name of the page, which it has given itself.
    ///   - dialect: What it is to speak, if somebody has chosen that.
    ///   - isChosen: Whether just that is wanted; everybody else takes the bulb as it is.
    ///   - moment: The moment.
    /// - Returns: What it finds.
    package func joinBulb(
        _ device: Int, for page: String, speaking dialect: BulbDialect?, isChosen: Bool, at moment: Moment
    ) -> Found<BulbJob> {
        let bulb = running[device]?.bulb
        return join(bulb, for: page, isOther: isChosen && bulb?.machine.chosen != dialect, at: moment)
    }

    // MARK: Beginning

    private mutating func begin<Machine: JobMachine & ~Copyable>(
        _ kind: DeviceJob.Kind, _ device: HubDevice, at moment: Moment, as page: (Job<Machine>) -> AnyJob,
        _ make: (DeviceJob, inout SplitMix64) -> Machine
    ) -> Job<Machine> {
        lastID += 1
        let job = DeviceJob(
            id: lastID, kind, with: device, begun: moment.time, lease: Int(patience.lease))
        let begun = Job(job, make(job, &random), patience: patience, at: moment)
        begun.begin(at: moment)
        running[device.id] = page(begun)
        return begun
    }

    /// Begins to give a device its Wi-Fi.
    ///
    /// - Parameters:
    ///   - device: The device; no other job is on it.
    ///   - services: What it says that it offers, if it does.
    ///   - moment: The moment.
    /// - Returns: The job.
    package mutating func beginWiFi(
        _ device: HubDevice, services: [BluetoothUUID], at moment: Moment
    ) -> Job<WiFiJob> {
        let search = patience.search
        return begin(.wifi, device, at: moment, as: AnyJob.wifi) { job, random in
            WiFiJob(job, services: services, lookingFor: search, seed: random.next(), at: moment)
        }
    }

    /// Begins to have a lamp at hand.
    ///
    /// - Parameters:
    ///   - device: The device; no other job is on it.
    ///   - clock: What its clock is set by.
    ///   - isForChanges: Whether it is begun for what waited for the lamp, and no page looks.
    ///   - moment: The moment.
    /// - Returns: The job.
    package mutating func beginLamp(
        _ device: HubDevice, clock: LocalClock, isForChanges: Bool = false, at moment: Moment
    ) -> Job<LampJob> {
        let search = patience.search
        return begin(.nightlight, device, at: moment, as: AnyJob.lamp) { job, random in
            LampJob(
                job, clock: clock, isForChanges: isForChanges, lookingFor: search, seed: random.next(),
                at: moment)
        }
    }

    /// Begins to have a bulb at hand.
    ///
    /// - Parameters:
    ///   - device: The device; no other job is on it.
    ///   - dialect: What it speaks, if somebody has chosen that.
    ///   - moment: The moment.
    /// - Returns: The job.
    package mutating func beginBulb(
        _ device: HubDevice, speaking dialect: BulbDialect?, at moment: Moment
    ) -> Job<BulbJob> {
        let search = patience.search
        return begin(.bulb, device, at: moment, as: AnyJob.bulb) { job, random in
            BulbJob(job, speaking: dialect, lookingFor: search, seed: random.next(), at: moment)
        }
    }

    /// Begins to explore a device.
    ///
    /// - Parameters:
    ///   - device: The device; no other job is on it.
    ///   - mayWrite: Whether somebody has confirmed that it may be written to.
    ///   - moment: The moment.
    /// - Returns: The job.
    package mutating func beginExplorer(
        _ device: HubDevice, mayWrite: Bool, at moment: Moment
    ) -> Job<ExplorerJob> {
        begin(.explorer, device, at: moment, as: AnyJob.explorer) { job, _ in
            ExplorerJob(job, mayWrite: mayWrite)
        }
    }

    // MARK: Ending

    /// Ends a job; one that has ended stays so.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - reason: Why, in a sentence; `nil` when somebody wanted it so.
    ///   - request: What is answered when its link is gone.
    ///   - moment: The moment.
    package mutating func end(
        _ job: DeviceJob, _ reason: String? = nil, for request: JobRequest? = nil, at moment: Moment
    ) {
        guard let running = running[job.device]?.running, running.job.id == job.id else {
            if let request { outputs.append(.completed(request, .success(.done))) }
            return
        }
        if let request { waiting[job.device, default: []].append(request) }
        running.end(reason, at: moment)
    }

    private mutating func ended(_ job: DeviceJob) {
        guard let gone = running.removeValue(forKey: job.device) else { return }
        ended.append(gone)
        if ended.count > Self.endedLimit { ended.removeFirst() }
        for request in waiting.removeValue(forKey: job.device) ?? [] {
            outputs.append(.completed(request, .success(.done)))
        }
    }

    // MARK: Time and what comes of it

    /// When to call ``deadlineReached(at:)`` at the latest.
    package var nextDeadline: HostInstant? {
        running.values.reduce(nil) { .earliest($0, $1.running.nextDeadline) }
    }

    /// Does for all jobs what is due.
    package func deadlineReached(at moment: Moment) {
        for job in running.values { job.running.deadlineReached(at: moment) }
    }

    /// The next thing for the host.
    ///
    /// - Returns: The output; `nil` when there is nothing until the next input.
    package mutating func nextOutput() -> JobOutput? {
        if let output = outputs.popFirst() { return output }
        for job in running.values {
            guard let output = job.running.nextOutput() else { continue }
            // Nothing comes of it after that.
            if case .changed(let job) = output, job.phase == .ended { ended(job) }
            return output
        }
        return nil
    }
}
