// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import CompanionStore
import Detections
import FlockFinder
import FlockFinderCompanion
import FlockFinderDevices
import Synchronization

/// A hub's radio as a detector of cameras, while people want that: it listens to the one scan that the hub has.
package final class HubDetector: Sendable {
    private let table: SignatureTable
    private let clock: HubClock
    private let detector = Mutex<RadioDetector?>(nil)

    init(_ table: SignatureTable, clock: HubClock) {
        self.table = table
        self.clock = clock
    }

    /// Takes what people have set; what was heard before it is switched off and not said is forgotten.
    func set(isOn: Bool) {
        detector.withLock { detector in
            if !isOn { detector = nil } else if detector == nil { detector = RadioDetector(table) }
        }
    }

    /// Takes a report.
    func receive(_ advertisement: Advertisement) {
        detector.withLock { $0 }?.receive(advertisement, at: now)
    }

    /// Fetches what was noticed since the last time.
    func detections(isEnding: Bool) -> [TimedEvent] {
        detector.withLock { $0 }?.detections(at: isEnding ? nil : now, clock.now()) ?? []
    }

    // Not the wall clock, which may be set.
    private var now: HostInstant {
        HostInstant(microseconds: UInt64(max(0, clock.elapsed() / .microseconds(1))))
    }
}

extension Hub {
    /// Stores what its own radio has noticed, then publishes it.
    ///
    /// - Parameter isEnding: Whether nothing more is waited for.
    func storeNoticed(isEnding: Bool = false) async {
        let events = detector.detections(isEnding: isEnding)
        guard !events.isEmpty else { return }
        // What the store does not take is said by the store.
        guard let reports = try? await recorder.receive(events) else { return }
        await publishNew(
            reports.compactMap { if case .detection(let event) = $0.content { event } else { nil } })
    }
}
