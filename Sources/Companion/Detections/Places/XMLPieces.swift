// SPDX-License-Identifier: Apache-2.0

import Companion

/// The tags of an XML document and the text between them, one after the other; the document may come in parts.
///
/// It reads what carries names, numbers and times: declarations, comments and instructions are passed over, and so are the
/// entities of a document's own. Tags must be closed in their order.
struct XMLPieces: Sendable {
    /// One piece.
    enum Piece: Hashable {
        /// A tag that opens, with its attributes. One that is empty is closed by the next piece.
        case start(String, attributes: [String: String])
        /// A tag that closes.
        case end(String)
        /// Text between tags, as it is; it may come in several pieces.
        case text(String)
    }

    /// Octets that a piece may have and those of a name, how deep tags may stand in each other, and what a tag may have
    /// of attributes.
    static let limit = (octets: 1 << 18, name: 1024, depth: 64, attributes: 256)

    private var octets: [UInt8]
    private var position = 0
    private var open: [String] = []
    /// Whether the tag that was opened last is empty, so that its end is the next piece.
    private var isEmpty = false
    private var isOver: Bool
    private var ahead = Ahead()
    /// Up to here lines are counted.
    private var counted = 0
    private var lineThere = 1

    /// Begins a document of which nothing is there yet.
    init() { (octets, isOver) = ([], false) }

    /// Begins a document that is there.
    init(_ octets: [UInt8]) { (self.octets, isOver) = (octets, true) }

    /// Takes the next part of the document.
    mutating func receive(_ more: [UInt8]) {
        _ = line
        octets.removeFirst(position)
        (position, counted) = (0, 0)
        octets += more
    }

    /// Takes the end of the document.
    mutating func finish() { isOver = true }

    /// The line that is being read, from 1.
    var line: Int {
        mutating get {
            lineThere += octets[counted..<position].count { $0 == 0x0A }
            counted = position
            return lineThere
        }
    }

    /// Reads on.
    ///
    /// - Returns: The next piece; `nil` at the end, or when more has to come first.
    /// - Throws: ``BadInput``, a phrase that says what is wrong.
    mutating func next() throws(BadInput) -> Piece? {
        if isEmpty {
            isEmpty = false
            return .end(open.removeLast())
        }
        while position < octets.count {
            guard isOver || ahead.isWhole(octets[position...]) else {
                guard octets.count - position <= Self.limit.octets else { throw Self.tooLong }
                return nil
            }
            ahead = Ahead()
            if octets[position] != UInt8(ascii: "<") {
                return .text(text())
            } else if starts(with: "<!--") {
                try pass("-->")
            } else if starts(with: "<![CDATA[") {
                let start = position + 9
                try pass("]]>")
                guard position - start <= Self.limit.octets else { throw Self.tooLong }
                return .text(String(decoding: octets[start..<position - 3], as: UTF8.self))
            } else if starts(with: "<?") {
                try pass("?>")
            } else if starts(with: "<!") {
                try passDeclaration()
            } else {
                return try tag()
            }
        }
        guard isOver else { return nil }
        guard open.isEmpty else { throw BadInput("it ends inside <\(open[open.count - 1].shortened)>") }
        return nil
    }

    private static let tooLong = BadInput("a part of it has more than \(limit.octets) octets")

    private func starts(with text: StaticString) -> Bool {
        octets[position...].starts(with: text.description.utf8)
    }

    private mutating func text() -> String {
        // What is longer comes in several pieces.
        let rest = octets[position...].prefix(Self.limit.octets)
        let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
        defer { position = end }
        return XMLEntities.decoded(octets[position..<end])
    }

    private mutating func pass(_ end: StaticString) throws(BadInput) {
        let last = end.description.utf8.last
        while position < octets.count {
            position += 1
            if octets[position - 1] == last,
                octets[..<position].suffix(end.utf8CodeUnitCount).elementsEqual(end.description.utf8)
            {
                return
            }
        }
        throw BadInput("it ends where \(end) is missing")
    }

    /// Passes over a document type, which may have declarations of its own in brackets.
    private mutating func passDeclaration() throws(BadInput) {
        var depth = 0
        while position < octets.count {
            let octet = octets[position]
            position += 1
            if octet == UInt8(ascii: "[") { depth += 1 }
            if octet == UInt8(ascii: "]") { depth -= 1 }
            if octet == UInt8(ascii: ">"), depth <= 0 { return }
        }
        throw BadInput("it ends inside a declaration")
    }

    private mutating func tag() throws(BadInput) -> Piece {
        position += 1
        if peek == UInt8(ascii: "/") {
            position += 1
            let name = try name()
            skipBlanks()
            try take(">")
            guard open.last == name else {
                throw BadInput("</\(name.shortened)> closes what is not open")
            }
            open.removeLast()
            return .end(name)
        }
        let name = try name()
        var attributes: [String: String] = [:]
        while true {
            skipBlanks()
            switch peek {
            case UInt8(ascii: ">"):
                position += 1
                guard open.count < Self.limit.depth else {
                    throw BadInput("it is nested more than \(Self.limit.depth) deep")
                }
                open.append(name)
                return .start(name, attributes: attributes)
            case UInt8(ascii: "/"):
                position += 1
                try take(">")
                open.append(name)
                isEmpty = true
                return .start(name, attributes: attributes)
            default:
                let key = try self.name()
                skipBlanks()
                try take("=")
                skipBlanks()
                guard attributes.count < Self.limit.attributes else {
                    throw BadInput("a tag has more than \(Self.limit.attributes) attributes")
                }
                attributes[key] = try quoted()
            }
        }
    }

    /// A name without its namespace's prefix.
    private mutating func name() throws(BadInput) -> String {
        let start = position
        while let octet = peek, !Self.isBlank(octet), !"=/><\"'".utf8.contains(octet) { position += 1 }
        guard position > start else { throw BadInput("a name is missing") }
        guard position - start <= Self.limit.name else {
            throw BadInput("a name has more than \(Self.limit.name) octets")
        }
        let name = octets[start..<position]
        guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else {
            return String(decoding: name, as: UTF8.self)
        }
        return String(decoding: name[(colon + 1)...], as: UTF8.self)
    }

    private mutating func quoted() throws(BadInput) -> String {
        guard let mark = peek, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'"),
            let end = octets[(position + 1)...].firstIndex(of: mark)
        else { throw BadInput("a value in quotation marks is missing") }
        guard end - position <= Self.limit.octets else { throw Self.tooLong }
        defer { position = end + 1 }
        return XMLEntities.decoded(octets[(position + 1)..<end])
    }

    private var peek: UInt8? { position < octets.count ? octets[position] : nil }

    private mutating func skipBlanks() { while let octet = peek, Self.isBlank(octet) { position += 1 } }

    private mutating func take(_ character: Unicode.Scalar) throws(BadInput) {
        guard let octet = peek, octet == UInt8(ascii: character) else {
            throw BadInput("\(character) is missing")
        }
        position += 1
    }

    private static func isBlank(_ octet: UInt8) -> Bool {
        octet == 0x20 || octet == 0x0A || octet == 0x0D || octet == 0x09
    }
}
