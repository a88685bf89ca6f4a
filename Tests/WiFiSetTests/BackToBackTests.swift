// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import SessionTesting
import Testing
import WiFiSet
import WiFiSetSimulated

private let home: WireText = "Lantern Home"

@Suite("A client and a device together")
struct BackToBackTests {
    @Test("The list comes whole, in order and counted, whatever the MTU", arguments: [23, 64, 247, 517])
    func list(mtu: Int) {
        let pair = Pair(mtu: mtu)
        pair.client.listNetworks(at: pair.now)
        pair.run(seconds: 3)
        let expected = SimulatedWiFiStation.neighbourhood.map(\.network)
        let heard = pair.events.compactMap { if case .network(let network) = $0 { network } else { nil } }
        #expect(heard == expected)
        #expect(pair.events.contains(.list(WiFiNetworkList(networks: expected, count: expected.count))))
    }

    @Test("Of more networks than can be counted the strongest are told")
    func tooMany() {
        let far = WiFiNetwork(ssid: "Far", rssi: -90, security: .open, channel: 1)
        let near = WiFiNetwork(ssid: "Near", rssi: -30, security: .open, channel: 1)
        let networks = Array(repeating: far, count: 255) + [near]
        let pair = Pair(networks.map { SimulatedWiFiStation.Network($0, password: nil) })
        pair.client.listNetworks(at: pair.now)
        pair.run(seconds: 3)
        #expect(pair.events.contains(.network(near)))
        let told = [near] + Array(repeating: far, count: 254)
        #expect(pair.events.contains(.list(WiFiNetworkList(networks: told, count: 255))))
    }

    @Test("Credentials lead into the network, and only then are they stored", arguments: [23, 247])
    func provision(mtu: Int) throws {
        let pair = Pair(mtu: mtu)
        try pair.provision(home, "lantern-home")
        #expect(pair.events.contains(.acknowledged(.stored, attempt: 1)))
        #expect(pair.storedSSID == nil)
        pair.run(seconds: 3)
        guard case .connected(let status)? = pair.outcomes.first else {
            Issue.record("not connected: \(pair.outcomes)")
            return
        }
        #expect(status.ssid == home)
        #expect(status.address >> 16 == 0xC0A8)
        #expect(pair.states == [.connecting, .connected])
        #expect(pair.storedSSID == home)
        #expect(pair.outcomes.count == 1)
    }

    @Test("After a wrong password another try on the same link is possible")
    func secondTry() throws {
        let pair = Pair()
        try pair.provision(home, "wrong-password")
        pair.run(seconds: 3)
        #expect(pair.outcomes == [.failed(nil)])
        #expect(pair.storedSSID == nil)
        #expect(pair.status == WiFiStatus(.failed))
        try pair.provision(home, "lantern-home")
        pair.run(seconds: 3)
        #expect(pair.outcomes.count == 2)
        #expect(pair.storedSSID == home)
        #expect(pair.isConnected)
    }

    @Test("After a failure the device returns to the network that worked, and says failed until it is there")
    func returns() throws {
        let pair = Pair()
        try pair.provision(home, "lantern-home")
        pair.run(seconds: 3)
        try pair.provision("Attic", "not-this-one")
        pair.run(seconds: 9)
        #expect(pair.outcomes.last == .failed(nil))
        #expect(pair.status == WiFiStatus(.failed, ssid: home))
        pair.run(seconds: 3)
        #expect(pair.status.state == .connected)
        #expect(pair.status.ssid == home)
        #expect(pair.storedSSID == home)
    }

    @Test("A network that never answers is given up after 30 s with the reason")
    func noAnswer() throws {
        let pair = Pair()
        try pair.provision("Far Away", "nobody-answers")
        pair.run(seconds: 29)
        #expect(pair.outcomes.isEmpty)
        pair.run(seconds: 2)
        guard case .failed(let report?)? = pair.outcomes.first else {
            Issue.record("no reason: \(pair.outcomes)")
            return
        }
        #expect(report.code == .connectionTimeout)
    }

    @Test("What the device cannot keep is refused at once, and the network in use stays")
    func storage() throws {
        var networks = SimulatedWiFiStation.neighbourhood
        networks[2].fault = .storage
        let pair = Pair(networks)
        try pair.provision(home, "lantern-home")
        pair.run(seconds: 3)
        try pair.provision("Corner Café", "")
        #expect(pair.outcomes.last == .refused(.storageFailure))
        #expect(pair.status.ssid == home)
        #expect(pair.status.state == .connected)
    }

    @Test("A lost acknowledgment is asked for again with the next sequence number, three times")
    func lostAcknowledgment() throws {
        let pair = Pair()
        pair.value = { $0.first == 0x11 ? nil : $0 }
        try pair.provision("Far Away", "nobody-answers")
        pair.run(seconds: 14)
        #expect(pair.written.map { $0[1] } == [0, 1, 2])
        #expect(pair.outcomes.isEmpty)
        pair.run(seconds: 2)
        #expect(pair.outcomes == [.notAcknowledged(nil)])
        // The same credentials during the join are acknowledged without another join.
        #expect(pair.deviceEvents.filter { if case .status = $0 { true } else { false } }.count == 1)
    }

    @Test("An acknowledgment that is lost once costs five seconds and nothing else")
    func lostOnce() throws {
        let pair = Pair()
        var isLost = false
        pair.value = { octets in
            if octets.first == 0x11, !isLost {
                isLost = true
                return nil
            }
            return octets
        }
        try pair.provision("Attic", "under-the-roof")
        pair.run(seconds: 10)
        #expect(pair.events.contains(.acknowledged(.stored, attempt: 2)))
        guard case .connected? = pair.outcomes.first else {
            Issue.record("not connected: \(pair.outcomes)")
            return
        }
    }

    @Test("A list whose end is lost is asked for again, three times")
    func lostEnd() {
        let pair = Pair()
        pair.value = { $0.first == 0x03 ? nil : $0 }
        pair.client.listNetworks(at: pair.now)
        pair.run(seconds: 89)
        #expect(!pair.events.contains { if case .listFailed = $0 { true } else { false } })
        pair.run(seconds: 2)
        let count = SimulatedWiFiStation.neighbourhood.count
        #expect(pair.events.contains(.listFailed(.timeout(received: count))))
        let attempts: [Int] = pair.events.compactMap {
            if case .listRequested(let attempt) = $0 { attempt } else { nil }
        }
        #expect(attempts == [1, 2, 3])
    }

    @Test("A link that is lost during the join is taken up again, and the result is still told")
    func lostLink() throws {
        let pair = Pair(reconnects: true)
        try pair.provision("Attic", "under-the-roof")
        pair.run(seconds: 1)
        pair.loseLink()
        pair.run(seconds: 12)
        guard case .connected? = pair.outcomes.first else {
            Issue.record("not connected: \(pair.outcomes)")
            return
        }
        #expect(pair.written.count == 1)
    }

    @Test("Without retries a lost link ends everything, each waiter once")
    func lostForGood() throws {
        let pair = Pair()
        pair.client.listNetworks(at: pair.now)
        try pair.provision("Attic", "under-the-roof")
        pair.loseLink()
        #expect(pair.isFinished)
        #expect(pair.outcomes == [.disconnected])
        #expect(pair.events.filter { $0 == .listFailed(.disconnected) }.count == 1)
    }

    @Test("The state can be asked for")
    func status() {
        let pair = Pair()
        pair.client.requestStatus(at: pair.now)
        pair.exchange()
        #expect(pair.states == [.notConfigured])
    }

    @Test("A hidden network is joined by its name, which no list holds")
    func hidden() throws {
        let pair = Pair()
        try pair.provision("Garage", "hidden-garage")
        pair.run(seconds: 3)
        #expect(pair.storedSSID == "Garage")
    }

    @Test("A name that is not UTF-8 reaches the device and comes back as it is")
    func latin1() throws {
        let bakery = WireText([0x42, 0xE4] + Array("ckerei".utf8))
        let pair = Pair()
        try pair.provision(bakery, "fresh-bread")
        pair.run(seconds: 3)
        guard case .connected(let status)? = pair.outcomes.first else {
            Issue.record("not connected: \(pair.outcomes)")
            return
        }
        #expect(status.ssid == bakery && pair.storedSSID == bakery)
    }

    @Test("A device that cannot look for networks says so, and the list ends with that")
    func scanFails() {
        let pair = Pair(station: SimulatedWiFiStation(scanFails: true))
        pair.client.listNetworks(at: pair.now)
        pair.run(seconds: 3)
        guard case .listFailed(.error(let report))? = pair.events.last else {
            Issue.record("not failed: \(pair.events)")
            return
        }
        #expect(report.code == .scanFailed)
    }

    @Test("An error that answers the credentials ends the try at once", arguments: [0x01, 0x03, 0x04, 0x06])
    func errorInsteadOfAcknowledgment(code: UInt8) throws {
        let pair = Pair()
        pair.value = { octets in
            guard octets.first == 0x11 else { return octets }
            return WiFiMessage(
                sequence: octets[1], .error(WiFiErrorReport(WiFiErrorCode(rawValue: code), "no"))
            ).encoded()
        }
        try pair.provision("Far Away", "nobody-answers")
        #expect(pair.outcomes == [.failed(WiFiErrorReport(WiFiErrorCode(rawValue: code), "no"))])
        #expect(pair.written.count == 1)
    }

    @Test("An error that may be about something else ends a list only when nothing more comes")
    func otherErrorDuringAList() {
        for isAlone in [true, false] {
            let pair = Pair()
            pair.value = { octets in
                guard octets.first == 0x02 else { return isAlone && octets.first == 0x03 ? nil : octets }
                let isFirst = !pair.events.contains { if case .error = $0 { true } else { false } }
                if isAlone || isFirst {
                    return WiFiMessage(sequence: octets[1], .error(WiFiErrorReport(.connectionTimeout, "")))
                        .encoded()
                }
                return octets
            }
            pair.client.listNetworks(at: pair.now)
            pair.run(seconds: 20)
            let failed = pair.events.contains(.listFailed(.error(WiFiErrorReport(.connectionTimeout, ""))))
            #expect(failed == isAlone)
        }
    }

    @Test("Several messages in one write are each answered")
    func severalInOneWrite() throws {
        let pair = Pair()
        let requests = (UInt8(7)...9).flatMap { WiFiMessage(sequence: $0, .statusRequest).encoded() }
        pair.write(requests)
        #expect(pair.states == [.notConfigured, .notConfigured, .notConfigured])
    }

    @Test(
        "Types that a device never receives are unknown to it, whatever they hold",
        arguments: [
            "01 00 00 00", "02 00 01 00 FF", "03 00 00 00", "21 00 01 00 21", "FF 00 00 00", "42 00 00 00",
        ])
    func typesNotForDevices(text: String) {
        let pair = Pair()
        pair.write(hex(text))
        guard case .error(let report)? = pair.events.last else {
            Issue.record("no error: \(pair.events)")
            return
        }
        #expect(report.code == .unknownMessageType)
    }

    @Test("After a fault the rest of the write is left out, and the next one begins a message")
    func afterAFault() {
        let pair = Pair()
        pair.write(hex("10 00 01 00 05 20 01 00 00"))
        pair.write(hex("20 02 00 00"))
        #expect(pair.states == [.notConfigured])
    }

    // MARK: Devices that do not play fair

    @Test("A message that comes twice is told, and acted on once")
    func twice() {
        let pair = Pair()
        pair.client.listNetworks(at: pair.now)
        pair.run(milliseconds: 100)
        let network = WiFiNetwork(ssid: "Twice", rssi: -50, security: .open, channel: 6)
        let octets = WiFiMessage(sequence: 1, .networkEntry(network)).encoded()
        for _ in 1...2 { pair.send(octets, from: WiFiSetUUID.wifiList) }
        pair.run(milliseconds: 100)
        #expect(pair.events.filter { $0 == .sequence(.repeated) }.count == 1)
        #expect(pair.events.filter { $0 == .network(network) }.count == 1)
    }

    @Test("A list without an end is kept no longer than a list can be, and given up")
    func endlessList() {
        let pair = Pair()
        pair.value = { _ in nil }
        pair.client.listNetworks(at: pair.now)
        pair.exchange()
        let network = WiFiNetwork(ssid: "again", rssi: -50, security: .open, channel: 1)
        for number in 0..<1_000 {
            let message = WiFiMessage(sequence: UInt8(truncatingIfNeeded: number), .networkEntry(network))
            pair.send(message.encoded(), from: WiFiSetUUID.wifiList)
        }
        #expect(pair.events.count { if case .network = $0 { true } else { false } } == WiFiSetLimit.networks)
        pair.run(seconds: 91)
        #expect(pair.events.count { if case .listFailed = $0 { true } else { false } } == 1)
    }

    @Test("A device that answers no request is given up, and everything ends once")
    func silent() throws {
        let pair = Pair()
        pair.fate = { _ in .unanswered }
        pair.value = { _ in nil }
        pair.confirmsDisconnection = false
        pair.client.listNetworks(at: pair.now)
        pair.client.requestStatus(at: pair.now)
        try pair.provision(home, "lantern-home")
        pair.run(seconds: 200)
        #expect(pair.isFinished)
        #expect(pair.outcomes.count == 1)
        #expect(pair.events.count { if case .listFailed = $0 { true } else { false } } == 1)
        #expect(pair.events.count { if case .statusFailed = $0 { true } else { false } } == 1)
    }

    @Test("The end of the session ends what was asked for")
    func closed() throws {
        let pair = Pair(reconnects: true)
        pair.isThere = false
        pair.loseLink()
        pair.client.listNetworks(at: pair.now)
        pair.client.requestStatus(at: pair.now)
        try pair.provision(home, "lantern-home")
        pair.update { client, now in client.close(at: now) }
        #expect(pair.isFinished && pair.outcomes == [.disconnected])
        #expect(pair.events.contains(.listFailed(.disconnected)))
        #expect(pair.events.contains(.statusFailed(.disconnected)))
    }
}
