// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BLEGATT
import BLEHost
import BLESMP
import BLESimulation
import BLEWire
import Testing

extension Station {
    /// The address that others hear.
    fileprivate var onAir: BluetoothAddress? { stack.addressOnAir }
    /// The address that stays.
    fileprivate var own: BluetoothAddress? { stack.controller.ownAddress }
}

/// Hosts that hide, and those that know them again.
@Suite struct PrivacyAirTests {
    private static let key = SMP.Secret(0x0123_4567_89AB_CDEF_0011_2233_4455_6677)

    private static func configuration(hides: Bool = false) -> HostConfiguration {
        var configuration = HostConfiguration()
        configuration.cryptography = HostCryptography()
        configuration.pairing.isPairable = true
        configuration.pairing.answersSecurityRequests = true
        if hides { configuration.privacy = HostPrivacy(key: key) }
        return configuration
    }

    private static let advertising = AdvertisingParameters(data: [2, 1, 6])

    /// Whether an address is one that the key made.
    private static func isMade(_ address: BluetoothAddress?) -> Bool {
        guard let address, address.kind == .random, address.value >> 46 == 0b01 else { return false }
        let hash = SMP.Toolbox(HostCryptography()).ah(
            irk: 0x0123_4567_89AB_CDEF_0011_2233_4455_6677, prand: UInt32(address.value >> 24))
        return UInt64(hash) == address.value & 0xFF_FFFF
    }

    /// The addresses that a station has heard, each once, in order.
    private static func heard(by station: Station) -> [String] {
        var all: [String] = []
        for event in station.events where event.hasPrefix("advertisement ") {
            let address = String(event.split(separator: " ")[1])
            if !all.contains(address) { all.append(address) }
        }
        return all
    }

    /// A station that hides; what it tells of its address is forgotten.
    private static func addHidden(_ bench: AirBench, _ number: UInt64) -> Station {
        let station = bench.add(number, configuration())
        bench.update(station) { stack, now in stack.usePrivacy(HostPrivacy(key: key), at: now) }
        #expect(station.events.count == 1 && isMade(station.onAir))
        station.events = []
        return station
    }

    /// Pairs over a link.
    private static func pair(_ bench: AirBench, _ central: Station, _ link: LinkID, _ other: Station) {
        #expect(bench.update(central) { stack, now in stack.pair(link, at: now) })
        bench.run {
            // Whether a bond may be replaced.
            if other.question == .consent(replacesBond: true), let link = other.links.last {
                other.question = nil
                bench.update(other) { stack, now in stack.answer(.accept, pairingOn: link, at: now) }
            }
            return [central, other].allSatisfy { $0.events.contains { $0.contains(" paired ") } }
        }
    }

    @Test(arguments: [VirtualAir.Generation.legacy, .extended])
    func `the address changes every quarter of an hour, on the air and while scanning`(
        _ generation: VirtualAir.Generation
    ) throws {
        let bench = AirBench()
        bench.generation = generation
        let listener = bench.add(1)
        let hidden = Self.addHidden(bench, 2)
        bench.update(listener) { stack, now in stack.startScanning(ScanParameters(), at: now) }
        bench.update(hidden) { stack, now in stack.startAdvertising(Self.advertising, at: now) }
        bench.update(hidden) { stack, now in stack.startScanning(ScanParameters(), at: now) }
        var addresses: [BluetoothAddress] = []
        for _ in 0..<3 {
            let address = try #require(hidden.onAir)
            addresses.append(address)
            listener.events = []
            bench.run(seconds: 1)
            #expect(Self.heard(by: listener) == ["\(address)"])
            bench.run(seconds: 899)
        }
        #expect(Set(addresses).count == 3 && addresses.allSatisfy(Self.isMade))
        // What goes on is not told of anew, only the addresses are.
        #expect(hidden.events.filter { !$0.hasPrefix("address ") } == ["advertising"])
        // Nobody has to see the address that stays.
        #expect(hidden.own.map { !addresses.contains($0) } == true)

        bench.update(hidden) { stack, now in stack.usePrivacy(nil, at: now) }
        listener.events = []
        bench.run(seconds: 1)
        let own = try #require(hidden.own)
        #expect(Self.heard(by: listener) == ["\(own)"])
        bench.run(seconds: 2000)
        #expect(hidden.onAir == own)
    }

    @Test func `an attempt to open a link is not cut off by the change, which follows it`() throws {
        let bench = AirBench()
        let hidden = Self.addHidden(bench, 1)
        let before = hidden.onAir
        bench.run(seconds: 895)
        bench.update(hidden) { stack, now in
            stack.connect(to: BluetoothAddress(0xC0FF_EE00_0001, kind: .random), at: now)
        }
        bench.run(seconds: 8)
        #expect(hidden.onAir == before && hidden.events.isEmpty)
        bench.run(seconds: 4)
        #expect(hidden.events.count == 2 && hidden.events[0].hasPrefix("connect failed"))
        #expect(hidden.onAir != before && Self.isMade(hidden.onAir))
    }

    @Test(arguments: [VirtualAir.Generation.legacy, .extended])
    func `who is bonded with a peripheral that hides finds it again as the same device`(
        _ generation: VirtualAir.Generation
    ) throws {
        let bench = AirBench()
        bench.generation = generation
        let central = bench.add(1, Self.configuration())
        let hidden = Self.addHidden(bench, 2)
        let identity = try #require(hidden.own)
        bench.update(hidden) { stack, now in stack.startAdvertising(Self.advertising, at: now) }
        let first = try #require(hidden.onAir)
        bench.update(central) { stack, now in stack.connect(to: first, at: now) }
        bench.run { !central.links.isEmpty && !hidden.links.isEmpty }
        #expect(central.events.contains("connected 1 central \(first)"))
        Self.pair(bench, central, central.links[0], hidden)
        #expect(central.bonds.last?.identity?.address == identity)
        #expect(central.bonds.last?.identity?.resolvingKey != nil)
        bench.update(central) { stack, now in stack.disconnect(central.links[0], at: now) }
        bench.run { central.links.isEmpty && hidden.links.isEmpty }

        // Two addresses later.
        bench.run(seconds: 1900)
        #expect(hidden.onAir != first)
        central.events = []
        bench.update(central) { stack, now in
            stack.startScanning(ScanParameters(addresses: [identity]), at: now)
        }
        bench.run { central.events.contains { $0.hasPrefix("advertisement") } }
        #expect(Self.heard(by: central) == ["\(identity)"])
        bench.update(central) { stack, now in stack.stopScanning(at: now) }
        central.events = []
        bench.update(central) { stack, now in stack.connect(to: identity, at: now) }
        bench.run { !central.links.isEmpty && !hidden.links.isEmpty }
        #expect(central.events.first?.hasSuffix("central \(identity)") == true)
        #expect(bench.update(central) { stack, now in stack.encrypt(central.links[0], at: now) })
        bench.run { central.stack.security(of: central.links[0]) != nil }
        #expect(central.stack.bondedIdentity(of: central.links[0]) == identity)
        // Pairing anew takes the addresses of the air into its keys.
        central.events = []
        hidden.events = []
        Self.pair(bench, central, central.links[0], hidden)
        #expect(central.stack.bonds.count == 1)
    }

    @Test(arguments: [VirtualAir.Generation.legacy, .extended])
    func `a central that hides is the same client each time`(_ generation: VirtualAir.Generation) throws {
        let bench = AirBench()
        bench.generation = generation
        let hidden = Self.addHidden(bench, 1)
        let server = bench.add(2, Self.configuration())
        let identity = try #require(hidden.own)
        let own = try #require(server.own)
        bench.update(server) { stack, now in stack.startAdvertising(Self.advertising, at: now) }
        for round in 0..<3 {
            server.events = []
            hidden.events = []
            bench.update(hidden) { stack, now in stack.connect(to: own, at: now) }
            bench.run { !hidden.links.isEmpty && !server.links.isEmpty }
            let name = round == 0 ? hidden.onAir : identity
            #expect(server.events.contains { $0.hasSuffix("peripheral \(name.map { "\($0)" } ?? "")") })
            if round == 0 {
                Self.pair(bench, hidden, hidden.links[0], server)
                #expect(server.bonds.last?.identity?.address == identity)
            } else {
                #expect(bench.update(hidden) { stack, now in stack.encrypt(hidden.links[0], at: now) })
                bench.run { server.stack.security(of: server.links[0])?.isBonded == true }
            }
            bench.update(hidden) { stack, now in stack.disconnect(hidden.links[0], at: now) }
            bench.run { hidden.links.isEmpty && server.links.isEmpty }
            bench.run(seconds: 901)
        }
        #expect(server.stack.bonds.count == 1)
    }

    @Test func `a controller that resolves finds a device that was not heard before`() throws {
        let bench = AirBench()
        let central = bench.add(1, Self.configuration())
        let hidden = Self.addHidden(bench, 2)
        let identity = try #require(hidden.own)
        bench.update(hidden) { stack, now in stack.startAdvertising(Self.advertising, at: now) }
        let address = try #require(hidden.onAir)
        bench.update(central) { stack, now in stack.connect(to: address, at: now) }
        bench.run { !central.links.isEmpty && !hidden.links.isEmpty }
        Self.pair(bench, central, central.links[0], hidden)
        bench.update(central) { stack, now in stack.disconnect(central.links[0], at: now) }
        bench.run { central.links.isEmpty && hidden.links.isEmpty }
        // Nothing was heard of the address that it has now.
        bench.run(seconds: 1000)
        bench.update(central) { stack, now in stack.connect(to: identity, at: now) }
        bench.run { !central.links.isEmpty }
        #expect(central.stack.bondedIdentity(of: central.links[0]) == identity)
        bench.update(central) { stack, now in stack.disconnect(central.links[0], at: now) }
        bench.run { central.links.isEmpty && hidden.links.isEmpty }
        // Forgotten, it is a stranger again.
        #expect(bench.update(central) { stack, _ in stack.removeBond(identity) })
        bench.run(seconds: 1)
        central.events = []
        bench.update(central) { stack, now in stack.startScanning(ScanParameters(), at: now) }
        bench.run { central.events.contains { $0.hasPrefix("advertisement") } }
        #expect(Self.heard(by: central) == ["\(hidden.onAir.map { "\($0)" } ?? "")"])
    }
}
