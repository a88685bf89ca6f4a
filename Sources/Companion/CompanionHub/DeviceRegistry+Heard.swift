// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion
import CompanionCore
import CompanionText
import HubModel
import Synchronization

/// The list of all that is heard, for those who look at it.
extension DeviceRegistry {
    /// All devices that are heard, in the order in which they were heard first.
    package var heard: [HeardDevice] { state.withLock { $0.devices.heard } }

    /// A device that is heard, with all that it advertises.
    package func heardDetail(_ id: Int) -> HeardDeviceDetail? {
        guard let device = state.withLock({ $0.devices.heard(id) }) else { return nil }
        return HeardDeviceDetail(
            device,
            AdvertisedStructure.all(
                advertisement: device.seen.advertisement, scanResponse: device.seen.scanResponse))
    }

    /// How many devices may be listed.
    package var deviceLimit: Int { state.withLock { $0.devices.deviceLimit } }

    /// Notes that somebody looks at the list from now on, or nobody any more; whoever begins reads it first.
    func setListed(_ isListed: Bool) { state.withLock { $0.devices.setListed(isListed) } }

    /// Takes out what has changed in the list since the last time; what has been waiting longest goes first.
    ///
    /// - Parameter now: The moment.
    /// - Returns: The changes; `nil` while nobody looks, and when there are none.
    package func takeListChanges(at now: Timestamp) -> ScanChanged? {
        state.withLock { $0.devices.takeListChanges(at: now) }
    }
}
