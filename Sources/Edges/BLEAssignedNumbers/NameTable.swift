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
        withOctets { octets in
            var low = 0
            var high = octets.count
            while low < high {
                let middle = low + (high - low) / 2
                let start = octets[low..<middle].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? low
                let end = octets[start..<high].firstIndex(of: UInt8(ascii: "\n")) ?? high
                let line = octets[start..<end]
                let number = line.prefix { $0 != UInt8(ascii: " ") }
                if number.elementsEqual(key.utf8) {
                    return String(decoding: line.dropFirst(number.count + 1), as: UTF8.self)
                }
                if number.lexicographicallyPrecedes(key.utf8) {
                    low = min(end + 1, high)
                } else {
                    high = start
                }
            }
            return nil
        }
    }

    /// Every line, number and name.
    var lines: [(number: String, name: String)] {
        withOctets { String(decoding: $0, as: UTF8.self) }.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
        }
    }
}
