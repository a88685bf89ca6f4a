// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion

/// Devices of which somebody has confirmed that they may be written to.
package struct WritableDevices: Sendable {
    /// How many are remembered; then all are asked about again.
    private static var limit: Int { 4096 }

    private var peers: Set<Peer> = []

    /// Remembers none.
    package init() {}

    package func contains(_ peer: Peer) -> Bool { peers.contains(peer) }

    /// Checks that a device may be written to, and remembers it.
    ///
    /// - Parameters:
    ///   - job: The job that explores the device.
    ///   - isConfirmed: Whether somebody confirms it now.
    /// - Throws: ``HubError/notConfirmed(_:)`` when nobody has, now or before.
    package mutating func confirm(_ job: DeviceJob, _ isConfirmed: Bool) throws(HubError) {
        guard isConfirmed || contains(job.peer) else {
            throw .notConfirmed(
                "A write can change what \(job.name ?? job.peer.plain) does, also for good. Confirm the first one."
            )
        }
        if peers.count >= Self.limit { peers = [] }
        peers.insert(job.peer)
    }
}
