// SPDX-License-Identifier: Apache-2.0

import LEDBulb
import Testing

@Suite("Brightness")
struct BulbLevelTests {
    @Test("Each percentage comes back, on both scales", arguments: [UInt8(255), 100])
    func percentages(full: UInt8) {
        for percent in UInt8(0)...100 {
            let octet = BulbLevel.octet(ofPercent: percent, full: full)
            #expect(BulbLevel.percent(ofOctet: octet, full: full) == percent)
        }
        #expect(BulbLevel.octet(ofPercent: 100, full: full) == full)
        #expect(BulbLevel.octet(ofPercent: 255, full: full) == full)
        #expect(BulbLevel.percent(ofOctet: 255, full: full) == 100)
    }

    @Test("A scale without any room is no trap")
    func emptyScale() {
        #expect(BulbLevel.percent(ofOctet: 7, full: 0) == 100)
        #expect(BulbLevel.octet(ofPercent: 50, full: 0) == 0)
    }
}
