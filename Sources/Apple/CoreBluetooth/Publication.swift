// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BluetoothLE
import Foundation
import Synchronization
import VirtualPhone

/// What a peripheral manager has published, and who uses it: it goes on while the system has ended the app.
///
/// Its parts are seen by the app's threads and by its queue; the lock guards them. What the phone's server tells waits in the
/// manager's ``CallbackQueue``: requests, of which each device has one at most, and up to ``commandLimit`` writes that nobody waits
/// for. ``end()`` ends it, of which the server refuses what still waits.
final class Publication: @unchecked Sendable {
    /// Values that may wait before ``CBPeripheralManager/updateValue(_:for:onSubscribedCentrals:)`` says no.
    static let valueLimit = 16
    /// Writes without response that may wait for a slow app; more are dropped, as a server may.
    static let commandLimit = 256

    private let app: VirtualPhone.App
    let owner: PhoneServer.Owner
    let reference: Reference<CBManager>
    let callbacks: CallbackQueue
    private let lock = NSRecursiveLock()
    private var services: [(number: UInt64, service: CBMutableService)] = []
    private var centrals: [Server.Client: CBCentral] = [:]
    private var rooms: [Server.Client: Int] = [:]
    private var subscribers: [PhoneServer.Spot: [Server.Client]] = [:]
    private var advertised: [String: Any]?
    private var wasTold = false
    private var values = (waiting: 0, isFull: false)
    private var waitingCommands = 0
    /// Where channels can be opened; `nil` once it has ended.
    private var doors: [CBL2CAPPSM: ChannelDoor]? = [:]

    init(_ app: VirtualPhone.App, _ reference: Reference<CBManager>, _ callbacks: CallbackQueue) {
        (self.app, self.reference, self.callbacks) = (app, reference, callbacks)
        owner = app.phone.makeNumber()
        server.join(owner, place) { [weak self] event in self?.happened(event) }
    }

    var phone: VirtualPhone { app.phone }
    var server: PhoneServer { app.phone.server }
    private var manager: CBPeripheralManager? { reference.object as? CBPeripheralManager }

    /// Apple's guide to processing in the background: without the background mode an app that is not on the screen advertises nothing,
    /// and what it would have to answer ends in an error.
    private var place: PhoneServer.Place {
        app.isInForeground ? .onScreen : app.backgroundModes.contains(.peripheral) ? .background : .asleep
    }

    /// The object for a device that has opened a channel.
    func central(of peer: Peer) -> CBCentral {
        let client = locked { rooms.keys.first { $0.peer == peer } }
        return client.map { central($0) } ?? CBCentral(identifier: UUID(phone.identifier(of: peer)))
    }

    func placeChanged() { server.move(owner, to: place) }

    func locked<Value>(_ body: () throws -> Value) rethrows -> Value { try lock.withLock(body) }

    /// Nothing of it is published any more.
    func end() {
        let doors = locked {
            defer { self.doors = nil }
            return self.doors ?? [:]
        }
        for door in doors.values { door.close() }
        server.leave(owner)
    }

    /// Opens a door.
    ///
    /// - Returns: Whether somebody still wants it; if not, it is closed.
    func add(_ door: ChannelDoor) -> Bool {
        let isWanted = locked {
            doors?[door.listener.psm] = door
            return doors != nil
        }
        if !isWanted { door.close() }
        return isWanted
    }

    /// - Returns: The door that is closed now; `nil` when there was none.
    func takeDoor(_ psm: CBL2CAPPSM) -> ChannelDoor? { locked { doors?.removeValue(forKey: psm) } }

    var restoredState: [String: Any] {
        locked {
            var state: [String: Any] = [:]
            if !services.isEmpty {
                state[CBPeripheralManagerRestoredStateServicesKey] = services.map(\.service)
            }
            if let advertised { state[CBPeripheralManagerRestoredStateAdvertisementDataKey] = advertised }
            return state
        }
    }

    // MARK: Advertising

    var isAdvertising: Bool { locked { wasTold } }

    /// Wants something advertised.
    ///
    /// - Returns: Whether nothing was wanted before.
    func want(_ data: [String: Any]) -> Bool {
        locked {
            guard advertised == nil else { return false }
            advertised = data
            return true
        }
    }

    func advertise(then done: @escaping @Sendable (Result<Void, BluetoothError>) -> Void) {
        let data = locked { advertised ?? [:] }
        let services = (data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []).map(\.value)
        let wish = PhoneAdvertisement(
            name: data[CBAdvertisementDataLocalNameKey] as? String, services: services)
        server.advertise(wish, for: owner, then: done)
    }

    /// The app was told that it advertises, unless it has thought otherwise since.
    func isOnAir() { locked { wasTold = advertised != nil } }

    func stopAdvertising() {
        let wasWanted = locked {
            defer { (advertised, wasTold) = (nil, false) }
            return advertised != nil
        }
        if wasWanted { server.advertise(nil, for: owner) }
    }

    // MARK: Services

    /// The services that are published and those that are about to be.
    var published: [CBMutableService] { locked { services.map(\.service) } }

    func add(_ service: CBMutableService, _ definition: GATT.ServiceDefinition) {
        let number = phone.makeNumber()
        locked { services.append((number, service)) }
        let carried = Carried(service)
        // The queue holds it until the app was told.
        server.add(definition, number, of: owner) { [self] result in
            callbacks.post { [self] in
                if case .failure = result { locked { services.removeAll { $0.number == number } } }
                guard let manager else { return }
                manager.delegate?.peripheralManager(manager, didAdd: carried.value, error: result.error)
            }
        }
    }

    /// - Returns: Whether it was published.
    func remove(_ service: CBMutableService) -> Bool {
        let number = locked { () -> UInt64? in
            guard let index = services.firstIndex(where: { $0.service === service }) else { return nil }
            return services.remove(at: index).number
        }
        guard let number else { return false }
        locked { subscribers = subscribers.filter { $0.key.service != number } }
        for one in service.characteristics ?? [] {
            (one as? CBMutableCharacteristic)?.subscribedCentrals = []
        }
        server.remove(number, of: owner)
        return true
    }

    /// Removes all, those that include others before them.
    func removeAll() { for service in published.reversed() { _ = remove(service) } }

    private func spot(of characteristic: CBMutableCharacteristic) -> PhoneServer.Spot? {
        locked {
            for (number, service) in services {
                let index = service.characteristics?.firstIndex { $0 === characteristic }
                if let index { return PhoneServer.Spot(service: number, characteristic: index) }
            }
            return nil
        }
    }

    private func characteristic(_ spot: PhoneServer.Spot) -> CBMutableCharacteristic? {
        locked {
            let all = services.first { $0.number == spot.service }?.service.characteristics ?? []
            return all.indices.contains(spot.characteristic)
                ? all[spot.characteristic] as? CBMutableCharacteristic : nil
        }
    }

    // MARK: Devices

    /// The object for a device: the same as long as its link lasts.
    func central(_ client: Server.Client) -> CBCentral {
        locked {
            if let known = centrals[client] { return known }
            let central = CBCentral(identifier: UUID(phone.identifier(of: client.peer)))
            central.maximumUpdateValueLength = rooms[client] ?? 20
            centrals[client] = central
            return central
        }
    }

    /// The link of a device.
    func client(_ central: CBCentral) -> Server.Client? {
        locked { centrals.first { $0.value === central }?.key }
    }

    /// Takes what the phone's server tells; at once, on any thread.
    private func happened(_ event: PhoneServer.Event) {
        if case .command = event {
            let isTaken = locked {
                guard waitingCommands < Self.commandLimit else { return false }
                waitingCommands += 1
                return true
            }
            guard isTaken else { return }
        }
        callbacks.post { [self] in tell(event) }
    }

    /// Tells the app; on its queue.
    private func tell(_ event: PhoneServer.Event) {
        switch event {
        case .roomChanged(let client, let room):
            locked {
                rooms[client] = room
                centrals[client]?.maximumUpdateValueLength = room
            }
        case .left(let client): locked { (centrals[client], rooms[client]) = (nil, nil) }
        case .subscribed(let client, let spot): subscribed(client, spot)
        case .unsubscribed(let client, let spot): unsubscribed(client, spot)
        case .read(let request, let spot, let offset): read(request, spot, offset)
        case .write(let request, let writes):
            write(writes.map { ($0.spot, $0.value) }, request.client, request)
        case .command(let client, let spot, let value):
            locked { waitingCommands -= 1 }
            write([(spot, value)], client, nil)
        }
    }

    private func subscribed(_ client: Server.Client, _ spot: PhoneServer.Spot) {
        guard let characteristic = characteristic(spot) else { return }
        let central = central(client)
        let isNew = locked {
            guard subscribers[spot]?.contains(client) != true else { return false }
            subscribers[spot, default: []].append(client)
            return true
        }
        guard isNew else { return }
        characteristic.subscribedCentrals = (characteristic.subscribedCentrals ?? []) + [central]
        if let manager {
            manager.delegate?.peripheralManager(manager, central: central, didSubscribeTo: characteristic)
        }
    }

    private func unsubscribed(_ client: Server.Client, _ spot: PhoneServer.Spot) {
        guard let characteristic = characteristic(spot) else { return }
        let central = central(client)
        locked { subscribers[spot]?.removeAll { $0 == client } }
        characteristic.subscribedCentrals?.removeAll { $0 === central }
        if let manager {
            manager.delegate?.peripheralManager(manager, central: central, didUnsubscribeFrom: characteristic)
        }
    }

    private func read(_ request: PhoneRequest, _ spot: PhoneServer.Spot, _ offset: Int) {
        guard let manager, let characteristic = characteristic(spot) else {
            request.answer(.failure(.unlikelyError))
            return
        }
        guard !characteristic.permissions.isDisjoint(with: [.readable, .readEncryptionRequired]) else {
            request.answer(.failure(.readNotPermitted))
            return
        }
        let told = CBATTRequest(
            central: central(request.client), characteristic: characteristic, offset: offset, value: nil)
        told.answerPlace = AnswerPlace(request)
        manager.delegate?.peripheralManager(manager, didReceiveRead: told)
    }

    private func write(
        _ writes: [(spot: PhoneServer.Spot, value: [UInt8])], _ client: Server.Client,
        _ request: PhoneRequest?
    ) {
        let values = writes.compactMap { write in characteristic(write.spot).map { ($0, write.value) } }
        guard let manager, values.count == writes.count else {
            request?.answer(.failure(.unlikelyError))
            return
        }
        guard
            values.allSatisfy({ !$0.0.permissions.isDisjoint(with: [.writeable, .writeEncryptionRequired]) })
        else {
            request?.answer(.failure(.writeNotPermitted))
            return
        }
        let central = central(client)
        let requests = values.map { characteristic, value in
            CBATTRequest(central: central, characteristic: characteristic, offset: 0, value: Data(value))
        }
        requests.first?.answerPlace = AnswerPlace(request)
        manager.delegate?.peripheralManager(manager, didReceiveWrite: requests)
    }

    // MARK: Values

    /// What becomes of a value.
    enum Sent {
        case sent
        case full
        case notPublished
    }

    /// Sends a value to some of those who have subscribed, or to all.
    func send(_ value: Data, of characteristic: CBMutableCharacteristic, to chosen: [CBCentral]?) -> Sent {
        guard let spot = spot(of: characteristic) else { return .notPublished }
        let clients = locked { () -> [Server.Client]? in
            let clients = (subscribers[spot] ?? []).filter { client in
                chosen.map { $0.contains { $0 === centrals[client] } } ?? true
            }
            guard !clients.isEmpty else { return [] }
            guard values.waiting < Self.valueLimit else {
                values.isFull = true
                return nil
            }
            values.waiting += 1
            return clients
        }
        guard let clients else { return .full }
        guard !clients.isEmpty else { return .sent }
        server.send(Array(value), of: spot, owner, to: clients) { [weak self] in self?.gone() }
        return .sent
    }

    /// A value waits no more: says that there is room when half of it is there again, once.
    private func gone() {
        let isReady = locked {
            values.waiting -= 1
            guard values.isFull, values.waiting <= Self.valueLimit / 2 else { return false }
            values.isFull = false
            return true
        }
        guard isReady else { return }
        callbacks.post { [self] in
            if let manager { manager.delegate?.peripheralManagerIsReady(toUpdateSubscribers: manager) }
        }
    }
}

/// What waits for the answer to a request that the app was given.
final class AnswerPlace: Sendable {
    /// Whom the answer goes to; `nil` when nobody waits.
    let request: PhoneRequest?
    private let isAnswered = Atomic(false)

    init(_ request: PhoneRequest?) { self.request = request }

    /// - Returns: Whether it was not answered before.
    func take() -> Bool { !isAnswered.exchange(true, ordering: .relaxed) }
}
