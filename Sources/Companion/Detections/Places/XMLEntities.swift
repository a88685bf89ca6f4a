// SPDX-License-Identifier: Apache-2.0

/// The entities that every XML document has; others are left as they are written.
///
/// Spec: XML 1.0, 4.1 and 4.6.
enum XMLEntities {
    /// Text with its entities replaced.
    ///
    /// - Parameter octets: The text as it is written.
    /// - Returns: The text that is meant; U+FFFD where a number stands for no character.
    static func decoded(_ octets: ArraySlice<UInt8>) -> String {
        guard octets.contains(UInt8(ascii: "&")) else { return String(decoding: octets, as: UTF8.self) }
        var text: [UInt8] = []
        var rest = octets
        while let octet = rest.popFirst() {
            // The longest is &#x10FFFF; so that no text is searched to its end again and again.
            guard octet == UInt8(ascii: "&"), let end = rest.prefix(9).firstIndex(of: UInt8(ascii: ";")),
                let character = character(String(decoding: rest[..<end], as: UTF8.self))
            else {
                text.append(octet)
                continue
            }
            text += character.utf8
            rest = rest[(end + 1)...]
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func character(_ name: String) -> String? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.map { String(Unicode.Scalar($0) ?? "\u{FFFD}") }
    }
}

extension String {
    /// Without blanks at both ends.
    var trimmed: String {
        let isBlank = { (octet: UInt8) in octet == 0x20 || octet == 0x0A || octet == 0x0D || octet == 0x09 }
        var octets = utf8[...]
        while let first = octets.first, isBlank(first) { octets.removeFirst() }
        while let last = octets.last, isBlank(last) { octets.removeLast() }
        return String(Substring(octets))
    }
}
