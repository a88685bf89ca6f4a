// SPDX-License-Identifier: Apache-2.0

import BLEWire
import WireJSON

/// Reads JSON and keeps the line and column of each value.
///
/// The time that it takes grows with the text and no faster; the memory is some ten times the text, so that whoever
/// reads a file limits its size first.
public struct JSONReader: ~Copyable {
    /// Arrays and objects may stand in each other so deep.
    static let depthLimit = 64

    private var scanner = JSONScanner(position: 0)
    /// The line of `counted`.
    private var line: Int
    private var column: Int
    /// Up to here lines and columns are counted.
    private var counted = 0

    /// Reads one value with nothing but blanks around it.
    ///
    /// - Parameters:
    ///   - octets: The JSON.
    ///   - line: The number of its first line.
    ///   - column: The column of its first character.
    /// - Returns: The value.
    /// - Throws: ``JSONDecodingError``.
    public static func read(
        _ octets: [UInt8], line: Int = 1, column: Int = 1
    ) throws(JSONDecodingError) -> JSONNode {
        var reader = JSONReader(line: line, column: column)
        let span = octets.octetSpan
        let node = try reader.value(span, depth: 0)
        reader.scanner.skipBlanks(span)
        guard reader.scanner.position == span.count else {
            throw reader.fault("something follows the end", span)
        }
        return node
    }

    private init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    // MARK: Places

    /// Counts on to an octet, which is never before those that were counted.
    private mutating func count(to end: Int, _ octets: Span<UInt8>) {
        while counted < end {
            let octet = octets[counted]
            if octet == 0x0A {
                line += 1
                column = 1
            } else if octet & 0xC0 != 0x80 {
                // What goes on with a character is no column of its own.
                column += 1
            }
            counted += 1
        }
    }

    private mutating func fault(_ reason: String, at offset: Int? = nil, _ octets: Span<UInt8>)
        -> JSONDecodingError
    {
        count(to: min(offset ?? scanner.position, octets.count), octets)
        return JSONDecodingError(line, column: column, reason)
    }

    // MARK: Values

    private mutating func value(_ octets: Span<UInt8>, depth: Int) throws(JSONDecodingError) -> JSONNode {
        scanner.skipBlanks(octets)
        guard depth < Self.depthLimit else {
            throw fault("it is nested more than \(Self.depthLimit) deep", octets)
        }
        count(to: scanner.position, octets)
        let (line, column) = (line, column)
        let value: JSONNode.Value
        switch scanner.position < octets.count ? octets[scanner.position] : nil {
        case UInt8(ascii: "{"): value = try object(octets, depth)
        case UInt8(ascii: "["): value = try array(octets, depth)
        case UInt8(ascii: "\""): value = .text(try text(octets))
        case nil: throw fault("it ends too early", octets)
        default: value = try word(octets)
        }
        return JSONNode(line: line, column: column, value: value)
    }

    private mutating func object(_ octets: Span<UInt8>, _ depth: Int) throws(JSONDecodingError)
        -> JSONNode.Value
    {
        var members: [JSONNode.Member] = []
        guard skip("{", octets), !skip("}", octets) else { return .object([]) }
        repeat {
            scanner.skipBlanks(octets)
            guard scanner.position < octets.count else { throw fault("it ends too early", octets) }
            guard octets[scanner.position] == UInt8(ascii: "\"") else {
                throw fault("a key in quotes is expected", octets)
            }
            let key = try text(octets)
            guard skip(":", octets) else {
                throw fault("a colon is missing behind \"\(key.shortened)\"", octets)
            }
            members.append(JSONNode.Member(key: key, node: try value(octets, depth: depth + 1)))
        } while skip(",", octets)
        guard skip("}", octets) else { throw fault("a comma or } is missing", octets) }
        return .object(members)
    }

    private mutating func array(_ octets: Span<UInt8>, _ depth: Int) throws(JSONDecodingError)
        -> JSONNode.Value
    {
        var elements: [JSONNode] = []
        guard skip("[", octets), !skip("]", octets) else { return .array([]) }
        repeat { elements.append(try value(octets, depth: depth + 1)) } while skip(",", octets)
        guard skip("]", octets) else { throw fault("a comma or ] is missing", octets) }
        return .array(elements)
    }

    private mutating func skip(_ mark: Unicode.Scalar, _ octets: Span<UInt8>) -> Bool {
        scanner.skipBlanks(octets)
        guard scanner.position < octets.count, octets[scanner.position] == UInt8(ascii: mark) else {
            return false
        }
        scanner.position += 1
        return true
    }

    /// `null`, `true`, `false` or a number.
    private mutating func word(_ octets: Span<UInt8>) throws(JSONDecodingError) -> JSONNode.Value {
        let start = scanner.position
        let token: JSONScanner.Token?
        do throws(JSONError) { token = try scanner.value(octets) } catch { token = nil }
        if let token, token.end == octets.count || Self.endsWord(octets[token.end]) {
            switch (token.kind, octets[start]) {
            case (.null, _): return .null
            case (.other, UInt8(ascii: "t")): return .bool(true)
            case (.other, _): return .bool(false)
            default:
                if let number = JSONNumber(token, in: octets).double { return .number(number) }
                throw fault("a number is too large", at: start, octets)
            }
        }
        var end = start
        while end < octets.count, !Self.endsWord(octets[end]) { end += 1 }
        let word = String(
            decoding: Array(copying: octets.extracting(start..<min(end, start + 400))), as: UTF8.self)
        throw fault(
            word.isEmpty ? "a value is missing" : "\(word.shortened) is not a value", at: start, octets)
    }

    private static func endsWord(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"),
            UInt8(ascii: "}"), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
            true
        default: false
        }
    }

    private mutating func text(_ octets: Span<UInt8>) throws(JSONDecodingError) -> String {
        let start = scanner.position
        do throws(JSONError) {
            let token = try scanner.value(octets)
            return String(decoding: JSONScanner.text(of: token, in: octets), as: UTF8.self)
        } catch {
            switch error.reason {
            case .badUTF8: throw fault("text is not UTF-8", at: error.offset, octets)
            case .badEscape: throw fault("an escape is not understood", at: error.offset, octets)
            case .loneSurrogate: throw fault("half a character is escaped", at: error.offset, octets)
            default: throw fault("a quotation mark is missing", at: start, octets)
            }
        }
    }
}
