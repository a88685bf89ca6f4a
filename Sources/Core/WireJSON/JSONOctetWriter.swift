// SPDX-License-Identifier: Apache-2.0

/// Writes JSON on one line out of octets, with the keys in the order in which they are given.
///
/// Control characters, line separators and marks that turn the direction of writing are escaped, so that a
/// value never ends a line and never steers a terminal; U+FFFD stands for octets that are not UTF-8.
package struct JSONOctetWriter: Sendable {
    /// What was written.
    package private(set) var octets: [UInt8] = []
    private var needsComma = false

    /// Makes a writer that has written nothing.
    package init() {}

    /// Makes a writer that goes on behind what is there.
    package init(behind octets: consuming [UInt8]) { self.octets = octets }

    /// Ends the writing and hands the octets out, which are not copied.
    package consuming func finish() -> [UInt8] { octets }

    // MARK: Structure

    /// Opens an object or a list.
    package mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        octets.append(UInt8(ascii: bracket))
        needsComma = false
    }

    /// Closes an object or a list.
    package mutating func close(_ bracket: Unicode.Scalar) {
        octets.append(UInt8(ascii: bracket))
        needsComma = true
    }

    /// Writes a key in characters that need no escape; its value comes next.
    package mutating func key(_ name: StaticString) {
        value(name)
        octets.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key in UTF-8; its value comes next.
    package mutating func key(text name: Span<UInt8>) {
        value(text: name)
        octets.append(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: Values

    /// Writes text in characters that need no escape.
    package mutating func value(_ text: StaticString) {
        separate()
        octets.append(UInt8(ascii: "\""))
        append(text)
        octets.append(UInt8(ascii: "\""))
    }

    /// Writes text in UTF-8.
    package mutating func value(text: Span<UInt8>) {
        separate()
        octets.append(UInt8(ascii: "\""))
        append(escaping: text)
        octets.append(UInt8(ascii: "\""))
    }

    /// Writes text that a function appends, in characters that need no escape.
    package mutating func value(plain write: (inout [UInt8]) -> Void) {
        separate()
        octets.append(UInt8(ascii: "\""))
        write(&octets)
        octets.append(UInt8(ascii: "\""))
    }

    /// Writes a whole number.
    package mutating func value(_ number: Int64) {
        separate()
        if number < 0 { octets.append(UInt8(ascii: "-")) }
        append(digits: number.magnitude)
    }

    /// Writes true or false.
    package mutating func value(_ flag: Bool) { value(word: flag ? "true" : "false") }

    /// Writes a word or a number as it is.
    package mutating func value(word: StaticString) {
        separate()
        append(word)
    }

    /// Writes a word or a number as it is.
    package mutating func value(word: some Sequence<UInt8>) {
        separate()
        octets.append(contentsOf: word)
    }

    /// Writes octets as hexadecimal digits in lower case.
    package mutating func value(hexadecimal value: [UInt8]) {
        separate()
        octets.append(UInt8(ascii: "\""))
        for octet in value { appendDigits(octet) }
        octets.append(UInt8(ascii: "\""))
    }

    /// Writes a value that is JSON already; blanks between its parts are left out.
    package mutating func value(json: Span<UInt8>) {
        separate()
        var isInString = false
        var isEscaped = false
        var scanner = JSONScanner(position: 0)
        while scanner.position < json.count {
            let octet = json[scanner.position]
            if !isInString {
                if octet > 0x20 { octets.append(octet) }
                isInString = octet == UInt8(ascii: "\"")
                scanner.position &+= 1
            } else if octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "\\") {
                octets.append(octet)
                isInString = isEscaped || octet != UInt8(ascii: "\"")
                isEscaped = !isEscaped && octet == UInt8(ascii: "\\")
                scanner.position &+= 1
            } else {
                appendCharacter(&scanner, json)
                isEscaped = false
            }
        }
    }

    // MARK: Parts

    private mutating func separate() {
        if needsComma { octets.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func append(_ text: StaticString) {
        // Safe: a literal lives for ever and its count is the compiler's.
        text.withUTF8Buffer { unsafe octets.append(contentsOf: $0) }
    }

    private mutating func append(digits number: UInt64) {
        var unit: UInt64 = 1
        while number / unit >= 10 { unit *= 10 }
        while unit > 0 {
            octets.append(0x30 + UInt8(number / unit % 10))
            unit /= 10
        }
    }

    private mutating func appendDigits(_ octet: UInt8) {
        octets.append(Self.digit(octet >> 4))
        octets.append(Self.digit(octet & 15))
    }

    private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }

    private mutating func append(escaping text: Span<UInt8>) {
        var scanner = JSONScanner(position: 0)
        while scanner.position < text.count {
            let octet = text[scanner.position]
            let letter: UInt8
            switch octet {
            // Most of all text.
            case 0x20, 0x21, 0x23...0x5B, 0x5D...0x7E:
                octets.append(octet)
                scanner.position &+= 1
                continue
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = octet
            case 0x08: letter = UInt8(ascii: "b")
            case 0x09: letter = UInt8(ascii: "t")
            case 0x0A: letter = UInt8(ascii: "n")
            case 0x0C: letter = UInt8(ascii: "f")
            case 0x0D: letter = UInt8(ascii: "r")
            default:
                appendCharacter(&scanner, text)
                continue
            }
            octets.append(UInt8(ascii: "\\"))
            octets.append(letter)
            scanner.position &+= 1
        }
    }

    /// Appends the character at the scanner's position as it is or as a `\u` escape.
    private mutating func appendCharacter(_ scanner: inout JSONScanner, _ text: Span<UInt8>) {
        let start = scanner.position
        let lead = text[start]
        guard lead >= 0x80 else {
            scanner.position &+= 1
            if lead < 0x20 || lead == 0x7F { escape(UInt32(lead)) } else { octets.append(lead) }
            return
        }
        guard (try? scanner.multiOctetCharacter(text)) != nil else {
            scanner.position &+= 1
            octets.append(contentsOf: [0xEF, 0xBF, 0xBD])
            return
        }
        let count = scanner.position &- start
        // What must be escaped has two or three octets.
        if count < 4 {
            var character = UInt32(lead) & (count == 2 ? 0x1F : 0x0F)
            for index in (start &+ 1)..<scanner.position {
                character = character &<< 6 | UInt32(text[index]) & 0x3F
            }
            if Self.isHarmful(character) { return escape(character) }
        }
        for index in start..<scanner.position { octets.append(text[index]) }
    }

    /// Whether a character beyond ASCII steers a terminal, ends a line or turns the direction of writing.
    private static func isHarmful(_ character: UInt32) -> Bool {
        switch character {
        case 0x80..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    private mutating func escape(_ character: UInt32) {
        octets.append(UInt8(ascii: "\\"))
        octets.append(UInt8(ascii: "u"))
        appendDigits(UInt8(truncatingIfNeeded: character &>> 8))
        appendDigits(UInt8(truncatingIfNeeded: character))
    }
}
