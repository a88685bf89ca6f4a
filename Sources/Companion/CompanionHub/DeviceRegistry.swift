// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion
import CompanionDevices
package import HubModel
import Synchronization

/// All devices that a hub hears or knows.
///
/// Reports come in where octets arrive, many a second, so nobody waits for anybody: what has changed is collected, and
/// taken out once a second.
package final class DeviceRegistry: Sendable {
    let state: Mutex<DiscoveredDevices>

    /// Makes a board without devices.
    package init(limits: DiscoveredDevices.Limits = DiscoveredDevices.Limits()) {
        state = Mutex(DiscoveredDevices(limits: limits))
    }

    /// Takes a report.
    package func receive(_ advertisement: Advertisement, at now: Timestamp) {
        state.withLock { $0.receive(AdvertisementReport(advertisement), at: now) }
    }

    /// How many reports have come.
    package var reportCount: Int { state.withLock { $0.reportCount } }

    /// How many reports have come in the last minute.
    package func reportsPerMinute(at now: Timestamp) -> Int {
        state.withLock { $0.reportsPerMinute(at: now) }
    }

    /// All devices, in the order in which they were heard first.
    package var devices: [HubDevice] { state.withLock { $0.devices } }

    /// The devices that stay when they are silent.
    package var known: [KnownDevice] { state.withLock { $0.known } }

    /// Whether a device stays when it is silent.
    package func knows(_ peer: Peer) -> Bool { state.withLock { $0.knows(peer) } }

    /// A device.
    package func device(_ id: Int) -> HubDevice? { state.withLock { $0.device(id) } }

    /// The device of a peer, when it is listed.
    package func device(of peer: Peer) -> HubDevice? { state.withLock { $0.device(of: peer) } }

    /// What a device says that it offers.
    func services(_ id: Int) -> [BluetoothUUID] { state.withLock { $0.services(id) } }

    /// Takes what the hub knows of a device from elsewhere.
    ///
    /// - Returns: The device's number.
    @discardableResult
    package func know(_ known: KnownDevice, at now: Timestamp) -> Int {
        state.withLock { $0.know(known, at: now) }
    }

    /// Keeps a device on the board though it is silent, or no longer.
    package func setKnown(_ id: Int, _ isKnown: Bool) { state.withLock { $0.setKnown(id, isKnown) } }

    /// Handles that a link has shown that a device is a FlockFinder, or is none.
    package func prove(_ id: Int, isFlockFinder: Bool) {
        state.withLock { $0.prove(id, isFlockFinder: isFlockFinder) }
    }

    /// Handles that a link has shown that a device takes Wi-Fi credentials.
    func proveWiFi(_ id: Int) { state.withLock { $0.prove(id, is: .wifiSet) } }

    /// Handles that somebody uses a device as a bulb, and that it has what a bulb has.
    func proveBulb(_ id: Int) { state.withLock { $0.prove(id, is: .bulb) } }

    /// Changes what is known of a device.
    ///
    /// - Returns: The device; `nil` when there is none.
    @discardableResult
    package func update(_ id: Int, _ body: (inout HubDevice) -> Void) -> HubDevice? {
        state.withLock { $0.update(id, body) }
    }

    /// Takes out what has changed since the last time.
    ///
    /// A device that only was heard again is among it every two seconds, one of no special kind every ten.
    package func takeChanges(at now: Timestamp) -> (changed: [HubDevice], gone: [Int]) {
        state.withLock { $0.takeChanges(at: now) }
    }
}
