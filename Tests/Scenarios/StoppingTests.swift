// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEWire
import Testing

@Suite struct StoppingTests {
    /// What a controller reports when an attempt was cancelled: LE Connection Complete, Unknown Connection.
    private static let cancelled = "04 3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00"

    private static func stop(_ bench: HostBench) { bench.update { stack, now in stack.stop(at: now) } }

    @Test func `an idle host is off at once, and can start again`() {
        let bench = HostBench.ready()
        Self.stop(bench)
        #expect(bench.events == ["stopped"])
        #expect(!bench.stack.isReady && bench.stack.nextDeadline == nil)
        bench.start()
        #expect(bench.events == ["stopped", "ready"])
    }

    @Test func `a host that stopped with no credit left starts again at once`() {
        let bench = HostBench.ready()
        // Command Complete of no command: the controller takes none now, and says otherwise while the host is off.
        bench.receive("04 0E 03 00 00 00")
        Self.stop(bench)
        bench.receive("04 0E 03 01 00 00")
        bench.start()
        #expect(bench.events == ["stopped", "ready"])
    }

    @Test func `a host that is off has stopped already`() {
        let bench = HostBench()
        Self.stop(bench)
        #expect(bench.events == ["stopped"])
    }

    @Test func `a host that starts just fails`() {
        let bench = HostBench()
        bench.replies[0x0C03] = .silence
        bench.start()
        Self.stop(bench)
        #expect(bench.events == ["failed transportClosed"])
    }

    @Test func `the controller is told to scan and advertise no more`() {
        let bench = HostBench.ready()
        bench.update { stack, now in
            stack.startScanning(ScanParameters(), at: now)
            stack.startAdvertising(AdvertisingParameters(data: [2, 1, 6]), at: now)
        }
        bench.forget()
        Self.stop(bench)
        #expect(bench.commands.map(\.opcode) == [0x200A, 0x200C])
        #expect(bench.commands.map(\.parameters.first) == [0, 0])
        #expect(bench.events == ["stopped"])
    }

    @Test func `links are closed and waited for`() {
        let bench = HostBench.ready()
        bench.open(0x40)
        bench.open(0x41, role: 1)
        bench.forget()
        Self.stop(bench)
        #expect(bench.commands.map(\.opcode) == [0x0406, 0x0406])
        #expect(bench.events == [])
        bench.linkClosed(0x40, reason: 0x16)
        bench.linkClosed(0x41, reason: 0x16)
        #expect(bench.events == ["disconnected 1 closedByUs", "disconnected 2 closedByUs", "stopped"])
    }

    @Test func `an attempt is cancelled and waited for`() {
        let bench = HostBench.ready()
        bench.update { stack, now in
            stack.connect(to: HostBench.peer, at: now)
            stack.connect(to: BluetoothAddress(0xC1C2_C3C4_C5C6, kind: .random), at: now)
        }
        bench.forget()
        Self.stop(bench)
        #expect(bench.commands.map(\.opcode) == [0x200E])
        #expect(bench.events == ["connect failed C1:C2:C3:C4:C5:C6 closedByUs"])
        bench.receive(Self.cancelled)
        #expect(
            bench.events.dropFirst() == ["connect failed F0:F1:F2:F3:F4:F5 closedByUs", "stopped"])
    }

    @Test func `a link that comes about meanwhile is closed`() {
        let bench = HostBench.ready()
        bench.update { stack, now in stack.connect(to: HostBench.peer, at: now) }
        Self.stop(bench)
        bench.forget()
        bench.linkOpened(0x40)
        #expect(bench.commands.map(\.opcode) == [0x0406])
        bench.linkClosed(0x40, reason: 0x16)
        #expect(bench.events.last == "stopped")
    }

    @Test func `a link that the peer opens meanwhile does not end the attempt`() {
        let bench = HostBench.ready()
        bench.update { stack, now in stack.connect(to: HostBench.peer, at: now) }
        bench.update { stack, now in stack.stop(at: now) }
        bench.linkOpened(1, role: 1)
        #expect(!bench.events.contains { $0.hasPrefix("connect failed") })
        bench.linkClosed(1, reason: 0x16)
        bench.advance(milliseconds: 2_000)
        #expect(bench.events.count { $0.hasPrefix("connect failed") } == 1)
        #expect(bench.events.last == "stopped")
    }

    @Test func `a controller that falls silent turns the host off`() {
        let bench = HostBench.ready()
        bench.update { stack, now in stack.startScanning(ScanParameters(), at: now) }
        bench.replies[0x200C] = .silence
        bench.forget()
        Self.stop(bench)
        #expect(bench.events == [])
        bench.advance(milliseconds: 2000)
        #expect(bench.events == ["failed controllerSilent"])
    }
}
