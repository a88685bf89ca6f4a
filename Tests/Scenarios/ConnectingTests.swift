// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEWire
import Testing

private let peer = HostBench.peer
private let other = BluetoothAddress(0xC1C2_C3C4_C5C6, kind: .random)
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
                == octets("6000 6000 00 01 F5F4F3F2F1F0 01 0C00 1800 0000 F401 0000 0000"))
        #expect(bench.stack.nextDeadline == bench.now.advanced(bySeconds: 10))
        bench.linkOpened(0x40)
        #expect(bench.events == ["connected 1 central \(peer)"])
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

    @Test(arguments: [(0x3E, "connectTimeout"), (0x0D, "controller 13")] as [(UInt8, String)])
    func `an attempt that the controller ends is told`(_ status: UInt8, _ words: String) {
        let bench = HostBench.ready()
        bench.connect()
        bench.linkOpened(0, status: status)
        #expect(bench.events == ["connect failed \(peer) \(words)"])
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
        let third = BluetoothAddress(3, kind: .public)
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
        #expect(bench.commands.first?.parameters == octets("01 6000 6000 01 00"))
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
