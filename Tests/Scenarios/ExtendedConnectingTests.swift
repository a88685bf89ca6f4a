// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEHost
import BLEWire
import Testing

private let peer = HostBench.peer
private let other = BluetoothAddress(0xC1C2_C3C4_C5C6, kind: .random)
private let cancelled = "04 3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00"

extension HostBench {
    fileprivate var opcodes: [UInt16] { commands.map(\.opcode) }

    fileprivate func connect(_ addresses: [BluetoothAddress], _ parameters: ConnectParameters = .init()) {
        update { stack, now in stack.connect(toFirstOf: addresses, parameters, at: now) }
    }
}

@Suite struct ExtendedConnectingTests {
    /// Interval, window, 15 ms, 30 ms, latency, 5 s, CE lengths.
    private static let phy = "6000 6000 0C00 1800 0000 F401 0000 0000"
    /// Three quarters of the time, and one.
    private static let most = "6000 4800 0C00 1800 0000 F401 0000 0000"
    private static let rest = "6000 1800 0C00 1800 0000 F401 0000 0000"

    @Test func `a link is asked for on every PHY that there is`() {
        let all: HCI.PHYs = [.le1M, .le2M, .leCoded]
        let cases: [(Int, HCI.PHYs, String)] = [
            (extendedFeatures, [.le1M, .le2M], "01" + Self.phy), (extendedFeatures, all, "01" + Self.phy),
            (0x1100, [.le1M, .le2M], "03" + Self.phy + Self.phy),
            (allPHYs, [.le1M, .le2M], "03" + Self.phy + Self.phy),
            (allPHYs, all, "07" + Self.most + Self.most + Self.rest),
            (allPHYs, [.le1M], "01" + Self.phy), (allPHYs, [.leCoded], "04" + Self.phy),
            // What the controller has none of leaves what every controller has.
            (extendedFeatures, [.leCoded], "01" + Self.phy), (allPHYs, [], "01" + Self.phy),
        ]
        for (features, phys, expected) in cases {
            let bench = HostBench.ready(features: features)
            bench.connect([peer], ConnectParameters(phys: phys))
            #expect(bench.opcodes == [0x2043])
            #expect(bench.commands.last?.parameters == octets("00 01 01 F5F4F3F2F1F0" + expected))
            bench.linkOpened(1)
            #expect(bench.events == ["connected 1 central \(peer)"])
        }
    }

    @Test(arguments: [0x0B, 0x0C, 0x12] as [UInt8]) func `a refusal is told and the next one goes on`(
        _ status: UInt8
    ) {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.replies[0x2043] = .status(status)
        bench.connect([peer])
        #expect(bench.events == ["connect failed \(peer) controller \(status)"])
        bench.replies = [:]
        bench.connect([other])
        bench.linkOpened(1, peer: other)
        #expect(bench.events.last == "connected 1 central \(other)")
    }

    @Test func `nobody there: cancelled after its time, and told once`() {
        let bench = HostBench.ready(features: extendedFeatures)
        bench.connect([peer], ConnectParameters(timeoutMilliseconds: 3_000))
        bench.advance(milliseconds: 3_000)
        #expect(bench.opcodes == [0x2043, 0x200E])
        bench.receive(cancelled)
        #expect(bench.events == ["connect failed \(peer) connectTimeout"])
        #expect(bench.stack.nextDeadline == nil)
    }

    @Test(arguments: [0x0020, extendedFeatures]) func `whoever of several is heard first is connected to`(
        _ features: Int
    ) {
        let bench = HostBench.ready(features: features)
        bench.connect([peer, other])
        let create: UInt16 = features == extendedFeatures ? 0x2043 : 0x200D
        #expect(bench.opcodes == [0x2010, 0x2011, 0x2011, create])
        let parameters = bench.commands[3].parameters
        #expect(create == 0x2043 ? parameters[0] == 1 : parameters[4] == 1)
        bench.linkOpened(1, peer: other)
        #expect(bench.events == ["connected 1 central \(other)"])
        bench.att(1, "03 1700")
        #expect(bench.stack.nextDeadline == nil)
        // The next one has its turn.
        bench.forget()
        bench.connect([peer])
        #expect(bench.opcodes == [create])
    }

    @Test func `giving up several is told once, by the first of them`() {
        let bench = HostBench.ready()
        bench.connect([peer, other])
        bench.update { stack, now in stack.cancelConnect(to: other, at: now) }
        #expect(!bench.opcodes.contains(0x200E))
        bench.update { stack, now in stack.cancelConnect(to: peer, at: now) }
        bench.receive(cancelled)
        #expect(bench.events == ["connect failed \(peer) closedByUs"])
    }

    @Test func `as many as the controller's list holds, and no more; one is always possible`() {
        let many = (1...5).map { BluetoothAddress($0, kind: .public) }
        let bench = HostBench.ready()
        bench.connect(many)
        bench.connect([])
        let nobody = BluetoothAddress(0, kind: .anonymous)
        #expect(
            bench.events == [
                "connect failed \(many[0]) controller 7", "connect failed \(nobody) controller 7",
            ])
        #expect(bench.commands.isEmpty)
        bench.connect(Array(many.prefix(4)))
        #expect(bench.opcodes.count == 6)
        let without = HostBench()
        without.replies[0x200F] = .complete([0x01])
        without.start()
        without.forget()
        without.connect([peer])
        #expect(without.opcodes == [0x200D])
    }

    @Test(arguments: [0x2010, 0x2011] as [UInt16]) func `a list that is refused ends the attempt`(
        _ opcode: UInt16
    ) {
        let bench = HostBench.ready()
        bench.replies[opcode] = .complete([0x07])
        bench.connect([peer, other])
        #expect(bench.opcodes.last == 0x200E)
        bench.receive(cancelled)
        #expect(bench.events == ["connect failed \(peer) controller 7"])
        bench.replies = [:]
        bench.connect([other])
        bench.linkOpened(1, peer: other)
        #expect(bench.events.last == "connected 1 central \(other)")
    }

    @Test func `the scan gets its list back after a link was opened with another one`() {
        let bench = HostBench.ready()
        bench.update { stack, now in stack.startScanning(ScanParameters(addresses: [peer]), at: now) }
        bench.connect([peer, other])
        bench.forget()
        bench.linkOpened(1)
        #expect(bench.opcodes.filter { $0 != 0x200C } == [0x2010, 0x2011, 0x200B])
    }

    @Test func `a disconnect that is accepted and never reported ends all the same`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.update { stack, now in stack.disconnect(LinkID(rawValue: 1), at: now) }
        // The link's supervision timeout of 5 s, and 2 s more.
        bench.advance(milliseconds: 6_999)
        #expect(bench.events == [])
        bench.advance(milliseconds: 1)
        #expect(bench.events == ["disconnected 1 closedByUs"])
        #expect(bench.stack.nextDeadline == nil)
        // The controller comes round to it.
        bench.linkClosed(1)
        #expect(bench.events.count == 1)
    }

    @Test func `stopping does not wait for ever for such a link`() {
        let bench = HostBench.ready()
        bench.open(1)
        bench.update { stack, now in stack.stop(at: now) }
        #expect(bench.events == [])
        bench.advance(milliseconds: 7_000)
        #expect(bench.events == ["disconnected 1 closedByUs", "stopped"])
    }
}
