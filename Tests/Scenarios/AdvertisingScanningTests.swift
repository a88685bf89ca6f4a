// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEWire
import Testing

private let peer = HostBench.peer
private let other = BluetoothAddress(0xC1C2_C3C4_C5C6, kind: .random)

extension HostBench {
    fileprivate var opcodes: [UInt16] { commands.map(\.opcode) }
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

    @Test func `extended reports are told like any other`() {
        let bench = HostBench.ready()
        let report =
            "04 3E 1D 0D 01 1300 01 F5F4F3F2F1F0 01 00 FF 7F C5 0000 00000000000000 03 020106"
        bench.receive(report)
        #expect(bench.events == [])
        bench.update { stack, now in stack.startScanning(ScanParameters(), at: now) }
        bench.receive(report)
        #expect(bench.events == ["advertisement F0:F1:F2:F3:F4:F5 020106"])
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
        // 100 ms, connectable undirected, random, no peer, all channels, all devices
        #expect(bench.commands[0].parameters == octets("A000 A000 00 01 00 000000000000 07 00"))
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
        // It was not switched on, or that was refused.
        #expect(bench.commands.count { $0.opcode == 0x200A } == (opcode == 0x200A ? 1 : 0))
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

    @Test func `what is started or changed beside enough centrals is told, and waits`() {
        let bench = HostBench.ready(HostConfiguration(maximumCentrals: 1))
        bench.linkOpened(1, role: 1)
        bench.forget()
        for _ in 0..<2 {
            Self.advertise(bench, Self.lamp)
            #expect(bench.opcodes == [0x2006, 0x2008, 0x2009])
            #expect(bench.events == ["advertising"])
            bench.forget()
        }
        bench.linkClosed(1)
        #expect(bench.opcodes == [0x200A])
        #expect(bench.events == ["disconnected 1 closedByPeer"])
    }

    @Test func `a host that is off cannot advertise`() {
        let bench = HostBench()
        Self.advertise(bench, Self.lamp)
        #expect(bench.events == ["advertising failed 12"])
        #expect(bench.commands.isEmpty)
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

    @Test func `can be changed while it runs, and that is told`() {
        let bench = HostBench.ready()
        Self.advertise(bench, Self.lamp)
        bench.forget()
        Self.advertise(bench, AdvertisingParameters(data: [2, 1, 4]))
        #expect(bench.opcodes == [0x200A, 0x2006, 0x2008, 0x2009, 0x200A])
        #expect(bench.events == ["advertising"])
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
