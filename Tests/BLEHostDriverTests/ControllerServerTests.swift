// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import SimulatedDevices
import Testing

/// A virtual radio behind ports of this machine, and what happened at the first of them.
private struct ServedAir: Sendable {
    let radio: VirtualRadio
    let ports: [Int]
    let news: AsyncStream<ControllerServer.News>

    /// Serves controllers as long as the body runs.
    static func run(
        controllers: Int = 1, devices: @escaping @Sendable () -> [any SimulatedHost] = { [] },
        _ body: (ServedAir) async throws -> Void
    ) async throws {
        let radio = VirtualRadio()
        await radio.add(devices)
        let (news, announcements) = AsyncStream.makeStream(of: ControllerServer.News.self)
        var listeners: [TCPListener] = []
        for _ in 0..<controllers { listeners.append(try await TCPListener.bind(host: "127.0.0.1", port: 0)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, listener) in listeners.enumerated() {
                let address = BluetoothAddress(0x00AA_0300_0001 + UInt64(index), .public)
                let id = await radio.addController(.init(address: address))
                let server = ControllerServer(id, of: radio, on: listener)
                group.addTask { await server.run { if index == 0 { announcements.yield($0) } } }
            }
            try await body(ServedAir(radio: radio, ports: listeners.map(\.port), news: news))
            group.cancelAll()
        }
        for listener in listeners { await listener.close() }
    }

    func connect(_ index: Int = 0) async throws -> any OctetTransport {
        try await TransportAddress.tcp(host: "127.0.0.1", port: ports[index]).open()
    }

    /// Waits until a host has gone; why.
    func departure() async -> ControllerServer.Departure? {
        for await news in news {
            if case .detached(let departure) = news { return departure }
        }
        return nil
    }
}

/// Reads until so many octets have come.
private func read(_ count: Int, from transport: any OctetTransport) async throws -> [UInt8] {
    var octets: [UInt8] = []
    while octets.count < count, let more = try await transport.receive() { octets += more }
    return octets
}

@Suite("A virtual radio over TCP", .timeLimit(.minutes(2)))
struct ControllerServerTests {
    static let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
    static let resetDone: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]

    @Test func aHostThatAttachesSpeaksHCI() async throws {
        try await ServedAir.run { air in
            let host = try await air.connect()
            try await host.send(Self.reset)
            #expect(try await read(7, from: host) == Self.resetDone)
            await host.close()
            #expect(await air.departure() == .left)
        }
    }

    @Test func ourOwnHostFindsADeviceThroughIt() async throws {
        try await ServedAir.run(devices: { [SimulatedFlockFinder.make()] }) { air in
            let radio = HostRadio { () async throws(TransportError) in
                try await TransportAddress.tcp(host: "127.0.0.1", port: air.ports[0]).open()
            }
            try await radio.start()
            let connection = try await radio.connect(to: SimulatedFlockFinder.address, ConnectOptions())
            #expect(try await connection.discover().isEmpty == false)
            await radio.close()
            #expect(await air.departure() == .left)
        }
    }

    @Test func theNextHostFindsAResetController() async throws {
        // LE Set Random Address is refused while advertising; LE Set Advertising Enable needs nothing else.
        let advertise: [UInt8] = [0x01, 0x0A, 0x20, 0x01, 0x01]
        let setRandom: [UInt8] = [0x01, 0x05, 0x20, 0x06, 1, 2, 3, 4, 5, 0xC6]
        try await ServedAir.run { air in
            let first = try await air.connect()
            try await first.send(advertise + setRandom)
            #expect(
                try await read(14, from: first) == [
                    0x04, 0x0E, 0x04, 0x01, 0x0A, 0x20, 0x00, 0x04, 0x0E, 0x04, 0x01, 0x05, 0x20, 0x0C,
                ])
            await first.close()
            #expect(await air.departure() == .left)
            let second = try await air.connect()
            try await second.send(setRandom)
            #expect(try await read(7, from: second) == [0x04, 0x0E, 0x04, 0x01, 0x05, 0x20, 0x00])
            await second.close()
        }
    }

    @Test func aSecondHostWaitsUntilTheFirstHasGone() async throws {
        try await ServedAir.run { air in
            let first = try await air.connect()
            let second = try await air.connect()
            try await second.send(Self.reset)
            try await first.send(Self.reset)
            #expect(try await read(7, from: first) == Self.resetDone)
            await first.close()
            #expect(try await read(7, from: second) == Self.resetDone)
            await second.close()
        }
    }

    @Test func controllersOnOneAirHearEachOther() async throws {
        try await ServedAir.run(controllers: 2) { air in
            let (advertiser, scanner) = (try await air.connect(0), try await air.connect(1))
            // Events of LE are masked at first.
            try await scanner.send([0x01, 0x01, 0x0C, 0x08] + [UInt8](repeating: 0xFF, count: 8))
            #expect(try await read(7, from: scanner) == [0x04, 0x0E, 0x04, 0x01, 0x01, 0x0C, 0x00])
            try await scanner.send([0x01, 0x0C, 0x20, 0x02, 0x01, 0x00])
            #expect(try await read(7, from: scanner) == [0x04, 0x0E, 0x04, 0x01, 0x0C, 0x20, 0x00])
            try await advertiser.send([0x01, 0x0A, 0x20, 0x01, 0x01])
            // An LE Advertising Report from the first controller's public address.
            let report = try await read(15, from: scanner)
            #expect(report.prefix(2) == [0x04, 0x3E] && report[3] == 0x02)
            #expect(Array(report[7..<13]) == [0x01, 0x00, 0x00, 0x03, 0xAA, 0x00])
            await advertiser.close()
            await scanner.close()
        }
    }

    @Test func endingTheServerLetsItsHostGo() async throws {
        var orphan: (any OctetTransport)?
        var news: AsyncStream<ControllerServer.News>?
        try await ServedAir.run { air in
            let host = try await air.connect()
            try await host.send(Self.reset)
            _ = try await read(7, from: host)
            (orphan, news) = (host, air.news)
        }
        var all: [ControllerServer.News] = []
        for await item in try #require(news) {
            all.append(item)
            if all.count == 2 { break }
        }
        #expect(all.last == .detached(.ended))
        #expect(try await orphan?.receive() == nil)
    }

    @Test func aTakenPortCannotBeListenedAt() async throws {
        let listener = try await TCPListener.bind(host: "127.0.0.1", port: 0)
        let port = listener.port
        let error = await #expect(throws: TransportError.self) {
            _ = try await TCPListener.bind(host: "127.0.0.1", port: port)
        }
        #expect(error?.description.contains("127.0.0.1:\(port)") == true)
        await listener.close()
        #expect(await listener.next() == nil)
    }

    @Test func clientsPastTheWaitingOnesAreTurnedAway() async throws {
        let listener = try await TCPListener.bind(host: "127.0.0.1", port: 0)
        var clients: [any OctetTransport] = []
        for _ in 0...TCPListener.waitingLimit {
            clients.append(try await TransportAddress.tcp(host: "127.0.0.1", port: listener.port).open())
        }
        // Whichever comes last is turned away.
        let turnedAway = await withTaskGroup(of: Int.self) { group in
            for (index, client) in clients.enumerated() {
                group.addTask {
                    let octets = try? await client.receive()
                    return octets == nil ? index : -1
                }
            }
            let first = await group.next() ?? -1
            // Lets go of those that wait.
            await listener.close()
            return first
        }
        #expect(clients.indices.contains(turnedAway))
        for client in clients { await client.close() }
    }
}

@Suite("Hosts of a virtual radio that do not read", .timeLimit(.minutes(2)))
struct BusyHostTests {
    @Test func aHostThatOnlySendsIsCutOffAndTheOthersGoOn() async throws {
        let radio = VirtualRadio()
        let rude = await radio.attach(.init(address: BluetoothAddress(1, .public)))
        let other = await radio.attach(.init(address: BluetoothAddress(2, .public)))
        // Read Local Supported Commands: 71 octets for 4.
        let commands = Array(repeating: [0x01, 0x02, 0x10, 0x00] as [UInt8], count: 1000).flatMap { $0 }
        await #expect(throws: TransportError.self) {
            for _ in 0..<100 { try await rude.send(commands) }
        }
        #expect(try await rude.receive() == nil)
        try await other.send(ControllerServerTests.reset)
        #expect(try await other.receive() == ControllerServerTests.resetDone)
    }

    @Test func aHostThatReadsAgainGoesOn() async throws {
        let radio = VirtualRadio()
        let slow = await radio.attach(.init(address: BluetoothAddress(1, .public)))
        let commands = Array(repeating: [0x01, 0x02, 0x10, 0x00] as [UInt8], count: 1000).flatMap { $0 }
        for _ in 0..<100 {
            try await slow.send(commands)
            #expect(try await slow.receive()?.count == 71_000)
        }
    }
}
