// SPDX-License-Identifier: Apache-2.0

import BLEWire
import OverflowArea
import Testing

private let demo = OverflowPayload(0x0102_0304)

@Suite struct OverflowBanksTests {
    // Each octet of the message with its bits turned round, by hand: AA is 55, 01 is 80, 02 is 40 …
    @Test(
        arguments: [
            (0x0102_0304, "55 80 40 C0 20"), (0x0000_0000, "55 00 00 00 00"), (0xFFFF_FFFF, "55 FF FF FF FF"),
            (0x8040_2010, "55 01 02 04 08"), (0xAA55_F00F, "55 55 AA 0F F0"), (0x0000_0001, "55 00 00 00 80"),
        ] as [(UInt32, String)])
    func `the message stands at octet 0 or 8 with its bits turned round`(_ payload: UInt32, _ pattern: String)
    {
        let payload = OverflowPayload(payload)
        let empty = "000000"
        let bank = "0000000000000000"
        #expect(OverflowBanks.map(of: payload, at: .first) == map(pattern + empty + bank))
        #expect(OverflowBanks.map(of: payload, at: .second) == map(bank + pattern + empty))
        #expect(
            OverflowBanks.message(in: map(bank + pattern + empty))
                == OverflowMessage(codec: .v1, position: .second, payload: payload))
    }

    @Test func `the UUIDs are those of the demo app, in its order`() {
        func lowOctets(_ position: OverflowPosition) -> [UInt64] {
            OverflowBanks.map(of: demo, at: position).tableUUIDs.map(\.low)
        }
        #expect(lowOctets(.first) == [0x37, 0x25, 0x12, 0x00, 0x36, 0x27, 0x26, 0x6D, 0x4F])
        #expect(lowOctets(.second) == [0x75, 0x67, 0x50, 0x42, 0x74, 0x65, 0x64, 0x2F, 0x0D])
    }

    @Test func `position 1 sets the bit of Apple's Watch set-up, position 0 never`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let payload = OverflowPayload(UInt32.random(in: 0 ... .max, using: &random))
            #expect(OverflowBanks.map(of: payload, at: .second).contains(.watchSetup))
            #expect(!OverflowBanks.map(of: payload, at: .first).contains(.watchSetup))
            #expect(!OverflowHamming.map(of: payload).contains(.watchSetup))
        }
    }

    @Test func `the first match octet counts`() {
        let both = OverflowBanks.map(of: demo, at: .first).union(
            OverflowBanks.map(of: OverflowPayload(0x0505_0505), at: .second))
        #expect(OverflowBanks.message(in: both)?.payload == demo)
        #expect(OverflowBanks.message(in: both)?.position == .first)
        #expect(OverflowBanks.message(in: OverflowMap()) == nil)
        #expect(OverflowBanks.message(in: OverflowMap(low: .max, high: .max)) == nil)
    }

    @Test func `a position must have been seen without the message first`() {
        var banks = OverflowBanks()
        let (first, second) = (
            OverflowBanks.map(of: demo, at: .first), OverflowBanks.map(of: demo, at: .second)
        )
        #expect(banks.judgement(of: .first) == .unknown)
        guard case .unknownPosition(let message) = banks.receive(first) else {
            return bad("believed at once")
        }
        #expect(message.payload == demo)
        #expect(banks.judgement(of: .first) == .unknown)
        #expect(banks.judgement(of: .second) == .clean)
        guard case .accepted = banks.receive(second) else { return bad("not believed") }
        guard case .accepted = banks.receive(first) else { return bad("not believed after a rotation") }
        // A new payload in the same place needs no new rotation.
        let next = OverflowBanks.map(of: OverflowPayload(7), at: .first)
        guard case .accepted(let other) = banks.receive(next) else { return bad("not believed") }
        #expect(other.payload == OverflowPayload(7))
    }

    @Test func `a map with no message tells about both positions`() {
        var banks = OverflowBanks()
        let empty = banks.receive(OverflowMap())
        #expect(empty == .noMatch)
        #expect(banks.judgement(of: .first) == .clean)
        #expect(banks.judgement(of: .second) == .clean)
        let occupied = banks.receive(OverflowMap(high: 1 << 63))
        #expect(occupied == .noMatch)
        #expect(banks.judgement(of: .second) == .polluted)
        // The last sighting counts.
        _ = banks.receive(OverflowMap())
        #expect(banks.judgement(of: .second) == .clean)
    }

    @Test func `what pollution is can be read in two ways`() {
        // Octet 15 is in the second bank and beyond the five octets.
        let noise = OverflowMap(high: 1 << 63)
        let first = OverflowBanks.map(of: demo, at: .first).union(noise)
        let second = OverflowBanks.map(of: demo, at: .second).union(noise)
        for (reading, isBelieved) in [(OverflowBanks.Reading.bank, false), (.pattern, true)] {
            var banks = OverflowBanks(reading: reading)
            _ = banks.receive(first)
            let verdict = banks.receive(second)
            if isBelieved {
                #expect(verdict == .accepted(OverflowMessage(codec: .v1, position: .second, payload: demo)))
            } else {
                #expect(verdict == .polluted(OverflowMessage(codec: .v1, position: .second, payload: demo)))
            }
        }
    }

    /// Another app's bits, all single ones and all pairs, against a sender that changes its position twice.
    @Test(arguments: OverflowBanks.Reading.allCases)
    func `no pollution gives a wrong payload, and a clean position gives the right one`(
        _ reading: OverflowBanks.Reading
    ) throws {
        let maps = OverflowPosition.allCases.map { OverflowBanks.map(of: demo, at: $0) }
        var noises: [OverflowMap] = [OverflowMap()]
        for a in 0..<128 {
            for b in a..<128 {
                var noise = OverflowMap()
                noise.insert(try #require(OverflowBit(number: a)))
                noise.insert(try #require(OverflowBit(number: b)))
                noises.append(noise)
            }
        }
        #expect(noises.count == 1 + 128 + 8128)
        for noise in noises {
            var banks = OverflowBanks(reading: reading)
            var believed: [OverflowMessage] = []
            for index in 0..<4 {
                if case .accepted(let message) = banks.receive(maps[index % 2].union(noise)) {
                    believed.append(message)
                }
            }
            // What counts as pollution, counted here from the octets.
            let octets = noise.octets
            let length = reading == .bank ? 8 : 5
            let clean = OverflowPosition.allCases.filter { position in
                octets[position.octet..<(position.octet + length)].allSatisfy { $0 == 0 }
            }
            #expect(believed.allSatisfy { $0.payload == demo }, "\(noise)")
            #expect(Set(believed.map(\.position)) == Set(clean), "\(noise)")
        }
    }

    @Test func `pollution that begins while the message stands there shows at the next change`() {
        var banks = OverflowBanks()
        _ = banks.receive(OverflowBanks.map(of: demo, at: .second))
        // Known to be clean, so this is believed though it is wrong: the demo's rule can do no better.
        let noise = OverflowMap(low: 1 << 8)
        guard case .accepted(let wrong) = banks.receive(OverflowBanks.map(of: demo, at: .first).union(noise))
        else { return bad("not believed") }
        #expect(wrong.payload == OverflowPayload(0x8102_0304))
        _ = banks.receive(OverflowBanks.map(of: demo, at: .second).union(noise))
        guard case .polluted = banks.receive(OverflowBanks.map(of: demo, at: .first).union(noise)) else {
            return bad("still believed")
        }
    }
}

func bad(_ comment: Comment) { Issue.record(comment) }
