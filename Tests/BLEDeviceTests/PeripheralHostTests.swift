// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHCI
import BLEWire
import Testing

@testable import BLEDevice

@Suite("A host for chips") struct PeripheralHostTests {
    private static let notify: [UInt8] = [0x12] + two(ChipBench.value + 1) + [1, 0]
    private static let indicate: [UInt8] = [0x12] + two(ChipBench.value + 1) + [2, 0]

    private func bench(_ limits: DeviceLimits = DeviceLimits(), links: Int...) -> ChipBench {
        let bench = ChipBench(ChipBench.services, limits)
        bench.start()
        for link in links { bench.open(link) }
        return bench
    }

    private func say(_ bench: ChipBench, _ value: [UInt8], to link: UInt32, _ kind: GATT.ValueKind = .notify)
    {
        bench.host.update(at: bench.now) {
            $0.say(value, AttributeHandle(rawValue: UInt16(ChipBench.value)), LinkID(rawValue: link), kind)
        }
        bench.run()
    }

    @Test func itStartsAndAdvertises() {
        let bench = bench()
        #expect(
            bench.commands == [
                0x0C03, 0x0C01, 0x2001, 0x2002, 0x2003, 0x2024, 0x2005, 0x2006, 0x2008, 0x2009, 0x200A,
            ])
        #expect(bench.advertised == 1 && bench.failures.isEmpty)
        bench.host.update(at: bench.now) { $0.advertisementChanges() }
        bench.run()
        #expect(
            bench.commands.suffix(5) == [0x200A, 0x2006, 0x2008, 0x2009, 0x200A] && bench.advertised == 2)
    }

    @Test(arguments: [0x0C03, 0x0C01, 0x2001, 0x2002, 0x2005]) func aControllerThatRefusesIsTold(command: Int)
    {
        let bench = ChipBench()
        bench.answers[command] = [0x0C]
        bench.start()
        #expect(
            bench.failures == [.refused(HCI.Opcode(rawValue: UInt16(command)), HCI.Status(rawValue: 0x0C))])
        #expect(bench.commands.last == command && bench.advertised == 0)
        // It can be started again.
        bench.answers = [:]
        bench.start()
        #expect(bench.advertised == 1)
    }

    @Test(arguments: [0x0C03, 0x2002, 0x200A]) func aControllerThatIsSilentIsTold(command: Int) {
        let bench = ChipBench()
        bench.answers[command] = .some(nil)
        bench.start()
        bench.advance(seconds: 3)
        #expect(bench.failures == [.silent(HCI.Opcode(rawValue: UInt16(command)))])
    }

    @Test func whatAControllerCannotDoIsDoneWithout() {
        let bench = ChipBench()
        bench.answers = [0x2003: [0x01], 0x2002: [0, 0, 0, 0], 0x1005: [0, 64, 0, 0, 2, 0, 0, 0]]
        bench.start()
        #expect(bench.advertised == 1 && !bench.commands.contains(0x2024))
        // A frame of 30 octets fits into one packet there.
        bench.open(1)
        bench.send([0x0A] + two(3))
        #expect(bench.taken() == [[7, 0, 4, 0, 0x0B] + Array("Values".utf8)])
    }

    @Test func aFullDeviceIsNotConnectable() {
        let bench = bench(links: 1)
        #expect(bench.advertised == 2)
        bench.open(2)
        #expect(bench.advertised == 2)
        // One more than there may be is let go, and the session never hears of it.
        bench.open(3)
        #expect(bench.commands.last == 0x0406)
        bench.host.update(at: bench.now) { #expect($0.told.count == 2) }
        bench.close(1)
        #expect(bench.advertised == 3)
        bench.host.update(at: bench.now) { #expect($0.told.last?.hasPrefix("disconnected") == true) }
    }

    @Test(arguments: [1, 2, 5, 27, 251]) func framesComeInParts(cut: Int) {
        let bench = bench(links: 1)
        bench.send([0x02, 247, 0], cut: cut)
        bench.send([0x12] + two(ChipBench.value) + Array(0..<200), cut: cut)
        bench.send([0x0A] + two(ChipBench.value), cut: cut)
        #expect(
            bench.taken() == [
                [3, 0, 4, 0, 0x03, 247, 0], [1, 0, 4, 0, 0x13], [201, 0, 4, 0, 0x0B] + Array(0..<200),
            ])
    }

    @Test func aFrameThatIsTooLongIsPassedOver() {
        let bench = bench(links: 1)
        bench.send(Array(repeating: 7, count: 3_000), cut: 200)
        bench.send(Array(repeating: 7, count: 60_000), cut: 1_000)
        bench.receive([2] + two(1 | 0x1000) + two(4) + [1, 2, 3, 4])
        #expect(bench.taken().isEmpty)
        bench.send([0x0A] + two(3))
        #expect(bench.taken().count == 1)
    }

    @Test func otherChannelsAreAnswered() {
        let bench = bench(links: 1)
        bench.send([0x01, 3, 0, 1, 16, 7, 7], on: 6)
        bench.send([0x12, 9, 8, 0, 6, 0, 12, 0, 0, 0, 100, 0], on: 5)
        bench.send([0x14, 5, 10, 0] + Array(repeating: 1, count: 10), on: 5)
        bench.send([0x16, 6, 4, 0, 1, 0, 1, 0], on: 5)
        bench.send([0x77], on: 5)
        bench.send([1, 2, 3], on: 0x40)
        #expect(
            bench.taken() == [
                [2, 0, 6, 0, 5, 5], [6, 0, 5, 0, 1, 9, 2, 0, 0, 0],
                [14, 0, 5, 0, 0x15, 5, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0],
            ])
    }

    @Test func thereIsNoKeyAndTimingIsTakenAsItComes() {
        let bench = bench(links: 1)
        bench.receive([4, 0x3E, 13, 0x05, 1, 0] + Array(repeating: 9, count: 10))
        #expect(bench.commands.last == 0x201B)
        bench.receive([4, 0x3E, 11, 0x06, 1, 0, 6, 0, 12, 0, 0, 0, 100, 0])
        #expect(bench.commands.last == 0x2020)
    }

    // MARK: Slow centrals

    @Test func aCentralThatTakesNothingDelaysNobody() {
        let bench = bench(links: 1, 2)
        for link in [1, 2] { bench.send(Self.notify, link) }
        _ = (bench.taken(1), bench.taken(2))
        bench.stuck = [1]
        for number in 0..<30 { for link in [1, 2] as [UInt32] { say(bench, [UInt8(number)], to: link) } }
        #expect(bench.taken(2).map(\.last) == (0..<30).map { UInt8($0) })
        // One packet's room stays free for the other.
        #expect(bench.kept[1] == 3)
        bench.release(1)
        #expect(bench.taken(1).map(\.last) == (0..<30).map { UInt8($0) })
    }

    @Test func aCentralThatFallsTooFarBehindHasToGo() {
        let bench = bench(links: 1, 2)
        for link in [1, 2] { bench.send(Self.notify, link) }
        _ = (bench.taken(1), bench.taken(2))
        bench.stuck = [1]
        for number in 0..<200 { for link in [1, 2] as [UInt32] { say(bench, [UInt8(number)], to: link) } }
        #expect(bench.taken(2).count < 200 && !bench.commands.contains(0x0406))
        bench.advance(seconds: 9)
        #expect(!bench.commands.contains(0x0406))
        bench.advance(seconds: 2)
        #expect(bench.commands.filter { $0 == 0x0406 }.count == 1)
        bench.host.update(at: bench.now) { #expect($0.told.last?.hasPrefix("disconnected") == true) }
    }

    @Test func aCentralThatConfirmsNothingHasToGo() {
        let bench = bench(links: 1)
        bench.send(Self.indicate)
        _ = bench.taken()
        say(bench, [1], to: 1, .indicate)
        say(bench, [2], to: 1, .indicate)
        #expect(bench.taken() == [[4, 0, 4, 0, 0x1D] + two(ChipBench.value) + [1]])
        bench.send([0x1E])
        #expect(bench.taken() == [[4, 0, 4, 0, 0x1D] + two(ChipBench.value) + [2]])
        bench.advance(seconds: 29)
        #expect(!bench.commands.contains(0x0406))
        bench.advance(seconds: 2)
        #expect(bench.commands.contains(0x0406))
    }

    @Test func aCentralThatAsksOnAndTakesNothingHasToGo() {
        let bench = bench(links: 1)
        bench.stuck = [1]
        for _ in 0..<500 where !bench.commands.contains(0x0406) { bench.send([0x0A] + two(3)) }
        #expect(bench.commands.contains(0x0406))
    }

    // MARK: Bad octets

    @Test(arguments: 0..<40) func nothingFromOutsideBringsItDown(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let limits = DeviceLimits(maximumMTU: 100, links: 3, preparedOctets: 200, waitingOctets: 300)
        let bench = bench(limits, links: 1, 2)
        for link in [1, 2] { bench.send(Self.notify, link) }
        for _ in 0..<600 {
            let link = random.number(1...3)
            switch random.below(8) {
            case 0: bench.receive(random.octets(random.below(40)))
            case 1:
                let octets = random.octets(random.below(20))
                bench.receive(
                    [
                        4, random.one(of: [0x3E, 0x05, 0x0E, 0x0F, 0x13, 0x08]),
                        UInt8(octets.count),
                    ] + octets)
            case 2: bench.receive([2] + two(link | random.below(4) << 12) + two(8) + random.octets(8))
            case 3:
                bench.send(
                    random.octets(random.below(130)), on: random.number(4...6), link,
                    cut: random.number(1...60))
            case 4:
                bench.send(
                    [random.one(of: [0x02, 0x0A, 0x12, 0x16, 0x18])] + two(random.below(24))
                        + random.octets(random.below(90)), link)
            case 5:
                say(
                    bench, random.octets(random.below(120)), to: UInt32(link),
                    random.below(2) == 0 ? .notify : .indicate)
            case 6: bench.stuck = random.below(3) == 0 ? [link] : []
            default: bench.advance(seconds: UInt64(random.below(12)))
            }
            #expect(bench.host.octets <= limits.octets)
        }
        // It works on, or can be started again.
        bench.stuck = []
        bench.start()
        bench.open(1)
        _ = bench.taken()
        bench.send([0x0A] + two(3))
        #expect(bench.taken().last?.dropFirst(4).first == 0x0B)
    }
}
