// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE

// What devices do, and who is told.
extension PhoneServer {
    /// Takes an event of a server.
    func handle(_ event: ServerEvent, of generation: UInt64) async {
        guard generation == self.generation, let server else { return }
        switch event {
        case .connected(let client): visitors[client] = Visitor()
        case .disconnected(let client, _): leave(client)
        case .mtuChanged(let client, let mtu):
            let room = min(mtu - 3, ATT.maximumValueLength)
            visitors[client, default: Visitor()].room = room
            for (_, guest) in guests { guest.tell(.roomChanged(client, room)) }
        case .subscribed(let client, let handle, let subscription):
            visitors[client, default: Visitor()].subscriptions[handle] = subscription
            guard let (spot, _, guest) = host(of: handle) else { return }
            guest.tell(.roomChanged(client, visitors[client]?.room ?? 20))
            guest.tell(.subscribed(client, to: spot))
        case .unsubscribed(let client, let handle):
            visitors[client]?.subscriptions[handle] = nil
            confirmed(Confirmation(client: client, handle: handle))
            if let (spot, _, guest) = host(of: handle) { guest.tell(.unsubscribed(client, from: spot)) }
        case .readRequest(let request): read(request, server)
        case .writeRequest(let request): write(request, server)
        case .indicationConfirmed(let handle, let client):
            confirmed(Confirmation(client: client, handle: handle))
        case .valueWritten, .secured, .pairingFailed, .advertisingStopped, .advertisingResumed: break
        }
    }

    /// Whose a value is.
    private func host(of handle: AttributeHandle) -> (spot: Spot, owner: Owner, guest: Guest)? {
        guard let spot = spots[handle], let entry = entries.first(where: { $0.number == spot.service }),
            let guest = guests.first(where: { $0.owner == entry.owner })?.guest
        else { return nil }
        return (spot, entry.owner, guest)
    }

    private func read(_ asked: ReadRequest, _ server: Server) {
        let request = request(from: asked.client) { result in
            // The server cuts the value off at the offset: what is before it need not be right.
            switch result.map({ [UInt8](repeating: 0, count: asked.offset) + $0 }) {
            case .success(let value): await server.respond(to: asked, with: value)
            case .failure(let code): await server.refuse(asked, with: code)
            }
        }
        guard let (spot, owner, guest) = host(of: asked.handle), guest.place != .asleep else {
            request.answer(.failure(.unlikelyError))
            return
        }
        requests[asked.client] = (owner, request)
        guest.tell(.roomChanged(asked.client, visitors[asked.client]?.room ?? 20))
        guest.tell(.read(request, of: spot, offset: asked.offset))
    }

    private func write(_ asked: WriteRequest, _ server: Server) {
        let host = host(of: asked.handle)
        guard asked.expectsResponse else {
            if let host, host.guest.place != .asleep {
                host.guest.tell(.command(asked.client, of: host.spot, value: asked.value))
            }
            return
        }
        let request = request(from: asked.client) { result in
            switch result {
            case .success: await server.respond(to: asked)
            case .failure(let code): await server.refuse(asked, with: code)
            }
        }
        // The app knew of it when it answered the first of them.
        let granted = visitors[asked.client]?.granted ?? []
        if let index = granted.firstIndex(of: GATT.ValueWrite(asked.value, to: asked.handle)) {
            visitors[asked.client]?.granted.removeSubrange(...index)
            request.answer(.success([]))
            return
        }
        guard let host, host.guest.place != .asleep else {
            request.answer(.failure(.unlikelyError))
            return
        }
        var together = [(spot: host.spot, value: asked.value)]
        visitors[asked.client]?.granted = []
        for write in asked.following {
            guard let other = self.host(of: write.handle), other.owner == host.owner else { continue }
            together.append((other.spot, write.value))
            visitors[asked.client]?.granted.append(write)
        }
        requests[asked.client] = (host.owner, request)
        host.guest.tell(.write(request, together))
    }

    /// Makes a request whose answer goes out before all values that are sent after it.
    private func request(
        from client: Server.Client, _ give: @escaping @Sendable (Result<[UInt8], ATT.ErrorCode>) async -> Void
    ) -> PhoneRequest {
        PhoneRequest(client) { [sendings] result in sendings.yield(.answer { await give(result) }) }
    }

    /// Refuses what waits for an app that does not answer any more.
    func refuseRequests(of owner: Owner) {
        for (client, waiting) in requests where waiting.owner == owner {
            requests[client] = nil
            waiting.request.answer(.failure(.unlikelyError))
        }
    }

    /// A device is gone.
    func leave(_ client: Server.Client) {
        requests[client] = nil
        let visitor = visitors.removeValue(forKey: client)
        for one in confirmations.keys where one.client == client { confirmed(one) }
        for handle in (visitor?.subscriptions.keys ?? [:].keys).sorted() {
            if let (spot, _, guest) = host(of: handle) { guest.tell(.unsubscribed(client, from: spot)) }
        }
        for (_, guest) in guests { guest.tell(.left(client)) }
    }

    // MARK: Advertising

    /// Advertises what all apps want together, if that is not on the air.
    func advertiseAnew() async throws(BluetoothError) {
        guard let server else { return }
        let wishes = guests.compactMap { _, guest in
            guest.place == .asleep
                ? nil : guest.wish.map { (advertisement: $0, isOnScreen: guest.place == .onScreen) }
        }
        let wanted = PhoneAdvertisement.united(wishes)
        guard wanted != onAir else { return }
        if let wanted { try await server.advertise(wanted) } else { try await server.stopAdvertising() }
        onAir = wanted
    }
}
