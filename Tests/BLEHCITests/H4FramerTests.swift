// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire
import Testing

@Suite struct H4FramerTests {
    /// One packet of each kind, with empty, small and largest payloads.
    static func packets(seed: UInt64) -> [HCI.Packet] {
        var generator = SplitMix64(seed: seed)
        var packets: [HCI.Packet] = [
            .command(.reset, []), .command(.leSetEventMask, generator.octets(255)), .event(.leMeta, []),
            .event(.vendor, generator.octets(255)), .synchronous([0x42, 0x00, 0x02, 1, 2]),
            .synchronous([0x42, 0x00, 0x00]), .isochronous([0x42, 0x00, 0x01, 0x00, 9]),
            // The two highest bits of an isochronous length are none of it.
            .isochronous([0x42, 0x00, 0x01, 0xC0, 9]), .isochronous([0x42, 0x00, 0x00, 0x00]),
        ]
        for count in [0, 1, 27, 251, 1000] {
            let data = HCI.ACLData(handle: link, boundary: .continuing, payload: generator.octets(count))
            packets.append(.acl(data))
        }
        return packets.shuffled(using: &generator)
    }

    static func frame(_ chunks: [[UInt8]]) throws -> [HCI.Packet] {
        var framer = HCI.H4Framer()
        var packets: [HCI.Packet] = []
        for chunk in chunks {
            framer.receive(chunk)
            while let packet = try framer.nextPacket() { packets.append(packet) }
        }
        return packets
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func theCutsDoNotMatter(seed: UInt64) throws {
        let packets = Self.packets(seed: seed)
        let stream = packets.flatMap(\.octets)
        #expect(try Self.frame([stream]) == packets)
        #expect(try Self.frame(stream.map { [$0] }) == packets)
        var generator = SplitMix64(seed: seed)
        for longest in [2, 7, 300, 2000] {
            var chunks: [[UInt8]] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let count = Int.random(in: 0...longest, using: &generator)
                chunks.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(try Self.frame(chunks) == packets)
        }
    }

    @Test func theLongestPacketGoesThrough() throws {
        let data = HCI.ACLData(
            handle: link, boundary: .continuing, payload: .init(repeating: 7, count: 65535))
        let octets = HCI.Packet.acl(data).octets
        #expect(octets.count == 65540)
        #expect(
            try Self.frame([Array(octets.prefix(3)), Array(octets.dropFirst(3)), octets]) == [
                .acl(data), .acl(data),
            ])
    }

    @Test(arguments: [0x00, 0x06, 0x80, 0xFF] as [UInt8])
    func anUnknownIndicatorMeansThatSyncIsLost(indicator: UInt8) throws {
        var framer = HCI.H4Framer()
        framer.receive(HCI.Packet(HCI.Reset()).octets + [indicator])
        #expect(try framer.nextPacket() == .command(.reset, []))
        #expect(throws: HCI.FramingError.lostSync(indicator: indicator)) { _ = try framer.nextPacket() }
        framer.receive(HCI.Packet(HCI.Reset()).octets)
        #expect(throws: HCI.FramingError.lostSync(indicator: indicator)) { _ = try framer.nextPacket() }
    }

    @Test(arguments: [true, false])
    func aPayloadPastTheLimitIsAnErrorBeforeItComes(inOnePiece: Bool) throws {
        var framer = HCI.H4Framer(maximumPayload: 251)
        let allowed = HCI.ACLData(
            handle: link, boundary: .continuing, payload: .init(repeating: 7, count: 251))
        framer.receive(HCI.Packet.acl(allowed).octets)
        #expect(try framer.nextPacket() == .acl(allowed))
        let header: [UInt8] = [0x02, 0x42, 0x00, 0xFC, 0x00]
        if inOnePiece { framer.receive(header) } else { for octet in header { framer.receive([octet]) } }
        #expect(throws: HCI.FramingError.tooLong(252)) { _ = try framer.nextPacket() }
    }

    @Test func anUnfinishedPacketIsWaitedFor() throws {
        var framer = HCI.H4Framer()
        #expect(try framer.nextPacket() == nil)
        framer.receive([0x04, 0x0E])
        #expect(try framer.nextPacket() == nil)
        framer.receive([])
        #expect(try framer.nextPacket() == nil)
        framer.receive([0x01, 0x05, 0x01])
        #expect(try framer.nextPacket() == .event(.commandComplete, [0x05]))
        #expect(try framer.nextPacket() == nil)
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func anyOctetsGivePacketsOrOneLastingError(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var framer = HCI.H4Framer(maximumPayload: 300)
        var failed = false
        for _ in 0..<50 {
            var chunk = generator.octets(Int.random(in: 0...80, using: &generator))
            if !chunk.isEmpty { chunk[0] = UInt8.random(in: 0...5, using: &generator) }
            framer.receive(chunk)
            do {
                while try framer.nextPacket() != nil { #expect(!failed) }
                #expect(!failed)
            } catch { failed = true }
        }
        #expect(failed)
    }
}
