// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import FlockFinder
import SimulatedDevices
import Testing

/// An address of one of many devices.
private func device(_ number: Int) -> BluetoothAddress {
    BluetoothAddress(0xC000_0000_0001 + UInt64(number), .random)
}

/// An air with so many FlockFinder devices.
private func makeAir(devices count: Int) async -> VirtualRadio {
    let air = VirtualRadio()
    await air.add {
        (0..<count).map {
            SimulatedDevice(
                kind: "flockfinder", FlockFinderDevice(source: .route, seed: 1), address: device($0))
        }
    }
    return air
}

private func makeRadio(
    on air: VirtualRadio, _ address: UInt64 = 0x00AA_0000_0001,
    generation: VirtualAir.Generation = .extended
) async throws -> HostRadio {
    let radio = HostRadio { () async throws(TransportError) in
        var configuration = VirtualAir.ControllerConfiguration(address: BluetoothAddress(address, .public))
        configuration.generation = generation
        return await air.attach(configuration)
    }
    try await radio.start()
    return radio
}

private let slow = ConnectionParameterRange(
    intervalMin: ConnectionInterval(milliseconds: 50), intervalMax: ConnectionInterval(milliseconds: 50),
    supervisionTimeout: SupervisionTimeout(milliseconds: 2000))

@Suite("Links over the facade", .timeLimit(.minutes(2)))
struct LinksTests {
    @Test func tenLinksAtOnceAndOneOfThemDies() async throws {
        let radio = try await makeRadio(on: await makeAir(devices: 10))
        var links: [any Connection] = []
        for number in 0..<10 {
            links.append(try await radio.connect(to: device(number), ConnectOptions()))
        }
        #expect(links.map(\.address) == (0..<10).map(device))
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for link in links { group.addTask { try await link.discover().count } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(counts == [Int](repeating: 3, count: 10))
        await links[4].disconnect()
        #expect(await links[4].disconnected() == .closedByUs)
        await #expect(throws: BluetoothError.request(.disconnected)) { _ = try await links[4].rssi() }
        for (number, link) in links.enumerated() where number != 4 {
            #expect(try await link.rssi() < 0)
            #expect(await link.mtu == 517)
            #expect(try await !link.discover().isEmpty)
        }
        // There is room for it again.
        let again = try await radio.connect(to: device(4), ConnectOptions())
        #expect(try await again.discover().count == 3)
        await radio.close()
        for link in links where link !== links[4] { #expect(await link.disconnected() == .closedByUs) }
    }

    @Test func aLinkTellsAndChangesWhatItIs() async throws {
        let radio = try await makeRadio(on: await makeAir(devices: 1))
        let link = try await radio.connect(to: device(0), ConnectOptions())
        var changes = await link.changes().makeAsyncIterator()
        // Once the MTU is agreed, nothing else is under way.
        _ = try await link.discover()
        let before = try #require(await link.parameters)
        #expect(before.interval.rawValue > 0)
        #expect(try await link.phy() == LinkPHY(tx: .le1M, rx: .le1M))
        #expect(try await link.setPHY(tx: [.le2M], rx: [.le2M]) == LinkPHY(tx: .le2M, rx: .le2M))
        #expect(try await link.phy() == LinkPHY(tx: .le2M, rx: .le2M))
        let after = try await link.updateParameters(slow)
        #expect(after.interval == slow.intervalMax && after.supervisionTimeout == slow.supervisionTimeout)
        #expect(await link.parameters == after)
        #expect(try await link.peerVersion().version > 0)
        await link.disconnect()
        var seen: [LinkChange] = []
        while let change = await changes.next() { seen.append(change) }
        #expect(seen.contains(.phy(LinkPHY(tx: .le2M, rx: .le2M))))
        #expect(seen.contains(.parameters(after)))
        await radio.close()
    }

    @Test func timingThatIsNotPossibleIsRefusedAtOnce() async throws {
        let radio = try await makeRadio(on: await makeAir(devices: 1))
        let link = try await radio.connect(to: device(0), ConnectOptions())
        var impossible = slow
        impossible.latency = 500
        await #expect(throws: BluetoothError.self) { _ = try await link.updateParameters(impossible) }
        await radio.close()
    }

    @Test func whoeverIsHeardFirstIsConnectedTo() async throws {
        let radio = try await makeRadio(on: await makeAir(devices: 1))
        let link = try await radio.connect(toFirstOf: [device(7), device(0), device(8)], ConnectOptions())
        #expect(link.address == device(0))
        await #expect(throws: BluetoothError.self) {
            _ = try await radio.connect(toFirstOf: [], ConnectOptions())
        }
        await #expect(throws: BluetoothError.self) {
            _ = try await radio.connect(toFirstOf: (0..<300).map(device), ConnectOptions())
        }
        await #expect(throws: BluetoothError.link(.connectTimeout)) {
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
        for await advertisement in try await radio.scan(ScanOptions(addresses: wanted)) {
            #expect(advertisement.address == device(3))
            heard += 1
            if heard == 4 { break }
        }
        // And each listener hears what it asked for.
        let all = try await radio.scan(ScanOptions())
        let one = try await radio.scan(ScanOptions(addresses: [device(2)]))
        var addresses: Set<BluetoothAddress> = []
        for await advertisement in all {
            addresses.insert(advertisement.address)
            if addresses.count == 4 { break }
        }
        for await advertisement in one {
            #expect(advertisement.address == device(2))
            break
        }
        await radio.close()
    }

    @Test func aLongAdvertisementArrivesWhole() async throws {
        let air = await makeAir(devices: 0)
        let radio = try await makeRadio(on: air)
        let peer = try await makeRadio(on: air, 0x00AA_0000_0002)
        let data = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
        let advertisement = DeviceAdvertisement(
            data: Array(data.prefix(550)), scanResponse: Array(data.suffix(50)))
        let server = try await peer.serve(
            ServerDescription(
                name: "long", services: [], advertisement: advertisement, isConnectable: false))
        for await heard in try await radio.scan(ScanOptions()) {
            #expect(heard.data == data)
            #expect(heard.isExtended && !heard.isTruncated && heard.isConnectable == false)
            break
        }
        await #expect(throws: BluetoothError.tooLong(octets: 1651, limit: 1650)) {
            try await server.advertise(
                DeviceAdvertisement(data: [UInt8](repeating: 0, count: 1651), scanResponse: []))
        }
        // What fits goes in legacy PDUs again.
        try await server.advertise(DeviceAdvertisement(data: [2, 1, 6], scanResponse: []))
        for await heard in try await radio.scan(ScanOptions()) where heard.data == [2, 1, 6] {
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
            let peer = try await makeRadio(on: air, 0x00AA_0000_0002, generation: generation)
            let server = try await peer.serve(
                ServerDescription(
                    name: "slow", services: [],
                    advertisement: DeviceAdvertisement(data: [2, 1, 6], scanResponse: [])))
            let address = try #require(await peer.ownAddress)
            let link = try await radio.connect(to: address, ConnectOptions())
            var changes = await link.changes().makeAsyncIterator()
            for await event in await server.events() {
                guard case .connected(let client, _) = event else { continue }
                #expect(try await server.updateParameters(slow, on: client).interval == slow.intervalMax)
                break
            }
            while let change = await changes.next() {
                guard case .parameters(let parameters) = change else { continue }
                #expect(parameters.interval == slow.intervalMax)
                break
            }
            await radio.close()
            await peer.close()
        }
    }
}
