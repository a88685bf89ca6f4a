// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHost
import BLEWire
import Testing

private let other = BluetoothAddress(0xC1C2_C3C4_C5C6, kind: .random)
private let lamp = AdvertisingParameters(data: [2, 1, 6])
/// A value that the application answers for, at handle 16.
private let delegated = HostConfiguration(services: [
    GATT.ServiceDefinition(
        BluetoothUUID(0xFF00),
        characteristics: [
            .init(BluetoothUUID(0xFF01), [.read, .write, .writeWithoutResponse], value: .delegated)
        ])
])

extension HostBench {
    fileprivate func advertise() { update { stack, now in stack.startAdvertising(lamp, at: now) } }
    fileprivate func stopServing() { update { stack, now in stack.stopServing(at: now) } }
    fileprivate var isServing: Bool { stack.isServing }
    fileprivate func offer() -> Bool {
        update { stack, _ in stack.offer(name: "lamp", appearance: 0, services: []) }
    }
}

@Suite struct ServingTests {
    @Test func `who serves nobody has stopped at once`() {
        for bench in [HostBench(), HostBench.ready()] {
            bench.stopServing()
            #expect(bench.events == ["serving stopped"])
            #expect(!bench.isServing)
            #expect(bench.offer())
            #expect(bench.isServing)
        }
    }

    @Test func `the links of centrals are closed and waited for, others stay`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.advertise()
        bench.open(2, role: 1, peer: other)
        bench.stopServing()
        #expect(bench.commands.map(\.opcode) == [0x200A, 0x0406])
        #expect(bench.events == [])
        #expect(!bench.offer())
        bench.stopServing()
        bench.linkClosed(2, reason: 0x16)
        #expect(bench.events == ["disconnected 2 closedByUs", "serving stopped"])
        #expect(bench.offer())
        #expect(bench.stack.mtu(of: LinkID(rawValue: 1)) == 23)
    }

    @Test func `a link whose opening crosses the stop is closed`() {
        let bench = HostBench.ready()
        bench.advertise()
        bench.replies[0x200A] = .silence
        bench.forget()
        bench.stopServing()
        #expect(bench.events == [])
        bench.linkOpened(1, role: 1)
        #expect(bench.events == ["connected 1 peripheral \(HostBench.peer)"])
        #expect(bench.commands.map(\.opcode) == [0x200A])
        bench.receive(bench.complete(0x200A, [0x00]))
        #expect(bench.commands.map(\.opcode) == [0x200A, 0x0406])
        bench.linkClosed(1, reason: 0x16)
        #expect(bench.events.suffix(2) == ["disconnected 1 closedByUs", "serving stopped"])
        // What comes even later belongs to nobody either.
        bench.forget()
        bench.linkOpened(2, role: 1)
        #expect(bench.commands.map(\.opcode) == [0x0406])
    }

    @Test func `a stop of the host ends it, a loss of the radio says all`() {
        let bench = HostBench.ready()
        bench.open(1, role: 1)
        bench.stopServing()
        bench.update { stack, now in stack.stop(at: now) }
        bench.linkClosed(1, reason: 0x16)
        #expect(bench.events == ["disconnected 1 closedByUs", "serving stopped", "stopped"])

        let lost = HostBench.ready()
        lost.open(1, role: 1)
        lost.stopServing()
        lost.update { stack, now in stack.transportClosed(at: now) }
        #expect(lost.events == ["disconnected 1 radioLost", "failed transportClosed"])
        #expect(lost.offer())
    }

    @Test func `nobody answers any more: reads and writes are refused, on links that stay, too`() {
        let bench = HostBench.ready(delegated)
        bench.open(1)
        bench.att(1, "0A 1000")
        bench.att(1, "12 1000 AA")
        #expect(bench.events == ["read 1 16"])
        bench.stopServing()
        #expect(bench.frames(1) == ["4 010a10000e", "4 011210000e"])
        bench.forget()
        bench.att(1, "0A 1000")
        bench.att(1, "12 1000 AA")
        bench.att(1, "52 1000 AA")
        #expect(bench.frames(1) == ["4 010a10000e", "4 011210000e"])
        #expect(bench.events == [])
        // And what an application says too late is nobody's answer.
        bench.update { stack, now in stack.answer(.success([1]), on: LinkID(rawValue: 1), at: now) }
        #expect(bench.frames(1) == [])
    }
}

@Suite struct ConsumptionTests {
    private static let notification = "1B 0300 AA"
    private static func bench(_ limit: Int?) -> HostBench {
        HostBench.ready(HostConfiguration(limits: HostLimits(unconsumedEvents: limit)))
    }

    @Test func `a link whose values nobody consumes is closed, and no other`() {
        let bench = Self.bench(4)
        bench.open(1)
        bench.open(2, peer: other)
        for _ in 0..<4 { bench.att(1, Self.notification) }
        #expect(bench.commands.isEmpty)
        bench.att(1, Self.notification)
        #expect(bench.commands.map(\.parameters) == [octets("0100 13")])
        bench.att(1, Self.notification)
        bench.att(2, Self.notification)
        bench.linkClosed(1, reason: 0x16)
        #expect(bench.events.last == "disconnected 1 consumerTooSlow")
        #expect(bench.events.count == 7)
    }

    @Test func `consumption makes room`() {
        let bench = Self.bench(4)
        bench.open(1)
        for _ in 0..<50 {
            for _ in 0..<4 { bench.att(1, Self.notification) }
            bench.update { stack, now in stack.consumed(4, on: LinkID(rawValue: 1), at: now) }
        }
        #expect(bench.commands.isEmpty)
        // More than there was to consume is no credit.
        bench.update { stack, now in stack.consumed(.max, on: LinkID(rawValue: 1), at: now) }
        for _ in 0..<5 { bench.att(1, Self.notification) }
        #expect(bench.commands.map(\.opcode) == [0x0406])
    }

    @Test func `without a limit nobody counts`() {
        let bench = Self.bench(nil)
        bench.open(1)
        for _ in 0..<3000 { bench.att(1, Self.notification) }
        #expect(bench.commands.isEmpty)
    }

    @Test func `writes count like values`() {
        let configuration = HostConfiguration(
            services: delegated.services, limits: HostLimits(unconsumedEvents: 3))
        let bench = HostBench.ready(configuration)
        bench.open(1, role: 1)
        for _ in 0..<3 { bench.att(1, "52 1000 AA") }
        #expect(bench.commands.isEmpty)
        bench.att(1, "52 1000 AA")
        #expect(bench.commands.map(\.opcode) == [0x0406])
    }
}

@Suite struct ToldTests {
    @Test func `an exchange of the MTU that fails ends with the smallest MTU`() {
        for answer in ["03", "03 01", "01 02 0000 06"] {
            let bench = HostBench.ready()
            bench.update { stack, now in stack.connect(to: HostBench.peer, at: now) }
            bench.linkOpened(1)
            bench.forget()
            bench.att(1, answer)
            #expect(bench.events.filter { $0.hasPrefix("mtu") } == ["mtu 1 23"])
        }
    }

    @Test func `a link that ends before has no MTU`() {
        let bench = HostBench.ready()
        bench.update { stack, now in stack.connect(to: HostBench.peer, at: now) }
        bench.linkOpened(1)
        bench.linkClosed(1)
        #expect(!bench.events.contains { $0.hasPrefix("mtu") })
        let silent = HostBench.ready()
        silent.update { stack, now in stack.connect(to: HostBench.peer, at: now) }
        silent.linkOpened(1)
        silent.advance(milliseconds: 60_000)
        #expect(!silent.events.contains { $0.hasPrefix("mtu") })
        #expect(silent.events.last == "disconnected 1 protocolFailure")
    }

    @Test func `a peer that asks for security is told of`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.open(2, role: 1, peer: other)
        bench.frame(1, 6, [0x0B, 1])
        bench.frame(2, 6, [0x01, 3, 0, 1, 16, 0, 0])
        bench.frame(1, 6, [0x02])
        #expect(bench.events == ["security requested 1", "security requested 2"])
        #expect(bench.frames(1) == ["6 0505"])
    }

    @Test(arguments: [0x05, 0x1A, 0x29, 0x3B] as [UInt8])
    func `a peer that closes a link says why`(_ reason: UInt8) {
        let bench = HostBench.ready()
        bench.open(1)
        bench.linkClosed(1, reason: reason)
        #expect(bench.events == ["disconnected 1 closedByPeer \(reason)"])
    }

    @Test func `what a peer's server sends and nobody can read is told`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.att(1, "1B 03")
        #expect(bench.events == ["malformed 1 1b03"])
    }

    @Test func `attempts that may wait are bounded`() {
        let bench = HostBench.ready(HostConfiguration(limits: HostLimits(connectAttempts: 2)))
        for number: UInt64 in 1...4 {
            bench.update { stack, now in stack.connect(to: BluetoothAddress(number, kind: .public), at: now) }
        }
        #expect(bench.events == ["connect failed 00:00:00:00:00:04 controller 7"])
    }
}
