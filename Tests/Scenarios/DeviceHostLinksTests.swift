// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEWire
import Testing

/// A device session on a controller that is a table of answers; packets of link 1 are completed when told.
private final class DeviceBench {
    var host = DeviceHost(EchoDevice())
    var now = HostInstant.zero
    var events: [EchoDevice.Event] = []
    var failures: [HostError] = []
    /// Packets of data by link.
    var sent: [Int: Int] = [:]
    var stuck: Set<Int> = []
    var disconnected: [Int] = []
    private let controller = HostBench()
    private var outgoing = FIFO<[UInt8]>()

    func start() {
        host.start(at: now)
        run()
    }

    func open(_ handle: Int) {
        var writer = ByteWriter()
        BluetoothAddress(UInt64(handle), kind: .public).encode(into: &writer)
        receive(
            [4, 0x3E, 19, 0x01, 0] + two(handle) + [1, 0] + writer.octets + two(24) + two(0) + two(500) + [0])
        // Notifications on.
        receive([2] + two(handle | 0x2000) + two(9) + two(5) + two(4) + octets("12 1100 0100"))
    }

    func receive(_ octets: [UInt8]) {
        host.receive(octets, at: now)
        run()
    }

    func send(_ count: Int) {
        host.update(at: now) { session in
            for number in 0..<count { session.send([UInt8(number & 0xFF)]) }
        }
        run()
    }

    func advance(seconds: UInt64) {
        let end = now.advanced(bySeconds: seconds)
        while let deadline = host.nextDeadline, deadline <= end {
            now = max(now, deadline)
            host.deadlineReached(at: now)
            run()
        }
        now = end
    }

    func run() {
        drain()
        while let packet = outgoing.popFirst() {
            if packet[0] == 2 {
                let handle = Int(packet[1]) | Int(packet[2] & 0x0F) << 8
                sent[handle, default: 0] += 1
                if !stuck.contains(handle) {
                    host.receive([4, 0x13, 5, 1] + two(handle) + two(1), at: now)
                }
            } else {
                host.receive(controller.answer(to: packet), at: now)
                if packet[1] == 0x06, packet[2] == 0x04 {
                    disconnected.append(Int(packet[4]))
                    host.receive([4, 0x05, 4, 0, packet[4], packet[5], 0x16], at: now)
                }
            }
            drain()
        }
    }

    private func drain() {
        while let output = host.nextOutput() {
            switch output {
            case .send(let packet): outgoing.append(packet)
            case .event(let event): events.append(event)
            case .failed(let failure): failures.append(failure)
            case .advertising: break
            }
        }
    }
}

@Suite struct DeviceHostLinksTests {
    @Test func `a client that takes nothing does not delay the others`() {
        let bench = DeviceBench()
        bench.start()
        bench.open(1)
        bench.open(2)
        bench.sent = [:]
        bench.stuck = [1]
        // Less than what may wait: 3 in the controller, 32 on the link, 64 here.
        bench.send(90)
        #expect(bench.sent[2] == 90)
        #expect(bench.sent[1] == 3)
        bench.advance(seconds: 300)
        #expect(bench.disconnected == [])
    }

    @Test func `a client that falls too far behind holds the session up, then has to go`() {
        let bench = DeviceBench()
        bench.start()
        bench.open(1)
        bench.open(2)
        bench.advance(seconds: 20)
        (bench.sent, bench.events) = ([:], [])
        bench.stuck = [1]
        bench.send(500)
        let before = bench.sent[2] ?? 0
        #expect(before >= DeviceHost<EchoDevice>.queueLimit && before < 500)
        bench.advance(seconds: 9)
        #expect(bench.disconnected == [])
        bench.advance(seconds: 2)
        #expect(bench.disconnected == [1])
        #expect(bench.sent[2] == 500)
        #expect(bench.events == [.disconnected(LinkID(rawValue: 1))])
    }

    @Test func `a client that is slow but takes something stays, and gets everything`() {
        let bench = DeviceBench()
        bench.start()
        bench.open(1)
        bench.advance(seconds: 20)
        bench.sent = [:]
        bench.stuck = [1]
        bench.send(200)
        for _ in 0..<200 {
            bench.advance(seconds: 5)
            bench.receive([4, 0x13, 5, 1] + two(1) + two(1))
        }
        #expect(bench.disconnected == [])
        #expect(bench.sent[1] == 200)
    }

    @Test func `a transport that is gone ends every link, and the device can start again`() {
        let bench = DeviceBench()
        bench.start()
        bench.open(1)
        bench.open(2)
        bench.events = []
        bench.host.transportClosed(at: bench.now)
        bench.run()
        #expect(
            bench.events == [.disconnected(LinkID(rawValue: 1)), .disconnected(LinkID(rawValue: 2))])
        #expect(bench.failures == [.transportClosed])
        bench.host.transportClosed(at: bench.now)
        bench.run()
        #expect(bench.failures == [.transportClosed])
        bench.start()
        bench.open(1)
        bench.sent = [:]
        bench.send(1)
        #expect(bench.sent == [1: 1])
    }
}
