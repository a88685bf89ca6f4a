// SPDX-License-Identifier: Apache-2.0

import BLEATT
package import BLEGATT
package import BLEWire
package import BluetoothLE

/// The GATT server of a phone, shared by the peripheral managers of all its apps: a radio has one.
///
/// It starts with the first service or advertisement, goes on without either so that no link is lost, and begins anew with the same
/// services when the radio, or the switch, comes back.
///
/// Who resumes and ends what:
/// - `orders` carries what apps want of the server, `sendings` what they send. Both end with the phone, which ends the two tasks
///   that take out of them. What waits there is bounded by the apps of this process: a device adds nothing to either.
/// - The task that follows a server's events ends with those: when the server is stopped or the radio is gone.
/// - Whoever waits for an order is resumed when it was carried out, or with ``BluetoothError/cancelled`` when the phone is gone.
package actor PhoneServer {
    /// A peripheral manager.
    package typealias Owner = UInt64

    /// Where the app of a peripheral manager is, as far as serving goes.
    package enum Place: Sendable {
        /// On the screen: all is advertised.
        case onScreen
        /// Behind it, and allowed to serve there: services are advertised in the overflow area, and no name.
        case background
        /// Behind it, and asleep: nothing is advertised, and what the app would have to answer is refused.
        case asleep
    }

    /// A value of a service, whatever handle it has this time.
    package struct Spot: Hashable, Sendable {
        /// The service.
        package let service: UInt64
        /// Which of its characteristics, from 0.
        package let characteristic: Int

        /// Makes one.
        package init(service: UInt64, characteristic: Int) {
            self.service = service
            self.characteristic = characteristic
        }
    }

    /// What a peripheral manager is told.
    package enum Event: Sendable {
        /// A device reads; the answer is the value from `offset` on.
        case read(PhoneRequest, of: Spot, offset: Int)
        /// A device writes these values at once; the answer is for all of them.
        case write(PhoneRequest, [(spot: Spot, value: [UInt8])])
        /// A device writes and waits for no answer.
        case command(Server.Client, of: Spot, value: [UInt8])
        /// A device wants values.
        case subscribed(Server.Client, to: Spot)
        /// A device wants values no more, or is gone.
        case unsubscribed(Server.Client, from: Spot)
        /// A device takes values up to a length, in octets.
        case roomChanged(Server.Client, Int)
        /// A device is gone.
        case left(Server.Client)
    }

    struct Guest {
        let tell: @Sendable (Event) -> Void
        var place: Place
        var wish: PhoneAdvertisement?
    }

    struct Entry {
        let number: UInt64
        let owner: Owner
        let definition: GATT.ServiceDefinition
        /// Where it stands; `nil` while no server runs.
        var range: ATT.HandleRange?
    }

    struct Visitor {
        var room = ATT.defaultMTU - 3
        var subscriptions: [AttributeHandle: GATT.Subscription] = [:]
        /// Values that an app was given together with the first of a write: they are answered with it.
        var granted: [GATT.ValueWrite] = []
    }

    private let name: String
    let radio: Radio
    private var isOn = false
    /// Guests in the order in which they came.
    var guests: [(owner: Owner, guest: Guest)] = []
    /// Services in the order in which they were added, which is that of their handles.
    var entries: [Entry] = []
    var spots: [AttributeHandle: Spot] = [:]
    var server: Server?
    var generation: UInt64 = 0
    var onAir: DeviceAdvertisement?
    var visitors: [Server.Client: Visitor] = [:]
    /// Requests that wait for an app, each of one device.
    var requests: [Server.Client: (owner: Owner, request: PhoneRequest)] = [:]
    var lines: [Line: [Sending]] = [:]
    var confirmations: [Confirmation: CheckedContinuation<Void, Never>?] = [:]
    private nonisolated let orders: AsyncStream<@Sendable (PhoneServer?) async -> Void>.Continuation
    nonisolated let sendings: AsyncStream<Outgoing>.Continuation

    init(name: String, _ radio: Radio) {
        self.name = name
        self.radio = radio
        let wanted: AsyncStream<@Sendable (PhoneServer?) async -> Void>
        let outgoing: AsyncStream<Outgoing>
        (wanted, orders) = AsyncStream.makeStream()
        (outgoing, sendings) = AsyncStream.makeStream()
        Task(executorPreference: radio.executor) { [weak self] in
            for await order in wanted { await order(self) }
        }
        Task(executorPreference: radio.executor) { [weak self] in
            for await one in outgoing { await self?.take(one) }
        }
    }

    deinit {
        orders.finish()
        sendings.finish()
    }

    // MARK: Orders

    /// Does something after all that was ordered before; nobody waits for it.
    private nonisolated func order(_ body: @escaping @Sendable (isolated PhoneServer) async -> Void) {
        orders.yield { server in if let server { await body(server) } }
    }

    /// Does something after all that was ordered before.
    ///
    /// - Parameters:
    ///   - body: What.
    ///   - done: Told what came of it, or that the phone is gone.
    private nonisolated func order<Value: Sendable>(
        _ body: @escaping @Sendable (isolated PhoneServer) async throws(BluetoothError) -> Value,
        then done: @escaping @Sendable (Result<Value, BluetoothError>) -> Void
    ) {
        let result = orders.yield { server in
            guard let server else { return done(.failure(.cancelled)) }
            do throws(BluetoothError) { done(.success(try await body(server))) } catch {
                done(.failure(error))
            }
        }
        if case .terminated = result { done(.failure(.cancelled)) }
    }

    /// A peripheral manager appears.
    ///
    /// - Parameters:
    ///   - owner: Its number.
    ///   - place: Where its app is.
    ///   - tell: Told what devices do, in order; it must not wait.
    package nonisolated func join(_ owner: Owner, _ place: Place, _ tell: @escaping @Sendable (Event) -> Void)
    {
        order { $0.guests.append((owner, Guest(tell: tell, place: place))) }
    }

    /// A peripheral manager is gone, and all that it has published.
    package nonisolated func leave(_ owner: Owner) {
        order { server in
            server.guests.removeAll { $0.owner == owner }
            for entry in server.entries.reversed() where entry.owner == owner {
                await server.remove(entry.number)
            }
            server.refuseRequests(of: owner)
            try? await server.advertiseAnew()  // What is still wanted was there before.
        }
    }

    /// The app of a peripheral manager is elsewhere.
    package nonisolated func move(_ owner: Owner, to place: Place) {
        order { server in
            guard let index = server.guests.firstIndex(where: { $0.owner == owner }),
                server.guests[index].guest.place != place
            else { return }
            server.guests[index].guest.place = place
            if place == .asleep { server.refuseRequests(of: owner) }
            // Nobody has asked for that: what fails is tried again with the next change.
            try? await server.advertiseAnew()
        }
    }

    /// Offers a service.
    ///
    /// - Parameters:
    ///   - definition: The service.
    ///   - number: Its number.
    ///   - owner: Whose it is.
    ///   - done: Told whether it is there now.
    package nonisolated func add(
        _ definition: GATT.ServiceDefinition, _ number: UInt64, of owner: Owner,
        then done: @escaping @Sendable (Result<Void, BluetoothError>) -> Void
    ) {
        order { (server: isolated PhoneServer) async throws(BluetoothError) in
            server.entries.append(Entry(number: number, owner: owner, definition: definition))
            let index = server.entries.count - 1
            do throws(BluetoothError) {
                // A server that starts takes all services at once.
                if try await server.start() == false { try await server.offer(index) }
            } catch {
                server.entries.removeAll { $0.number == number }
                throw error
            }
        } then: {
            done($0)
        }
    }

    /// Offers a service no more.
    package nonisolated func remove(_ number: UInt64, of owner: Owner) { order { await $0.remove(number) } }

    /// Advertises for an app.
    ///
    /// - Parameters:
    ///   - wish: What it wants; `nil` nothing more.
    ///   - owner: Whose wish.
    ///   - done: Told whether it is on the air.
    package nonisolated func advertise(
        _ wish: PhoneAdvertisement?, for owner: Owner,
        then done: @escaping @Sendable (Result<Void, BluetoothError>) -> Void = { _ in }
    ) {
        order { (server: isolated PhoneServer) async throws(BluetoothError) in
            guard let index = server.guests.firstIndex(where: { $0.owner == owner }) else { throw .cancelled }
            server.guests[index].guest.wish = wish
            do throws(BluetoothError) {
                if wish != nil { _ = try await server.start() }
                try await server.advertiseAnew()
            } catch {
                if let index = server.guests.firstIndex(where: { $0.owner == owner }) {
                    server.guests[index].guest.wish = nil
                }
                throw error
            }
        } then: {
            done($0)
        }
    }

    /// Asks a device for other timing of its link; it may refuse, of which nobody is told.
    package nonisolated func updateParameters(_ range: ConnectionParameterRange, of client: Server.Client) {
        order { server in
            guard let running = server.server else { return }
            Task(executorPreference: server.radio.executor) {
                _ = try? await running.updateParameters(range, of: client)
            }
        }
    }

    /// The link that a device has opened to this phone; `nil` when it has none.
    func connection(to peer: Peer) async throws(BluetoothError) -> Connection? {
        guard let server, let client = server.clients.first(where: { $0.peer == peer }) else { return nil }
        return try await server.connection(to: client)
    }

    /// The radio or the phone's switch went on or off.
    nonisolated func conditionChanged(isOn: Bool) {
        order { server in
            server.isOn = isOn
            guard isOn else {
                guard let running = server.server else { return }
                await running.stop()
                return server.lost()
            }
            guard !server.entries.isEmpty || server.guests.contains(where: { $0.guest.wish != nil }) else {
                return
            }
            // The state of the radio says why it cannot.
            _ = try? await server.start()
            try? await server.advertiseAnew()
        }
    }

    // MARK: The server

    /// Starts a server with all services, unless one runs.
    ///
    /// - Returns: Whether it was started now.
    private func start() async throws(BluetoothError) -> Bool {
        guard server == nil else { return false }
        guard isOn else { throw .radioUnavailable("Bluetooth is off") }
        var description = ServerDescription(
            name: WireText(Array(name.utf8)), services: [], advertisesName: false)
        description.isAdvertised = false
        let server = try await radio.serve(description)
        self.server = server
        generation += 1
        let number = generation
        Task(executorPreference: radio.executor) { [weak self] in
            // Why it has ended, the state of the radio says.
            do { for try await event in server.events() { await self?.handle(event, of: number) } } catch {}
            self?.order { if $0.generation == number { $0.lost() } }
        }
        for index in entries.indices {
            do throws(BluetoothError) {
                try await offer(index)
            } catch {
                // Only the newest can be one that was never offered before.
                if index == entries.indices.last { throw error }
            }
        }
        return true
    }

    private func offer(_ index: Int) async throws(BluetoothError) {
        guard let server else { throw .radioUnavailable("Bluetooth is off") }
        let entry = entries[index]
        let range = try await server.add(entry.definition)
        let database = await server.database
        entries[index].range = range
        let handles = range.start...range.end
        var count = 0
        for attribute in database.attributes where handles.contains(attribute.handle) {
            guard attribute.type == GATT.AttributeType.characteristic, let value = attribute.handle.next
            else { continue }
            spots[value] = Spot(service: entry.number, characteristic: count)
            count += 1
        }
    }

    private func remove(_ number: UInt64) async {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
        let entry = entries.remove(at: index)
        guard let range = entry.range else { return }
        let handles = range.start...range.end
        // The service may be included by another one, or the server be gone: then it stays, but leads to nobody.
        try? await server?.removeService(at: range.start)
        spots = spots.filter { !handles.contains($0.key) }
        for (client, visitor) in visitors {
            visitors[client]?.subscriptions = visitor.subscriptions.filter { !handles.contains($0.key) }
        }
        for one in confirmations.keys where handles.contains(one.handle) { confirmed(one) }
    }

    /// The server is gone, and with it all links of devices.
    private func lost() {
        server = nil
        onAir = nil
        let left = visitors.keys.sorted { $0.link < $1.link }
        for client in left { leave(client) }
        for index in entries.indices { entries[index].range = nil }
        spots = [:]
        for one in confirmations.keys { confirmed(one) }
    }
}
