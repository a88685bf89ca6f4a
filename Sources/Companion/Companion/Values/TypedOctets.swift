// SPDX-License-Identifier: Apache-2.0

import BLEWire

extension [UInt8] {
    /// Reads octets as people type and copy them: two hex digits for each, and between them blanks, colons, hyphens or
    /// commas; `0x` may stand before all of them or before each.
    ///
    /// - Parameter text: What was typed, for example `01ff`, `0x01ff`, `01:ff`, `01-FF` or `0x01, 0xff`.
    public init?(typed text: some StringProtocol) {
        self = []
        let words = text.split { $0.isWhitespace || $0 == ":" || $0 == "-" || $0 == "," }
        for word in words {
            let digits = word.hasPrefix("0x") || word.hasPrefix("0X") ? word.dropFirst(2) : word
            guard !digits.isEmpty, let octets = [UInt8](hexadecimal: digits) else { return nil }
            append(contentsOf: octets)
        }
    }
}
