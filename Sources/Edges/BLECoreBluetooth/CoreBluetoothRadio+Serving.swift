// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

extension CoreBluetoothRadio {
    nonisolated func serve(
        _ description: ServerDescription
    ) async throws(BluetoothError) -> any ServerBackend { try await offer(description) }

    private func offer(_ description: ServerDescription) async throws(BluetoothError) -> CoreBluetoothServer {
        guard state == .ready else { throw obstacle }
        guard peripheral.serving == nil else {
            throw .invalidArgument("This radio serves already; stop that first.")
        }
        guard description.isConnectable else {
            throw .invalidArgument("Whoever advertises through Core Bluetooth can be connected to.")
        }
        let database: GATT.Database =
            switch description.attributes {
            case .services(let services, _): GATT.Database(services)
            case .database(let database): database
            }
        let offered = try OfferedServices(database)
        let advertisement = try CoreBluetoothAdvertisement(description.completed(description.advertisement))
        let server = CoreBluetoothServer(self, description)
        peripheral.serving = Serving(server: server, offered: offered, database: database)
        do throws(BluetoothError) {
            try await prepareManager()
            // Of a server that ended when Bluetooth was switched off something may be left.
            let manager = try manager(for: server)
            manager.stopAdvertising()
            manager.removeAllServices()
            for (_, service) in offered.services { try await publish(service, for: server) }
            if description.isAdvertised { try await putOnAir(advertisement, for: server) }
        } catch {
            stop(server)
            throw error
        }
        return server
    }

    /// Makes the peripheral manager, and waits until it can be used.
    func prepareManager() async throws(BluetoothError) {
        if peripheral.manager == nil {
            let delegate = PeripheralDelegate(self)
            let queue = queue.queue
            peripheral.delegate = delegate
            peripheral.manager = surroundings.make {
                CBPeripheralManager(delegate: delegate, queue: queue, options: nil)
            }
        }
        while let manager = peripheral.manager, manager.state == .unknown || manager.state == .resetting {
            let waiter = Waiter<Void>()
            peripheral.settling.append(waiter)
            try await queue.wait(for: waiter)
        }
        guard peripheral.manager?.state == .poweredOn else { throw obstacle }
    }

    func peripheralStateChanged() {
        let waiting = peripheral.settling
        peripheral.settling = []
        for waiter in waiting { waiter.end(.success(())) }
        guard let state = peripheral.manager?.state else { return }
        switch state {
        case .poweredOn, .unknown: break
        default: endPeripheral(obstacle)
        }
    }

    private func manager(for server: CoreBluetoothServer) throws(BluetoothError) -> CBPeripheralManager {
        guard peripheral.serving?.server === server, let manager = peripheral.manager else {
            throw .invalidArgument("The server was stopped.")
        }
        return manager
    }

    private func publish(
        _ service: CBMutableService, for server: CoreBluetoothServer
    ) async throws(BluetoothError) {
        let manager = try manager(for: server)
        let waiter = Waiter<Void>()
        peripheral.publishing[ObjectIdentifier(service)] = waiter
        manager.add(service)
        try await queue.wait(for: waiter)
    }

    func published(_ service: ObjectIdentifier, _ error: (any Error)?) {
        let result: Result<Void, BluetoothError> =
            error.map { .failure(.refusedByRadio("the service: \($0.localizedDescription)")) } ?? .success(())
        peripheral.publishing.removeValue(forKey: service)?.end(result)
    }

    // MARK: Advertising

    private func putOnAir(
        _ advertisement: CoreBluetoothAdvertisement, for server: CoreBluetoothServer
    ) async throws(BluetoothError) {
        let manager = try manager(for: server)
        // The system takes one advertisement, and none beside another.
        if peripheral.serving?.isAdvertising == true { manager.stopAdvertising() }
        peripheral.serving?.isAdvertising = true
        let waiter = Waiter<Void>()
        peripheral.starting.append(waiter)
        manager.startAdvertising(advertisement.data)
        try await queue.wait(for: waiter)
    }

    func advertisingStarted(_ error: (any Error)?) {
        let waiter = peripheral.starting.popFirst()
        if error != nil, peripheral.starting.isEmpty { peripheral.serving?.isAdvertising = false }
        waiter?.end(
            error.map { .failure(.refusedByRadio("advertising: \($0.localizedDescription)")) } ?? .success(())
        )
    }

    func advertise(
        _ advertisement: DeviceAdvertisement, for server: CoreBluetoothServer
    ) async throws(BluetoothError) {
        try await putOnAir(
            try CoreBluetoothAdvertisement(server.description.completed(advertisement)), for: server)
    }

    /// Advertises no more; links stay open.
    func stopAdvertising(for server: CoreBluetoothServer) throws(BluetoothError) {
        let manager = try manager(for: server)
        guard peripheral.serving?.isAdvertising == true else { return }
        peripheral.serving?.isAdvertising = false
        manager.stopAdvertising()
    }

    // MARK: Services

    func servedDatabase(of server: CoreBluetoothServer) -> GATT.Database {
        guard let serving = peripheral.serving, serving.server === server else { return GATT.Database([]) }
        return serving.database
    }

    func add(
        _ service: GATT.ServiceDefinition, to server: CoreBluetoothServer
    ) async throws(BluetoothError) -> ATT.HandleRange {
        _ = try manager(for: server)
        guard var serving = peripheral.serving, let range = serving.database.add(service) else {
            throw .invalidArgument("The service's handles are taken, or there are none left.")
        }
        let known = serving.offered.services.map { ($0.handle, $0.service) }
        let more = try OfferedServices(
            serving.database, range.start...range.end, beside: Dictionary(known) { $1 })
        serving.offered.append(more)
        peripheral.serving = serving
        do throws(BluetoothError) {
            for (_, service) in more.services { try await publish(service, for: server) }
        } catch {
            try? removeService(at: range.start, of: server)
            throw error
        }
        return range
    }

    func removeService(
        at handle: AttributeHandle, of server: CoreBluetoothServer
    ) throws(BluetoothError) {
        let manager = try manager(for: server)
        guard var serving = peripheral.serving, let range = serving.database.removeService(at: handle) else {
            throw .invalidArgument("No service is declared there, or another one needs it.")
        }
        for service in serving.offered.remove(range) { manager.remove(service) }
        for guest in serving.order {
            serving.changeGuest(guest) { guest in
                guest.subscriptions = guest.subscriptions.filter {
                    !(range.start...range.end).contains($0.key)
                }
            }
        }
        peripheral.serving = serving
    }

    // MARK: The end

    /// Stops a server; links of centrals stay open, since Core Bluetooth closes none.
    func stop(_ server: CoreBluetoothServer) {
        guard let serving = peripheral.serving, serving.server === server else { return }
        refuseRequests()
        if let manager = peripheral.manager, manager.state == .poweredOn {
            if serving.isAdvertising { manager.stopAdvertising() }
            manager.removeAllServices()
        }
        endServing(nil)
    }

    /// The radio is off or closed.
    func endPeripheral(_ error: BluetoothError?) {
        let waiting = peripheral.settling
        peripheral.settling = []
        for waiter in waiting { waiter.end(.success(())) }
        while let waiter = peripheral.listening.popFirst() { waiter.end(.failure(error ?? obstacle)) }
        endChannels()
        endServing(error)
    }

    /// The server has ended, or the radio with it.
    func endServing(_ error: BluetoothError?) {
        peripheral.endWaiting(error ?? .invalidArgument("The server was stopped."))
        guard let serving = peripheral.serving else { return }
        peripheral.serving = nil
        for waiter in serving.line { waiter.end(.success(())) }
        serving.room?.end(.success(()))
        serving.server.state.end(error)
    }
}
