// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLETransport
import BLEWire
package import BluetoothLE
import DBus

/// What this side is as a peripheral.
struct Serving {
    /// A central that is connected.
    struct Guest {
        let client: Server.Client
        var mtu: Int?
        /// What it has written in parts, as far as it has come.
        var written: [AttributeHandle: [UInt8]] = [:]
        /// What it reads in parts.
        var read: [AttributeHandle: [UInt8]] = [:]
    }

    /// A request that waits for an answer.
    struct Pending {
        let request: DBusRequest
        let device: String?
        let handle: AttributeHandle
        let offset: Int
        let isRead: Bool
    }

    /// Events that may wait for the device; beyond, who writes is cut off.
    static let eventLimit = 1024

    let server: BlueZServer
    let root: String
    let application: BlueZApplication
    var database: GATT.Database
    var advertisement: BlueZAdvertisement
    /// How often the advertisement was another one, which has another path each time.
    var advertisementCount = 0
    var isAdvertising = false
    /// Whether it is to be advertised.
    var isWanted = true
    var guests: [String: Guest] = [:]
    var pending: [UInt64: Pending] = [:]
    var requestCount: UInt64 = 0
    /// Where notifications go that BlueZ has acquired, and the device that has subscribed first.
    var acquired: [AttributeHandle: (values: NotifiedValues, device: String?)] = [:]
    /// What BlueZ has begun to notify or indicate as changes of a property.
    var started: Set<AttributeHandle> = []

    var advertisementPath: String { root + "/advertisement\(advertisementCount)" }
}

extension BlueZRadio {
    package nonisolated func serve(
        _ description: ServerDescription
    ) async throws(BluetoothError) -> any ServerBackend { try await offer(description) }

    private func offer(_ description: ServerDescription) async throws(BluetoothError) -> BlueZServer {
        guard serving == nil else {
            throw .invalidArgument("This radio serves already; stop that first.")
        }
        guard adapter != nil, let bus else { throw .radioUnavailable("the adapter is off") }
        let level = pairings.agent?.serverProtection ?? .none
        let database: GATT.Database =
            switch description.attributes {
            case .services(let services, _): GATT.Database(services.map { $0.protected(level) })
            case .database(let database): database
            }
        serverCount += 1
        let root = "/lantern/server\(serverCount)"
        let server = BlueZServer(self, description)
        serving = Serving(
            server: server, root: root, application: BlueZApplication(database, root: root),
            database: database,
            advertisement: BlueZAdvertisement(
                description.completed(description.advertisement), isConnectable: description.isConnectable),
            isWanted: description.isAdvertised)
        bus.serve(root) { [weak self] request in self?.onLoop { $0.handle(request) } }
        adjustAgent()
        do throws(BluetoothError) {
            try await register()
        } catch {
            await stop(server)
            throw error
        }
        return server
    }

    /// Tells BlueZ of services and advertisement, at first and when bluetoothd has begun anew.
    func register() async throws(BluetoothError) {
        // Whoever comes first may pair.
        if let error = try await agentIsKnown() {
            throw .refusedByRadio("BlueZ does not ask this program about pairing: \(error)")
        }
        guard let serving, let adapter, let bus else { throw .radioUnavailable("the adapter is off") }
        do throws(DBusError) {
            if !serving.application.objects.isEmpty {
                _ = try await bus.call(
                    DBusCall(
                        BlueZ.service, adapter, BlueZ.gattManager, "RegisterApplication",
                        [.path(serving.root), .options([:])]))
            }
        } catch {
            if case .refused = error, serving.application.protectsWhatIsSent {
                throw .refusedByRadio(
                    "\(error); before 5.62 BlueZ cannot send values over links alone that are paired")
            }
            throw BlueZ.requestFailure(error)
        }
        try await putOnAir()
    }

    private func putOnAir() async throws(BluetoothError) {
        guard serving?.isWanted != false else { return }
        guard let serving, let adapter, let bus else { throw .radioUnavailable("the adapter is off") }
        do throws(DBusError) {
            _ = try await bus.call(
                DBusCall(
                    BlueZ.service, adapter, BlueZ.advertisingManager, "RegisterAdvertisement",
                    [.path(serving.advertisementPath), .options([:])]))
            self.serving?.isAdvertising = true
        } catch {
            guard case .refused(let name, let message) = error else { throw BlueZ.requestFailure(error) }
            throw .refusedByRadio("advertising: \(message.isEmpty ? name : message)")
        }
    }

    func advertise(
        _ advertisement: DeviceAdvertisement, for server: BlueZServer
    ) async throws(BluetoothError) {
        guard var serving, serving.server === server else {
            throw .invalidArgument("The server was stopped.")
        }
        let next = BlueZAdvertisement(
            server.description.completed(advertisement), isConnectable: server.description.isConnectable)
        guard next.properties != serving.advertisement.properties || !serving.isWanted else { return }
        serving.isWanted = true
        let before = serving.isAdvertising ? serving.advertisementPath : nil
        serving.advertisement = next
        serving.advertisementCount += 1
        serving.isAdvertising = false
        self.serving = serving
        if let before { await unregister(before) }
        guard self.serving?.server === server else { return }
        try await putOnAir()
    }

    func stopAdvertising(for server: BlueZServer) async throws(BluetoothError) {
        guard let serving, serving.server === server else {
            throw .invalidArgument("The server was stopped.")
        }
        self.serving?.isWanted = false
        self.serving?.isAdvertising = false
        if serving.isAdvertising { await unregister(serving.advertisementPath) }
    }

    private func unregister(_ advertisement: String) async {
        guard let adapter, let bus else { return }
        _ = try? await bus.call(
            DBusCall(
                BlueZ.service, adapter, BlueZ.advertisingManager, "UnregisterAdvertisement",
                [.path(advertisement)]), timeout: .seconds(5))
    }

    func servedDatabase(of server: BlueZServer) -> GATT.Database {
        guard let serving, serving.server === server else { return GATT.Database([]) }
        return serving.database
    }

    // MARK: Clients

    /// Looks who is connected: what this side has not connected to has connected to us.
    func lookForGuests() {
        guard let serving, let adapter, serving.server.description.isConnectable else { return }
        let connected = objects.all(BlueZ.device).filter { path, properties in
            // Another adapter's devices are none of ours.
            properties["Connected"]?.bool == true && path.hasPrefix(adapter + "/") && links[path] == nil
                && !opening.contains(path)
        }
        let paths = Set(connected.map(\.path))
        for (path, guest) in serving.guests where !paths.contains(path) { forget(path, guest) }
        for (path, properties) in connected where serving.guests[path] == nil {
            guard let address = BlueZDevice(properties: properties).address else { continue }
            linkCount += 1
            let client = Server.Client(peer: Peer(address), link: LinkID(rawValue: linkCount))
            self.serving?.guests[path] = Serving.Guest(client: client)
            serving.server.state.joined(client)
            serving.server.state.source.yield(.connected(client))
        }
    }

    private func forget(_ path: String, _ guest: Serving.Guest) {
        guard let serving else { return }
        self.serving?.guests[path] = nil
        for (number, pending) in serving.pending where pending.device == path {
            self.serving?.pending[number] = nil
        }
        serving.server.state.left(guest.client)
        let reason: LinkError = adapter == nil ? .radioLost : .closedByPeer
        serving.server.state.source.yield(.disconnected(guest.client, reason: reason))
    }

    func disconnect(_ client: Server.Client, of server: BlueZServer) async {
        guard let bus, let path = serving?.guests.first(where: { $0.value.client == client })?.key else {
            return
        }
        _ = try? await bus.call(
            DBusCall(BlueZ.service, path, BlueZ.device, "Disconnect"), timeout: .seconds(5))
        let deadline = loop.now.advanced(bySeconds: 5)
        while serving?.guests[path]?.client == client {
            guard (try? await nextChange(before: deadline)) == true else { return }
        }
    }

    /// Handles that there is another adapter, or none.
    func servingAdapterChanged() {
        guard let serving else { return }
        guard adapter != nil else {
            for (path, guest) in serving.guests { forget(path, guest) }
            self.serving?.isAdvertising = false
            endNotifications()
            serving.server.state.source.yield(.advertisingStopped(.radioUnavailable("the adapter is off")))
            return
        }
        bus?.serve(serving.root) { [weak self] request in self?.onLoop { $0.handle(request) } }
        Task(executorPreference: loop) { [weak self] in
            guard (try? await self?.register()) != nil else { return }
            serving.server.state.source.yield(.advertisingResumed)
        }
    }

    private func endNotifications() {
        let acquired = serving?.acquired ?? [:]
        serving?.acquired = [:]
        serving?.started = []
        for (values, _) in acquired.values { values.end() }
    }

    // MARK: The end

    func stop(_ server: BlueZServer) async {
        guard let serving, serving.server === server else { return }
        refuseRequests()
        if serving.isAdvertising { await unregister(serving.advertisementPath) }
        for guest in serving.guests.values { await disconnect(guest.client, of: server) }
        if let adapter, let bus {
            _ = try? await bus.call(
                DBusCall(
                    BlueZ.service, adapter, BlueZ.gattManager, "UnregisterApplication",
                    [.path(serving.root)]), timeout: .seconds(5))
        }
        endServing(nil)
    }

    /// Serves no more, whatever BlueZ says to that.
    func endServing(_ error: BluetoothError?) {
        guard let serving else { return }
        refuseRequests()
        endNotifications()
        bus?.stopServing(serving.root)
        self.serving = nil
        serving.server.state.end(error)
        adjustAgent()
    }

    /// Refuses what waits for an answer that will not come.
    func refuseRequests() {
        let pending = serving?.pending ?? [:]
        serving?.pending = [:]
        for one in pending.values { BlueZ.refuse(one.request, .unlikelyError) }
    }
}
