// SPDX-License-Identifier: Apache-2.0

/// Walks over JSON text, octet by octet, and checks it against RFC 8259.
///
/// It holds only a position; the octets are lent to each call. Text that stops too early always throws
/// ``JSONError/Reason/endsEarly``, so that whoever collects pieces knows to wait for the rest.
package struct JSONScanner: Sendable {
    /// What stands where a value stands.
    package struct Token: Sendable {
        /// What kinds there are.
        package enum Kind: Sendable {
            case string
            case number
            case null
            /// True, false, an object or a list.
            case other
        }

        /// What kind of value it is.
        package var kind: Kind
        /// The first octet, for a string its opening quote.
        package var start: Int
        /// The octet after the last.
        package var end: Int
        /// Whether a string has escapes.
        package var hasEscapes = false

        /// The octets between the quotes of a string.
        package var contents: Range<Int> { (start &+ 1)..<(end &- 1) }
    }

    /// How deep lists and objects may stand in each other.
    package static let maximumDepth = 32

    /// Octets walked over so far.
    package var position: Int

    /// Begins somewhere.
    package init(position: Int) { self.position = position }

    /// A fault at the position.
    package func fault(_ reason: JSONError.Reason) -> JSONError { JSONError(reason, at: position) }

    // MARK: Single characters

    /// Passes blanks.
    package mutating func skipBlanks(_ octets: Span<UInt8>) {
        while position < octets.count, Self.isBlank(octets[position]) { position &+= 1 }
    }

    /// Whether an octet is a blank.
    package static func isBlank(_ octet: UInt8) -> Bool {
        octet == 0x20 || octet == 0x0A || octet == 0x0D || octet == 0x09
    }

    /// The next octet that is not blank, without passing it.
    package mutating func peek(_ octets: Span<UInt8>) throws(JSONError) -> UInt8 {
        skipBlanks(octets)
        guard position < octets.count else { throw fault(.endsEarly) }
        return octets[position]
    }

    /// Passes an octet, and blanks before it.
    package mutating func expect(_ octet: UInt8, _ octets: Span<UInt8>) throws(JSONError) {
        guard try peek(octets) == octet else { throw fault(.notJSON) }
        position &+= 1
    }

    // MARK: Values

    /// Passes one value of any kind.
    package mutating func value(_ octets: Span<UInt8>) throws(JSONError) -> Token {
        switch try peek(octets) {
        case UInt8(ascii: "\""): return try string(octets)
        case UInt8(ascii: "-"), 0x30...0x39: return try number(octets)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let start = position
            try container(octets)
            return Token(kind: .other, start: start, end: position)
        default: return try literal(octets)
        }
    }

    /// Passes an object or list with everything in it; the position is at its opening bracket.
    ///
    /// Not recursive: `kinds` holds one bit for each open container, 1 for an object.
    package mutating func container(_ octets: Span<UInt8>) throws(JSONError) {
        var kinds: UInt64 = 0
        var depth = 0
        repeat {
            let octet = try peek(octets)
            if octet == UInt8(ascii: "{") || octet == UInt8(ascii: "[") {
                guard depth < Self.maximumDepth else { throw fault(.tooDeep) }
                let isObject = octet == UInt8(ascii: "{")
                kinds = kinds &<< 1 | (isObject ? 1 : 0)
                depth &+= 1
                position &+= 1
                if try peek(octets) != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    if isObject { try key(octets) }
                    continue
                }
            } else {
                _ = try value(octets)
            }
            // A value is complete; close what ends here, or go on to the next value.
            while depth > 0 {
                let isObject = kinds & 1 == 1
                let next = try peek(octets)
                if next == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    position &+= 1
                    kinds &>>= 1
                    depth &-= 1
                } else if next == UInt8(ascii: ",") {
                    position &+= 1
                    if isObject { try key(octets) }
                    break
                } else {
                    throw fault(.notJSON)
                }
            }
        } while depth > 0
    }

    /// Passes a key and its colon.
    @discardableResult
    package mutating func key(_ octets: Span<UInt8>) throws(JSONError) -> Token {
        guard try peek(octets) == UInt8(ascii: "\"") else { throw fault(.notJSON) }
        let token = try string(octets)
        try expect(UInt8(ascii: ":"), octets)
        return token
    }

    private mutating func literal(_ octets: Span<UInt8>) throws(JSONError) -> Token {
        let start = position
        let word: StaticString
        switch octets[position] {
        case UInt8(ascii: "n"): word = "null"
        case UInt8(ascii: "t"): word = "true"
        case UInt8(ascii: "f"): word = "false"
        default: throw fault(.notJSON)
        }
        for offset in 0..<word.utf8CodeUnitCount {
            guard position < octets.count else { throw fault(.endsEarly) }
            // Safe: `offset` is below the literal's own count.
            guard unsafe octets[position] == word.utf8Start[offset] else { throw fault(.notJSON) }
            position &+= 1
        }
        return Token(kind: octets[start] == UInt8(ascii: "n") ? .null : .other, start: start, end: position)
    }

    private mutating func number(_ octets: Span<UInt8>) throws(JSONError) -> Token {
        let start = position
        if octets[position] == UInt8(ascii: "-") { position &+= 1 }
        if position < octets.count, octets[position] == 0x30 {
            position &+= 1
            if position < octets.count, Self.isDigit(octets[position]) { throw fault(.badNumber) }
        } else {
            try digits(octets)
        }
        if position < octets.count, octets[position] == UInt8(ascii: ".") {
            position &+= 1
            try digits(octets)
        }
        if position < octets.count, octets[position] | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if position < octets.count,
                octets[position] == UInt8(ascii: "+") || octets[position] == UInt8(ascii: "-")
            {
                position &+= 1
            }
            try digits(octets)
        }
        return Token(kind: .number, start: start, end: position)
    }

    private mutating func digits(_ octets: Span<UInt8>) throws(JSONError) {
        guard position < octets.count else { throw fault(.endsEarly) }
        guard Self.isDigit(octets[position]) else { throw fault(.badNumber) }
        while position < octets.count, Self.isDigit(octets[position]) { position &+= 1 }
    }

    /// Whether an octet is a digit.
    package static func isDigit(_ octet: UInt8) -> Bool { octet &- 0x30 < 10 }

    // MARK: Strings

    private mutating func string(_ octets: Span<UInt8>) throws(JSONError) -> Token {
        let start = position
        var hasEscapes = false
        position &+= 1
        while true {
            skipPlain(octets)
            guard position < octets.count else { throw fault(.endsEarly) }
            let octet = octets[position]
            if octet == UInt8(ascii: "\"") {
                position &+= 1
                return Token(kind: .string, start: start, end: position, hasEscapes: hasEscapes)
            } else if octet == UInt8(ascii: "\\") {
                hasEscapes = true
                _ = try escape(octets)
            } else if octet < 0x20 {
                throw fault(.controlCharacter)
            } else if octet < 0x80 {
                position &+= 1
            } else {
                try multiOctetCharacter(octets)
            }
        }
    }

    /// Passes ASCII that stands for itself, eight octets at a time; stops early rather than late.
    private mutating func skipPlain(_ octets: Span<UInt8>) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while position &+ 8 <= octets.count {
            // Safe: every eight octets are a number, and the load checks that they are there.
            let loaded = unsafe octets.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
            let word = UInt64(littleEndian: loaded)
            // An octet's high bit is set below if it is a quote, a backslash, below 0x20 or not ASCII. A borrow
            // can also set it in octets after such a one, but the first is always right.
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            var stops = (quote &- ones) & ~quote
            stops |= (backslash &- ones) & ~backslash
            stops |= (word &- ones &* 0x20) & ~word
            stops = (stops | word) & highs
            guard stops == 0 else {
                position &+= stops.trailingZeroBitCount &>> 3
                return
            }
            position &+= 8
        }
    }

    /// Passes a character of two to four octets.
    ///
    /// Spec: RFC 3629, 4.
    package mutating func multiOctetCharacter(_ octets: Span<UInt8>) throws(JSONError) {
        let lead = octets[position]
        let count: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: count = 2
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: count = 3
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: count = 4
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: throw fault(.badUTF8)
        }
        for offset in 1..<count {
            guard position &+ offset < octets.count else { throw fault(.endsEarly) }
            let allowed = offset == 1 ? second : 0x80...0xBF
            guard allowed.contains(octets[position &+ offset]) else { throw fault(.badUTF8) }
        }
        position &+= count
    }

    /// Passes an escape; the position is at its backslash.
    ///
    /// - Returns: The character's number.
    private mutating func escape(_ octets: Span<UInt8>) throws(JSONError) -> UInt32 {
        guard position &+ 1 < octets.count else { throw fault(.endsEarly) }
        let letter = octets[position &+ 1]
        let plain: UInt32
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = UInt32(letter)
        case UInt8(ascii: "b"): plain = 0x08
        case UInt8(ascii: "f"): plain = 0x0C
        case UInt8(ascii: "n"): plain = 0x0A
        case UInt8(ascii: "r"): plain = 0x0D
        case UInt8(ascii: "t"): plain = 0x09
        case UInt8(ascii: "u"): return try unicodeEscape(octets)
        default: throw fault(.badEscape)
        }
        position &+= 2
        return plain
    }

    private mutating func unicodeEscape(_ octets: Span<UInt8>) throws(JSONError) -> UInt32 {
        let first = try fourDigits(octets, at: position &+ 2)
        guard (0xD800...0xDFFF).contains(first) else {
            position &+= 6
            return first
        }
        guard first < 0xDC00 else { throw fault(.loneSurrogate) }
        for (offset, due) in [(6, UInt8(ascii: "\\")), (7, UInt8(ascii: "u"))] {
            guard position &+ offset < octets.count else { throw fault(.endsEarly) }
            guard octets[position &+ offset] == due else { throw fault(.loneSurrogate) }
        }
        let second = try fourDigits(octets, at: position &+ 8)
        guard (0xDC00...0xDFFF).contains(second) else { throw fault(.loneSurrogate) }
        position &+= 12
        return 0x10000 &+ (first &- 0xD800) &<< 10 &+ (second &- 0xDC00)
    }

    private func fourDigits(_ octets: Span<UInt8>, at start: Int) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for index in start..<(start &+ 4) {
            guard index < octets.count else { throw fault(.endsEarly) }
            guard let digit = Self.hexadecimalDigit(octets[index]) else { throw fault(.badEscape) }
            value = value &<< 4 | UInt32(digit)
        }
        return value
    }

    /// What a hexadecimal digit stands for.
    package static func hexadecimalDigit(_ octet: UInt8) -> UInt8? {
        switch octet {
        case 0x30...0x39: octet &- 0x30
        case 0x41...0x46: octet &- 0x37
        case 0x61...0x66: octet &- 0x57
        default: nil
        }
    }

    /// The text of a string that was passed before.
    package static func text(of token: Token, in octets: Span<UInt8>) -> [UInt8] {
        let contents = token.contents
        guard token.hasEscapes else { return Array(copying: octets.extracting(contents)) }
        var text: [UInt8] = []
        text.reserveCapacity(contents.count)
        var scanner = JSONScanner(position: contents.lowerBound)
        while scanner.position < contents.upperBound {
            let octet = octets[scanner.position]
            // The string was checked when it was passed, so an escape cannot fail here.
            if octet == UInt8(ascii: "\\"), let character = try? scanner.escape(octets) {
                append(character, to: &text)
            } else {
                text.append(octet)
                scanner.position &+= 1
            }
        }
        return text
    }

    private static func append(_ character: UInt32, to text: inout [UInt8]) {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: character &>> shift & 0x3F | 0x80) }
        switch character {
        case 0..<0x80: text.append(UInt8(truncatingIfNeeded: character))
        case 0x80..<0x800: text += [UInt8(truncatingIfNeeded: character &>> 6 | 0xC0), tail(0)]
        case 0x800..<0x10000:
            text += [UInt8(truncatingIfNeeded: character &>> 12 | 0xE0), tail(6), tail(0)]
        default:
            text += [UInt8(truncatingIfNeeded: character &>> 18 | 0xF0), tail(12), tail(6), tail(0)]
        }
    }
}

extension [UInt8] {
    /// Copies lent octets.
    package init(copying octets: Span<UInt8>) {
        // Safe: the buffer is used only inside the call.
        self = unsafe octets.withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }
}
