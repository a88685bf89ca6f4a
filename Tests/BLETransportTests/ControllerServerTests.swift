// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLEWire
import Testing

@testable import BLETransport
@testable import BLEVirtualRadio

/// A virtual radio behind ports of this machine, and what happened at the first of them.
private struct ServedAir: Sendable {
    let radio: VirtualRadio
    let ports: [Int]
    let events: AsyncStream<ControllerServer.Event>

    /// Serves controllers as long as the body runs.
    static func run(
        controllers: Int = 1, observer: @escaping @Sendable (ControllerServer.Event) async -> Void = { _ in },
        _ body: (ServedAir) async throws -> Void
    ) async throws {
        let radio = try VirtualRadio()
        let (events, continuation) = AsyncStream.makeStream(of: ControllerServer.Event.self)
        var listeners: [TCPListener] = []
        for _ in 0..<controllers {
            listeners.append(try await TCPListener.bind(host: "127.0.0.1", port: 0, on: radio.loop))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, listener) in listeners.enumerated() {
                let address = BluetoothAddress(0x00AA_0300_0001 + UInt64(index), kind: .public)
                let id = await radio.addController(.init(address: address))
                let server = ControllerServer(id, of: radio, on: listener)
                group.addTask {
                    await server.run { event in
                        if index == 0 { continuation.yield(event) }
                        await observer(event)
                    }
                }
            }
            try await body(ServedAir(radio: radio, ports: listeners.map(\.port), events: events))
            group.cancelAll()
        }
        for listener in listeners { await listener.close() }
    }

    func connect(_ index: Int = 0) async throws -> TestEnd { try await TestEnd.connect(ports[index]) }

    /// Waits until a host has gone; why.
    func departure() async -> ControllerServer.Departure? {
        for await event in events {
            if case .detached(let departure) = event { return departure }
        }
        return nil
    }
}

@Suite("A virtual radio over TCP", .timeLimit(.minutes(5)))
struct ControllerServerTests {
    static let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
    static let resetDone: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]

    @Test func aHostThatAttachesSpeaksHCI() async throws {
        try await ServedAir.run { air in
            let host = try await air.connect()
            host.send(Self.reset)
            #expect(await host.read(7) == Self.resetDone)
            host.close()
            #expect(await air.departure() == .left)
        }
    }

    @Test func theNextHostFindsAResetController() async throws {
        // LE Set Random Address is refused while advertising; LE Set Advertising Enable needs nothing else.
        let advertise: [UInt8] = [0x01, 0x0A, 0x20, 0x01, 0x01]
        let setRandom: [UInt8] = [0x01, 0x05, 0x20, 0x06, 1, 2, 3, 4, 5, 0xC6]
        try await ServedAir.run { air in
            let first = try await air.connect()
            first.send(advertise + setRandom)
            #expect(
                await first.read(14) == [
                    0x04, 0x0E, 0x04, 0x01, 0x0A, 0x20, 0x00, 0x04, 0x0E, 0x04, 0x01, 0x05, 0x20, 0x0C,
                ])
            first.close()
            #expect(await air.departure() == .left)
            let second = try await air.connect()
            second.send(setRandom)
            #expect(await second.read(7) == [0x04, 0x0E, 0x04, 0x01, 0x05, 0x20, 0x00])
            second.close()
        }
    }

    @Test func aSecondHostWaitsUntilTheFirstHasGone() async throws {
        try await ServedAir.run { air in
            let first = try await air.connect()
            let second = try await air.connect()
            second.send(Self.reset)
            first.send(Self.reset)
            #expect(await first.read(7) == Self.resetDone)
            first.close()
            #expect(await second.read(7) == Self.resetDone)
            second.close()
        }
    }

    @Test func controllersOnOneAirHearEachOther() async throws {
        try await ServedAir.run(controllers: 2) { air in
            let (advertiser, scanner) = (try await air.connect(0), try await air.connect(1))
            // Events of LE are masked at first.
            scanner.send([0x01, 0x01, 0x0C, 0x08] + [UInt8](repeating: 0xFF, count: 8))
            #expect(await scanner.read(7) == [0x04, 0x0E, 0x04, 0x01, 0x01, 0x0C, 0x00])
            scanner.send([0x01, 0x0C, 0x20, 0x02, 0x01, 0x00])
            #expect(await scanner.read(7) == [0x04, 0x0E, 0x04, 0x01, 0x0C, 0x20, 0x00])
            advertiser.send([0x01, 0x0A, 0x20, 0x01, 0x01])
            // An LE Advertising Report from the first controller's public address.
            let report = await scanner.read(15)
            #expect(report.prefix(2) == [0x04, 0x3E] && report[3] == 0x02)
            #expect(Array(report[7..<13]) == [0x01, 0x00, 0x00, 0x03, 0xAA, 0x00])
            advertiser.close()
            scanner.close()
        }
    }

    @Test func endingTheServerLetsItsHostGo() async throws {
        var orphan: TestEnd?
        var events: AsyncStream<ControllerServer.Event>?
        try await ServedAir.run { air in
            let host = try await air.connect()
            host.send(Self.reset)
            _ = await host.read(7)
            (orphan, events) = (host, air.events)
        }
        var all: [ControllerServer.Event] = []
        for await item in try #require(events) {
            all.append(item)
            if all.count == 2 { break }
        }
        #expect(all.last == .detached(.ended))
        #expect(await orphan?.next() == nil)
    }

    @Test func aTakenPortCannotBeListenedAt() async throws {
        let listener = try await TCPListener.bind(host: "127.0.0.1", port: 0, on: TransportLoop())
        let port = listener.port
        let error = await #expect(throws: TransportError.self) {
            _ = try await TCPListener.bind(host: "127.0.0.1", port: port, on: TransportLoop())
        }
        #expect(error?.description.contains("127.0.0.1:\(port)") == true)
        await listener.close()
        #expect(await listener.next() == nil)
    }

    @Test func clientsPastTheWaitingOnesAreTurnedAway() async throws {
        let listener = try await TCPListener.bind(host: "127.0.0.1", port: 0, on: TransportLoop())
        var clients: [TestEnd] = []
        for _ in 0...TCPListener.waitingLimit {
            clients.append(try await TestEnd.connect(listener.port))
        }
        // Whichever comes last is turned away.
        let turnedAway = await withTaskGroup(of: Int.self) { group in
            for (index, client) in clients.enumerated() {
                group.addTask {
                    await client.next() == nil ? index : -1
                }
            }
            let first = await group.next() ?? -1
            // Lets go of those that wait.
            await listener.close()
            return first
        }
        #expect(clients.indices.contains(turnedAway))
        for client in clients { client.close() }
    }
}

@Suite("Hosts of a virtual radio that do not read", .timeLimit(.minutes(5)))
struct BusyHostTests {
    /// Read Local Supported Commands: 71 octets for 4.
    private static let commands = Array(repeating: [0x01, 0x02, 0x10, 0x00] as [UInt8], count: 1000).flatMap {
        $0
    }

    @Test func aHostThatOnlySendsIsNotListenedToAndTheOthersGoOn() async throws {
        try await ServedAir.run(controllers: 2) { air in
            // A client that is not started does not read.
            let rude = try await TransportAddress.tcp(host: "127.0.0.1", port: air.ports[0]).open(
                on: TransportLoop())
            // The answers are more than a TCP connection keeps by itself.
            for _ in 0..<80 { rude.send(Self.commands) }
            let other = try await air.connect(1)
            for _ in 0..<100 {
                other.send(ControllerServerTests.reset)
                #expect(await other.read(7) == ControllerServerTests.resetDone)
            }
            // Taking the answers, it goes on, and nothing is missing.
            let polite = TestEnd(rude)
            for _ in 0..<80 { #expect(await polite.read(71_000).count == 71_000) }
            polite.close()
            #expect(await air.departure() == .left)
        }
    }

    @Test func aHostThatReadsAgainGoesOn() async throws {
        try await ServedAir.run { air in
            let slow = try await air.connect()
            for _ in 0..<20 {
                slow.send(Self.commands)
                #expect(await slow.read(71_000).count == 71_000)
            }
        }
    }

    @Test func aHostThatLetsItsEventsPileUpIsCutOff() async throws {
        let manual = ManualLoop()
        let radio = VirtualRadio(on: manual.loop)
        let departures = Log<VirtualRadio.Departure>()
        // Its end is never started, so that nothing is taken out.
        let (host, air) = TransportPair.make(manual.loop, manual.loop)
        let (asking, askingAir) = TransportPair.make(manual.loop, manual.loop)
        let received = Log<UInt8>()
        asking.start { input in
            if case .octets(let octets) = input { for octet in octets { received.add(octet) } }
        }
        manual.loop.execute {
            radio.assumeIsolated { radio in
                for (end, address) in [(air, 1 as UInt64), (askingAir, 2)] {
                    let id = radio.addController(.init(address: BluetoothAddress(address, kind: .public)))
                    radio.attach(end, to: id) { departure in departures.add(departure) }
                }
            }
        }
        // At most 64 KiB of answers that wait are added to by what was sent before that was seen.
        host.send(Array(repeating: Self.commands, count: 16).flatMap { $0 })
        asking.send(ControllerServerTests.reset)
        #expect(manual.runUntilIdle())
        #expect(departures.all == [.cutOff])
        #expect(received.all == ControllerServerTests.resetDone)
    }
}

@Suite("A virtual radio whose observer does not observe", .timeLimit(.minutes(5)))
struct BlockedObserverTests {
    @Test func hostsAreServedThoughNobodyReadsTheNews() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        try await ServedAir.run(observer: { _ in for await _ in gate {} }) { air in
            // Also when it fails: the server waits for its observer.
            defer { opening.finish() }
            for _ in 0..<20 {
                let host = try await air.connect()
                host.send(ControllerServerTests.reset)
                #expect(await host.read(7) == ControllerServerTests.resetDone)
                host.close()
            }
        }
    }
}
