// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Improv
import ImprovSimulated
import SessionTesting
import Testing
import WiFiSet
import WiFiSetSimulated

/// Both ends of Improv against each other.
@Suite struct BackToBackTests {
    @Test(arguments: [23, 247]) func aDeviceGetsItsWiFi(mtu: Int) throws {
        let pair = Pair(mtu: mtu)
        try pair.provision("Lantern Home", "lantern-home")
        pair.run(seconds: 5)
        #expect(pair.outcomes == [.connected(url: "http://192.168.1.109/")])
        #expect(pair.deviceEvents.contains(.changed(.provisioned)))
        #expect(pair.device.state == .provisioned)
        #expect(pair.written.allSatisfy { $0.count <= mtu - 3 } && pair.written.count == (mtu == 23 ? 2 : 1))
        #expect(pair.read(ImprovUUID.state) == [4] && pair.read(ImprovUUID.error) == [0])
    }

    @Test(arguments: [23, 247]) func theNetworksComeInAsManyResultsAsTheyNeed(mtu: Int) {
        let many = (0..<30).map { number in
            SimulatedWiFiStation.Network(
                .init(
                    ssid: WireText("Network number \(number)"), rssi: Int8(-30 - number), security: .wpa2,
                    channel: 1),
                password: nil)
        }
        let pair = Pair(many, mtu: mtu)
        pair.update { client, now in client.listNetworks(at: now) }
        pair.run(seconds: 10)
        #expect(pair.networks.map(\.count) == [30])
        #expect(
            pair.networks.first?.first == ImprovNetwork(ssid: "Network number 0", rssi: -30, security: "WPA2")
        )
        #expect(pair.faults.isEmpty)
    }

    @Test func namesAreSentOnceAndHiddenOnesNot() {
        let pair = Pair()
        pair.update { client, now in client.listNetworks(at: now) }
        pair.run(seconds: 10)
        let names = pair.networks.first?.map(\.ssid) ?? []
        #expect(names.count == 7 && names.first == "Lantern Home" && !names.contains(""))
        #expect(pair.networks.first?.first { $0.ssid == "Office" }?.security == "WPA2 EAP")
    }

    @Test func noNetworkIsAnAnswer() {
        let pair = Pair([])
        pair.update { client, now in client.listNetworks(at: now) }
        pair.run(seconds: 3)
        #expect(pair.networks == [[]])
    }

    @Test func theDeviceSaysWhatItIs() {
        let pair = Pair()
        pair.update { client, now in
            client.requestInfo(at: now)
            client.identify(at: now)
        }
        pair.run(seconds: 3)
        #expect(pair.events.contains(.info(SimulatedImprov.info)) && pair.events.contains(.identified))
        #expect(pair.deviceEvents.contains(.identify(pair.link)))
    }

    @Test func aWrongPasswordIsRefusedAndAnotherTryIsAllowed() throws {
        let pair = Pair()
        try pair.provision("Lantern Home", "not this one")
        pair.run(seconds: 5)
        #expect(pair.outcomes == [.unableToConnect] && pair.device.state == .authorized)
        #expect(pair.read(ImprovUUID.error) == [3])
        try pair.provision("Lantern Home", "lantern-home")
        pair.run(seconds: 5)
        #expect(pair.outcomes.count == 2 && pair.outcomes.last == .connected(url: "http://192.168.1.109/"))
        #expect(pair.read(ImprovUUID.error) == [0])
    }

    @Test func aNetworkThatNeverAnswersEndsAfterHalfAMinute() throws {
        let pair = Pair()
        try pair.provision("Far Away", "any password")
        pair.run(seconds: 29)
        #expect(pair.outcomes.isEmpty && pair.device.state == .provisioning)
        pair.run(seconds: 2)
        #expect(pair.outcomes == [.unableToConnect] && pair.device.state == .authorized)
    }

    @Test func credentialsWaitForTheButton() throws {
        let pair = Pair(needsAuthorization: true)
        try pair.provision("Lantern Home", "lantern-home")
        pair.run(seconds: 30)
        #expect(pair.written.isEmpty && pair.events.contains(.authorizationNeeded))
        pair.updateDevice { device, now in device.press(at: now) }
        pair.run(seconds: 5)
        #expect(pair.outcomes == [.connected(url: "http://192.168.1.109/")])
    }

    /// State 0 of the standard's reference code.
    @Test func aDeviceThatIsStoppedGetsNoCredentials() throws {
        let pair = Pair()
        pair.send([0], from: ImprovUUID.state)
        try pair.provision("Lantern Home", "lantern-home")
        #expect(pair.outcomes == [.failed(.stopped)] && pair.written.isEmpty)
        // It takes them again.
        pair.send([2], from: ImprovUUID.state)
        try pair.provision("Lantern Home", "lantern-home")
        pair.run(seconds: 5)
        #expect(pair.outcomes.last == .connected(url: "http://192.168.1.109/"))
    }

    /// Some firmware never answers that, or ends the link for it.
    @Test(arguments: [true, false]) func aDeviceThatDoesNotSayItsNameGetsItsWiFi(endsLink: Bool) throws {
        let pair = Pair(isStarted: false)
        let name = pair.handle(of: BluetoothUUID(0x2A00)) ?? 0
        pair.fate = { request in
            guard request == .read(name) else { return .carriedOut() }
            return endsLink ? .linkLost : .unanswered
        }
        pair.start()
        try pair.provision("Lantern Home", "lantern-home")
        pair.run(seconds: 30)
        #expect(pair.outcomes == [.connected(url: "http://192.168.1.109/")])
        #expect(pair.requests.count { $0.request == .read(name) } == 1)
        #expect(pair.events.contains { if case .ready(let peer) = $0 { peer.name != nil } else { false } })
    }

    @Test func nobodyPressesTheButton() throws {
        let pair = Pair(needsAuthorization: true)
        try pair.provision("Lantern Home", "lantern-home")
        pair.run(seconds: 61)
        #expect(pair.outcomes == [.notAuthorized] && pair.written.isEmpty)
    }

    @Test func anAuthorizationEndsAfterAMinuteAndAFailureBeginsItAnew() throws {
        let pair = Pair(needsAuthorization: true)
        pair.updateDevice { device, now in device.press(at: now) }
        pair.run(seconds: 50)
        try pair.provision("Lantern Home", "not this one")
        pair.run(seconds: 30)
        #expect(pair.outcomes == [.unableToConnect] && pair.device.state == .authorized)
        pair.run(seconds: 40)
        #expect(pair.device.state == .authorizationRequired)
        let settings = try ImprovSettings(ssid: "Lantern Home", password: Array("lantern-home".utf8))
        pair.write(ImprovCommand.wifiSettings(settings).encoded())
        #expect(pair.read(ImprovUUID.error) == [4])
    }

    @Test func whatIsDoneAlreadyNeedsTheButton() throws {
        let pair = Pair()
        try pair.provision("Corner Café", "")
        pair.run(seconds: 5)
        try pair.provision("Lantern Home", "lantern-home")
        pair.run(seconds: 5)
        #expect(pair.outcomes.last == .notAuthorized)
        pair.updateDevice { device, now in device.press(at: now) }
        try pair.provision("Lantern Home", "lantern-home")
        pair.run(seconds: 5)
        #expect(pair.outcomes.last == .connected(url: "http://192.168.1.109/"))
    }

    @Test(
        arguments: [
            ([0x02, 0x00, 0x03], 1, .checksum(expected: 2, received: 3)),
            ([0x05, 0x00, 0x05], 2, .unknownCommand(5)),
            ([0x01, 0x02, 0x00, 0x00, 0x03], 1, .badSettings(.ssidLength(0))),
        ] as [([UInt8], UInt8, ImprovPacketError)])
    func whatTheDeviceDoesNotUnderstandItSays(octets: [UInt8], code: UInt8, error: ImprovPacketError) {
        let pair = Pair()
        pair.run(seconds: 1)
        pair.write(octets)
        #expect(pair.read(ImprovUUID.error) == [code])
        #expect(pair.deviceEvents.contains(.fault(pair.link, error)))
        // The next one is understood.
        pair.write([0x02, 0x00, 0x02])
        #expect(pair.read(ImprovUUID.error) == [0] && pair.deviceEvents.last == .identify(pair.link))
    }

    @Test func aCommandThatDoesNotEndIsGivenUp() {
        let pair = Pair()
        pair.run(seconds: 1)
        pair.write([0x01, 0x1E, 0x0C])
        pair.run(seconds: ImprovLimit.assemblySeconds + 1)
        #expect(pair.read(ImprovUUID.error) == [1])
        #expect(pair.deviceEvents.contains(.fault(pair.link, .incomplete(held: 3, announced: 33))))
    }

    /// Much firmware notifies no more than the MTU allows; the whole of it can be read.
    @Test func aResultThatWasCutOffIsRead() {
        let pair = Pair(mtu: 23)
        var sent = 0
        pair.value = { octets in
            sent += 1
            return sent == 1 ? octets : nil
        }
        pair.update { client, now in client.requestInfo(at: now) }
        pair.run(seconds: 4)
        #expect(pair.events.contains(.info(SimulatedImprov.info)) && pair.failures.isEmpty)
    }

    @Test func aResultThatMakesNoSenseIsSaid() {
        let pair = Pair()
        pair.value = { octets in
            octets.count > 3 ? octets.dropLast() + [octets[octets.count - 1] &+ 1] : octets
        }
        pair.update { client, now in client.requestInfo(at: now) }
        pair.run(seconds: 1)
        guard case .checksum? = pair.faults.first, case .badResult(.checksum)? = pair.failures.first else {
            Issue.record("\(pair.events)")
            return
        }
    }

    @Test(arguments: [ImprovCommandID.deviceInfo, .scan])
    func aDeviceThatDoesNotAnswerIsGivenUp(command: ImprovCommandID) {
        let pair = Pair()
        pair.value = { _ in nil }
        pair.update { client, now in
            if command == .scan { client.listNetworks(at: now) } else { client.requestInfo(at: now) }
        }
        pair.run(seconds: ImprovLimit.scanSeconds + 1)
        #expect(pair.failures == [.timeout])
    }

    @Test func aDeviceThatSaysNothingOfItsJoinIsGivenUp() throws {
        let pair = Pair()
        pair.value = { _ in nil }
        try pair.provision("Lantern Home", "lantern-home")
        pair.run(seconds: ImprovLimit.joinSeconds + 1)
        #expect(pair.outcomes == [.failed(.timeout)])
    }

    @Test func theStateAloneIsEnough() throws {
        let pair = Pair()
        pair.value = { $0.count == 1 ? $0 : nil }
        try pair.provision("Lantern Home", "lantern-home")
        pair.run(seconds: 5)
        #expect(pair.outcomes == [.connected(url: nil)])
    }

    @Test func aLinkThatIsLostEndsWhatIsUnderWay() throws {
        let pair = Pair()
        pair.update { client, now in
            client.listNetworks(at: now)
            client.identify(at: now)
        }
        pair.loseLink(.supervisionTimeout)
        pair.run(seconds: 1)
        #expect(pair.failures == [.disconnected, .disconnected] && pair.isFinished)
        let other = Pair()
        try other.provision("Lantern Home", "lantern-home")
        other.run(seconds: 1)
        other.loseLink(.closedByPeer)
        #expect(other.outcomes == [.failed(.disconnected)])
    }

    @Test func tooManyCommandsAreRefused() {
        let pair = Pair()
        pair.update { client, now in
            for _ in 0..<20 { client.listNetworks(at: now) }
        }
        #expect(pair.failures == [ImprovError](repeating: .tooMany, count: 20 - ImprovLimit.commands - 1))
    }

    @Test func whatADeviceCannotDoIsNotAsked() {
        let pair = SessionPair(
            ImprovClient(options: .init(reconnects: false)),
            ImprovDevice(station: DeafStation(), info: SimulatedImprov.info), mtu: 247)
        pair.start()
        pair.update { client, now in
            client.listNetworks(at: now)
            client.identify(at: now)
        }
        pair.run(seconds: 1)
        #expect(
            pair.events.filter {
                $0 == .failed(.scan, .unsupported) || $0 == .failed(.identify, .unsupported)
            }.count
                == 2)
    }

    @Test func theAdvertisementSaysHowFarTheDeviceIs() throws {
        let pair = Pair(needsAuthorization: true)
        #expect(Array(pair.device.advertisement.data.suffix(6)) == [1, 7, 0, 0, 0, 0])
        pair.updateDevice { device, now in device.press(at: now) }
        #expect(Array(pair.device.advertisement.data.suffix(6)) == [2, 7, 0, 0, 0, 0])
    }
}

/// A Wi-Fi radio that can do nothing.
struct DeafStation: ImprovStation, ~Copyable, Sendable {
    var capabilities: ImprovCapabilities { [] }
    var nextDeadline: HostInstant? { nil }
    mutating func identify(at now: HostInstant) {}
    mutating func startScan(at now: HostInstant) {}
    mutating func join(_ settings: ImprovSettings, at now: HostInstant) {}
    mutating func leave(at now: HostInstant) {}
    mutating func deadlineReached(at now: HostInstant) {}
    mutating func nextEvent() -> ImprovStationEvent? { nil }
}
