// SPDX-License-Identifier: Apache-2.0

import BLEWire
import OverflowArea
import Testing

private let demo = OverflowPayload(0x0102_0304)
private let flock = BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B)

private func seconds(_ seconds: UInt64) -> HostInstant { HostInstant.zero.advanced(bySeconds: seconds) }

/// A sender that can be asked within an expectation.
private final class Sending {
    private var sender: OverflowSender

    init(_ content: OverflowSender.Content, intervalMilliseconds: UInt64? = nil) {
        sender = OverflowSender(content, intervalMilliseconds: intervalMilliseconds)
    }

    var nextDeadline: HostInstant? { sender.nextDeadline }
    var transmission: OverflowSender.Transmission { sender.transmission }
    func nextOutput() -> OverflowSender.Transmission? { sender.nextOutput() }
    func start(at now: HostInstant) { sender.start(at: now) }
    func deadlineReached(at now: HostInstant) { sender.deadlineReached(at: now) }
    func change(to content: OverflowSender.Content, at now: HostInstant) {
        sender.change(to: content, at: now)
    }
}

/// A policy that can be asked within an expectation.
private final class Waking {
    var policy: OverflowWakePolicy

    init(_ policy: OverflowWakePolicy = OverflowWakePolicy()) { self.policy = policy }

    func deadlineReached(at now: HostInstant) -> Bool { policy.deadlineReached(at: now) }
}

@Suite struct OverflowSenderTests {
    @Test func `a message changes its position every 5 s`() throws {
        let sender = Sending(.payload(demo, .v1))
        #expect(sender.nextOutput() == nil)
        #expect(sender.nextDeadline == nil)
        sender.start(at: seconds(100))
        for turn in 0..<5 {
            let transmission = try #require(sender.nextOutput())
            let position = turn % 2 == 0 ? OverflowPosition.first : .second
            #expect(transmission.position == position)
            #expect(transmission.map == OverflowBanks.map(of: demo, at: position))
            #expect(transmission.map == OverflowMap(services: transmission.uuids))
            #expect(sender.nextOutput() == nil)
            #expect(sender.nextDeadline == seconds(105 + UInt64(turn) * 5))
            sender.deadlineReached(at: seconds(104 + UInt64(turn) * 5))
            #expect(sender.nextOutput() == nil)
            sender.deadlineReached(at: seconds(105 + UInt64(turn) * 5))
        }
    }

    @Test func `a sequence counts through all 128 bits from zero, one a second`() throws {
        let sender = Sending(.sequence(from: BluetoothUUID(high: 0, low: 0)))
        sender.start(at: .zero)
        var seen: Set<OverflowMap> = []
        for second in 0..<128 {
            let transmission = try #require(sender.nextOutput())
            #expect(transmission.uuids == [BluetoothUUID(high: 0, low: UInt64(second))])
            #expect(transmission.map.count == 1)
            seen.insert(transmission.map)
            #expect(sender.nextDeadline == seconds(UInt64(second) + 1))
            sender.deadlineReached(at: seconds(UInt64(second) + 1))
        }
        #expect(seen.count == 128)
    }

    @Test func `the counter has 128 bits and begins again`() {
        for (from, next) in [
            (BluetoothUUID(high: 0, low: .max), BluetoothUUID(high: 1, low: 0)),
            (BluetoothUUID(high: .max, low: .max), BluetoothUUID(high: 0, low: 0)),
        ] {
            let sender = Sending(.sequence(from: from), intervalMilliseconds: 10)
            sender.start(at: .zero)
            #expect(sender.nextOutput()?.uuids == [from])
            sender.deadlineReached(at: seconds(1))
            #expect(sender.nextOutput()?.uuids == [next])
        }
    }

    @Test func `what does not change has no deadline`() {
        for content in [OverflowSender.Content.services([flock]), .payload(demo, .v2)] {
            let sender = Sending(content)
            sender.start(at: .zero)
            #expect(sender.nextOutput() == sender.transmission)
            #expect(sender.nextDeadline == nil)
            sender.deadlineReached(at: seconds(1000))
            #expect(sender.nextOutput() == nil)
        }
    }

    @Test func `who is late does not hurry afterwards`() {
        let sender = Sending(.payload(demo, .v1), intervalMilliseconds: 1000)
        sender.start(at: .zero)
        sender.deadlineReached(at: HostInstant(microseconds: 1_400_000))
        #expect(sender.nextDeadline == seconds(2))
        sender.deadlineReached(at: seconds(100))
        #expect(sender.nextDeadline == seconds(101))
        #expect(OverflowSender(.payload(demo, .v1), intervalMilliseconds: 0).intervalMilliseconds == 1)
    }

    @Test func `the payload can be changed on the way`() {
        let sender = Sending(.payload(demo, .v1))
        sender.start(at: .zero)
        _ = sender.nextOutput()
        sender.change(to: .payload(demo, .v1), at: seconds(1))
        #expect(sender.nextOutput() == nil)
        sender.change(to: .payload(OverflowPayload(9), .v1), at: seconds(2))
        #expect(sender.nextOutput()?.map == OverflowBanks.map(of: OverflowPayload(9), at: .first))
        #expect(sender.nextDeadline == seconds(5))
        sender.change(to: .payload(demo, .v2), at: seconds(3))
        #expect(sender.nextDeadline == nil)
        #expect(sender.nextOutput()?.map == OverflowHamming.map(of: demo))
        sender.change(to: .payload(demo, .v1), at: seconds(4))
        #expect(sender.nextDeadline == seconds(9))
    }
}

@Suite struct OverflowWakePolicyTests {
    @Test func `the demo's rule notifies every 60 s`() {
        let waking = Waking(OverflowWakePolicy(.always))
        #expect(waking.policy.nextDeadline == nil)
        waking.policy.start(at: .zero)
        waking.policy.resultReceived(at: seconds(59))
        #expect(waking.policy.nextDeadline == seconds(60))
        #expect(!waking.deadlineReached(at: seconds(59)))
        #expect(waking.deadlineReached(at: seconds(60)))
        #expect(waking.policy.nextDeadline == seconds(120))
        #expect(!waking.deadlineReached(at: seconds(61)))
    }

    @Test func `its improvement waits while results come`() {
        let waking = Waking(OverflowWakePolicy())
        waking.policy.resultReceived(at: seconds(1))
        #expect(waking.policy.nextDeadline == nil)
        waking.policy.start(at: .zero)
        for second in stride(from: 10, through: 300, by: 10) {
            waking.policy.resultReceived(at: seconds(UInt64(second)))
            #expect(!waking.deadlineReached(at: seconds(UInt64(second) + 9)))
        }
        #expect(waking.policy.nextDeadline == seconds(360))
        #expect(waking.deadlineReached(at: seconds(360)))
        #expect(waking.policy.nextDeadline == seconds(420))
    }

    @Test func `in the foreground nothing is posted`() {
        let waking = Waking(OverflowWakePolicy(intervalSeconds: 0))
        #expect(waking.policy.intervalSeconds == 1)
        waking.policy.start(at: .zero)
        waking.policy.stop()
        #expect(!waking.deadlineReached(at: seconds(1000)))
        waking.policy.resultReceived(at: seconds(1001))
        #expect(waking.policy.nextDeadline == nil)
    }
}

@Suite struct OverflowCatalogueTests {
    @Test func `every service stands once and under its bit`() {
        let services = OverflowCatalogue.services
        #expect(Set(services.map(\.uuid)).count == services.count)
        #expect(Set(services.map { "\($0.name)" }).count == services.count)
        for service in services { #expect(service.bit == OverflowBit(of: service.uuid)) }
        #expect(
            OverflowCatalogue.services(setting: .watchSetup).map { "\($0.name)" } == ["Apple Watch set-up"])
    }

    @Test func `our own documents collide`() throws {
        let map = OverflowMap(services: [flock])
        let candidates = try #require(OverflowCatalogue.candidates(for: map).first)
        #expect(candidates.bit.number == 63)
        #expect(candidates.services.map { "\($0.name)" } == ["FlockFinder or WiFiSet", "Nightlight LED"])
        #expect(OverflowCatalogue.collisions.contains { $0.bit.number == 63 })
        #expect(OverflowCatalogue.collisions.allSatisfy { $0.services.count > 1 })
    }

    @Test func `each bit is used or free`() {
        let (used, free) = (OverflowCatalogue.usedBits, OverflowCatalogue.freeBits)
        #expect(used.union(free).count == 128)
        #expect(used.count + free.count == 128)
        for bit in free { #expect(OverflowCatalogue.services(setting: bit).isEmpty) }
        let all = OverflowCatalogue.candidates(for: OverflowMap(low: .max, high: .max))
        #expect(all.map(\.bit.number) == Array(0..<128))
        #expect(all.reduce(0) { $0 + $1.services.count } == OverflowCatalogue.services.count)
    }
}
