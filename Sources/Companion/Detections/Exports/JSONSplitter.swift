// SPDX-License-Identifier: Apache-2.0

/// Cuts the objects of a list out of JSON, octet by octet.
///
/// The list stands in the outermost object, whose texts are kept, too; of cameras it may be all that there is, or its objects
/// follow each other without one, as in GeoJSON text sequences (RFC 8142) and files with a feature in each line.
struct JSONSplitter: Sendable {
    /// Octets that a row may have, and how deep lists and objects may stand in each other.
    static let limit = (octets: 1 << 18, depth: 64)

    /// An entry, and where it begins.
    struct Row {
        let line: Int
        let column: Int
        /// The object, or the list that stands where one should; none of anything else.
        var octets: [UInt8]
        /// The key of its list; `[]` where the list is all that there is, and empty where there is none.
        var list = ""

        /// What is said of it where it is no object.
        var fault: ImportError? {
            guard octets.first != UInt8(ascii: "{") else { return nil }
            return ImportError(line, column: column, "\(Self.one(of: list)) must be an object; take it out")
        }

        /// What one of a list is.
        static func one(of list: String) -> String {
            switch list {
            case "detections": "a detection"
            case "elements": "an element"
            case "[]": "an entry"
            default: "a feature"
            }
        }
    }

    /// What is in the list.
    enum Content: Sendable {
        case detections
        case cameras

        /// The keys of the list, the usual one first.
        var lists: [String] { self == .detections ? ["detections"] : ["features", "elements"] }
        /// What the whole file is.
        var whole: String { self == .detections ? "an export in JSON" : "GeoJSON" }
        var reader: ForeignFile.Reader { self == .detections ? .detections : .cameras }
    }

    private let content: Content
    /// The texts of the outermost object by their keys, as far as they are short.
    private(set) var texts: [String: String] = [:]
    /// The line that is read.
    private(set) var line: Int
    private var column = 0
    /// Where the first object begins.
    private let firstLine: Int
    /// Whether an outermost object has ended.
    private var wasClosed = false
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The last string directly in the outermost object, and the one before a colon.
    private var key: [UInt8] = []
    private var name: [UInt8] = []
    private var isValue = false
    private var wasFound = false
    /// The list that is open, and how deep its objects stand.
    private var list: (key: String, depth: Int)?
    private var row: Row?
    /// What stands in the list, or between the objects of a sequence, and is neither an object nor a list, until it ends.
    private var stray: Row?
    /// Whether objects may follow each other without a list.
    private var isSequence = false
    /// The outermost object, as long as it may be one of a list that is not written as one.
    private var whole: Row?

    init(line: Int, _ content: Content = .detections) {
        self.line = line
        firstLine = line
        self.content = content
    }

    private func fault(_ reason: String) -> ImportError {
        ImportError(line, column: column > 0 ? column : nil, reason)
    }

    /// What one of the list is.
    private var one: String { Row.one(of: list?.key ?? content.lists[0]) }

    /// Reads an octet.
    ///
    /// - Returns: An entry that it has ended.
    /// - Throws: ``ImportError``, after which the file cannot be read any further.
    mutating func receive(_ octet: UInt8) throws(ImportError) -> Row? {
        if octet == 0x0A {
            line += 1
            column = 0
        } else if octet & 0xC0 != 0x80 {
            column += 1
        }
        if let count = row?.octets.count {
            guard count < Self.limit.octets else {
                throw fault("\(one) has more than \(Self.limit.octets) octets")
            }
            row?.octets.append(octet)
        } else if let count = whole?.octets.count {
            if count < Self.limit.octets { whole?.octets.append(octet) } else { whole = nil }
        }
        if isInString, depth > 0 || octet != 0x0A {
            passText(octet)
            return nil
        }
        switch octet {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let ended = depth == 0 ? takeStray() : nil
            try open(octet)
            return ended
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return try close()
        case UInt8(ascii: ":") where depth == 1: (name, isValue) = (key, true)
        case UInt8(ascii: ",") where depth == list?.depth: return takeStray()
        case UInt8(ascii: ",") where depth == 1: isValue = false
        // Before each text of a sequence.
        case 0x1E where depth == 0:
            if content == .detections {
                throw fault("it is a sequence of GeoJSON; \(ForeignFile.readsCameras)")
            }
            isSequence = true
            return takeStray()
        // What is stray there ends with its line, also a text that is not closed.
        case 0x0A where depth == 0:
            isInString = false
            isEscaped = false
            return takeStray()
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"): break
        default:
            if depth == 0 {
                guard isSequence || wasClosed, content == .cameras else {
                    throw fault("it is not \(content.whole)")
                }
                stray = stray ?? Row(line: line, column: column, octets: [])
            } else if let list, depth == list.depth, stray == nil {
                stray = Row(line: line, column: column, octets: [], list: list.key)
            }
            isInString = octet == UInt8(ascii: "\"")
            if isInString, depth == 1 { key = [] }
        }
        return nil
    }

    /// What has ended since the last entry; of a sequence the end of the file may end one, too.
    mutating func takeStray() -> Row? {
        defer { stray = nil }
        return stray
    }

    /// Whether what has begun has not ended.
    var isOpen: Bool { depth > 0 }

    /// Ends the file.
    ///
    /// - Throws: ``ImportError`` when something is missing.
    func finish() throws(ImportError) {
        if depth > 0 { throw fault("it ends too early") }
        guard wasFound else { throw missing }
    }

    /// What is said where there is no list.
    var missing: ImportError {
        let reason = "there is no list \"\(content.lists[0])\" in it"
        let forms = content == .detections ? ForeignFile.formsOfDetections : ForeignFile.formsOfCameras
        return ImportError(firstLine, "\(reason); \(forms)")
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

    private mutating func open(_ bracket: UInt8) throws(ImportError) {
        let isObject = bracket == UInt8(ascii: "{")
        if let list, depth == list.depth {
            row = Row(line: line, column: column, octets: [bracket], list: list.key)
        } else if depth == 0 {
            if isObject {
                if content == .detections, wasClosed, !wasFound { throw fault(ForeignFile.jsonLines) }
                if content == .cameras { whole = Row(line: line, column: column, octets: [bracket]) }
            } else {
                guard content == .cameras else {
                    throw fault(
                        "it is a list without an object around it; \(ForeignFile.formsOfDetections); if it is one of "
                            + "cameras, \(ForeignFile.readsCameras)")
                }
                list = ("[]", 1)
                wasFound = true
            }
        } else if depth == 1, isObject, content == .detections, key == Array("geometry".utf8) {
            // A feature alone, or one of several that follow each other.
            throw fault("it is GeoJSON; \(ForeignFile.readsCameras)")
        } else if depth == 1, !isObject, list == nil {
            let key = String(decoding: key, as: UTF8.self)
            if content.lists.contains(key) {
                list = (key, 2)
                (wasFound, whole) = (true, nil)
            } else if let reason = ForeignFile.json(key, for: content.reader) {
                throw fault(reason)
            }
        }
        depth += 1
        guard depth <= Self.limit.depth else {
            throw fault("it is nested more than \(Self.limit.depth) deep")
        }
    }

    private mutating func close() throws(ImportError) -> Row? {
        guard depth > 0 else { throw fault("a bracket closes nothing") }
        depth -= 1
        if depth == 0 { wasClosed = true }
        if let list, depth < list.depth {
            self.list = nil
            if let stray = takeStray() { return stray }
        }
        if depth == 0, let whole {
            self.whole = nil
            wasFound = true
            return whole
        }
        guard let list, depth == list.depth, let row else { return nil }
        self.row = nil
        return row
    }
}
