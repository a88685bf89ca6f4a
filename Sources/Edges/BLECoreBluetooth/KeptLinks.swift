// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

/// Links and attempts that the system has kept while the app did not run, until somebody connects to their devices.
struct KeptLinks {
    /// What there was when the app was started again.
    private(set) var state = RestoredState()
    private var links: [Peer: CoreBluetoothConnection] = [:]
    /// Devices that the system waits for.
    private var awaited: Set<Peer> = []

    fileprivate mutating func add(_ link: CoreBluetoothConnection) {
        links[link.peer] = link
        state.connected.append(link.peer)
    }

    fileprivate mutating func await(_ peer: Peer) {
        awaited.insert(peer)
        state.connecting.append(peer)
    }

    fileprivate mutating func scanned(_ services: [BluetoothUUID]) { state.scannedServices = services }

    /// Handles that a device is connected that nobody in this run of the app has asked for.
    ///
    /// - Returns: Whether the system was waiting for it.
    mutating func opened(_ peer: Peer, _ make: () -> CoreBluetoothConnection) -> Bool {
        guard awaited.remove(peer) != nil else { return false }
        links[peer] = make()
        return true
    }

    /// Somebody wants the link, or it has ended: it is no longer kept here.
    mutating func take(_ peer: Peer) -> CoreBluetoothConnection? {
        awaited.remove(peer)
        return links.removeValue(forKey: peer)
    }

    /// Keeps nothing any more.
    mutating func takeAll() -> [CoreBluetoothConnection] {
        defer { (links, awaited) = ([:], []) }
        return Array(links.values)
    }
}

extension CoreBluetoothRadio {
    /// The app was started again: takes over what the system has kept for it.
    func restore(_ dictionary: [String: Any]) {
        let peripherals = dictionary[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        for peripheral in peripherals {
            let peer = Peer(peripheral)
            known.use(peer, default: OnQueue(peripheral)) { $0 = OnQueue(peripheral) }
            switch peripheral.state {
            case .connected: kept.add(CoreBluetoothConnection(self, restoring: peripheral))
            case .connecting: kept.await(peer)
            default: break
            }
        }
        // It ends when Bluetooth is on: it would bring what nobody takes. A scan of the app's own tells of all devices again.
        if let services = dictionary[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID] {
            kept.scanned(services.map { BluetoothUUID($0) })
        }
    }
}
