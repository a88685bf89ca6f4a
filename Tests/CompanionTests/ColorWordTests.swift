// SPDX-License-Identifier: Apache-2.0

import BLEWire
import NightlightCompanion
import Testing

@Suite("What colours are called")
struct ColorWordTests {
    @Test(
        arguments: [
            (0x00_0000, "Dark"), (0xFF_FFFF, "White"), (0xFF_D79C, "Warm white"), (0xFF_0000, "Red"),
            (0xFF_9A2E, "Warm amber"), (0xFF_FF00, "Yellow"), (0x9A_FF00, "Lime"), (0x00_FF00, "Green"),
            (0x39_C98B, "Turquoise"), (0x30_A6FF, "Sky blue"), (0x7B_6CFF, "Blue"), (0x8A_2BE2, "Violet"),
            (0xFF_5C9E, "Pink"), (0xFF_6680, "Pink"), (0xFF_0014, "Red"), (0x10_0400, "Warm amber"),
        ] as [(UInt32, String)])
    func eachHasAWord(rgb: UInt32, word: String) {
        #expect(RGBColor(rgb: rgb).word == word)
    }
}
