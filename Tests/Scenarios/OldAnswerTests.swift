// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEWire
import Testing

private let peer = HostBench.peer
private let other = BluetoothAddress(0xC1C2_C3C4_C5C6, kind: .random)
private let cancelled = "04 3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00"

/// What the controller says late is about what it was asked then.
@Suite struct OldAnswerTests {
    private static func ready() -> HostBench {
        let bench = HostBench.ready()
        // The controller takes several commands at once.
        bench.commandCredits = 5
        bench.receive("04 0E 03 05 00 00")
        return bench
    }

    @Test func `the end of an old scan does not end a new one`() {
        let bench = Self.ready()
        bench.replies[0x200C] = .silence
        bench.update { stack, now in
            stack.startScanning(ScanParameters(), at: now)
            stack.stopScanning(at: now)
            stack.startScanning(ScanParameters(isActive: false), at: now)
        }
        // The first one was refused, though nobody wants it any more.
        bench.receive(bench.complete(0x200C, [0x0C]))
        bench.receive(bench.complete(0x200C, [0x0C]))
        #expect(bench.events == [])
        bench.receive(bench.complete(0x200C, [0x0C]))
        #expect(bench.events == ["scan failed 12"])
    }

    @Test func `a refusal of old advertising does not end new advertising`() {
        let bench = Self.ready()
        bench.replies[0x2006] = .silence
        bench.update { stack, now in
            stack.startAdvertising(AdvertisingParameters(data: [1, 6]), at: now)
            stack.startAdvertising(AdvertisingParameters(data: [1, 9]), at: now)
        }
        bench.replies = [:]
        bench.receive(bench.complete(0x2006, [0x12]))
        #expect(bench.events == ["advertising"])
        #expect(bench.commands.last { $0.opcode == 0x2008 }?.parameters.prefix(3) == [2, 1, 9])
    }

    @Test func `the end of an attempt after the cancel limit does not end the next attempt`() {
        let bench = HostBench.ready()
        bench.update { stack, now in
            stack.connect(to: peer, ConnectParameters(timeoutMilliseconds: 1000), at: now)
            stack.connect(to: other, at: now)
        }
        bench.advance(milliseconds: 1000)
        // The controller neither reports the end nor answers what it is asked next at once.
        bench.replies[0x200D] = .silence
        bench.advance(milliseconds: 2000)
        #expect(bench.events == ["connect failed \(peer) connectTimeout"])
        bench.receive(cancelled)
        #expect(bench.events.count == 1)
        bench.receive("04 0F 04 00 01 0D20")
        bench.linkOpened(1, peer: other)
        #expect(bench.events.last == "connected 1 central \(other)")
    }

    @Test func `an attempt that is refused because the old one is not over waits for that`() {
        let bench = HostBench.ready()
        bench.update { stack, now in
            stack.connect(to: peer, ConnectParameters(timeoutMilliseconds: 1000), at: now)
            stack.connect(to: other, at: now)
        }
        bench.advance(milliseconds: 1000)
        bench.replies[0x200D] = .status(0x0C)
        bench.advance(milliseconds: 2000)
        #expect(bench.events == ["connect failed \(peer) connectTimeout"])
        bench.replies = [:]
        bench.forget()
        bench.receive(cancelled)
        #expect(bench.commands.map(\.opcode) == [0x200D])
        bench.linkOpened(1, peer: other)
        #expect(bench.events == ["connected 1 central \(other)"])
        // And one for which that takes too long is told so, once.
        let slow = HostBench.ready()
        slow.update { stack, now in
            stack.connect(to: peer, ConnectParameters(timeoutMilliseconds: 1000), at: now)
            stack.connect(to: other, ConnectParameters(timeoutMilliseconds: 5000), at: now)
        }
        slow.advance(milliseconds: 1000)
        slow.replies[0x200D] = .status(0x0C)
        slow.advance(milliseconds: 60_000)
        #expect(slow.events.dropFirst() == ["connect failed \(other) connectTimeout"])
        #expect(slow.stack.nextDeadline == nil)
    }

    @Test func `an old disconnect that fails does not end a new link with the same handle`() {
        let bench = Self.ready()
        bench.open(1)
        bench.replies[0x0406] = .silence
        bench.update { stack, now in stack.disconnect(LinkID(rawValue: 1), at: now) }
        bench.linkClosed(1)
        bench.open(1, peer: other)
        bench.update { stack, now in stack.disconnect(LinkID(rawValue: 2), at: now) }
        bench.forget()
        bench.receive("04 0F 04 02 05 0604")
        #expect(bench.events == [])
        bench.linkClosed(1)
        #expect(bench.events == ["disconnected 2 closedByUs"])
    }

    @Test func `an old answer about a link does not end what is asked of the next one`() {
        let bench = Self.ready()
        bench.replies[0x1405] = .silence
        bench.open(1)
        bench.update { stack, now in _ = stack.perform(.readRSSI, on: LinkID(rawValue: 1), at: now) }
        bench.linkClosed(1)
        bench.open(1, peer: other)
        bench.update { stack, now in _ = stack.perform(.readRSSI, on: LinkID(rawValue: 2), at: now) }
        bench.receive(bench.complete(0x1405, [0, 1, 0, 0xC0]))
        #expect(bench.events == [])
        bench.receive(bench.complete(0x1405, [0, 1, 0, 0xD0]))
        #expect(bench.events == ["procedure 2 1 rssi -48"])
    }

    @Test func `a handle that no link can have makes no link`() {
        let bench = HostBench.ready()
        bench.update { stack, now in stack.connect(to: peer, at: now) }
        bench.linkOpened(0x0F00)
        bench.linkOpened(0x0FFF, role: 1)
        #expect(bench.events == [])
        #expect(bench.stack.counters.malformedEvents == 2)
        bench.linkOpened(0x0EFF)
        #expect(bench.events == ["connected 1 central \(peer)"])
    }

    @Test func `a timeout of any length is possible`() {
        let bench = HostBench.ready()
        bench.advance(milliseconds: 10)
        bench.update { stack, now in
            stack.connect(to: peer, ConnectParameters(timeoutMilliseconds: .max), at: now)
        }
        #expect(bench.stack.nextDeadline == HostInstant(microseconds: .max))
    }
}
