// SPDX-License-Identifier: Apache-2.0

import BLEGATT
package import BLESessions
import BLEWire
package import BluetoothLE
package import Companion
package import CompanionCore
import CompanionDevices
import CompanionText

/// Carries on the jobs of pages on a hub's radio: it gives each a link, keeps their time, tells what they tell, and answers who waits.
///
/// ```
/// link ─► job ─► link                        one for each job, with what it asks for in order
///          ├───► feed                        events, at once
///          └───► follower, who waits         everything else, one after the other
/// ```
///
/// Who waits here for a device is answered when it has answered, after 35 s, or when the link has ended, whatever else goes on; who
/// waits for the end of a job, when its link is gone and the follower has handled that. When the radio is gone for good, or the hub ends, links end.
/// A device that sends faster than this takes in fills the mailbox of its own link, and is held up by the radio.
package actor JobHost {
    /// Has links encrypted, where that is wanted.
    package typealias Protection = @Sendable (Radio) async -> LinkProtection?

    /// What runs the link of a job.
    struct Link {
        /// Takes what the job asks of the radio.
        let actions: AsyncStream<ClientAction>.Continuation
        let task: Task<Void, Never>
        /// What is known and done beside the session, where the device is explored.
        var exploring: Exploring?
    }

    let clock: HubClock
    private let feed: EventFeed
    let pairings: PairingCoordinator
    private let radio: @Sendable () async -> Radio?
    /// Where links and times are handled; `nil` for the executor of all.
    let executor: (any TaskExecutor)?
    private var table: JobTable
    var links: [Int64: Link] = [:]
    private var alarm = DeadlineAlarm()
    private let outputs: AsyncStream<JobOutput>.Continuation
    private var follower: @Sendable (JobOutput) async -> Void = { _ in }
    /// Who waits for an answer of a device, and who waits until what has come of jobs was handled, by the numbers of requests.
    private var waiting: [Int64: CheckedContinuation<Result<JobAnswer, HubError>, Never>] = [:]
    private var waitingForFollower: [Int64: CheckedContinuation<Void, Never>] = [:]
    private var lastRequest: Int64 = 0

    /// Makes one without jobs.
    ///
    /// - Parameters:
    ///   - patience: How long jobs wait.
    ///   - pairings: Asks people while devices pair.
    ///   - clock: The time.
    ///   - feed: Gets what happens.
    ///   - executor: Where it works; `nil` for the executor of all.
    ///   - radio: Waits for the radio; `nil` when the hub ends.
    package init(
        patience: JobPatience, pairings: PairingCoordinator, clock: HubClock, feed: EventFeed,
        on executor: (any TaskExecutor)? = nil, radio: @escaping @Sendable () async -> Radio?
    ) {
        self.clock = clock
        self.feed = feed
        self.pairings = pairings
        self.radio = radio
        self.executor = executor
        table = JobTable(patience: patience, seed: .random(in: 0 ... .max), at: clock.now())
        let (stream, outputs) = AsyncStream<JobOutput>.makeStream()
        self.outputs = outputs
        Task(executorPreference: executor) { [weak self] in
            for await output in stream { await self?.handle(output) }
        }
    }

    deinit { outputs.finish() }

    /// Has somebody handle what comes of jobs beside events, one after the other.
    package func follow(_ follower: @escaping @Sendable (JobOutput) async -> Void) {
        self.follower = follower
    }

    private var moment: Moment { clock.moment }

    // MARK: Jobs

    /// The jobs that go on, the oldest first.
    package var current: [DeviceJob] { table.current }

    /// Whether a job goes on with a device.
    func isBusy(with device: Int) -> Bool { table.running[device] != nil }

    /// Begins a job.
    ///
    /// - Parameters:
    ///   - protection: Has its link encrypted, where that is wanted.
    ///   - make: Makes it.
    /// - Returns: The job.
    package func begin<Machine: JobMachine & ~Copyable>(
        protection: @escaping Protection = { _ in nil },
        _ make: @Sendable (inout JobTable, Moment) -> Job<Machine>
    ) -> JobHandle<Machine> {
        let job = make(&table, moment).job
        let (actions, continuation) = AsyncStream<ClientAction>.makeStream()
        let task = Task(executorPreference: executor) { await self.run(job.id, actions, protection) }
        links[job.id] = Link(actions: continuation, task: task)
        follow()
        return JobHandle(id: job.id, host: self)
    }

    /// A job that goes on or has ended, if there is one of that number: what is asked of it says that.
    package nonisolated func job<Machine: JobMachine & ~Copyable>(_ id: Int64) -> JobHandle<Machine> {
        JobHandle(id: id, host: self)
    }

    /// Does something with a job.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - body: What to do, and when it is done.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws; ``HubError/notFound(_:)`` when there is no such job.
    func with<Machine: JobMachine & ~Copyable, Value: Sendable>(
        _ id: Int64, _ body: (Job<Machine>, Moment) throws(HubError) -> Value
    ) throws(HubError) -> Value {
        guard let page = table[id], let job = Machine.job(in: page) else { throw .noJob }
        defer { follow() }
        return try body(job, moment)
    }

    /// Asks something of what is done on the link of a job.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - isUsed: Whether a person asks it, so that the link stays for a while.
    ///   - body: What to ask, and when that is.
    /// - Returns: How it is then.
    /// - Throws: What the body throws; ``HubError/notFound(_:)`` when there is no such job.
    @discardableResult
    func update<Machine: JobMachine & ~Copyable>(
        _ id: Int64, isUsed: Bool = true, _ body: (inout Machine, Moment) throws(HubError) -> Void
    ) throws(HubError) -> Machine.Shown {
        try with(id) { (job: Job<Machine>, moment) throws(HubError) in
            if isUsed { job.use(at: moment) }
            try job.update { machine throws(HubError) in try body(&machine, moment) }
            return job.machine.shown
        }
    }

    /// What explores a device, while its job goes on or is remembered.
    func explorer(_ id: Int64) -> HubExplorer? { table[id]?.explorer?.machine.explorer }

    /// Asks something of a job that is answered later.
    ///
    /// - Returns: The answer.
    /// - Throws: ``HubError`` that says why there is none.
    func ask<Machine: JobMachine & ~Copyable>(
        _ id: Int64, _ body: @Sendable (Job<Machine>, JobRequest, Moment) throws(HubError) -> Void
    ) async throws(HubError) -> JobAnswer {
        let request = nextRequest()
        guard let page = table[id], let job = Machine.job(in: page) else { throw .noJob }
        job.use(at: moment)
        try body(job, request, moment)
        let answer = await withCheckedContinuation { continuation in
            waiting[request.id] = continuation
            follow()
        }
        return try answer.get()
    }

    private func nextRequest() -> JobRequest {
        lastRequest += 1
        return JobRequest(id: lastRequest)
    }

    /// Handles that the page of a job is there.
    ///
    /// - Returns: How it is.
    /// - Throws: ``HubError/notFound(_:)``.
    package func keep(_ id: Int64) throws(HubError) -> DeviceJob {
        guard let job = table[id]?.running else { throw .noJob }
        job.keep(at: moment)
        follow()
        return job.job
    }

    /// Ends a job, and returns when its link is gone; one that has ended stays so.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - reason: Why, in a sentence; `nil` when somebody wanted it so.
    /// - Throws: ``HubError/notFound(_:)``.
    package func end(_ id: Int64, _ reason: String? = nil) async throws(HubError) {
        guard let job = table[id]?.running.job else { throw .noJob }
        await end(job, reason)
    }

    private func end(_ job: DeviceJob, _ reason: String? = nil) async {
        let request = nextRequest()
        table.end(job, reason, for: request, at: moment)
        await withCheckedContinuation { continuation in
            waitingForFollower[request.id] = continuation
            follow()
        }
    }

    /// Returns when all that has come of jobs so far was handled.
    package func settle() async {
        let request = nextRequest()
        await withCheckedContinuation { continuation in
            waitingForFollower[request.id] = continuation
            outputs.yield(.completed(request, .success(.done)))
        }
    }

    /// Ends all jobs, and returns when their links are gone.
    ///
    /// - Parameter reason: Why, in a sentence.
    package func endAll(_ reason: String) async {
        await withTaskGroup(of: Void.self) { group in
            for job in table.current { group.addTask { await self.end(job, reason) } }
        }
    }

    /// Has a page take part in a job that goes on, once one that is about to end has done so.
    ///
    /// - Parameter find: Looks for it.
    /// - Returns: The job; `nil` when there is none.
    package func join<Machine: JobMachine & ~Copyable>(
        _ find: @Sendable (JobTable, Moment) -> JobTable.Found<Machine>
    ) async -> JobHandle<Machine>? {
        while true {
            switch find(table, moment) {
            case .none: return nil
            case .leaving(let job): await end(job)
            case .joined(let job):
                follow()
                return JobHandle(id: job.job.id, host: self)
            }
        }
    }

    // MARK: What happens

    /// Takes what has happened on a link.
    func receive(_ input: ClientInput, of id: Int64) {
        guard links[id] != nil else { return }
        table[id]?.running.receive(input, at: moment)
        follow()
    }

    /// Handles that nothing comes from a link any more.
    func abandon(_ id: Int64, _ reason: String?) {
        guard links[id] != nil else { return }
        table[id]?.running.abandon(reason, at: moment)
        follow()
    }

    /// Carries what jobs ask for, and tells what comes of it, until nothing moves.
    private func follow() {
        let moment = moment
        var isMoving = true
        while isMoving {
            isMoving = false
            for job in table.running.values {
                while let action = job.running.nextAction(at: moment) {
                    links[job.running.job.id]?.actions.yield(action)
                    isMoving = true
                }
            }
            while let output = table.nextOutput() {
                isMoving = true
                take(output)
            }
        }
        alarm.set(table.nextDeadline, by: clock, on: executor) { [weak self] in await self?.alarmRang($0) }
    }

    private func take(_ output: JobOutput) {
        let now = clock.now()
        switch output {
        case .event(.wifi(let event)): feed.publish(event, at: now)
        case .event(.lamp(let event)): feed.publish(event, at: now)
        case .event(.bulb(let event)): feed.publish(event, at: now)
        case .event(.explorer(let event)):
            feed.publish(event, at: now)
            noteSweep(event.explorer)
        case .event(.values(let event)): feed.publish(event, at: now)
        case .changed(let job):
            if job.phase == .ended { endLink(job.id) }
            outputs.yield(output)
        case .completed(let request, let result):
            // Who waits for a device does not wait for the follower.
            if let asker = waiting.removeValue(forKey: request.id) {
                asker.resume(returning: result)
            } else {
                outputs.yield(output)
            }
        case .changeSent: outputs.yield(output)
        }
    }

    private func handle(_ output: JobOutput) async {
        if case .completed(let request, _) = output {
            waitingForFollower.removeValue(forKey: request.id)?.resume()
        } else {
            await follower(output)
        }
    }

    private func endLink(_ id: Int64) {
        guard let link = links.removeValue(forKey: id) else { return }
        link.actions.finish()
        link.task.cancel()
        link.exploring?.cancel()
    }

    // MARK: Time

    private func alarmRang(_ deadline: HostInstant) {
        guard alarm.rang(deadline) else { return }
        table.deadlineReached(at: moment)
        follow()
    }

    // MARK: Links

    private func run(
        _ id: Int64, _ actions: AsyncStream<ClientAction>, _ protection: Protection
    ) async {
        guard let radio = await radio() else { return abandon(id, nil) }
        let runner = ClientRunner(JobRelay(), on: radio, isFast: true, protection: await protection(radio))
        let pump = Task(executorPreference: radio.executor) {
            for await action in actions {
                if action == .discover { await self.prepareSweep(of: id) }
                await runner.update { relay, _ in relay.perform(action) }
            }
        }
        await runner.run(handlingOn: executor ?? globalConcurrentExecutor) { input in
            if case .connected = input { await self.beginExploring(id, over: runner, radio) }
            self.receive(input, of: id)
        }
        pump.cancel()
        abandon(id, await runner.protectionFailure.map { "\($0)" } ?? JobText.linkLost)
    }
}
