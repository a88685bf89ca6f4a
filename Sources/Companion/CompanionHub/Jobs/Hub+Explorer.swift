// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion

extension Hub {
    /// Devices of which it is remembered that they may be written to; then all are asked about again.
    private static let confirmedLimit = 4096

    /// Connects to a device and explores it.
    ///
    /// - Parameter id: The device.
    /// - Returns: How it is.
    /// - Throws: ``HubFault`` that says why it cannot be now.
    package func beginExplorer(device id: Int) async throws(HubFault) -> HubExplorer {
        let mayWrite = writable.contains(try device(id).peer)
        let work = try await begin(.explorer, with: id) { [clock, desk, feed] job in
            ExplorerWork(job, mayWrite: mayWrite, desk: desk, clock: clock, feed: feed)
        }
        return await work.explorer
    }

    /// What explores a device, also after it has ended.
    ///
    /// - Parameters:
    ///   - id: The number of the job.
    ///   - isUsed: Whether something is asked of it.
    /// - Returns: What is done.
    /// - Throws: ``HubFault/notFound(_:)``.
    package func explorer(job id: Int64, isUsed: Bool = false) async throws(HubFault) -> ExplorerWork {
        guard let job = jobs[id], let work = job.work as? ExplorerWork else { throw .noJob }
        if isUsed { await job.use() }
        return work
    }

    /// Writes a value to a device that is explored; the first one only when somebody has confirmed it.
    ///
    /// - Parameters:
    ///   - octets: The value.
    ///   - handle: The handle of the value or descriptor.
    ///   - id: The number of the job.
    ///   - isAnswered: Whether the device is to answer.
    ///   - isConfirmed: Whether somebody has confirmed that this device may be written to.
    /// - Returns: The value, or why the device refuses it.
    /// - Throws: ``HubFault``.
    package func write(
        _ octets: [UInt8], to handle: Int, job id: Int64, isAnswered: Bool, isConfirmed: Bool
    ) async throws(HubFault) -> ExplorerValue {
        let work = try await explorer(job: id, isUsed: true)
        let job = await work.explorer.job
        guard isConfirmed || writable.contains(job.peer) else {
            throw .notConfirmed(
                "A write can change what \(job.name ?? job.peer.plain) does, also for good. Confirm the first one."
            )
        }
        if writable.count >= Self.confirmedLimit { writable = [] }
        writable.insert(job.peer)
        await work.confirmWriting()
        return try await work.write(octets, to: handle, isAnswered: isAnswered)
    }
}
