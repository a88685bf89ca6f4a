// SPDX-License-Identifier: Apache-2.0

import BLEWire
import OverflowArea
import Testing

private let demo = OverflowPayload(0x0102_0304)
private let alice = BluetoothAddress(0xC0_0000_0001, kind: .random)
private let bob = BluetoothAddress(0xC0_0000_0002, kind: .random)

/// A receiver, what it reports as words, and a clock that moves when asked to.
private final class Bench {
    var receiver: OverflowReceiver
    var now = HostInstant.zero

    init(_ options: OverflowReceiver.Options = OverflowReceiver.Options()) {
        receiver = OverflowReceiver(options)
    }

    func hear(_ map: OverflowMap, from address: BluetoothAddress = alice) -> [String] {
        hear(map.advertisingData, from: address)
    }

    func hear(_ data: [UInt8], from address: BluetoothAddress = alice) -> [String] {
        receiver.receive(data, from: address, rssi: -50, at: now)
        return reports()
    }

    func pass(_ seconds: UInt64) -> [String] {
        now = now.advanced(bySeconds: seconds)
        if let deadline = receiver.nextDeadline, deadline <= now { receiver.deadlineReached(at: now) }
        return reports()
    }

    private func reports() -> [String] {
        var words: [String] = []
        while let output = receiver.nextOutput() {
            let name = output.address == alice ? "alice" : output.address == bob ? "bob" : "\(output.address)"
            switch output.event {
            case .map(let map): words.append("\(name) map \(map.count)")
            case .payload(let message):
                words.append("\(name) \(message.codec) \(message.position.rawValue) \(message.payload)")
            case .ignored(let reason): words.append("\(name) \(reason)")
            case .gone: words.append("\(name) gone")
            }
        }
        return words
    }
}

private func v1(_ position: OverflowPosition, _ payload: OverflowPayload = demo) -> OverflowMap {
    OverflowBanks.map(of: payload, at: position)
}

@Suite struct OverflowReceiverTests {
    @Test func `a message is believed after its position has changed, and told once`() {
        let bench = Bench()
        #expect(bench.hear(v1(.first)) == ["alice map 9", "alice unknown position"])
        #expect(bench.hear(v1(.first)) == [])
        #expect(bench.hear(v1(.second)) == ["alice map 9", "alice v1 1 01020304"])
        #expect(bench.hear(v1(.second)) == [])
        // The map changes with each rotation, the payload does not.
        #expect(bench.hear(v1(.first)) == ["alice map 9"])
        #expect(bench.hear(v1(.second)) == ["alice map 9"])
        // A new payload is told at once, also one that was told before.
        let next = OverflowPayload(0xFF)
        #expect(bench.hear(v1(.second, next)) == ["alice map 12", "alice v1 1 000000ff"])
        #expect(bench.hear(v1(.second)) == ["alice map 9", "alice v1 1 01020304"])
    }

    @Test func `a message with an error-correcting code is believed at once`() {
        let bench = Bench()
        var map = OverflowHamming.map(of: demo)
        #expect(bench.hear(map) == ["alice map 15", "alice v2 1 01020304"])
        map.insert(.watchSetup)
        #expect(bench.hear(map) == ["alice map 16"])
        #expect(
            bench.hear(OverflowHamming.map(of: OverflowPayload(0))) == ["alice map 7", "alice v2 1 00000000"])
    }

    @Test func `other maps have no match, told once for each`() {
        let bench = Bench()
        #expect(bench.hear(OverflowMap(low: 1)) == ["alice map 1", "alice no match"])
        #expect(bench.hear(OverflowMap(low: 1)) == [])
        #expect(bench.hear(OverflowMap(low: 3)) == ["alice map 2", "alice no match"])
        #expect(bench.hear(OverflowMap()) == ["alice map 0", "alice no match"])
        // Both positions are known now.
        #expect(bench.hear(v1(.first)) == ["alice map 9", "alice v1 0 01020304"])
    }

    @Test func `why a polluted message was ignored is told once while it stays the same`() {
        let bench = Bench()
        let noise = OverflowMap(low: 1 << 63)
        #expect(bench.hear(v1(.first).union(noise)) == ["alice map 10", "alice unknown position"])
        #expect(bench.hear(v1(.second).union(noise)) == ["alice map 10", "alice v1 1 01020304"])
        #expect(bench.hear(v1(.first).union(noise)) == ["alice map 10", "alice polluted"])
        #expect(bench.hear(v1(.second).union(noise)) == ["alice map 10"])
        #expect(bench.hear(v1(.first).union(noise)) == ["alice map 10"])
        // Another message there is news.
        let next = v1(.first, OverflowPayload(5)).union(noise)
        #expect(bench.hear(next) == ["alice map 7", "alice polluted"])
        // With both polluted the reasons of both are told once.
        let everywhere = OverflowMap(low: 1 << 63, high: 1 << 63)
        var words: [String] = []
        for _ in 0..<3 {
            for position in OverflowPosition.allCases {
                words += bench.hear(v1(position).union(everywhere), from: bob)
            }
        }
        #expect(
            words.filter { !$0.contains("map") } == ["bob unknown position", "bob polluted", "bob polluted"])
    }

    @Test func `senders do not disturb each other`() {
        let bench = Bench()
        #expect(bench.hear(v1(.first)) == ["alice map 9", "alice unknown position"])
        #expect(bench.hear(v1(.second), from: bob) == ["bob map 9", "bob unknown position"])
        let same = BluetoothAddress(alice.value, kind: .public)
        #expect(bench.hear(v1(.second), from: same).count == 2)
        #expect(bench.hear(v1(.second)) == ["alice map 9", "alice v1 1 01020304"])
        #expect(bench.receiver.senderCount == 3)
    }

    @Test func `a sender that stops is gone, and starts anew`() {
        let bench = Bench()
        _ = bench.hear(v1(.first))
        _ = bench.hear(v1(.second))
        #expect(bench.pass(59) == [])
        #expect(bench.hear(v1(.second)) == [])
        #expect(bench.pass(59) == [])
        #expect(bench.pass(1) == ["alice gone"])
        #expect(bench.receiver.senderCount == 0)
        #expect(bench.receiver.nextDeadline == nil)
        #expect(bench.hear(v1(.second)) == ["alice map 9", "alice unknown position"])
    }

    @Test func `only as many senders are remembered as may be`() {
        let bench = Bench(OverflowReceiver.Options(maximumSenders: 2))
        _ = bench.hear(v1(.first))
        _ = bench.pass(1)
        _ = bench.hear(v1(.first), from: bob)
        _ = bench.pass(1)
        _ = bench.hear(v1(.first))
        let third = BluetoothAddress(3, kind: .public)
        #expect(bench.hear(OverflowMap(low: 1), from: third).first == "bob gone")
        #expect(bench.receiver.senderCount == 2)
        #expect(bench.hear(v1(.second)) == ["alice map 9", "alice v1 1 01020304"])
        for number in 0..<5000 {
            _ = bench.hear(v1(.first), from: BluetoothAddress(UInt64(number), kind: .random))
        }
        #expect(bench.receiver.senderCount == 2)
    }

    @Test func `what is cut off is told once until it is whole again`() {
        let bench = Bench()
        let short = Array(v1(.first).structure.dropLast(3))
        #expect(bench.hear(short) == ["alice truncated"])
        #expect(bench.hear(short) == [])
        #expect(bench.hear(v1(.first)) == ["alice map 9", "alice unknown position"])
        #expect(bench.hear(short) == ["alice truncated"])
    }

    @Test func `advertisements without an overflow area are passed over`() {
        let bench = Bench()
        for data in [[], [2, 1, 6], octets("0AFF4C00 1005 0102030405"), octets("05FF59000102")] {
            #expect(bench.hear(data) == [])
        }
        #expect(bench.receiver.senderCount == 0)
    }

    @Test func `any octets from anybody are borne, in bounded memory`() {
        var random = SplitMix64(seed: 1)
        let bench = Bench(OverflowReceiver.Options(silenceSeconds: 5, maximumSenders: 8))
        for _ in 0..<4000 {
            var data = OverflowMap(low: random.next(), high: random.next()).advertisingData
            if Bool.random(using: &random) {
                data = v1(Bool.random(using: &random) ? .first : .second).advertisingData
            }
            if Int.random(in: 0..<4, using: &random) == 0 { data[Int.random(in: 0..<data.count)] ^= 0xFF }
            if Int.random(in: 0..<4, using: &random) == 0 { data.removeLast(Int.random(in: 0...data.count)) }
            let words = bench.hear(
                data, from: BluetoothAddress(UInt64.random(in: 0..<12, using: &random), kind: .random))
            #expect(words.count <= 4)
            #expect(bench.receiver.senderCount <= 8)
            if Int.random(in: 0..<50, using: &random) == 0 { _ = bench.pass(2) }
        }
        _ = bench.pass(10)
        #expect(bench.receiver.senderCount == 0)
    }
}
