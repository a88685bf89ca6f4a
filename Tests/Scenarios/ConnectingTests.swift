// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEWire
import Testing

private let peer = HostBench.peer
private let other = BluetoothAddress(0xC1C2_C3C4_C5C6, .random)
/// What a controller reports when an attempt was cancelled: LE Connection Complete, Unknown Connection.
private let cancelled = "04 3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00"

extension HostBench {
    fileprivate func connect(_ address: BluetoothAddress = peer, timeout: UInt64 = 10_000) {
        update { stack, now in
            stack.connect(to: address, ConnectParameters(timeoutMilliseconds: timeout), at: now)
        }
    }

    fileprivate func cancel(_ address: BluetoothAddress = peer) {
        update { stack, now in stack.cancelConnect(to: address, at: now) }
    }

    fileprivate var opcodes: [UInt16] { commands.map(\.opcode) }
}

@Suite struct ConnectingTests {
    @Test func `a link is asked for as specified, and told with its peer`() {
        let bench = HostBench.ready()
        bench.connect()
        // interval, window, policy, peer type, peer, own, 15 ms, 30 ms, latency, 5 s, CE lengths
        #expect(
            bench.commands.last?.parameters
                == octets("6000 6000 00 01 F5F4F3F2F1F0 00 0C00 1800 0000 F401 0000 0000"))
        #expect(bench.stack.nextDeadline == bench.now.advanced(bySeconds: 10))
        bench.linkOpened(0x40)
        #expect(bench.events == ["connected 1 central \(peer)"])
        // Longer packets, then the MTU.
        #expect(bench.commands.last?.opcode == 0x2022)
        #expect(bench.commands.last?.parameters == octets("4000 FB00 4808"))
        #expect(bench.frames(0x40) == ["4 020502"])
        bench.att(0x40, "03 F700")
        #expect(bench.events.dropFirst() == ["mtu 1 247", "completed 1 1 mtu 247"])
        #expect(bench.stack.mtu(of: LinkID(rawValue: 1)) == 247)
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `a host that is not ready cannot connect`() {
        let bench = HostBench()
        bench.connect()
        #expect(bench.events == ["connect failed \(peer) radioLost"])
        #expect(bench.commands.isEmpty)
    }

    @Test(arguments: [0x0B, 0x0C, 0x12] as [UInt8]) func `a refusal is told and the next one goes on`(
        _ status: UInt8
    ) {
        let bench = HostBench.ready()
        bench.replies[0x200D] = .status(status)
        bench.connect()
        #expect(bench.events == ["connect failed \(peer) controller \(status)"])
        bench.replies = [:]
        bench.connect(other)
        bench.linkOpened(1, peer: other)
        #expect(bench.events.last == "connected 1 central \(other)")
    }

    @Test func `an attempt that the controller ends is told`() {
        let bench = HostBench.ready()
        bench.connect()
        bench.linkOpened(0, status: 0x3E)
        #expect(bench.events == ["connect failed \(peer) controller 62"])
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `nobody there: cancelled after its time, and told once`() {
        let bench = HostBench.ready()
        bench.connect(timeout: 3_000)
        bench.advance(milliseconds: 2_999)
        #expect(bench.opcodes == [0x200D])
        bench.advance(milliseconds: 1)
        #expect(bench.opcodes == [0x200D, 0x200E])
        #expect(bench.events == [])
        bench.receive(cancelled)
        #expect(bench.events == ["connect failed \(peer) connectTimeout"])
        bench.advance(milliseconds: 60_000)
        #expect(bench.events.count == 1)
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `an attempt that is given up is told as ours`() {
        let bench = HostBench.ready()
        bench.connect()
        bench.cancel()
        bench.cancel()
        #expect(bench.opcodes == [0x200D, 0x200E])
        bench.receive(cancelled)
        #expect(bench.events == ["connect failed \(peer) closedByUs"])
        bench.cancel()
        #expect(bench.events.count == 1)
    }

    @Test(arguments: [0x00, 0x0C] as [UInt8]) func `a link that opens while it is given up is a link`(
        _ status: UInt8
    ) {
        let bench = HostBench.ready()
        bench.connect()
        bench.replies[0x200E] = .complete([status])
        bench.cancel()
        bench.linkOpened(1)
        #expect(bench.events == ["connected 1 central \(peer)"])
        bench.att(1, "03 1700")
        bench.advance(milliseconds: 60_000)
        #expect(bench.events == ["connected 1 central \(peer)", "mtu 1 23", "completed 1 1 mtu 23"])
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test(arguments: [0x00, 0x0C] as [UInt8]) func `an attempt that the controller forgot ends all the same`(
        _ status: UInt8
    ) {
        for isOurs in [true, false] {
            let bench = HostBench.ready()
            bench.replies[0x200E] = .complete([status])
            bench.connect(timeout: 1_000)
            bench.connect(other)
            if isOurs { bench.cancel() } else { bench.advance(milliseconds: 1_000) }
            bench.advance(milliseconds: 2_000)
            #expect(bench.events == ["connect failed \(peer) \(isOurs ? "closedByUs" : "connectTimeout")"])
            // The other one has its turn.
            #expect(bench.opcodes == [0x200D, 0x200E, 0x200D])
        }
    }

    @Test func `cancelled before the controller has answered, and refused`() {
        let bench = HostBench.ready()
        bench.replies[0x200D] = .silence
        bench.connect()
        bench.cancel()
        bench.replies[0x200E] = .complete([0x0C])
        bench.receive("04 0F 04 0D 01 0D20")
        #expect(bench.events == ["connect failed \(peer) closedByUs"])
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test func `two wait for their turn, and one of them gives up`() {
        let bench = HostBench.ready()
        let third = BluetoothAddress(3, .public)
        bench.connect()
        bench.connect(other)
        bench.connect(third)
        #expect(bench.opcodes == [0x200D])
        bench.cancel(other)
        #expect(bench.events == ["connect failed \(other) closedByUs"])
        bench.linkOpened(1)
        #expect(bench.opcodes.filter { $0 == 0x200D }.count == 2)
        // The third one's time begins with its turn.
        bench.att(1, "03 1700")
        bench.forget()
        bench.advance(milliseconds: 9_999)
        #expect(bench.opcodes == [])
        bench.linkOpened(2, peer: third)
        #expect(bench.events == ["connected 2 central \(third)"])
    }

    @Test func `a link that nobody waits for any more does not end another attempt`() {
        let bench = HostBench.ready()
        bench.replies[0x200E] = .complete([0x0C])
        bench.connect()
        bench.cancel()
        bench.advance(milliseconds: 2_000)
        bench.connect(other)
        bench.forget()
        bench.linkOpened(1)
        #expect(bench.events == ["connected 1 central \(peer)"])
        bench.linkOpened(2, peer: other)
        #expect(bench.events.last == "connected 2 central \(other)")
    }

    @Test func `when the radio is lost every attempt fails`() {
        let bench = HostBench.ready()
        bench.connect()
        bench.connect(other)
        bench.update { stack, now in stack.transportClosed(at: now) }
        #expect(
            bench.events == [
                "connect failed \(peer) radioLost", "connect failed \(other) radioLost",
                "failed transportClosed",
            ])
        bench.start()
        bench.linkOpened(1)
        #expect(bench.stack.nextDeadline != nil)
    }

    @Test func `the scan rests while a link is opened`() {
        let bench = HostBench.ready()
        bench.update { stack, now in stack.startScanning(ScanParameters(), at: now) }
        #expect(bench.opcodes == [0x200B, 0x200C])
        #expect(bench.commands.first?.parameters == octets("01 6000 6000 00 00"))
        bench.forget()
        bench.connect()
        bench.connect(other)
        #expect(bench.opcodes == [0x200C, 0x200D])
        #expect(bench.commands.first?.parameters == [0, 0])
        // Not between two attempts.
        bench.forget()
        bench.linkOpened(1)
        #expect(!bench.opcodes.contains(0x200B) && bench.opcodes.contains(0x200D))
        bench.forget()
        bench.linkOpened(0, status: 0x3E)
        #expect(bench.opcodes == [0x200B, 0x200C])
        #expect(bench.commands.last?.parameters == [1, 0])
    }

    @Test func `a scan that is stopped meanwhile stays off`() {
        let bench = HostBench.ready()
        bench.update { stack, now in stack.startScanning(ScanParameters(), at: now) }
        bench.connect()
        bench.update { stack, now in stack.stopScanning(at: now) }
        bench.forget()
        bench.linkOpened(1)
        #expect(!bench.opcodes.contains(0x200C))
        // And one that is started meanwhile begins then.
        bench.connect(other)
        bench.forget()
        bench.update { stack, now in stack.startScanning(ScanParameters(isActive: false), at: now) }
        #expect(bench.opcodes == [])
        bench.linkOpened(2, peer: other)
        #expect(bench.commands.first { $0.opcode == 0x200B }?.parameters.first == 0)
    }
}

@Suite struct ScanningTests {
    private static let report = "04 3E 0F 02 01 00 01 F5F4F3F2F1F0 03 020106 C5"

    @Test func `advertisements are told while somebody wants them`() {
        let bench = HostBench.ready()
        bench.receive(Self.report)
        #expect(bench.events == [])
        bench.update { stack, now in stack.startScanning(ScanParameters(), at: now) }
        bench.receive(Self.report)
        #expect(bench.events == ["advertisement F0:F1:F2:F3:F4:F5 020106"])
        bench.update { stack, now in stack.stopScanning(at: now) }
        bench.receive(Self.report)
        #expect(bench.events.count == 1)
    }

    @Test func `a scan can be changed while it runs`() {
        let bench = HostBench.ready()
        bench.update { stack, now in stack.startScanning(ScanParameters(), at: now) }
        bench.forget()
        bench.update { stack, now in stack.startScanning(ScanParameters(isActive: false), at: now) }
        #expect(bench.opcodes == [0x200C, 0x200B, 0x200C])
        #expect(bench.commands.map(\.parameters.first) == [0, 0, 1])
    }

    @Test func `a refusal is told once, and nothing goes on`() {
        for opcode: UInt16 in [0x200B, 0x200C] {
            let bench = HostBench.ready()
            bench.replies[opcode] = .complete([0x0C])
            bench.update { stack, now in stack.startScanning(ScanParameters(), at: now) }
            #expect(bench.events == ["scan failed 12"])
            bench.replies = [:]
            // Parameters that were refused are not scanned with.
            if opcode == 0x200B { #expect(bench.commands.last?.parameters == [0, 0]) }
            bench.receive(Self.report)
            #expect(bench.events.count == 1)
            bench.update { stack, now in stack.startScanning(ScanParameters(), at: now) }
            bench.receive(Self.report)
            #expect(bench.events.count == 2)
        }
    }
}

@Suite struct AdvertisingTests {
    private static func advertise(_ bench: HostBench, _ parameters: AdvertisingParameters) {
        bench.update { stack, now in stack.startAdvertising(parameters, at: now) }
    }

    private static let lamp = AdvertisingParameters(data: [2, 1, 6], scanResponse: [2, 9, 0x4C])

    @Test func `goes on the air as specified`() {
        let bench = HostBench.ready()
        Self.advertise(bench, Self.lamp)
        #expect(bench.opcodes == [0x2006, 0x2008, 0x2009, 0x200A])
        // 100 ms, connectable undirected, public, no peer, all channels, all devices
        #expect(bench.commands[0].parameters == octets("A000 A000 00 00 00 000000000000 07 00"))
        #expect(bench.commands[1].parameters == [3, 2, 1, 6] + [UInt8](repeating: 0, count: 28))
        #expect(bench.commands[2].parameters == [3, 2, 9, 0x4C] + [UInt8](repeating: 0, count: 28))
        #expect(bench.commands[3].parameters == [1])
        #expect(bench.events == ["advertising"])
    }

    @Test(
        arguments: [(true, false, 0), (true, true, 0), (false, true, 2), (false, false, 3)]
            as [(Bool, Bool, UInt8)])
    func `its type says what it allows`(_ isConnectable: Bool, _ hasResponse: Bool, _ type: UInt8) {
        let bench = HostBench.ready()
        Self.advertise(
            bench,
            AdvertisingParameters(
                data: [], scanResponse: hasResponse ? [1, 9] : [], isConnectable: isConnectable))
        #expect(bench.commands[0].parameters[4] == type)
    }

    @Test(arguments: [0x2006, 0x2008, 0x2009, 0x200A] as [UInt16])
    func `a refusal is told once and nothing stays on`(
        _ opcode: UInt16
    ) {
        let bench = HostBench.ready()
        bench.replies[opcode] = .complete([0x12])
        Self.advertise(bench, Self.lamp)
        #expect(bench.events == ["advertising failed 18"])
        let last = bench.commands.last { $0.opcode == 0x200A }
        #expect(last?.parameters == [opcode == 0x200A ? 1 : 0])
        bench.replies = [:]
        Self.advertise(bench, Self.lamp)
        #expect(bench.events.last == "advertising")
    }

    @Test func `data that does not fit is refused at once`() {
        let bench = HostBench.ready()
        Self.advertise(bench, AdvertisingParameters(data: [UInt8](repeating: 0, count: 32)))
        Self.advertise(
            bench, AdvertisingParameters(data: [], scanResponse: [UInt8](repeating: 0, count: 32)))
        #expect(bench.events == ["advertising failed 18", "advertising failed 18"])
        #expect(bench.commands.isEmpty)
        Self.advertise(bench, AdvertisingParameters(data: [UInt8](repeating: 0, count: 31)))
        #expect(bench.events.last == "advertising")
    }

    @Test func `goes on after a central has come, until there are enough`() {
        let bench = HostBench.ready(HostConfiguration(maximumCentrals: 2))
        Self.advertise(bench, Self.lamp)
        bench.forget()
        bench.linkOpened(1, role: 1)
        #expect(bench.opcodes == [0x200A])
        bench.linkOpened(2, role: 1, peer: other)
        #expect(bench.opcodes == [0x200A])
        bench.linkClosed(1)
        #expect(bench.opcodes == [0x200A, 0x200A])
        #expect(bench.commands.allSatisfy { $0.parameters == [1] })
        #expect(
            bench.events == [
                "connected 1 peripheral \(peer)", "connected 2 peripheral \(other)",
                "disconnected 1 closedByPeer",
            ])
    }

    @Test func `a controller that cannot do both advertises again afterwards`() {
        let bench = HostBench.ready()
        Self.advertise(bench, Self.lamp)
        bench.replies[0x200A] = .complete([0x0C])
        bench.linkOpened(1, role: 1)
        bench.replies = [:]
        bench.forget()
        bench.linkClosed(1)
        #expect(bench.opcodes == [0x200A])
        #expect(bench.events == ["disconnected 1 closedByPeer"])
    }

    @Test func `what is stopped stays off after a link`() {
        let bench = HostBench.ready()
        Self.advertise(bench, Self.lamp)
        bench.linkOpened(1, role: 1)
        bench.update { stack, now in stack.stopAdvertising(at: now) }
        #expect(bench.commands.last?.parameters == [0])
        bench.forget()
        bench.linkClosed(1)
        #expect(bench.opcodes == [])
    }

    @Test func `can be changed while it runs, without being told again`() {
        let bench = HostBench.ready()
        Self.advertise(bench, Self.lamp)
        bench.forget()
        Self.advertise(bench, AdvertisingParameters(data: [2, 1, 4]))
        #expect(bench.opcodes == [0x200A, 0x2006, 0x2008, 0x2009, 0x200A])
        #expect(bench.events == [])
    }

    @Test func `many changes at once do the host no harm`() {
        let bench = HostBench.ready()
        bench.replies[0x2006] = .silence
        bench.update { stack, now in
            for number in 0..<50 {
                stack.startAdvertising(AdvertisingParameters(data: [2, 0xFF, UInt8(number)]), at: now)
            }
        }
        bench.replies = [:]
        bench.receive(bench.complete(0x2006, [0]))
        #expect(bench.events == ["advertising"])
        let data = bench.commands.last { $0.opcode == 0x2008 }
        #expect(data?.parameters[3] == 49)
    }
}
