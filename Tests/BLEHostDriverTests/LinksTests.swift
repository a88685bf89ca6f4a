// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import FlockFinder
import SimulatedDevices
import Testing

/// The address of one of many devices.
private func address(_ number: Int) -> BluetoothAddress {
    BluetoothAddress(0xC000_0000_0001 + UInt64(number), kind: .random)
}

private func device(_ number: Int) -> Peer { Peer(address(number)) }

/// An air with so many FlockFinder devices.
private func makeAir(devices count: Int) async -> VirtualRadio {
    let air = VirtualRadio(on: ManualTime.loop)
    await air.add {
        (0..<count).map {
            SimulatedDevice(
                kind: "flockfinder", FlockFinderDevice(source: .route, seed: 1), address: address($0))
        }
    }
    return air
}

private func makeRadio(
    on air: VirtualRadio, _ number: UInt64 = 1, generation: VirtualAir.Generation = .extended
) async throws -> Radio { try await AirRadio.start(air, number, generation: generation).radio }

private let slow = ConnectionParameterRange(
    intervalMin: ConnectionInterval(milliseconds: 50), intervalMax: ConnectionInterval(milliseconds: 50),
    supervisionTimeout: SupervisionTimeout(milliseconds: 2000))

@Suite("Links over the facade", .manualTime, .timeLimit(.minutes(5)))
struct LinksTests {
    @Test func tenLinksAtOnceAndOneOfThemDies() async throws {
        let radio = try await makeRadio(on: await makeAir(devices: 10))
        var links: [Connection] = []
        for number in 0..<10 {
            links.append(try await radio.connect(to: device(number)))
        }
        #expect(links.map(\.peer) == (0..<10).map(device))
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for link in links { group.addTask { try await link.discoverServices().count } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(counts == [Int](repeating: 3, count: 10))
        await links[4].disconnect()
        #expect(try await links[4].waitUntilDisconnected() == .closedByUs)
        await #expect(throws: BluetoothError.disconnected(.closedByUs)) { _ = try await links[4].readRSSI() }
        for (number, link) in links.enumerated() where number != 4 {
            #expect(try await link.readRSSI() < 0)
            #expect(link.mtu == 517)
            #expect(try await !link.discoverServices().isEmpty)
        }
        // There is room for it again.
        let again = try await radio.connect(to: device(4))
        #expect(try await again.discoverServices().count == 3)
        await radio.close()
        for link in links where link !== links[4] {
            #expect(try await link.waitUntilDisconnected() == .closedByUs)
        }
    }

    @Test func aLinkTellsAndChangesWhatItIs() async throws {
        let radio = try await makeRadio(on: await makeAir(devices: 1))
        let link = try await radio.connect(to: device(0))
        var changes = link.changes().makeAsyncIterator()
        // Once the MTU is agreed, nothing else is under way.
        _ = try await link.discoverServices()
        let before = try #require(await link.parameters)
        #expect(before.interval.rawValue > 0)
        #expect(try await link.readPHY() == LinkPHY(tx: .le1M, rx: .le1M))
        #expect(try await link.setPHY(tx: [.le2M], rx: [.le2M]) == LinkPHY(tx: .le2M, rx: .le2M))
        #expect(try await link.readPHY() == LinkPHY(tx: .le2M, rx: .le2M))
        let after = try await link.updateParameters(slow)
        #expect(after.interval == slow.intervalMax && after.supervisionTimeout == slow.supervisionTimeout)
        #expect(await link.parameters == after)
        #expect(try await link.readPeerVersion().version > 0)
        await link.disconnect()
        var seen: [LinkChange] = []
        while let change = await changes.next() { seen.append(change) }
        #expect(seen.contains(.phy(LinkPHY(tx: .le2M, rx: .le2M))))
        #expect(seen.contains(.parameters(after)))
        await radio.close()
    }

    @Test func whatIsWrittenToALinkThatIsGoneIsNotCalledTooLong() async throws {
        let radio = try await makeRadio(on: await makeAir(devices: 1))
        let link = try await radio.connect(to: device(0))
        let characteristic = try #require(
            try await link.discoverServices().characteristic(FlockFinderUUID.command))
        let mtu = link.mtu
        #expect(mtu > 100)
        await link.disconnect()
        #expect(link.mtu == mtu)
        await #expect(throws: BluetoothError.disconnected(.closedByUs)) {
            try await link.writeWithoutResponse([UInt8](repeating: 0x20, count: 90), to: characteristic)
        }
        await radio.close()
    }

    @Test func anAdvertisementSaysWithWhatPowerItWasSent() async throws {
        let controller = ScriptedController()
        let host = controller.makeRadio()
        try await host.start()
        var reports = try await host.radio.scan().makeAsyncIterator()
        // LE Extended Advertising Reports, as another controller has sent them: -20 dBm, and one that does not say.
        for power: UInt8 in [0xEC, 0x7F] {
            controller.give(
                [4, 0x3E, 0x1C, 0x0D, 1, 1, 0, 1, power, 2, 3, 4, 5, 0xC0, 1, 0, 0xFF, power, 0xC5]
                    + [UInt8](repeating: 0, count: 9) + [2, 1, 2])
        }
        #expect(try await reports.next()?.txPower == -20)
        let silent = try #require(try await reports.next())
        #expect(silent.txPower == nil)
        await host.radio.close()
    }

    @Test func timingThatIsNotPossibleIsRefusedAtOnce() async throws {
        let radio = try await makeRadio(on: await makeAir(devices: 1))
        let link = try await radio.connect(to: device(0))
        var impossible = slow
        impossible.latency = 500
        await #expect(throws: BluetoothError.self) { _ = try await link.updateParameters(impossible) }
        await radio.close()
    }

    @Test func whoeverIsHeardFirstIsConnectedTo() async throws {
        let radio = try await makeRadio(on: await makeAir(devices: 1))
        let link = try await radio.connect(toFirstOf: [device(7), device(0), device(8)])
        #expect(link.peer == device(0))
        await #expect(throws: BluetoothError.self) {
            _ = try await radio.connect(toFirstOf: [])
        }
        await #expect(throws: BluetoothError.self) {
            _ = try await radio.connect(toFirstOf: (0..<300).map(device))
        }
        await #expect(throws: BluetoothError.connectFailed(.connectTimeout)) {
            let options = ConnectOptions(timeout: .milliseconds(50))
            _ = try await radio.connect(toFirstOf: [device(7), device(8)], options)
        }
        await radio.close()
    }

    @Test(arguments: [1, 40]) func aScanForSomeHearsOnlyThose(count: Int) async throws {
        let radio = try await makeRadio(on: await makeAir(devices: 4))
        // 40 are more than the controller's list holds: then the host filters.
        let wanted = (3..<(3 + count)).map(device)
        var heard = 0
        for try await advertisement in try await radio.scan(ScanOptions(peers: wanted)) {
            #expect(advertisement.peer == device(3))
            heard += 1
            if heard == 4 { break }
        }
        // And each listener hears what it asked for.
        let all = try await radio.scan()
        let one = try await radio.scan(ScanOptions(peers: [device(2)]))
        var peers: Set<Peer> = []
        for try await advertisement in all {
            peers.insert(advertisement.peer)
            if peers.count == 4 { break }
        }
        for try await advertisement in one {
            #expect(advertisement.peer == device(2))
            break
        }
        await radio.close()
    }

    @Test func aLongAdvertisementArrivesWhole() async throws {
        let air = await makeAir(devices: 0)
        let radio = try await makeRadio(on: air)
        let peer = try await makeRadio(on: air, 2)
        let data = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
        let advertisement = DeviceAdvertisement(
            data: Array(data.prefix(550)), scanResponse: Array(data.suffix(50)))
        let server = try await peer.serve(
            ServerDescription(
                name: "long", services: [], advertisement: advertisement, isConnectable: false,
                advertisesName: false))
        for try await heard in try await radio.scan() {
            #expect(heard.data.octets == data)
            #expect(heard.isExtended && !heard.isTruncated && heard.isConnectable == false)
            break
        }
        await #expect(throws: BluetoothError.tooLong(octets: 1651, limit: 1650)) {
            try await server.advertise(
                DeviceAdvertisement(data: [UInt8](repeating: 0, count: 1651), scanResponse: []))
        }
        // What fits goes in legacy PDUs again.
        try await server.advertise(.plain)
        for try await heard in try await radio.scan() where heard.data.octets == [2, 1, 6] {
            #expect(!heard.isExtended)
            break
        }
        await radio.close()
        await peer.close()
    }

    @Test func aRadioWithoutExtendedAdvertisingSaysWhatFits() async throws {
        let radio = try await makeRadio(on: await makeAir(devices: 0), generation: .legacy)
        await #expect(throws: BluetoothError.tooLong(octets: 32, limit: 31)) {
            let advertisement = DeviceAdvertisement(data: [UInt8](repeating: 0, count: 32), scanResponse: [1])
            _ = try await radio.serve(
                ServerDescription(name: "long", services: [], advertisement: advertisement))
        }
        await radio.close()
    }

    @Test func aServerAsksItsClientForOtherTiming() async throws {
        for generation in VirtualAir.Generation.allCases {
            let air = await makeAir(devices: 0)
            let radio = try await makeRadio(on: air, generation: generation)
            let peer = try await AirRadio.start(air, 2, generation: generation)
            let server = try await peer.radio.serve(ServerDescription(name: "slow", services: []))
            let link = try await radio.connect(to: try await peer.peer)
            var changes = link.changes().makeAsyncIterator()
            for try await event in server.events() {
                guard case .connected(let client) = event else { continue }
                #expect(try await server.updateParameters(slow, of: client).interval == slow.intervalMax)
                break
            }
            while let change = await changes.next() {
                guard case .parameters(let parameters) = change else { continue }
                #expect(parameters.interval == slow.intervalMax)
                break
            }
            await radio.close()
            await peer.radio.close()
        }
    }
}
