// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

extension Serving {
    /// Changes what is known of a central.
    mutating func changeGuest(_ guest: UUID, _ change: (inout Guest) -> Void) {
        guard let known = guests[guest] else { return }
        guests.use(guest, default: known) { change(&$0) }
    }

    /// The central behind a client.
    func guest(_ client: Server.Client) -> Guest? {
        order.lazy.compactMap { guests[$0] }.first { $0.client == client }
    }
}

// What centrals ask, and what they are sent. Nobody says when one comes or goes: it is there when it first does something.
extension CoreBluetoothRadio {
    /// Who asks.
    private func guest(_ central: CBCentral) -> Serving.Guest? {
        guard var serving = peripheral.serving else { return nil }
        let room = central.maximumUpdateValueLength
        if var guest = serving.guests[central.identifier] {
            if guest.room != room {
                guest.room = room
                serving.server.state.source.yield(.mtuChanged(guest.client, mtu: room + 3))
            }
            serving.guests.use(central.identifier, default: guest) { $0 = guest }
            peripheral.serving = serving
            return guest
        }
        peripheral.linkCount &+= 1
        let client = Server.Client(peer: Peer(central), link: LinkID(rawValue: peripheral.linkCount))
        let guest = Serving.Guest(client: client, central: central, room: room)
        forgetOne(of: &serving)
        serving.guests.use(central.identifier, default: guest) { _ in }
        serving.order.append(central.identifier)
        peripheral.serving = serving
        serving.server.state.joined(client)
        serving.server.state.source.yield(.connected(client))
        if room + 3 != ATT.defaultMTU {
            serving.server.state.source.yield(.mtuChanged(client, mtu: room + 3))
        }
        return guest
    }

    /// Makes room for another central: one that has subscribed to nothing has most likely gone.
    private func forgetOne(of serving: inout Serving) {
        guard serving.order.count >= Serving.guestLimit else { return }
        let index = serving.order.firstIndex { serving.guests[$0]?.subscriptions.isEmpty != false } ?? 0
        let identifier = serving.order.remove(at: index)
        guard let gone = serving.guests.removeValue(forKey: identifier) else { return }
        serving.server.state.left(gone.client)
        serving.server.state.source.yield(.disconnected(gone.client, reason: .closedByPeer))
    }

    func subscribed(_ central: CBCentral, _ characteristic: CBCharacteristic, _ isOn: Bool) {
        guard let guest = guest(central), let handle = peripheral.serving?.offered.handle(of: characteristic)
        else { return }
        // The system does not say which; where there are both it sends notifications.
        let kind: GATT.Subscription = characteristic.properties.contains(.notify) ? .notify : .indicate
        peripheral.serving?.changeGuest(central.identifier) { $0.subscriptions[handle] = isOn ? kind : nil }
        peripheral.serving?.server.state.source.yield(
            isOn ? .subscribed(guest.client, to: handle, kind) : .unsubscribed(guest.client, from: handle))
    }

    // MARK: Requests

    func read(_ request: CBATTRequest) {
        guard let guest = guest(request.central), let serving = peripheral.serving,
            let handle = serving.offered.handle(of: request.characteristic),
            let attribute = serving.database.attribute(handle), case .value(_, let source) = attribute.content
        else { return refuse(request, .unlikelyError) }
        if case .stored(let value) = source { return give(value, to: request) }
        // The rest of a long value is that of the same value.
        if request.offset > 0, let value = guest.read[handle] { return give(value, to: request) }
        guard serving.server.state.source.isOpen else { return refuse(request, .unlikelyError) }
        let number = wait(.read(request, handle, guest: request.central.identifier))
        serving.server.state.source.yield(
            .readRequest(
                ReadRequest(
                    client: guest.client, uuid: attribute.type, handle: handle, offset: request.offset,
                    number: number)))
    }

    private func give(_ value: [UInt8], to request: CBATTRequest) {
        guard request.offset <= value.count else { return refuse(request, .invalidOffset) }
        request.value = Data(value[request.offset...])
        peripheral.manager?.respond(to: request, withResult: .success)
    }

    private func refuse(_ request: CBATTRequest, _ code: ATT.ErrorCode) {
        peripheral.manager?.respond(
            to: request, withResult: CBATTError.Code(rawValue: Int(code.rawValue)) ?? .unlikelyError)
    }

    /// Values that were written together, which the first request answers for; the parts of a long value may come as several.
    func write(_ requests: [CBATTRequest]) {
        guard let first = requests.first else { return }
        guard let guest = guest(first.central), let serving = peripheral.serving else {
            return refuse(first, .unlikelyError)
        }
        guard serving.server.state.source.count < Serving.eventLimit else {
            return refuse(first, .insufficientResources)
        }
        var writes: [(handle: AttributeHandle, value: [UInt8], isCommand: Bool)] = []
        for request in requests {
            guard let handle = serving.offered.handle(of: request.characteristic) else {
                return refuse(first, .unlikelyError)
            }
            let part = Array(request.value ?? Data())
            guard request.offset + part.count <= ATT.maximumValueLength else {
                return refuse(first, .invalidAttributeValueLength)
            }
            if request.offset > 0, let last = writes.lastIndex(where: { $0.handle == handle }) {
                guard request.offset <= writes[last].value.count else { return refuse(first, .invalidOffset) }
                writes[last].value = writes[last].value[..<request.offset] + part
                continue
            }
            var value = part
            if request.offset > 0 {
                guard case .value(_, .stored(let before))? = serving.database.attribute(handle)?.content,
                    request.offset <= before.count
                else { return refuse(first, .invalidOffset) }
                value = before[..<request.offset] + part
            }
            // What waits for no answer is not told apart where a characteristic takes both.
            writes.append((handle, value, !request.characteristic.properties.contains(.write)))
        }
        take(writes, first, guest.client)
    }

    private func take(
        _ writes: [(handle: AttributeHandle, value: [UInt8], isCommand: Bool)], _ first: CBATTRequest,
        _ client: Server.Client
    ) {
        guard let serving = peripheral.serving else { return }
        let source = serving.server.state.source
        func isDelegated(_ handle: AttributeHandle) -> Bool {
            if case .value(_, .delegated)? = serving.database.attribute(handle)?.content {
                true
            } else {
                false
            }
        }
        let asked = writes.filter { isDelegated($0.handle) }
        if !asked.isEmpty, !source.isOpen { return refuse(first, .unlikelyError) }
        let answered = asked.filter { !$0.isCommand }
        let together = Serving.WriteTogether(first, waiting: answered.count)
        if answered.isEmpty { peripheral.manager?.respond(to: first, withResult: .success) }
        for (handle, value, isCommand) in writes {
            guard isDelegated(handle) else {
                try? peripheral.serving?.database.store(value, at: handle)
                source.yield(.valueWritten(value, to: handle, by: client))
                continue
            }
            let number = isCommand ? 0 : wait(.write(together))
            let uuid = serving.database.attribute(handle)?.type ?? BluetoothUUID(0)
            source.yield(
                .writeRequest(
                    WriteRequest(
                        client: client, uuid: uuid, handle: handle, value: value,
                        expectsResponse: !isCommand, number: number)))
        }
    }

    private func wait(_ pending: Serving.Pending) -> UInt64 {
        let number = (peripheral.serving?.requestCount ?? 0) + 1
        peripheral.serving?.requestCount = number
        peripheral.serving?.pending[number] = pending
        return number
    }

    func answer(_ result: Result<[UInt8], ATT.ErrorCode>, to number: UInt64) {
        guard let pending = peripheral.serving?.pending.removeValue(forKey: number) else { return }
        switch (pending, result) {
        case (.read(let request, let handle, let guest), .success(let value)):
            peripheral.serving?.changeGuest(guest) { $0.read[handle] = value }
            give(value, to: request)
        case (.read(let request, _, _), .failure(let code)): refuse(request, code)
        case (.write(let together), .success):
            together.waiting -= 1
            if together.waiting == 0 {
                peripheral.manager?.respond(to: together.request, withResult: .success)
            }
        case (.write(let together), .failure(let code)):
            // The first that is refused answers for all of them.
            if together.waiting > 0 { refuse(together.request, code) }
            together.waiting = 0
        }
    }

    /// Nobody answers any more.
    func refuseRequests() {
        for number in (peripheral.serving?.pending.keys).map(Array.init) ?? [] {
            answer(.failure(.unlikelyError), to: number)
        }
    }

    // MARK: What is sent

    func update(
        _ value: [UInt8], of handle: AttributeHandle, for server: CoreBluetoothServer
    ) throws(BluetoothError) {
        guard let serving = peripheral.serving, serving.server === server else {
            throw .invalidArgument("The server was stopped.")
        }
        guard case .value(_, let source)? = serving.database.attribute(handle)?.content else {
            throw .invalidArgument("There is no value with handle \(handle).")
        }
        if case .stored = source {
            do throws(ATT.ErrorCode) {
                try peripheral.serving?.database.store(value, at: handle)
            } catch {
                throw .invalidArgument("The value at \(handle) cannot be stored: \(error).")
            }
        }
        guard serving.order.contains(where: { serving.guests[$0]?.subscriptions[handle] != nil }) else {
            return
        }
        peripheral.serving?.updates[handle] = value
        sendUpdates()
    }

    /// Sends the newest values that wait for room, after what others send.
    private func sendUpdates() {
        while let serving = peripheral.serving, serving.line.isEmpty, let manager = peripheral.manager,
            let (handle, value) = serving.updates.min(by: { $0.key < $1.key })
        {
            guard let characteristic = serving.offered.characteristics[handle] else {
                peripheral.serving?.updates[handle] = nil
                continue
            }
            guard manager.updateValue(Data(value), for: characteristic, onSubscribedCentrals: nil) else {
                return
            }
            peripheral.serving?.updates[handle] = nil
        }
    }

    func send(
        _ value: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, to client: Server.Client,
        of server: CoreBluetoothServer
    ) async throws(BluetoothError) -> Bool {
        guard peripheral.serving?.server === server else { return false }
        let turn = Waiter<Void>()
        peripheral.serving?.line.append(turn)
        defer { leave(turn, server) }
        if peripheral.serving?.line.first !== turn { try await queue.wait(for: turn) }
        while let serving = peripheral.serving, serving.server === server, let manager = peripheral.manager,
            let guest = serving.guest(client), let subscription = guest.subscriptions[handle],
            subscription.contains(kind == .notify ? .notify : .indicate),
            let characteristic = serving.offered.characteristics[handle]
        {
            let sent = Data(value.prefix(guest.central.maximumUpdateValueLength))
            if manager.updateValue(sent, for: characteristic, onSubscribedCentrals: [guest.central]) {
                return true
            }
            let room = Waiter<Void>()
            peripheral.serving?.room = room
            try await queue.wait(for: room)
        }
        return false
    }

    /// Has the next in line try.
    private func leave(_ turn: Waiter<Void>, _ server: CoreBluetoothServer) {
        guard peripheral.serving?.server === server else { return }
        peripheral.serving?.line.removeAll { $0 === turn }
        if let next = peripheral.serving?.line.first { next.end(.success(())) } else { sendUpdates() }
    }

    func hasRoom() {
        let room = peripheral.serving?.room
        peripheral.serving?.room = nil
        if let room { room.end(.success(())) } else { sendUpdates() }
    }
}
