// SPDX-License-Identifier: Apache-2.0

/// What programs for tables make of text in files.
package enum Spreadsheet {
    /// Whether a spreadsheet would take the text for a formula, also one that leaves out blanks and what cannot be seen before it.
    package static func looksLikeFormula(_ octets: some Sequence<UInt8>) -> Bool {
        var octets = octets.makeIterator()
        while let octet = octets.next() {
            switch octet {
            case 0x20: continue
            case ...0x1F, 0x7F, UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"):
                return true
            case ...0x7F: return false
            default:
                guard let second = octets.next() else { return false }
                if octet == 0xC2, second <= 0xA0 || second == 0xAD { continue }
                guard octet >= 0xE0, let third = octets.next() else { return false }
                switch (octet, second, third) {
                // U+1680, U+180E, U+2000 to U+200F, U+2028 to U+202F, U+205F to U+206F, U+3000, U+FEFF.
                case (0xE1, 0x9A, 0x80), (0xE1, 0xA0, 0x8E), (0xE2, 0x80, 0x80...0x8F),
                    (0xE2, 0x80, 0xA8...0xAF),
                    (0xE2, 0x81, 0x9F...0xAF), (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF):
                    continue
                // U+FF0B, U+FF0D, U+FF1D and U+FF20, which some take for the others.
                case (0xEF, 0xBC, 0x8B), (0xEF, 0xBC, 0x8D), (0xEF, 0xBC, 0x9D), (0xEF, 0xBC, 0xA0):
                    return true
                default: return false
                }
            }
        }
        return false
    }
}
