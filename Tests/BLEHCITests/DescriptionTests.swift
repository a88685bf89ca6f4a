// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import Testing

@Suite struct DescriptionTests {
    @Test func statusesHaveTheirNameAndCode() {
        #expect("\(HCI.Status.connectionTimeout)" == "connection timeout (0x08)")
        #expect(
            "\(HCI.Status.connectionFailedToBeEstablished)" == "connection failed to be established (0x3E)")
        #expect("\(HCI.Status(rawValue: 0x2B))" == "status 0x2B")
        let named = (UInt8.min ... .max).filter { !"\(HCI.Status(rawValue: $0))".hasPrefix("status") }
        #expect(named.count == 68)
        #expect(Set(named.map { "\(HCI.Status(rawValue: $0))".prefix { $0 != "(" } }).count == 68)
    }

    @Test func opcodesHaveTheirNameAndCode() {
        #expect("\(HCI.Opcode.leCreateConnection)" == "LE Create Connection (0x200D)")
        #expect("\(HCI.Opcode.disconnect)" == "Disconnect (0x0406)")
        #expect("\(HCI.Opcode(rawValue: 0xFC01))" == "command 0xFC01")
    }

    @Test func advertisingSetsHaveTheirNumber() {
        #expect("\(HCI.AdvertisingHandle(rawValue: 1))" == "0x01")
    }
}
