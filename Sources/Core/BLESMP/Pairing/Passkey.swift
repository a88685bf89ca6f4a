// SPDX-License-Identifier: Apache-2.0

extension SMP {
    /// Six decimal digits, which no description shows.
    public struct Passkey: Hashable, Sendable {
        /// The number, 0 to 999 999.
        public let value: UInt32

        /// Makes a passkey; none of a number that has more than six digits.
        ///
        /// - Parameter value: The number.
        public init?(_ value: UInt32) {
            guard value <= 999_999 else { return nil }
            self.value = value
        }

        /// The number as the temporary key of legacy pairing, and as what the rounds and checks of Secure Connections take.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.3 and 2.3.5.6.3.
        var secret: Secret { Secret(UInt128(value)) }

        /// The last six digits of a number.
        init(lastDigitsOf number: UInt64) { value = UInt32(number % 1_000_000) }
    }
}

// String costs a chip its Unicode tables.
#if !hasFeature(Embedded) || arch(wasm32)
extension SMP.Passkey {
    /// Reads what a person has typed; nothing unless that is six decimal digits.
    ///
    /// - Parameter text: The digits, with the zeros in front.
    public init?(digits text: String) {
        let digits = text.utf8
        guard digits.count == 6, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        self.init(digits.reduce(0) { $0 * 10 + UInt32($1 - 0x30) })
    }

    /// The six digits with the zeros in front, for the person who has to see them.
    public var digits: String {
        var rest = value
        var octets = [UInt8](repeating: 0x30, count: 6)
        for index in octets.indices.reversed() {
            octets[index] += UInt8(rest % 10)
            rest /= 10
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
#endif
