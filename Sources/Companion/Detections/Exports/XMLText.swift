// SPDX-License-Identifier: Apache-2.0

import Companion

/// Text and numbers as XML 1.0 has them; characters that it cannot hold become U+FFFD.
enum XMLText {
    static func element(_ name: String, _ text: String, _ octets: inout [UInt8]) {
        begin(name, &octets)
        escape(text, &octets)
        end(name, &octets)
    }

    static func element(_ name: String, _ moment: Timestamp, _ octets: inout [UInt8]) {
        begin(name, &octets)
        moment.write(to: &octets)
        end(name, &octets)
    }

    private static func begin(_ name: String, _ octets: inout [UInt8]) {
        octets.append(UInt8(ascii: "<"))
        octets.append(contentsOf: name.utf8)
        octets.append(UInt8(ascii: ">"))
    }

    private static func end(_ name: String, _ octets: inout [UInt8]) {
        octets.append(contentsOf: "</".utf8)
        octets.append(contentsOf: name.utf8)
        octets.append(UInt8(ascii: ">"))
    }

    static func escape(_ text: String, _ octets: inout [UInt8]) {
        let isPlain = text.utf8.allSatisfy { octet in
            switch octet {
            case 0x20...0x7E:
                octet != UInt8(ascii: "&") && octet != UInt8(ascii: "<") && octet != UInt8(ascii: ">")
                    && octet != UInt8(ascii: "\"")
            default: false
            }
        }
        if isPlain { return octets.append(contentsOf: text.utf8) }
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
        let description = value.description
        guard description.utf8.contains(UInt8(ascii: "e")) else { return description }
        let text = Array(description.utf8)
        guard let mark = text.firstIndex(of: UInt8(ascii: "e")),
            let exponent = Int(String(decoding: text[(mark + 1)...], as: UTF8.self))
        else { return description }
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
