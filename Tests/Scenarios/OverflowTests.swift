// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLESimulation
import BLEWire
import OverflowArea
import OverflowAreaSimulated
import Testing

private let demo = OverflowPayload(0x0102_0304)

/// A beacon of the demo on a host stack: it advertises and scans at once on one controller.
private final class BeaconHost: SimulatedHost {
    let kind = "beacon"
    let controller: VirtualAir.ControllerConfiguration
    private(set) var stack: HostStack
    private var sender: OverflowSender?
    private var receiver = OverflowReceiver()
    private var octets = FIFO<[UInt8]>()
    /// What was heard, in words, with the second; maps are left out.
    private(set) var heard: [String] = []
    private(set) var maps = 0
    private(set) var failures: [String] = []
    /// Other bits that its phone advertises.
    var noise = OverflowMap()

    init(
        _ number: UInt64, _ content: OverflowSender.Content?, _ generation: VirtualAir.Generation = .extended
    ) {
        var controller = VirtualAir.ControllerConfiguration(address: BluetoothAddress(number, kind: .public))
        controller.generation = generation
        self.controller = controller
        stack = HostStack(HostConfiguration())
        sender = content.map { OverflowSender($0) }
    }

    func start(at now: HostInstant) {
        stack.start(at: now)
        collect(at: now)
    }

    func receive(_ octets: [UInt8], at now: HostInstant) {
        stack.receive(octets, at: now)
        collect(at: now)
    }

    func deadlineReached(at now: HostInstant) {
        if let due = stack.nextDeadline, due <= now { stack.deadlineReached(at: now) }
        if let due = sender?.nextDeadline, due <= now { sender?.deadlineReached(at: now) }
        if let due = receiver.nextDeadline, due <= now { receiver.deadlineReached(at: now) }
        collect(at: now)
    }

    func nextOutput() -> [UInt8]? { octets.popFirst() }

    var nextDeadline: HostInstant? {
        .earliest(stack.nextDeadline, .earliest(sender?.nextDeadline, receiver.nextDeadline))
    }

    func send(_ payload: OverflowPayload, at now: HostInstant) {
        sender?.change(to: .payload(payload, .v1), at: now)
        collect(at: now)
    }

    func stop(at now: HostInstant) {
        sender = nil
        stack.stopAdvertising(at: now)
        collect(at: now)
    }

    private func collect(at now: HostInstant) {
        while let output = stack.nextOutput() {
            switch output {
            case .send(let packet): octets.append(packet)
            case .event(.ready):
                stack.startScanning(ScanParameters(), at: now)
                sender?.start(at: now)
            case .event(.advertisement(let report)):
                receiver.receive(report.data, from: report.address, rssi: report.rssi, at: now)
            case .event(.advertisingFailed(let status)): failures.append("advertising \(status)")
            case .event(.scanFailed(let status)): failures.append("scan \(status)")
            case .event: break
            }
        }
        if let transmission = sender?.nextOutput() {
            let map = transmission.map.union(noise)
            stack.startAdvertising(AdvertisingParameters(data: map.advertisingData), at: now)
            collect(at: now)
        }
        while let output = receiver.nextOutput() {
            let place = "\(now.microseconds / 1_000_000) \(output.address.value & 0xFF)"
            switch output.event {
            case .map: maps += 1
            case .payload(let message): heard.append("\(place) \(message.codec) \(message.payload)")
            case .ignored(let reason): heard.append("\(place) \(reason)")
            case .gone: heard.append("\(place) gone")
            }
        }
    }
}

@Suite("Beacons in the overflow area on the virtual air")
struct OverflowScenarioTests {
    private static func seconds(_ seconds: UInt64) -> HostInstant {
        HostInstant.zero.advanced(bySeconds: seconds)
    }

    @Test(arguments: VirtualAir.Generation.allCases)
    func `two beacons hear each other within one rotation`(_ generation: VirtualAir.Generation) {
        let world = SimulatedWorld()
        let hosts = [1, 2].map { BeaconHost($0, .payload(demo, .v1), generation) }
        for host in hosts { world.add(host, at: .zero) }
        world.advance(to: Self.seconds(4))
        for (index, host) in hosts.enumerated() {
            #expect(host.heard == ["0 \(2 - index) unknown position"])
        }
        world.advance(to: Self.seconds(6))
        for (index, host) in hosts.enumerated() {
            #expect(host.heard.dropFirst() == ["5 \(2 - index) v1 01020304"])
        }
        world.advance(to: Self.seconds(60))
        for host in hosts {
            // Told once, however long it goes on, though the map has changed with each rotation.
            #expect(host.heard.count == 2)
            #expect(host.maps == 12)
            #expect(host.failures.isEmpty)
        }
    }

    @Test func `with the error-correcting code they hear each other at once`() {
        let world = SimulatedWorld()
        let hosts = [1, 2].map { BeaconHost($0, .payload(demo, .v2)) }
        for host in hosts { world.add(host, at: .zero) }
        world.advance(to: Self.seconds(2))
        #expect(hosts[0].heard == ["0 2 v2 01020304"])
        #expect(hosts[1].heard == ["0 1 v2 01020304"])
    }

    @Test func `of ten senders the polluted one is believed in its clean position only`() throws {
        let world = SimulatedWorld()
        let listener = BeaconHost(0xFF, nil)
        let payloads = (1...10).map { OverflowPayload(UInt32($0) << 24 | 0x00AA_5500) }
        let senders = payloads.enumerated().map { BeaconHost(UInt64($0 + 1), .payload($1, .v1)) }
        // Another app of the seventh phone: a bit of the payload in the first half.
        senders[6].noise.insert(try #require(OverflowBit(number: 17)))
        world.add(listener, at: .zero)
        for sender in senders { world.add(sender, at: .zero) }
        world.advance(to: Self.seconds(11))
        for (index, payload) in payloads.enumerated() {
            let words = listener.heard.filter { $0.split(separator: " ")[1] == "\(index + 1)" }
            #expect(words.filter { $0.contains("v1") } == ["5 \(index + 1) v1 \(payload)"])
            #expect(words.filter { $0.contains("polluted") } == (index == 6 ? ["10 7 polluted"] : []))
        }
        #expect(listener.failures.isEmpty)
    }

    @Test func `a sender that changes its payload is heard with the new one at once`() {
        let world = SimulatedWorld()
        let (listener, sender) = (BeaconHost(0xFF, nil), BeaconHost(1, .payload(demo, .v1)))
        world.add(listener, at: .zero)
        world.add(sender, at: .zero)
        world.advance(to: Self.seconds(12))
        sender.send(OverflowPayload(0xCAFE_F00D), at: Self.seconds(12))
        world.advance(to: Self.seconds(13))
        #expect(listener.heard.dropFirst() == ["5 1 v1 01020304", "12 1 v1 cafef00d"])
    }

    @Test func `a sender that stops is gone after a minute`() {
        let world = SimulatedWorld()
        let (listener, sender) = (BeaconHost(0xFF, nil), BeaconHost(1, .payload(demo, .v1)))
        world.add(listener, at: .zero)
        world.add(sender, at: .zero)
        world.advance(to: Self.seconds(20))
        sender.stop(at: Self.seconds(20))
        world.advance(to: Self.seconds(75))
        #expect(listener.heard.last == "5 1 v1 01020304")
        world.advance(to: Self.seconds(81))
        #expect(listener.heard.last == "80 1 gone" || listener.heard.last == "79 1 gone")
        #expect(listener.nextDeadline == nil)
    }

    @Test func `half of the packets may be lost`() {
        let world = SimulatedWorld(VirtualAir.Configuration(seed: 7))
        world.air.loss = 0.5
        let hosts = [1, 2].map { BeaconHost($0, .payload(demo, .v1)) }
        for host in hosts { world.add(host, at: .zero) }
        world.advance(to: Self.seconds(7))
        #expect(hosts.allSatisfy { $0.heard.last?.hasSuffix("v1 01020304") == true })
    }
}

@Suite("A simulated iPhone")
struct PhoneScenarioTests {
    private static let flock = BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B)
    private static let bulb = BluetoothUUID(0x1802)

    /// What a scanner hears of a phone: advertisements and scan responses, each once in a row.
    private static func heard(_ app: PhoneApp, milliseconds: UInt64) -> [String] {
        let bench = AirBench()
        bench.world.add(SimulatedPhone.make(app), at: bench.now)
        let station = bench.add(0xA)
        bench.update(station) { stack, now in stack.startScanning(ScanParameters(), at: now) }
        bench.run(milliseconds: milliseconds)
        return station.events.reduce(into: []) { list, event in
            if !list.suffix(2).contains(event) { list.append(event) }
        }
    }

    private static func octets(_ text: String) -> [String] {
        text.split(separator: "\n").map {
            "advertisement C0:FF:EE:F1:0F:0E " + $0.filter { $0 != " " }.lowercased()
        }
    }

    @Test func `in the background its services are in the overflow area`() {
        #expect(
            Set(Self.heard(PhoneApp(uuids: [Self.flock]), milliseconds: 3000))
                == Set(Self.octets("02011A 14FF4C0001 00000000000000800000000000000000\n ")))
    }

    @Test func `in the foreground one is named and the others stay there`() {
        let map = OverflowMap(services: [Self.bulb])
        let words = Self.heard(
            PhoneApp(uuids: [Self.flock, Self.bulb], foregroundEvery: 2000), milliseconds: 2900)
        let both = map.union(OverflowMap(services: [Self.flock]))
        let expected = Self.octets(
            """
            02011A 14FF4C0001 \(both)
            02011A 1107 4B9131C3C9C5CC8F9E45B51F01C2AF4F
            14FF4C0001 \(map) 0709 6950686F6E65
            """)
        for line in expected { #expect(words.contains(line), "\(words)") }
        // It goes back: the first form comes last.
        #expect(words.last { $0 == expected[0] || $0 == expected[1] } == expected[0])
    }

    @Test func `the demo's message is heard from it after a rotation`() {
        let world = SimulatedWorld()
        let listener = BeaconHost(0xFF, nil)
        world.add(listener, at: .zero)
        world.add(SimulatedPhone.make(), at: .zero)
        world.advance(to: HostInstant.zero.advanced(bySeconds: 6))
        #expect(listener.heard == ["0 14 unknown position", "5 14 v1 01020304"])
    }

    @Test func `a service beside the message pollutes its half`() {
        let world = SimulatedWorld()
        let listener = BeaconHost(0xFF, nil)
        world.add(listener, at: .zero)
        // Bit 63, in the first half.
        world.add(SimulatedPhone.make(PhoneApp(uuids: [Self.flock], payload: demo)), at: .zero)
        world.advance(to: HostInstant.zero.advanced(bySeconds: 30))
        #expect(listener.heard == ["0 14 unknown position", "5 14 v1 01020304", "10 14 polluted"])
    }
}
