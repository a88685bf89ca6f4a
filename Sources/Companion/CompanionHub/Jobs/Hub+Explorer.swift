// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion
import CompanionCore

extension Hub {
    /// Connects to a device and explores it.
    ///
    /// - Parameter id: The device.
    /// - Returns: How it is.
    /// - Throws: ``HubError`` that says why it cannot be now.
    package func beginExplorer(device id: Int) async throws(HubError) -> HubExplorer {
        let mayWrite = writable.contains(try device(id).peer)
        let explorer = try await begin(with: id) { table, device, moment in
            table.beginExplorer(device, mayWrite: mayWrite, at: moment)
        }
        return try await explorer.shown
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
    /// - Throws: ``HubError``.
    package func write(
        _ octets: [UInt8], to handle: AttributeHandle, job id: Int64, isAnswered: Bool, isConfirmed: Bool
    ) async throws(HubError) -> ExplorerValue {
        let explorer: JobHandle<ExplorerJob> = job(id)
        let job = try await explorer.shown.job
        try writable.confirm(job, isConfirmed)
        try await explorer.confirmWriting()
        return try await explorer.write(octets, to: handle, isAnswered: isAnswered)
    }
}
