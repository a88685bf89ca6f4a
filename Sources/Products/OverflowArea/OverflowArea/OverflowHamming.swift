// SPDX-License-Identifier: Apache-2.0

/// Codec `v2`: the match octet AA and four octets of payload with an error-correcting code, from octet 8 on.
///
/// | place | what it holds |
/// |---|---|
/// | 1, 2, 4, 8, 16, 32 | even parity over the places whose number has that bit |
/// | the others up to 46 | the 40 data bits, AA first, the least significant bit of each octet first |
/// | 47 | whether any place before it is set |
///
/// Place n is index 64 + n - 1 of the published table. Index 0 is always set, so that the loss of one bit, which
/// a phone in the foreground advertises otherwise, may hit that one.
///
/// Two messages differ in at least three places: one error in places 1 to 46 is corrected. Two errors look like
/// one elsewhere; only a syndrome that names no place, or a match octet that is wrong after the correction, can
/// betray them. Of the 1035 pairs that finds 714 (255 and 459); 321 give a wrong payload, whatever it is. Place 47
/// cannot help: it is an OR, so it is always set. It is sent and not looked at.
///
/// Spec: Documentation/Protocols/overflow-area.md, Codec v2.
public enum OverflowHamming {
    /// The places that the code covers.
    static let places = 46

    /// The map of a message and nothing else.
    ///
    /// - Parameter payload: What it says.
    /// - Returns: The map.
    public static func map(of payload: OverflowPayload) -> OverflowMap {
        var block: UInt64 = 0
        var data = payload.packed
        for place in 1...places where !isParity(place) {
            block |= (data & 1) &<< UInt64(place &- 1)
            data &>>= 1
        }
        // The syndrome of the data alone is the sum of the parities that are due.
        let syndrome = syndrome(of: block)
        for power in 0..<6 where syndrome &>> power & 1 == 1 {
            block |= 1 &<< (1 &<< UInt64(power) &- 1)
        }
        if block != 0 { block |= 1 &<< UInt64(places) }
        var map = OverflowMap()
        map.setBank(.first, to: 1)
        map.setBank(.second, to: block)
        return map
    }

    /// The message in a map.
    ///
    /// - Parameter map: The map; bits outside the places of the code do not count.
    /// - Returns: The message; `nil` when there is none, or it has more errors than can be corrected.
    public static func message(in map: OverflowMap) -> OverflowMessage? {
        var block = map.bank(.second)
        let syndrome = syndrome(of: block)
        guard syndrome <= places else { return nil }
        if syndrome > 0 { block ^= 1 &<< UInt64(syndrome &- 1) }
        var data: UInt64 = 0
        var count: UInt64 = 0
        for place in 1...places where !isParity(place) {
            data |= (block &>> UInt64(place &- 1) & 1) &<< count
            count &+= 1
        }
        guard let payload = OverflowPayload(packed: data) else { return nil }
        return OverflowMessage(
            codec: .v2, position: .second, payload: payload, correctedBits: syndrome > 0 ? 1 : 0)
    }

    /// The numbers of all places that are set, added without carry: 0 when the parities are right.
    private static func syndrome(of block: UInt64) -> Int {
        var sum = 0
        for place in 1...places where block &>> UInt64(place &- 1) & 1 == 1 { sum ^= place }
        return sum
    }

    private static func isParity(_ place: Int) -> Bool { place & (place &- 1) == 0 }
}
