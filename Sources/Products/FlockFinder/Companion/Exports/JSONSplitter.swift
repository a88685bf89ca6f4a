// SPDX-License-Identifier: Apache-2.0

/// Cuts the objects of one list out of a JSON file, octet by octet.
///
/// The list stands in the outermost object, whose texts are kept, too.
struct JSONSplitter: Sendable {
    /// Octets that a row may have, and how deep lists and objects may stand in each other.
    static let limit = (octets: 1 << 18, depth: 64)

    /// An object, and where it begins.
    struct Row {
        let line: Int
        let column: Int
        let octets: [UInt8]
    }

    /// What is in the list.
    struct Content: Sendable {
        /// The key of the list.
        let list: String
        /// What the whole file is, and what one of the list.
        let whole: String
        let one: String

        static let detections = Content(list: "detections", whole: "export in JSON", one: "detection")
        static let features = Content(list: "features", whole: "GeoJSON", one: "feature")
    }

    private let content: Content
    /// The texts of the outermost object by their keys, as far as they are short.
    private(set) var texts: [String: String] = [:]
    private var line: Int
    private var column = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The last string directly in the outermost object, and the one before a colon.
    private var key: [UInt8] = []
    private var name: [UInt8] = []
    private var isValue = false
    private var wasFound = false
    /// Whether the list is open.
    private var isInList = false
    private var row: (line: Int, column: Int, octets: [UInt8])?

    init(line: Int, _ content: Content = .detections) {
        self.line = line
        self.content = content
    }

    private func fault(_ reason: String) -> ImportFault { ImportFault(line, column: column, reason) }

    /// Reads an octet.
    ///
    /// - Returns: An object that it has ended.
    /// - Throws: ``ImportFault``, after which the file cannot be read any further.
    mutating func receive(_ octet: UInt8) throws(ImportFault) -> Row? {
        if octet == 0x0A {
            line += 1
            column = 0
        } else if octet & 0xC0 != 0x80 {
            column += 1
        }
        if let count = row?.octets.count {
            guard count < Self.limit.octets else {
                throw fault("a \(content.one) has more than \(Self.limit.octets) octets")
            }
            row?.octets.append(octet)
        }
        if isInString {
            passText(octet)
            return nil
        }
        switch octet {
        case UInt8(ascii: "{"), UInt8(ascii: "["): try open(octet)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return try close()
        case UInt8(ascii: ":") where depth == 1: (name, isValue) = (key, true)
        case UInt8(ascii: ",") where depth == 1: isValue = false
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"): break
        default:
            guard depth > 0 else { throw fault("it is no \(content.whole)") }
            if isInList, row == nil { throw fault("a \(content.one) must be an object") }
            isInString = octet == UInt8(ascii: "\"")
            if isInString, depth == 1 { key = [] }
        }
        return nil
    }

    /// Ends the file.
    ///
    /// - Throws: ``ImportFault`` when something is missing.
    func finish() throws(ImportFault) {
        if depth > 0 { throw fault("it ends too early") }
        guard wasFound else { throw fault("there is no list \"\(content.list)\" in it") }
    }

    private mutating func passText(_ octet: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if octet == UInt8(ascii: "\\") {
            isEscaped = true
        } else if octet == UInt8(ascii: "\"") {
            isInString = false
            if depth == 1, isValue, texts.count < 16 {
                texts[String(decoding: name, as: UTF8.self)] = String(decoding: key, as: UTF8.self)
            }
        } else if depth == 1, key.count < 200 {
            key.append(octet)
        }
    }

    private mutating func open(_ bracket: UInt8) throws(ImportFault) {
        let isObject = bracket == UInt8(ascii: "{")
        switch depth {
        case 0 where !isObject: throw fault("it is no \(content.whole)")
        case 1 where !isObject && key == Array(content.list.utf8):
            isInList = true
            wasFound = true
        case 2 where isInList:
            guard isObject else { throw fault("a \(content.one) must be an object") }
            row = (line, column, [bracket])
        default: break
        }
        depth += 1
        guard depth <= Self.limit.depth else {
            throw fault("it is nested more than \(Self.limit.depth) deep")
        }
    }

    private mutating func close() throws(ImportFault) -> Row? {
        guard depth > 0 else { throw fault("a bracket closes nothing") }
        depth -= 1
        if depth == 1 { isInList = false }
        guard depth == 2, let row else { return nil }
        self.row = nil
        return Row(line: row.line, column: row.column, octets: row.octets)
    }
}
