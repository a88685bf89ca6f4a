// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

/// Who listens, and for what the system does.
struct Scanning {
    /// What the system is asked for.
    struct Wish: Equatable {
        /// Services of which a device must say one; `nil` hears all.
        var services: Set<BluetoothUUID>?
        /// Whether repetitions are told.
        var repeats: Bool
    }

    /// In the order in which they came.
    var scans: [Scan] = []
    /// Attempts to connect to devices that the system does not know.
    var searches = 0
    var isOn: Wish?

    /// What all of them want together; `nil` nothing.
    var wish: Wish? {
        guard !scans.isEmpty || searches > 0 else { return nil }
        // In the background the system tells only of services that are named to it.
        let isForAll = searches > 0 || scans.contains { $0.options.services.isEmpty }
        return Wish(
            services: isForAll ? nil : Set(scans.flatMap(\.options.services)),
            repeats: scans.contains { $0.options.duplicates == .all || $0.options.minimumRSSI != nil })
    }
}

// A central manager has one scan: it is what all who listen want together.
extension CoreBluetoothRadio {
    nonisolated func start(_ scan: Scan) async throws(BluetoothError) { try await add(scan) }

    private func add(_ scan: Scan) throws(BluetoothError) {
        guard state == .ready else { throw obstacle }
        scanning.scans.append(scan)
        // Begun anew, so that whoever was told already is told again to the one that has come.
        scanning.isOn = nil
        adjustScan()
    }

    nonisolated func stop(_ scan: Scan.ID) {
        queue.perform { self.onQueue { $0.remove(scan) } }
    }

    private func remove(_ id: Scan.ID) {
        scanning.scans.removeAll { $0.id == id }
        adjustScan()
    }

    func endScans(_ error: BluetoothError?) {
        let scans = scanning.scans
        scanning.scans = []
        for scan in scans { scan.end(error) }
        adjustScan()
    }

    /// Has the system listen as it is wanted.
    func adjustScan() {
        guard let central, central.state == .poweredOn else {
            scanning.isOn = nil
            return
        }
        let wish = scanning.wish
        guard wish != scanning.isOn || wish == nil else { return }
        scanning.isOn = wish
        guard let wish else { return central.stopScan() }
        let services = wish.services.map { $0.sorted { $0.description < $1.description }.map(\.core) }
        central.scanForPeripherals(
            withServices: services,
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: NSNumber(value: wish.repeats)])
    }

    func heard(_ peripheral: CBPeripheral, _ said: [String: Any], _ rssi: NSNumber) {
        let advertisement = Advertisement(peripheral, said, rssi)
        let peer = advertisement.peer
        known.use(peer, default: OnQueue(peripheral)) { $0 = OnQueue(peripheral) }
        // Somebody waits for this device, which was not known before.
        if attempts[peer]?.isOver == false, peripheral.state == .disconnected {
            central?.connect(peripheral, options: nil)
        }
        var wakeUps = StreamWakeUps()
        for scan in scanning.scans {
            var one = FIFO<Advertisement>()
            one.append(advertisement)
            scan.hear(&one, &wakeUps)
        }
        wakeUps.wake()
    }
}
