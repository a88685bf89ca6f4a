// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire
import Testing

/// Packets that are read where they lie, and pieces of those that are not whole: the way of a host.
@Suite struct PacketsInPlaceTests {
    /// What chunks give so, and how it ended.
    private static func inPlace(
        _ chunks: [[UInt8]], limit: Int = 0xFFFF
    ) -> (packets: [HCI.Packet], failure: HCI.FramingError?) {
        var framer = HCI.H4Framer(maximumPayload: limit)
        var packets: [HCI.Packet] = []
        for chunk in chunks {
            let octets = chunk.span.bytes
            var position = 0
            while position < octets.byteCount {
                let rest = octets.extracting(position..<octets.byteCount)
                if let length = framer.wholePacket(rest) {
                    var reader = ByteReader(rest.extracting(0..<length))
                    guard let packet = try? HCI.Packet(decoding: &reader) else { return (packets, nil) }
                    packets.append(packet)
                    position += length
                    continue
                }
                let used = framer.receivePiece(rest)
                #expect(used > 0 && used <= rest.byteCount)
                position += used
                do throws(HCI.FramingError) {
                    while let packet = try framer.nextPacket() { packets.append(packet) }
                } catch {
                    return (packets, error)
                }
            }
        }
        return (packets, nil)
    }

    /// What chunks give when they are copied.
    private static func copied(
        _ chunks: [[UInt8]], limit: Int
    ) -> (packets: [HCI.Packet], failure: HCI.FramingError?) {
        var framer = HCI.H4Framer(maximumPayload: limit)
        var packets: [HCI.Packet] = []
        do throws(HCI.FramingError) {
            for chunk in chunks {
                framer.receive(chunk)
                while let packet = try framer.nextPacket() { packets.append(packet) }
            }
        } catch {
            return (packets, error)
        }
        return (packets, nil)
    }

    private static func cut(
        _ octets: [UInt8], _ longest: Int, _ generator: inout SplitMix64
    ) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var rest = octets[...]
        while !rest.isEmpty {
            let count = Int.random(in: 0...longest, using: &generator)
            chunks.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return chunks
    }

    private static func wholePacket(_ octets: [UInt8], limit: Int = 0xFFFF) -> Int? {
        let framer = HCI.H4Framer(maximumPayload: limit)
        return framer.wholePacket(octets.span.bytes)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func theyAreThoseThatAreCopied(seed: UInt64) {
        let packets = H4FramerTests.packets(seed: seed)
        let stream = packets.flatMap(\.octets)
        for packet in packets { #expect(Self.wholePacket(packet.octets + stream) == packet.octets.count) }
        var generator = SplitMix64(seed: seed)
        for longest in [1, 2, 7, 300, 2000, stream.count] {
            let result = Self.inPlace(Self.cut(stream, longest, &generator))
            #expect(result.packets == packets)
            #expect(result.failure == nil)
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func whateverComesItEndsAsWhenItIsCopied(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var stream = H4FramerTests.packets(seed: seed).flatMap(\.octets)
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            stream[Int.random(in: 0..<stream.count, using: &generator)] = generator.octets(1)[0]
        }
        let chunks = Self.cut(stream, Int.random(in: 1...400, using: &generator), &generator)
        let (one, other) = (Self.inPlace(chunks, limit: 1000), Self.copied(chunks, limit: 1000))
        #expect(one.packets == other.packets)
        #expect(one.failure == other.failure)
    }

    @Test func aPacketThatIsNotWholeIsNone() {
        let packet: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
        #expect(Self.wholePacket(packet) == 7)
        for count in 0..<packet.count { #expect(Self.wholePacket(Array(packet.prefix(count))) == nil) }
        // An indicator that is none, and a payload longer than is allowed.
        #expect(Self.wholePacket([0x06] + packet.dropFirst()) == nil)
        #expect(Self.wholePacket(packet, limit: 4) == 7)
        #expect(Self.wholePacket(packet, limit: 3) == nil)
    }

    private static func piece(_ framer: inout HCI.H4Framer, _ octets: [UInt8]) -> Int {
        framer.receivePiece(octets.span.bytes)
    }

    private static func whole(_ framer: borrowing HCI.H4Framer, _ octets: [UInt8]) -> Int? {
        framer.wholePacket(octets.span.bytes)
    }

    @Test func behindAPieceNothingIsWhole() throws {
        let packet: [UInt8] = [0x04, 0x0E, 0x01, 0x05]
        var framer = HCI.H4Framer()
        // As long as the length is not known, octet by octet.
        var used = [Self.piece(&framer, [0x04, 0x0E])]
        var found = [Self.whole(framer, packet)]
        used.append(Self.piece(&framer, [0x0E]))
        used.append(Self.piece(&framer, [0x01, 0x05]))
        #expect(try framer.nextPacket() == nil)
        used.append(Self.piece(&framer, [0x05] + packet))
        #expect(used == [1, 1, 1, 1])
        // What is whole now waits, and what comes behind must not overtake it.
        found.append(Self.whole(framer, packet))
        #expect(try framer.nextPacket() == .event(.commandComplete, [0x05]))
        #expect(try framer.nextPacket() == nil)
        found.append(Self.whole(framer, packet))
        #expect(found == [nil, nil, 4])
    }

    @Test func afterAnErrorEverythingIsTakenAndNothingWhole() throws {
        let packet: [UInt8] = [0x04, 0x0E, 0x01, 0x05]
        var framer = HCI.H4Framer()
        var used = [Self.piece(&framer, [0x09] + packet)]
        var found = [Self.whole(framer, packet)]
        used.append(Self.piece(&framer, packet))
        #expect(throws: HCI.FramingError.lostSync(indicator: 9)) { _ = try framer.nextPacket() }
        found.append(Self.whole(framer, packet))
        #expect(used == [5, 4])
        #expect(found == [nil, nil])
    }
}
