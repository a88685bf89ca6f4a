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
    /// What those want who name services, while others want to hear all.
    var isNamedOn: Wish?

    /// What all of them want together; `nil` nothing.
    var wish: Wish? {
        guard !scans.isEmpty || searches > 0 else { return nil }
        // In the background the system tells only of services that are named to it.
        let isForAll = searches > 0 || scans.contains { $0.options.services.isEmpty }
        return Wish(
            services: isForAll ? nil : Set(scans.flatMap(\.options.services)),
            repeats: scans.contains(where: \.wantsRepetitions))
    }

    /// What those want who name services, where the scan of all names none: nobody would be told of overflow areas then, and
    /// nothing at all in the background.
    var namedWish: Wish? {
        guard let wish, wish.services == nil else { return nil }
        let named = scans.filter { !$0.options.services.isEmpty }
        guard !named.isEmpty else { return nil }
        return Wish(
            services: Set(named.flatMap(\.options.services)),
            repeats: named.contains(where: \.wantsRepetitions))
    }
}

extension Scan {
    fileprivate var wantsRepetitions: Bool { options.duplicates == .all || options.minimumRSSI != nil }
}

/// A central manager that does nothing but listen for services by name.
struct NamedScanner {
    let central: CBCentralManager
    /// The manager holds it weakly.
    let delegate: NamedScanDelegate
}

// A central manager has one scan: it is what all who listen want together. Who names services beside those who want to hear all has
// one more.
extension CoreBluetoothRadio {
    nonisolated func start(_ scan: Scan) async throws(BluetoothError) { try await add(scan) }

    private func add(_ scan: Scan) throws(BluetoothError) {
        guard state == .ready else { throw obstacle }
        scanning.scans.append(scan)
        // Begun anew, so that whoever was told already is told again to the one that has come.
        scanning.isOn = nil
        if !scan.options.services.isEmpty { scanning.isNamedOn = nil }
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
        scanning.isOn = Self.adjust(central, from: scanning.isOn, to: scanning.wish)
        let named = scanning.namedWish
        if named != nil, namedScanner == nil, central?.state == .poweredOn {
            let delegate = NamedScanDelegate(self)
            let queue = queue.queue
            let central = surroundings.make {
                CBCentralManager(delegate: delegate, queue: queue, options: nil)
            }
            namedScanner = NamedScanner(central: central, delegate: delegate)
        }
        scanning.isNamedOn = Self.adjust(namedScanner?.central, from: scanning.isNamedOn, to: named)
    }

    /// Has a manager listen as it is wanted.
    ///
    /// - Returns: For what it listens now.
    private static func adjust(
        _ central: CBCentralManager?, from before: Scanning.Wish?, to wish: Scanning.Wish?
    ) -> Scanning.Wish? {
        guard let central, central.state == .poweredOn else { return nil }
        guard wish != before || wish == nil else { return before }
        guard let wish else {
            central.stopScan()
            return nil
        }
        let services = wish.services.map { $0.sorted { $0.description < $1.description }.map(\.core) }
        central.scanForPeripherals(
            withServices: services,
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: NSNumber(value: wish.repeats)])
        return wish
    }

    func heard(_ peripheral: CBPeripheral, _ said: [String: Any], _ rssi: NSNumber) {
        let advertisement = Advertisement(peripheral, said, rssi)
        let peer = advertisement.peer
        known.use(peer, default: OnQueue(peripheral)) { $0 = OnQueue(peripheral) }
        // Somebody waits for this device, which was not known before.
        if attempts[peer]?.isOver == false, peripheral.state == .disconnected {
            central?.connect(peripheral, options: nil)
        }
        give(advertisement, to: scanning.scans)
    }

    /// What a device says that was listened for by name; the device is another object than that of the other manager.
    func heardByName(_ peripheral: CBPeripheral, _ said: [String: Any], _ rssi: NSNumber) {
        give(
            Advertisement(peripheral, said, rssi), to: scanning.scans.filter { !$0.options.services.isEmpty })
    }

    private func give(_ advertisement: Advertisement, to scans: [Scan]) {
        var wakeUps = StreamWakeUps()
        for scan in scans {
            var one = FIFO<Advertisement>()
            one.append(advertisement)
            scan.hear(&one, &wakeUps)
        }
        wakeUps.wake()
    }
}
