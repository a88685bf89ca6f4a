// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver

/// What the servers of a soak offer.
enum SoakService {
    static let uuid = BluetoothUUID(0xA0FF)
    static let characteristics = 0...6

    static func uuid(_ characteristic: Int) -> BluetoothUUID {
        BluetoothUUID(UInt16(0xA000 + characteristic))
    }

    static func number(of uuid: BluetoothUUID) -> Int? { characteristics.first { self.uuid($0) == uuid } }

    static func services(of node: Int) -> [GATT.ServiceDefinition] {
        let stored = GATT.ValueSource.stored(SoakValue(node, 1).octets(6))
        return [
            GATT.ServiceDefinition(
                uuid,
                characteristics: [
                    .init(uuid(0), .read, value: .delegated),
                    .init(uuid(1), [.read, .notify], value: stored),
                    .init(uuid(2), .notify, value: .delegated),
                    .init(uuid(3), .indicate, value: .delegated),
                    .init(uuid(4), [.read, .write], value: .stored(SoakValue(node, 4).octets(6))),
                    .init(uuid(5), .write, value: .delegated),
                    .init(uuid(6), .writeWithoutResponse, value: .delegated),
                ])
        ]
    }

    /// A service that comes and goes.
    static let extra = GATT.ServiceDefinition(
        BluetoothUUID(0xA1FF),
        characteristics: [.init(BluetoothUUID(0xA100), [.read, .notify], value: .stored([1]))])

    static func timing(_ size: Int) -> ConnectionParameterRange {
        let interval = ConnectionInterval(rawValue: UInt16(6 + size % 40))
        return ConnectionParameterRange(
            intervalMin: interval, intervalMax: interval, latency: UInt16(size % 3),
            supervisionTimeout: SupervisionTimeout(rawValue: 200))
    }
}

// Servers and what they do for their clients.
extension SoakWorld {
    func serve(_ radio: Int, _ pace: Pace, isRefusing: Bool, mustSucceed: Bool = false) {
        let host = nodes[radio].host
        if pace != .prompt { hasSlowServer = true }
        begin("serve", at: radio, mustSucceed: mustSucceed) { _ in
            let server = try await host.radio.serve(
                ServerDescription(name: "Soak", services: SoakService.services(of: radio)))
            var handles: [Int: AttributeHandle] = [:]
            for number in SoakService.characteristics {
                handles[number] = await server.valueHandle(of: SoakService.uuid(number))
            }
            await self.serves(server, handles, radio, host, pace, isRefusing: isRefusing)
        }
    }

    private func serves(
        _ server: Server, _ handles: [Int: AttributeHandle], _ radio: Int, _ host: HostRadio, _ pace: Pace,
        isRefusing: Bool
    ) {
        watch(server, "server of \(radio)")
        if nodes[radio].host === host, !nodes[radio].isClosed {
            nodes[radio].server = server
            nodes[radio].handles = handles
            nodes[radio].extraService = nil
        }
        begin("events", at: radio, lasts: true) { _ in
            try await self.consume(server.events(), pace) { event in
                await self.answer(event, of: server, radio, isRefusing: isRefusing)
            }
        }
    }

    private nonisolated func answer(
        _ event: ServerEvent, of server: Server, _ radio: Int, isRefusing: Bool
    ) async {
        await countRequest()
        switch event {
        case .readRequest(let request):
            if isRefusing {
                await server.refuse(request, with: .unlikelyError)
            } else {
                await server.respond(to: request, with: SoakValue(radio, 0).octets(6))
            }
        case .writeRequest(let request):
            if isRefusing {
                await server.refuse(request, with: .unlikelyError)
            } else {
                await server.respond(to: request)
            }
        default: break
        }
    }

    private func countRequest() { counts.requests += 1 }

    func stopServing(_ radio: Int) {
        guard let server = nodes[radio].server else { return }
        begin("stop serving", at: radio) { _ in await server.stop() }
    }

    func advertise(_ radio: Int) {
        guard let server = nodes[radio].server else { return }
        begin("advertise", at: radio) { _ in
            try await server.advertise(DeviceAdvertisement(data: [2, 1, 6], scanResponse: []))
        }
    }

    func changeServices(_ radio: Int) {
        guard let server = nodes[radio].server else { return }
        if let extra = nodes[radio].extraService {
            nodes[radio].extraService = nil
            begin("remove service", at: radio) { _ in try await server.removeService(at: extra) }
        } else {
            begin("add service", at: radio) { _ in
                await self.added(try await server.add(SoakService.extra).start, radio)
            }
        }
    }

    private func added(_ handle: AttributeHandle, _ radio: Int) { nodes[radio].extraService = handle }

    func update(_ radio: Int, _ size: Int) {
        guard let server = nodes[radio].server, let handle = nodes[radio].handles[1] else { return }
        begin("update", at: radio) { _ in
            for _ in 0..<Self.burst(size) {
                try await server.update(await self.nextValue(radio, 1, size), of: handle)
            }
        }
    }

    /// How many values are sent one after the other: small ones often come in crowds.
    static func burst(_ size: Int) -> Int { size == 8 ? 40 : size == 60 ? 5 : 1 }

    private func client(_ number: Int, of server: Server) -> Server.Client? {
        let clients = server.clients.sorted { $0.link < $1.link }
        return clients.isEmpty ? nil : clients[number % clients.count]
    }

    func send(_ radio: Int, _ number: Int, _ characteristic: Int, _ size: Int) {
        guard let server = nodes[radio].server, let handle = nodes[radio].handles[characteristic],
            let client = client(number, of: server)
        else { return }
        begin(characteristic == 2 ? "notify" : "indicate", at: radio) { _ in
            for _ in 0..<Self.burst(size) {
                let value = await self.nextValue(radio, characteristic, size)
                if characteristic == 2 {
                    guard try await server.notify(value, of: handle, to: client) else { return }
                } else {
                    guard try await server.indicate(value, of: handle, to: client) else { return }
                }
            }
        }
    }

    func ask(_ radio: Int, _ number: Int, _ request: Request) {
        guard let server = nodes[radio].server, let client = client(number, of: server) else { return }
        begin("ask client", at: radio) { _ in
            let connection = try await server.connection(to: client)
            let link = KnownLink(
                node: radio, peer: Self.radio(connection.peer.address), connection: connection)
            try await self.request(request, 20, on: link)
        }
    }

    func dropClient(_ radio: Int, _ number: Int) {
        guard let server = nodes[radio].server, let client = client(number, of: server) else { return }
        begin("drop client", at: radio) { _ in try await server.disconnect(client) }
    }
}
