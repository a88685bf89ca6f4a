// SPDX-License-Identifier: Apache-2.0

/// Writes JSON on one line, with the keys in the order in which they are given.
///
/// Control characters, line separators and marks that turn the direction of writing are escaped, so that a
/// value never ends a line and never steers a terminal. Numbers are the shortest that read back as the same
/// value.
public struct JSONWriter: Sendable {
    /// What was written.
    public private(set) var octets: [UInt8] = []
    private var needsComma = false

    /// Makes a writer that has written nothing.
    public init() {}

    /// What was written, as text.
    public var text: String { String(decoding: octets, as: UTF8.self) }

    /// Writes an object.
    ///
    /// - Parameter body: Writes the keys and values.
    /// - Throws: What the body throws.
    public mutating func object<Failure>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open("{")
        try body(&self)
        close("}")
    }

    /// Writes an array.
    ///
    /// - Parameter body: Writes the values.
    /// - Throws: What the body throws.
    public mutating func array<Failure>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open("[")
        try body(&self)
        close("]")
    }

    /// Writes a key; its value comes next.
    ///
    /// - Parameter name: The key.
    public mutating func key(_ name: String) {
        separate()
        quote(name)
        octets.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key; its value comes next.
    ///
    /// - Parameter name: The key, in characters that need no escape.
    public mutating func key(_ name: StaticString) {
        separate()
        quote(name)
        octets.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes text in characters that need no escape.
    ///
    /// - Parameter value: The text.
    public mutating func value(_ value: StaticString) {
        separate()
        quote(value)
    }

    /// Writes octets as hexadecimal digits in lower case, or null.
    ///
    /// - Parameter value: The octets.
    public mutating func value(octets value: [UInt8]?) {
        separate()
        guard let value else { return append("null") }
        octets.append(UInt8(ascii: "\""))
        for octet in value {
            for digit in [octet >> 4, octet & 15] { octets.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
        }
        octets.append(UInt8(ascii: "\""))
    }

    /// Writes text, or null.
    ///
    /// - Parameter value: The text.
    public mutating func value(_ value: String?) {
        separate()
        if let value { quote(value) } else { append("null") }
    }

    /// Writes a whole number, or null.
    ///
    /// - Parameter value: The number.
    public mutating func value(_ value: (some BinaryInteger)?) {
        separate()
        append(value.map { String($0) } ?? "null")
    }

    /// Writes a number, or null; null also stands for what is not a number.
    ///
    /// - Parameter value: The number.
    public mutating func value(_ value: Double?) {
        separate()
        if let value, value.isFinite { append(value.description) } else { append("null") }
    }

    /// Writes true, false or null.
    ///
    /// - Parameter value: The value.
    public mutating func value(_ value: Bool?) {
        separate()
        append(value.map { $0 ? "true" : "false" } ?? "null")
    }

    /// Writes a moment as ISO 8601 in UTC with milliseconds, or null.
    ///
    /// - Parameter value: The moment.
    public mutating func value(_ value: Timestamp?) {
        separate()
        if let value { quote(value.description) } else { append("null") }
    }

    /// Writes a value that is JSON already; blanks between its parts are left out.
    ///
    /// - Parameter json: One complete JSON value.
    public mutating func json(_ json: some Sequence<UInt8>) {
        separate()
        var isInString = false
        var isEscaped = false
        for scalar in String(decoding: Array(json), as: UTF8.self).unicodeScalars {
            if isInString {
                append(scalar)
                isInString = isEscaped || scalar != "\""
                isEscaped = !isEscaped && scalar == "\\"
            } else if scalar.value > 0x20 {
                append(scalar)
                isInString = scalar == "\""
            }
        }
        needsComma = true
    }

    /// Writes a key and text, or null.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - value: The text.
    public mutating func field(_ name: String, _ value: String?) {
        key(name)
        self.value(value)
    }

    /// Writes a key and a whole number, or null.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - value: The number.
    public mutating func field(_ name: String, _ value: (some BinaryInteger)?) {
        key(name)
        self.value(value)
    }

    /// Writes a key and a number, or null.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - value: The number.
    public mutating func field(_ name: String, _ value: Double?) {
        key(name)
        self.value(value)
    }

    /// Writes a key and true, false or null.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - value: The value.
    public mutating func field(_ name: String, _ value: Bool?) {
        key(name)
        self.value(value)
    }

    /// Writes a key and a moment, or null.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - value: The moment.
    public mutating func field(_ name: String, _ value: Timestamp?) {
        key(name)
        self.value(value)
    }

    private mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        octets.append(UInt8(ascii: bracket))
        needsComma = false
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        octets.append(UInt8(ascii: bracket))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { octets.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func append(_ text: String) { octets.append(contentsOf: text.utf8) }

    private mutating func quote(_ text: StaticString) {
        octets.append(UInt8(ascii: "\""))
        text.withUTF8Buffer { octets.append(contentsOf: $0) }
        octets.append(UInt8(ascii: "\""))
    }

    private mutating func quote(_ text: String) {
        octets.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            default: append(scalar)
            }
        }
        octets.append(UInt8(ascii: "\""))
    }

    /// Appends a character as it is or as a `\u` escape.
    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
            append("\\u")
            for shift in [12, 8, 4, 0] { append(String(scalar.value >> shift & 0xF, radix: 16)) }
        default:
            octets.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
