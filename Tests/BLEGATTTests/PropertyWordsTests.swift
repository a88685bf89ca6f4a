// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import Testing

@Suite struct PropertyWordsTests {
    @Test func `properties and subscriptions are printed in words, in the order of their bits`() {
        #expect(
            "\(GATT.Properties([.notify, .read, .writeWithoutResponse]))"
                == "read, write without response, notify")
        #expect(
            "\(GATT.Properties(rawValue: 0xE1))" == "broadcast, indicate, signed writes, extended properties")
        #expect("\(GATT.Properties())".isEmpty)
        #expect("\(GATT.Subscription([.notify, .indicate]))" == "notify, indicate")
    }
}
