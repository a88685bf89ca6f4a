// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Foundation
import VirtualPhone

/// An app that wants to know which devices the phone is connected to, whoever has connected.
final class ConnectionEvents: @unchecked Sendable {
    private let services: [BluetoothUUID]
    private let peripherals: [UUID]
    private let app: VirtualPhone.App
    private let reference: Reference<CBManager>
    private let callbacks: CallbackQueue
    private let holder: PhoneLinks.Holder

    init(
        _ options: [CBConnectionEventMatchingOption: Any], _ app: VirtualPhone.App,
        _ reference: Reference<CBManager>, _ callbacks: CallbackQueue
    ) {
        services = (options[.serviceUUIDs] as? [CBUUID] ?? []).map(\.value)
        peripherals = options[.peripheralUUIDs] as? [UUID] ?? []
        (self.app, self.reference, self.callbacks) = (app, reference, callbacks)
        holder = app.phone.makeNumber()
    }

    func start() {
        let (links, holder) = (app.phone.links, holder)
        Task(executorPreference: app.phone.radio.executor) { [self] in
            await links.observe(holder) { [self] peer, change in
                callbacks.post { self.tell(peer, change) }
            }
        }
    }

    func stop() {
        let (links, holder) = (app.phone.links, holder)
        Task(executorPreference: app.phone.radio.executor) { await links.observe(holder, nil) }
    }

    /// Tells the app, if it wants to know of this device; on its queue.
    private func tell(_ peer: Peer, _ change: PhoneLinks.Change) {
        guard let manager = reference.object as? CBCentralManager else { return }
        let peripheral = manager.peripheral(peer, on: app.phone)
        let isWanted =
            peripherals.contains(peripheral.identifier)
            || app.phone.links.connected(offering: services).contains(peer) && !services.isEmpty
            || services.isEmpty && peripherals.isEmpty
        guard isWanted else { return }
        manager.delegate?.centralManager(
            manager, connectionEventDidOccur: change == .opened ? .peerConnected : .peerDisconnected,
            for: peripheral)
    }
}
