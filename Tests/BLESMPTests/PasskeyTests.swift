// SPDX-License-Identifier: Apache-2.0

import BLESMP
import Testing

@Suite("The six digits that people see")
struct PasskeyTests {
    @Test(
        arguments: [(0, "000000"), (42, "000042"), (123_456, "123456"), (999_999, "999999")]
            as [(UInt32, String)])
    func haveTheirZeros(number: UInt32, digits: String) throws {
        let passkey = try #require(SMP.Passkey(number))
        #expect(passkey.digits == digits)
        #expect(SMP.Passkey(digits: digits) == passkey)
        #expect("\(passkey)" == "a passkey")
    }

    @Test(arguments: ["", "12345", "1234567", "12 456", "12345x", "+12345", "१२३४५६", "12345\u{301}6"])
    func nothingElseIsTaken(text: String) { #expect(SMP.Passkey(digits: text) == nil) }
}
