// SPDX-License-Identifier: Apache-2.0

/// Names by number: one line each, the number in lower-case hex digits, a blank and the name, in order.
///
/// The text stays as the compiler laid it down, or as a page has fetched it; nothing is parsed before it is asked for.
struct NameTable: Sendable {
    #if hasFeature(Embedded)
    let text: [UInt8]

    private func withOctets<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        text.withUnsafeBufferPointer { body($0) }
    }
    #else
    let text: StaticString

    init(_ text: StaticString) { self.text = text }

    private func withOctets<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        text.withUTF8Buffer { body($0) }
    }
    #endif

    /// Finds a name by halving the text until one line is left.
    func name(of key: String) -> String? {
        let key = Array(key.utf8)
        return withOctets { octets in
            var (low, high) = (0, octets.count)
            while low < high {
                var start = low + (high - low) / 2
                var end = start
                while start > low, octets[start - 1] != UInt8(ascii: "\n") { start -= 1 }
                while end < high, octets[end] != UInt8(ascii: "\n") { end += 1 }
                switch Self.order(octets[start..<end], key) {
                case 0: return String(decoding: octets[(start + key.count + 1)..<end], as: UTF8.self)
                case ..<0: low = min(end + 1, high)
                default: high = start
                }
            }
            return nil
        }
    }

    /// Whether the number of a line comes before a key (less than 0), is it (0), or comes after it.
    private static func order(_ line: Slice<UnsafeBufferPointer<UInt8>>, _ key: [UInt8]) -> Int {
        let (octets, start, end) = (line.base, line.startIndex, line.endIndex)
        for index in key.indices {
            // A blank ends a number, and comes before all digits.
            let octet = start + index < end ? octets[start + index] : UInt8(ascii: " ")
            if octet != key[index] { return octet < key[index] ? -1 : 1 }
        }
        return start + key.count < end && octets[start + key.count] != UInt8(ascii: " ") ? 1 : 0
    }

    /// Every line, number and name.
    var lines: [(number: String, name: String)] {
        withOctets { String(decoding: $0, as: UTF8.self) }.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
        }
    }
}
