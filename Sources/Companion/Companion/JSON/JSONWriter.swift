// SPDX-License-Identifier: Apache-2.0

import BLEWire
import WireJSON

/// Writes JSON on one line, with the keys in the order in which they are given.
///
/// Control characters, line separators and marks that turn the direction of writing are escaped, so that a
/// value never ends a line and never steers a terminal. Numbers are the shortest that read back as the same
/// value.
public struct JSONWriter: Sendable {
    private var writer = JSONOctetWriter()

    /// Makes a writer that has written nothing.
    public init() {}

    /// Makes a writer that goes on behind what is there.
    package init(behind octets: consuming [UInt8]) { writer = JSONOctetWriter(behind: octets) }

    /// Ends the writing and hands the octets out, which are not copied.
    package consuming func finish() -> [UInt8] { writer.finish() }

    /// What was written.
    public var octets: [UInt8] { writer.octets }

    /// What was written, as text.
    public var text: String { String(decoding: octets, as: UTF8.self) }

    /// Writes an object.
    ///
    /// - Parameter body: Writes the keys and values.
    /// - Throws: What the body throws.
    public mutating func object<Failure>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        writer.open("{")
        try body(&self)
        writer.close("}")
    }

    /// Writes an array.
    ///
    /// - Parameter body: Writes the values.
    /// - Throws: What the body throws.
    public mutating func array<Failure>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        writer.open("[")
        try body(&self)
        writer.close("]")
    }

    /// Writes a key; its value comes next.
    ///
    /// - Parameter name: The key.
    public mutating func key(_ name: String) {
        var name = name
        // Safe: the span is used only while the text is held.
        name.withUTF8 { unsafe writer.key(text: $0.span) }
    }

    /// Writes a key; its value comes next.
    ///
    /// - Parameter name: The key, in characters that need no escape.
    @inline(never)
    public mutating func key(_ name: StaticString) { writer.key(name) }

    /// Writes text in characters that need no escape.
    ///
    /// - Parameter value: The text.
    @inline(never)
    public mutating func value(_ value: StaticString) { writer.value(value) }

    /// Writes octets as hexadecimal digits in lower case, or null.
    ///
    /// - Parameter value: The octets.
    @inline(never)
    public mutating func value(octets value: [UInt8]?) {
        if let value { writer.value(hexadecimal: value) } else { null() }
    }

    /// Writes text, or null.
    ///
    /// - Parameter value: The text.
    @inline(never)
    public mutating func value(_ value: String?) {
        guard var value else { return null() }
        // Safe: the span is used only while the text is held.
        value.withUTF8 { unsafe writer.value(text: $0.span) }
    }

    /// Writes a whole number, or null.
    ///
    /// - Parameter value: The number.
    public mutating func value(_ value: (some BinaryInteger)?) {
        guard let value else { return null() }
        if let number = Int64(exactly: value) {
            writer.value(number)
        } else {
            writer.value(word: String(value).utf8)
        }
    }

    /// Writes a number, or null; null also stands for what is not a number.
    ///
    /// - Parameter value: The number.
    @inline(never)
    public mutating func value(_ value: Double?) {
        if let value, value.isFinite { writer.value(word: value.description.utf8) } else { null() }
    }

    /// Writes true, false or null.
    ///
    /// - Parameter value: The value.
    @inline(never)
    public mutating func value(_ value: Bool?) {
        if let value { writer.value(value) } else { null() }
    }

    /// Writes a moment as ISO 8601 in UTC with milliseconds, or null.
    ///
    /// - Parameter value: The moment.
    @inline(never)
    public mutating func value(_ value: Timestamp?) {
        if let value { writer.value { value.write(to: &$0) } } else { null() }
    }

    /// Writes text that needs no escapes.
    ///
    /// - Parameter write: Appends its octets.
    package mutating func value(writing write: (inout [UInt8]) -> Void) { writer.value(plain: write) }

    /// Writes a value that is JSON already; blanks between its parts are left out.
    ///
    /// - Parameter json: One complete JSON value.
    public mutating func json(_ json: some Sequence<UInt8>) {
        let octets = Array(json)
        writer.value(json: octets.octetSpan)
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

    package mutating func null() { writer.value(word: "null" as StaticString) }
}
