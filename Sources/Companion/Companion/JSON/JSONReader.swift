// SPDX-License-Identifier: Apache-2.0

/// Reads JSON and keeps the number of the line of each value.
struct JSONReader {
    /// Arrays and objects may stand in each other so deep.
    private static let depthLimit = 64

    private let octets: [UInt8]
    private var index = 0
    private var line: Int

    /// Reads one value with nothing but blanks around it.
    ///
    /// - Parameters:
    ///   - octets: The JSON.
    ///   - line: The number of its first line.
    /// - Returns: The value.
    /// - Throws: ``JSONFault``.
    static func read(_ octets: [UInt8], line: Int = 1) throws(JSONFault) -> JSONNode {
        var reader = JSONReader(octets: octets, line: line)
        let node = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.index == octets.count else { throw reader.fault("something follows the end") }
        return node
    }

    private init(octets: [UInt8], line: Int) {
        self.octets = octets
        self.line = line
    }

    private func fault(_ reason: String) -> JSONFault { JSONFault(line, reason) }

    private var peek: UInt8? { index < octets.count ? octets[index] : nil }

    private mutating func skipBlanks() {
        while let octet = peek, octet == 0x20 || octet == 0x0A || octet == 0x0D || octet == 0x09 {
            if octet == 0x0A { line += 1 }
            index += 1
        }
    }

    private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard peek == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONNode {
        guard depth < Self.depthLimit else { throw fault("it is nested too deeply") }
        skipBlanks()
        let start = line
        switch peek {
        case UInt8(ascii: "{"): return JSONNode(line: start, value: try object(depth: depth))
        case UInt8(ascii: "["): return JSONNode(line: start, value: try array(depth: depth))
        case UInt8(ascii: "\""): return JSONNode(line: start, value: .text(try text()))
        case nil: throw fault("it ends too early")
        default: return JSONNode(line: start, value: try word())
        }
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSONNode.Value {
        var members: [JSONNode.Member] = []
        guard skip("{"), !skip("}") else { return .object([]) }
        repeat {
            skipBlanks()
            guard peek == UInt8(ascii: "\"") else { throw fault("a key in quotes is expected") }
            let key = try text()
            guard skip(":") else { throw fault("a colon is missing behind \"\(key)\"") }
            members.append(JSONNode.Member(key: key, node: try value(depth: depth + 1)))
        } while skip(",")
        guard skip("}") else { throw fault("a comma or } is missing") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONFault) -> JSONNode.Value {
        var elements: [JSONNode] = []
        guard skip("["), !skip("]") else { return .array([]) }
        repeat { elements.append(try value(depth: depth + 1)) } while skip(",")
        guard skip("]") else { throw fault("a comma or ] is missing") }
        return .array(elements)
    }

    /// `null`, `true`, `false` or a number.
    private mutating func word() throws(JSONFault) -> JSONNode.Value {
        let start = index
        while let octet = peek, !" \n\r\t,:]}{[\"".utf8.contains(octet) { index += 1 }
        let word = String(decoding: octets[start..<index], as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default:
            guard let first = word.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
                word.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }), let number = Double(word)
            else { throw fault("\(word.isEmpty ? "a value is missing" : "\(word) is no value")") }
            return .number(number)
        }
    }

    private mutating func text() throws(JSONFault) -> String {
        index += 1
        var text: [UInt8] = []
        while let octet = peek {
            index += 1
            switch octet {
            case UInt8(ascii: "\""):
                guard let whole = String(validating: text, as: UTF8.self) else {
                    throw fault("text is not UTF-8")
                }
                return whole
            case UInt8(ascii: "\\"): text += try escape()
            case 0..<0x20: throw fault("a quotation mark is missing")
            default: text.append(octet)
            }
        }
        throw fault("a quotation mark is missing")
    }

    private mutating func escape() throws(JSONFault) -> [UInt8] {
        defer { index += 1 }
        switch peek {
        case UInt8(ascii: "\""): return [0x22]
        case UInt8(ascii: "\\"): return [0x5C]
        case UInt8(ascii: "/"): return [0x2F]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            var unit = try codeUnit()
            if (0xD800..<0xDC00).contains(unit), octets[(index + 1)...].starts(with: Array("\\u".utf8)) {
                index += 2
                let low = try codeUnit()
                guard (0xDC00..<0xE000).contains(low) else { throw fault("half a character is escaped") }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(unit) else { throw fault("half a character is escaped") }
            return Array(String(Character(scalar)).utf8)
        default: throw fault("an escape is not understood")
        }
    }

    /// Four hex digits behind the `u`; stays on the last of them.
    private mutating func codeUnit() throws(JSONFault) -> UInt32 {
        let digits = octets[(index + 1)...].prefix(4)
        let text = String(decoding: digits, as: UTF8.self)
        guard digits.count == 4, !text.hasPrefix("+"), let unit = UInt32(text, radix: 16) else {
            throw fault("an escape is not understood")
        }
        index += 4
        return unit
    }
}
