// SPDX-License-Identifier: Apache-2.0

package import Companion
package import CompanionCore
import CompanionDevices
import HubModel

extension Hub {
    /// The jobs that go on, the oldest first.
    package func currentJobs() async -> [DeviceJob] { await jobs.current }

    /// Handles that the page of a job is there.
    ///
    /// - Throws: ``HubError/notFound(_:)``.
    package func keep(job id: Int64) async throws(HubError) -> DeviceJob { try await jobs.keep(id) }

    /// Ends a job, and returns when its link is gone; one that has ended stays so.
    ///
    /// - Throws: ``HubError/notFound(_:)``.
    package func end(job id: Int64) async throws(HubError) { try await jobs.end(id) }

    /// A job that goes on or has ended, if there is one of that number: what is asked of it says that.
    package nonisolated func job<Machine: JobMachine & ~Copyable>(_ id: Int64) -> JobHandle<Machine> {
        jobs.job(id)
    }

    /// Begins a job on a device.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - protection: Has the link encrypted, where that is wanted.
    ///   - make: Makes the job.
    /// - Returns: The job.
    /// - Throws: ``HubError`` that says why it cannot be now.
    func begin<Machine: JobMachine & ~Copyable>(
        with id: Int, protection: @escaping JobHost.Protection = { _ in nil },
        _ make: @escaping @Sendable (inout JobTable, HubDevice, Moment) -> Job<Machine>
    ) async throws(HubError) -> JobHandle<Machine> {
        let obstacle = await radio.state.obstacle
        // One that has just ended may not be known to have done so here.
        if board.links({ $0.isBusy(id) }), await !jobs.isBusy(with: id) { await jobs.settle() }
        let device = try board.links { links throws(HubError) in
            try links.beginJob(id, obstacle: obstacle)
        }
        return await jobs.begin(protection: protection) { table, moment in make(&table, device, moment) }
    }

    /// Has a page take part in a job that goes on, or begins one.
    ///
    /// - Parameters:
    ///   - find: Looks for one that goes on.
    ///   - begin: Begins one.
    /// - Returns: The job.
    /// - Throws: ``HubError`` that says why there is none.
    func join<Machine: JobMachine & ~Copyable>(
        _ find: @Sendable (JobTable, Moment) -> JobTable.Found<Machine>,
        orBegin begin: () async throws(HubError) -> JobHandle<Machine>
    ) async throws(HubError) -> JobHandle<Machine> {
        if let job = await jobs.join(find) { return job }
        do throws(HubError) {
            return try await begin()
        } catch {
            // Another page was quicker.
            guard error == LinkTable.isBusy, let job = await jobs.join(find) else { throw error }
            return job
        }
    }

    /// Does what comes of jobs.
    func follow(_ output: JobOutput) async {
        switch output {
        case .changed(let job) where job.phase == .open: await opened(job)
        case .changed(let job) where job.phase == .ended: await ended(job)
        case .changeSent(let dashboard, let change, let refusal):
            await changeSent(change, refusal, dashboard)
        case .changed, .event, .completed: break
        }
    }

    private func opened(_ job: DeviceJob) async {
        let now = clock.now()
        board.links { $0.openJob(job, at: now) }
        if job.kind == .nightlight { await sendPendingChanges(to: job) }
    }

    private func ended(_ job: DeviceJob) async {
        board.links { $0.endJob(job) }
        if job.kind == .nightlight { await remember(job) }
    }
}
