// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Percent signs in addresses.
package enum PercentCoding {
    /// The text that is meant; `nil` when it is not well-formed or no UTF-8.
    package static func decoded(_ text: Substring, plusIsBlank: Bool = false) -> String? {
        var octets: [UInt8] = []
        var rest = text.utf8[...]
        while let octet = rest.popFirst() {
            switch octet {
            case UInt8(ascii: "%"):
                guard let pair = [UInt8](hexadecimal: String(Substring(rest.prefix(2)))), let one = pair.first
                else { return nil }
                octets.append(one)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+") where plusIsBlank: octets.append(0x20)
            default: octets.append(octet)
            }
        }
        return String(validating: octets, as: UTF8.self)
    }

    /// The values of a query, in order; `nil` when it is not well-formed.
    package static func pairs(_ query: Substring) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for piece in query.split(separator: "&") {
            let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(halves[0], plusIsBlank: true),
                let value = halves.count > 1 ? decoded(halves[1], plusIsBlank: true) : ""
            else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }
}
