// SPDX-License-Identifier: Apache-2.0

import BLEWire
import OverflowArea
import Testing

private let demo = OverflowPayload(0x0102_0304)
private let payloads = [0, 1, 0x0102_0304, 0x8000_0000, 0xDEAD_BEEF, 0xFFFF_FFFF].map(OverflowPayload.init)

/// The bit on the air of a place of the code.
private func bit(ofPlace place: Int) throws -> OverflowBit {
    try #require(OverflowBit(tableIndex: 64 + place - 1))
}

private func flipped(_ map: OverflowMap, _ places: [Int]) throws -> OverflowMap {
    var map = map
    for place in places {
        let bit = try bit(ofPlace: place)
        if map.contains(bit) { map.remove(bit) } else { map.insert(bit) }
    }
    return map
}

@Suite struct OverflowHammingTests {
    // By hand, for a payload of zero. AA is 0 1 0 1 0 1 0 1, least significant first, in the places 3 5 6 7 9 10 11
    // 12: so 5, 7, 10 and 12 are set. 5 ^ 7 ^ 10 ^ 12 is 4, so of the parities place 4 is set, and 47 always.
    // Places 4 5 7 are 58 as a packed octet, 10 12 are 0A, 47 is 40 in the sixth; turned round 1A, 50 and 02.
    @Test(
        arguments: [
            (0x0000_0000, "8000000000000000 1A50000000020000"),
            (0x0102_0304, "8000000000000000 5A59020700820000"),
            (0xFFFF_FFFF, "8000000000000000 DA5FFFFEFFFE0000"),
            (0xDEAD_BEEF, "8000000000000000 0B56DDAAF7DE0000"),
        ] as [(UInt32, String)])
    func `a message has its parities and the bit that may be lost`(_ payload: UInt32, _ hex: String) {
        let payload = OverflowPayload(payload)
        #expect(OverflowHamming.map(of: payload) == map(hex))
        #expect(
            OverflowHamming.message(in: map(hex))
                == OverflowMessage(codec: .v2, position: .second, payload: payload))
    }

    @Test(arguments: payloads)
    func `every single error is corrected`(_ payload: OverflowPayload) throws {
        let sent = OverflowHamming.map(of: payload)
        for place in 1...46 {
            let message = try #require(OverflowHamming.message(in: flipped(sent, [place])))
            #expect(message.payload == payload)
            #expect(message.correctedBits == 1)
        }
    }

    @Test(arguments: payloads)
    func `of the double errors 714 are found and 321 are not, as is documented`(
        _ payload: OverflowPayload
    ) throws {
        let sent = OverflowHamming.map(of: payload)
        var found = 0
        var wrong = 0
        for a in 1...46 {
            for b in (a + 1)..<47 {
                guard let message = try OverflowHamming.message(in: flipped(sent, [a, b])) else {
                    found += 1
                    continue
                }
                // Never is a double error corrected by luck, and never does it look like none.
                #expect(message.payload != payload)
                #expect(message.correctedBits == 1)
                wrong += 1
            }
        }
        #expect(found == 714)
        #expect(wrong == 321)
    }

    @Test(arguments: payloads)
    func `bits outside the code do not count`(_ payload: OverflowPayload) throws {
        let sent = OverflowHamming.map(of: payload)
        let expected = OverflowMessage(codec: .v2, position: .second, payload: payload)
        // Place 47 is an OR and says nothing; places 48 to 64 and the first bank are other apps'.
        for place in 47...64 { #expect(try OverflowHamming.message(in: flipped(sent, [place])) == expected) }
        #expect(OverflowHamming.message(in: OverflowMap(low: .max, high: sent.high)) == expected)
        #expect(OverflowHamming.message(in: OverflowMap(low: 0, high: sent.high)) == expected)
    }

    @Test func `maps without a message are none`() {
        #expect(OverflowHamming.message(in: OverflowMap()) == nil)
        #expect(OverflowHamming.message(in: OverflowMap(low: .max, high: .max)) == nil)
        #expect(OverflowHamming.message(in: OverflowBanks.map(of: demo, at: .second)) == nil)
    }

    @Test func `neither codec takes the other's messages for its own`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<2000 {
            let payload = OverflowPayload(UInt32.random(in: 0 ... .max, using: &random))
            #expect(OverflowHamming.message(in: OverflowHamming.map(of: payload))?.payload == payload)
            #expect(OverflowBanks.message(in: OverflowHamming.map(of: payload)) == nil)
            for position in OverflowPosition.allCases {
                let map = OverflowBanks.map(of: payload, at: position)
                #expect(OverflowBanks.message(in: map)?.payload == payload)
                #expect(OverflowHamming.message(in: map) == nil)
            }
        }
    }

    @Test func `payloads have four octets`() {
        #expect(OverflowPayload(octets: [1, 2, 3, 4]) == demo)
        #expect(demo.octets == [1, 2, 3, 4])
        #expect(OverflowPayload(octets: []) == nil)
        #expect(OverflowPayload(octets: [1, 2, 3]) == nil)
        #expect(OverflowPayload(octets: [1, 2, 3, 4, 5]) == nil)
    }
}
