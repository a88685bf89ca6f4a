// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BLEGATT
import BLEHost
import BLESMP
import BLESimulation
import BLEWire
import Testing

/// Two hosts that pair over the virtual air, whose controllers encrypt.
private final class SecurePair {
    let bench = AirBench()
    let central: Station
    let peripheral: Station

    init(_ first: SMP.Configuration, _ second: SMP.Configuration, mtu: Int = 517) {
        let configuration = { (pairing: SMP.Configuration) in
            var configuration = HostConfiguration(maximumMTU: mtu)
            configuration.cryptography = HostCryptography()
            configuration.pairing = pairing
            return configuration
        }
        central = bench.add(1, configuration(first))
        peripheral = bench.add(2, configuration(second))
    }

    /// Opens a link; events from before are forgotten.
    func connect() -> (LinkID, LinkID)? {
        guard let links = bench.connect(central, peripheral) else { return nil }
        bench.run(seconds: 2)
        forget()
        return links
    }

    func disconnect(_ link: LinkID) {
        bench.update(central) { stack, now in stack.disconnect(link, at: now) }
        bench.run { self.central.links.isEmpty && self.peripheral.links.isEmpty }
        forget()
    }

    func forget() { (central.events, peripheral.events) = ([], []) }

    /// Lets time pass, with persons who do what they are asked, until pairing has ended on both sides.
    func pair(_ links: (LinkID, LinkID)) {
        #expect(bench.update(central) { stack, now in stack.pair(links.0, at: now) })
        bench.run {
            self.answer(self.central, links.0, other: self.peripheral)
            self.answer(self.peripheral, links.1, other: self.central)
            return [self.central, self.peripheral].allSatisfy { station in
                station.events.contains { $0.contains(" paired ") || $0.contains(" failed ") }
            }
        }
    }

    private func answer(_ station: Station, _ link: LinkID, other: Station) {
        let answer: SMP.Answer
        switch station.question {
        case nil: return
        case .consent: answer = .accept
        case .comparison:
            guard other.question != nil else { return }
            answer = other.question == station.question ? .accept : .reject
            // Both persons look before either answers.
            bench.update(other) { stack, now in
                guard let link = other.links.last else { return }
                stack.answer(answer, pairingOn: link, at: now)
            }
            other.question = nil
        case .passkey:
            guard let passkey = other.shown else { return }
            answer = .passkey(passkey)
        }
        station.question = nil
        bench.update(station) { stack, now in stack.answer(answer, pairingOn: link, at: now) }
    }

    func security(_ links: (LinkID, LinkID)) -> (SMP.Security?, SMP.Security?) {
        (central.stack.security(of: links.0), peripheral.stack.security(of: links.1))
    }
}

private func device(
    _ capability: SMP.IOCapability, _ use: SMP.SecureConnectionsUse = .preferred
) -> SMP.Configuration {
    var configuration = SMP.Configuration()
    configuration.ioCapability = capability
    configuration.wantsAuthentication = capability != .noInputNoOutput
    configuration.secureConnections = use
    return configuration
}

@Suite struct PairingAirTests {
    /// Capabilities of both, how they pair, and how well the link is protected then.
    private static let ways: [(SMP.IOCapability, SMP.IOCapability, SMP.SecureConnectionsUse, String)] = [
        (.noInputNoOutput, .noInputNoOutput, .preferred, "encrypted 16"),
        (.displayYesNo, .keyboardDisplay, .preferred, "secureConnections 16"),
        (.keyboardOnly, .displayOnly, .preferred, "secureConnections 16"),
        (.displayOnly, .keyboardDisplay, .preferred, "secureConnections 16"),
        (.noInputNoOutput, .displayOnly, .off, "encrypted 16"),
        (.keyboardOnly, .displayOnly, .off, "authenticated 16"),
    ]

    @Test(arguments: ways) func `two hosts pair, and encrypt their next link with what they keep`(
        _ first: SMP.IOCapability, _ second: SMP.IOCapability, _ use: SMP.SecureConnectionsUse,
        _ words: String
    ) throws {
        let pair = SecurePair(device(first, use), device(second))
        var links = try #require(pair.connect())
        pair.pair(links)
        for (station, link) in [(pair.central, links.0), (pair.peripheral, links.1)] {
            let security = station.events.filter { $0.hasPrefix("security") }
                .filter { !$0.hasSuffix("asked") && !$0.hasSuffix("shown") }
            let prefix = "security \(link.rawValue) "
            #expect(
                security == [
                    prefix + "secured \(words)", prefix + "bonded", prefix + "paired \(words) bonded",
                ])
        }
        #expect(pair.security(links).0?.isBonded == true && pair.security(links).0 == pair.security(links).1)
        // Data goes over the encrypted link.
        pair.bench.perform(.discover, pair.central, on: links.0)
        pair.bench.run { pair.central.open.isEmpty }
        #expect(!pair.central.services.isEmpty)

        pair.disconnect(links.0)
        #expect(pair.security(links) == (nil, nil))
        links = try #require(pair.connect())
        #expect(pair.bench.update(pair.central) { stack, now in stack.encrypt(links.0, at: now) })
        pair.bench.run { pair.security(links).0 != nil && pair.security(links).1 != nil }
        #expect(pair.central.events == ["security \(links.0.rawValue) secured \(words) bonded"])
        #expect(pair.peripheral.events == ["security \(links.1.rawValue) secured \(words) bonded"])
        // And once more, with the link encrypted already.
        pair.forget()
        #expect(pair.bench.update(pair.central) { stack, now in stack.encrypt(links.0, at: now) })
        pair.bench.run { !pair.central.events.isEmpty && !pair.peripheral.events.isEmpty }
        #expect(pair.central.events == ["security \(links.0.rawValue) secured \(words) bonded"])
    }

    @Test func `a device that has forgotten its bond is told, and pairs only anew`() throws {
        let pair = SecurePair(device(.noInputNoOutput), device(.noInputNoOutput))
        var links = try #require(pair.connect())
        pair.pair(links)
        pair.disconnect(links.0)
        pair.peripheral.stack.useBonds([])
        links = try #require(pair.connect())
        #expect(pair.bench.update(pair.central) { stack, now in stack.encrypt(links.0, at: now) })
        pair.bench.run { !pair.central.events.isEmpty }
        #expect(pair.central.events == ["security \(links.0.rawValue) failed keyMissing"])
        #expect(pair.security(links) == (nil, nil))
    }

    @Test func `keys that were made anew elsewhere encrypt a link that is open already`() throws {
        let pair = SecurePair(device(.noInputNoOutput), device(.noInputNoOutput))
        var links = try #require(pair.connect())
        pair.pair(links)
        pair.disconnect(links.0)
        links = try #require(pair.connect())
        for host in [pair.central, pair.peripheral] {
            let anew = host.stack.bonds.map { bond in
                let key = SMP.LongTermKey(key: SMP.Secret(UInt128(0xA1E3)))
                return SMP.Bond(
                    security: bond.security, keyAsCentral: key, keyAsPeripheral: key, identity: bond.identity)
            }
            #expect(anew.count == 1)
            host.stack.useBonds(anew)
        }
        #expect(pair.bench.update(pair.central) { stack, now in stack.encrypt(links.0, at: now) })
        pair.bench.run { pair.security(links).1 != nil }
        #expect(pair.security(links).0?.isBonded == true && pair.security(links).1?.isBonded == true)
    }

    @Test func `a peripheral asks for security and gets it from kept keys`() throws {
        let pair = SecurePair(device(.noInputNoOutput), device(.noInputNoOutput))
        var links = try #require(pair.connect())
        #expect(pair.bench.update(pair.peripheral) { stack, now in stack.pair(links.1, at: now) })
        pair.bench.run { !pair.central.events.isEmpty }
        #expect(pair.central.events == ["security \(links.0.rawValue) requested 9"])
        pair.pair(links)
        pair.disconnect(links.0)
        links = try #require(pair.connect())
        #expect(pair.bench.update(pair.peripheral) { stack, now in stack.encrypt(links.1, at: now) })
        pair.bench.run { pair.security(links).1 != nil }
        #expect(pair.security(links).1?.isBonded == true)
    }

    @Test func `a wrong passkey ends pairing on both sides, and costs time`() throws {
        let pair = SecurePair(device(.keyboardOnly), device(.displayOnly))
        let links = try #require(pair.connect())
        #expect(pair.bench.update(pair.central) { stack, now in stack.pair(links.0, at: now) })
        pair.bench.run { pair.central.question != nil && pair.peripheral.shown != nil }
        let shown = try #require(pair.peripheral.shown)
        let wrong = try #require(SMP.Passkey(shown.value ^ 1 < 1_000_000 ? shown.value ^ 1 : 0))
        pair.bench.update(pair.central) { stack, now in
            stack.answer(.passkey(wrong), pairingOn: links.0, at: now)
        }
        pair.bench.run { pair.central.events.contains { $0.contains("failed") } }
        #expect(pair.peripheral.events.last?.hasPrefix("security \(links.1.rawValue) failed refused") == true)
        // The next attempt comes too early.
        pair.forget()
        _ = pair.bench.update(pair.central) { stack, now in stack.pair(links.0, at: now) }
        #expect(pair.central.events.last?.contains("failed tooEarly") == true)
        #expect(pair.security(links) == (nil, nil))
    }

    @Test func `a person who does not answer has thirty seconds`() throws {
        let pair = SecurePair(device(.keyboardOnly), device(.displayOnly))
        let links = try #require(pair.connect())
        #expect(pair.bench.update(pair.central) { stack, now in stack.pair(links.0, at: now) })
        pair.bench.run(seconds: 31)
        #expect(pair.central.events.last == "security \(links.0.rawValue) failed timeout")
        #expect(pair.peripheral.events.last == "security \(links.1.rawValue) failed timeout")
        _ = pair.bench.update(pair.central) { stack, now in stack.pair(links.0, at: now) }
        #expect(pair.central.events.last == "security \(links.0.rawValue) failed closed")
    }

    @Test func `the smallest MTU carries public keys, too`() throws {
        let pair = SecurePair(device(.noInputNoOutput), device(.noInputNoOutput), mtu: 23)
        let links = try #require(pair.connect())
        pair.pair(links)
        #expect(pair.security(links).0?.isSecureConnections == true)
    }

    @Test func `a host without cryptography refuses, and the other one hears it`() throws {
        let pair = SecurePair(device(.noInputNoOutput), device(.noInputNoOutput))
        let plain = pair.bench.add(3)
        let links = try #require(pair.bench.connect(pair.central, plain))
        pair.bench.run(seconds: 2)
        (pair.central.events, plain.events) = ([], [])
        #expect(pair.bench.update(pair.central) { stack, now in stack.pair(links.0, at: now) })
        pair.bench.run { !pair.central.events.isEmpty }
        #expect(
            pair.central.events.last?.hasPrefix("security \(links.0.rawValue) failed refusedByPeer") == true)
        #expect(plain.events == ["security requested \(links.1.rawValue)"])
        #expect(!pair.bench.update(plain) { stack, now in stack.pair(links.1, at: now) })
    }
}
