// SPDX-License-Identifier: Apache-2.0

/// Text and numbers as XML 1.0 has them; characters that it cannot hold become U+FFFD.
enum XMLText {
    static func element(_ name: String, _ text: String, _ octets: inout [UInt8]) {
        octets.append(contentsOf: "<\(name)>".utf8)
        escape(text, &octets)
        octets.append(contentsOf: "</\(name)>".utf8)
    }

    static func escape(_ text: String, _ octets: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x26: octets.append(contentsOf: "&amp;".utf8)
            case 0x3C: octets.append(contentsOf: "&lt;".utf8)
            case 0x3E: octets.append(contentsOf: "&gt;".utf8)
            case 0x22: octets.append(contentsOf: "&quot;".utf8)
            // Left as it is, a reader would turn it into a line feed.
            case 0x0D: octets.append(contentsOf: "&#13;".utf8)
            case 0x09, 0x0A, 0x20..<0xFFFE, 0x1_0000...:
                octets.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default: octets.append(contentsOf: UTF8.encodedReplacementCharacter)
            }
        }
    }

    /// A number without an exponent, which XML Schema's decimals do not have.
    static func decimal(_ value: Double) -> String {
        let text = Array(value.description.utf8)
        guard let mark = text.firstIndex(of: UInt8(ascii: "e")),
            let exponent = Int(String(decoding: text[(mark + 1)...], as: UTF8.self))
        else { return value.description }
        var digits = text[..<mark].filter { (0x30...0x39).contains($0) }
        guard exponent < 0 else {
            digits += [UInt8](repeating: 0x30, count: max(0, exponent + 1 - digits.count))
            return (value < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self)
        }
        if digits.count > 1, digits.last == 0x30 { digits.removeLast() }
        let zeros = [UInt8](repeating: 0x30, count: -exponent - 1)
        return (value < 0 ? "-0." : "0.") + String(decoding: zeros + digits, as: UTF8.self)
    }
}
