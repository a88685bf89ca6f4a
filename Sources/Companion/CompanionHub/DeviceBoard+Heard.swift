// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion
import CompanionText
import Synchronization

/// The list of all that is heard, for those who look at it.
extension DeviceBoard {
    /// How many changes are told at once.
    private static let told = (devices: 100, signals: 200)

    /// All devices that are heard, in the order in which they were heard first.
    package var heard: [HeardDevice] {
        state.withLock { $0.entries.values.compactMap { $0.heard } }.sorted { $0.id < $1.id }
    }

    /// A device that is heard, with all that it advertises.
    package func heardDetail(_ id: Int) -> HeardDeviceDetail? {
        guard let device = state.withLock({ $0.entries[id]?.heard }) else { return nil }
        return HeardDeviceDetail(
            device,
            AdvertisedStructure.all(
                advertisement: device.seen.advertisement, scanResponse: device.seen.scanResponse))
    }

    /// How many devices may be listed.
    package var deviceLimit: Int { limits.devices }

    /// Notes that somebody looks at the list from now on, or nobody any more; whoever begins reads it first.
    func setListed(_ isListed: Bool) {
        state.withLock { state in
            guard state.isListed != isListed else { return }
            state.isListed = isListed
            state.goneFromList = []
            for id in state.entries.keys { state.entries[id]?.listChange = .none }
        }
    }

    /// Takes out what has changed in the list since the last time; what has been waiting longest goes first.
    ///
    /// - Parameter now: The moment.
    /// - Returns: The changes; `nil` while nobody looks, and when there are none.
    package func takeListChanges(at now: Timestamp) -> ScanChanged? {
        let step = SignalHistory.number(of: now)
        let changes: ScanChanged? = state.withLock { state in
            guard state.isListed else { return nil }
            var changes = ScanChanged()
            let due = state.entries.values.filter { $0.isListDue(step) }
            let parts = [Change.facts, .signal].map { change in
                due.filter { $0.listChange == change }.sorted {
                    ($0.listedStep, $0.device.id) < ($1.listedStep, $1.device.id)
                }
            }
            changes.devices = parts[0].prefix(Self.told.devices).compactMap { $0.heard }
            changes.signals = parts[1].prefix(Self.told.signals).compactMap { $0.heard }
            for id in (changes.devices + changes.signals).map({ $0.id }) {
                state.entries[id]?.listChange = .none
                state.entries[id]?.listedStep = step
            }
            changes.waiting = due.count - changes.devices.count - changes.signals.count
            changes.gone = state.goneFromList
            state.goneFromList = []
            return changes
        }
        return changes.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension DeviceBoard.Entry {
    var heard: HeardDevice? { seen.map { HeardDevice(device, $0, signal, firstHeard: firstHeard) } }

    /// Whether those who look at the list are to be told something; of a signal only once in each step.
    fileprivate func isListDue(_ step: Int64) -> Bool {
        guard seen != nil else { return false }
        switch listChange {
        case .none: return false
        case .facts: return true
        case .signal: return listedStep != step
        }
    }
}
