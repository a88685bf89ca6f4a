// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion
import CompanionCore
import CompanionDevices
package import HubModel
import Synchronization

/// All devices that a hub hears or knows.
///
/// Reports come in where octets arrive, many a second, so nobody waits for anybody: what has changed is collected, and
/// taken out once a second.
package final class DeviceRegistry: Sendable {
    let state: Mutex<LinkTable>

    /// Makes a board without devices.
    ///
    /// - Parameters:
    ///   - limits: How much of what there may be.
    ///   - connections: Links that there may be at once.
    package init(limits: DiscoveredDevices.Limits = DiscoveredDevices.Limits(), connections: Int = 8) {
        state = Mutex(LinkTable(DiscoveredDevices(limits: limits), limit: connections))
    }

    /// Handles at one moment what people, links and jobs say.
    func links<Result: Sendable, Failure>(
        _ body: (inout LinkTable) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.withLock { links throws(Failure) in try body(&links) }
    }

    /// Takes a report.
    package func receive(_ advertisement: Advertisement, at now: Timestamp) {
        state.withLock { $0.devices.receive(AdvertisementReport(advertisement), at: now) }
    }

    /// How many reports have come.
    package var reportCount: Int { state.withLock { $0.devices.reportCount } }

    /// How many reports have come in the last minute.
    package func reportsPerMinute(at now: Timestamp) -> Int {
        state.withLock { $0.devices.reportsPerMinute(at: now) }
    }

    /// All devices, in the order in which they were heard first.
    package var devices: [HubDevice] { state.withLock { $0.devices.devices } }

    /// The devices that stay when they are silent.
    package var known: [KnownDevice] { state.withLock { $0.devices.known } }

    /// Whether a device stays when it is silent.
    package func knows(_ peer: Peer) -> Bool { state.withLock { $0.devices.knows(peer) } }

    /// A device.
    package func device(_ id: Int) -> HubDevice? { state.withLock { $0.devices.device(id) } }

    /// The device of a peer, when it is listed.
    package func device(of peer: Peer) -> HubDevice? { state.withLock { $0.devices.device(of: peer) } }

    /// What a device says that it offers.
    func services(_ id: Int) -> [BluetoothUUID] { state.withLock { $0.devices.services(id) } }

    /// Takes what the hub knows of a device from elsewhere.
    ///
    /// - Returns: The device's number.
    @discardableResult
    package func know(_ known: KnownDevice, at now: Timestamp) -> Int {
        state.withLock { $0.devices.know(known, at: now) }
    }

    /// Changes what is known of a device.
    ///
    /// - Returns: The device; `nil` when there is none.
    @discardableResult
    package func update(_ id: Int, _ body: (inout HubDevice) -> Void) -> HubDevice? {
        state.withLock { $0.devices.update(id, body) }
    }

    /// Takes out what has changed since the last time.
    ///
    /// A device that only was heard again is among it every two seconds, one of no special kind every ten.
    package func takeChanges(at now: Timestamp) -> (changed: [HubDevice], gone: [Int]) {
        state.withLock { $0.devices.takeChanges(at: now) }
    }
}
