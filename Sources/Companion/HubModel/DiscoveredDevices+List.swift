// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion

/// The list of all that is heard, for those who look at it.
extension DiscoveredDevices {
    /// How many changes are told at once.
    private static var toldDevices: Int { 100 }
    private static var toldSignals: Int { 200 }

    /// All devices that are heard, in the order in which they were heard first.
    package var heard: [HeardDevice] {
        entries.values.compactMap { $0.heard }.ordered { $0.id < $1.id }
    }

    /// A device that is heard.
    package func heard(_ id: Int) -> HeardDevice? { entries[id]?.heard }

    /// How many devices may be listed.
    package var deviceLimit: Int { limits.devices }

    /// Notes that somebody looks at the list from now on, or nobody any more; whoever begins reads it first.
    package mutating func setListed(_ isListed: Bool) {
        guard self.isListed != isListed else { return }
        self.isListed = isListed
        goneFromList = []
        for id in entries.keys { entries[id]?.listChange = .none }
    }

    /// Takes out what has changed in the list since the last time; what has been waiting longest goes first.
    ///
    /// - Parameter now: The moment.
    /// - Returns: The changes; `nil` while nobody looks, and when there are none.
    package mutating func takeListChanges(at now: Timestamp) -> ScanChanged? {
        guard isListed else { return nil }
        let step = SignalHistory.number(of: now)
        var changes = ScanChanged()
        let due = entries.values.filter { $0.isListDue(step) }
            .ordered { ($0.listedStep, $0.device.id) < ($1.listedStep, $1.device.id) }
        changes.devices = due.filter { $0.listChange == .facts }.prefix(Self.toldDevices).compactMap {
            $0.heard
        }
        changes.signals = due.filter { $0.listChange == .signal }.prefix(Self.toldSignals).compactMap {
            $0.heard
        }
        for device in changes.devices + changes.signals {
            entries[device.id]?.listChange = .none
            entries[device.id]?.listedStep = step
        }
        changes.waiting = due.count - changes.devices.count - changes.signals.count
        changes.gone = goneFromList
        goneFromList = []
        return changes.isEmpty ? nil : changes
    }
}

extension DiscoveredDevices.Entry {
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
