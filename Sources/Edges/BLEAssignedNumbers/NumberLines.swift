// SPDX-License-Identifier: Apache-2.0

/// What a line of the text of assigned numbers is about; the word that it begins with.
enum NumberKind: String, CaseIterable {
    case appearance
    case characteristic
    case company
    case descriptor
    /// How the values of a characteristic or descriptor are laid out; ``ValueFormat`` reads it.
    case format
    /// The scheme of a URI, by the character that stands for it.
    case scheme
    case service
    /// The symbol of a unit.
    case symbol
    /// A type of advertising data.
    case type
    case unit
}

/// Finds lines in the text of assigned numbers.
///
/// A line is a kind, a number in lower-case hex digits and a name: `company 004c Apple, Inc.`. They are in the order of their
/// octets, and the last one is `~`. Nothing is parsed before it is asked for.
enum NumberLines {
    private static let newline = UInt8(ascii: "\n")

    /// Finds the name of a number.
    ///
    /// - Parameters:
    ///   - digits: The number, with as many digits as the text has of its kind.
    ///   - kind: What it is a number of.
    ///   - text: The text.
    /// - Returns: The name.
    static func name(of digits: String, _ kind: NumberKind, in text: Span<UInt8>) -> String? {
        let key = key(kind, digits)
        let start = firstLine(notBefore: key, in: text)
        guard begins(at: start, with: key, in: text) else { return nil }
        return string(start + key.count..<end(of: start, in: text), in: text)
    }

    /// All lines of a kind, number and name.
    static func all(_ kind: NumberKind, in text: Span<UInt8>) -> [(number: String, name: String)] {
        let key = key(kind)
        var found: [(number: String, name: String)] = []
        var start = firstLine(notBefore: key, in: text)
        while begins(at: start, with: key, in: text) {
            let end = end(of: start, in: text)
            var blank = start + key.count
            while blank < end, text[blank] != UInt8(ascii: " ") { blank += 1 }
            let name = blank < end ? string(blank + 1..<end, in: text) : ""
            found.append((string(start + key.count..<blank, in: text), name))
            start = min(end + 1, text.count)
        }
        return found
    }

    private static func key(_ kind: NumberKind, _ digits: String? = nil) -> [UInt8] {
        var key = Array(kind.rawValue.utf8)
        key.append(UInt8(ascii: " "))
        if let digits {
            key.append(contentsOf: digits.utf8)
            key.append(UInt8(ascii: " "))
        }
        return key
    }

    /// Halves the text until one place is left: where the first line begins that is not before a key.
    private static func firstLine(notBefore key: [UInt8], in text: Span<UInt8>) -> Int {
        var (low, high) = (0, text.count)
        while low < high {
            var start = low + (high - low) / 2
            while start > low, text[start - 1] != newline { start -= 1 }
            if isLine(at: start, before: key, in: text) {
                low = min(end(of: start, in: text) + 1, high)
            } else {
                high = start
            }
        }
        return low
    }

    private static func isLine(at start: Int, before key: [UInt8], in text: Span<UInt8>) -> Bool {
        for index in key.indices {
            guard start + index < text.count else { return true }
            let octet = text[start + index]
            if octet != key[index] { return octet < key[index] }
        }
        return false
    }

    private static func begins(at start: Int, with key: [UInt8], in text: Span<UInt8>) -> Bool {
        guard text.count - start >= key.count else { return false }
        return key.indices.allSatisfy { text[start + $0] == key[$0] }
    }

    private static func end(of start: Int, in text: Span<UInt8>) -> Int {
        var end = start
        while end < text.count, text[end] != newline { end += 1 }
        return end
    }

    private static func string(_ range: Range<Int>, in text: Span<UInt8>) -> String {
        text.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
