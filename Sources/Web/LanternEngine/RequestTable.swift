// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

/// What requests may hold, as the routes of a hub declare it; what a page asks is held against it before anything is done.
///
/// ```
/// ["PATCH","/saves/{id}",[["id","p",["i",0,9007199254740991]]],{"name":["t",1,100]}]
/// ```
struct RequestTable {
    private let shapes: [RequestShape]

    init() {
        let lines = Self.routes.withUTF8Buffer { Array($0) }.split(separator: 0x0A)
        shapes = lines.compactMap { try? RequestShape(compact: JSONReader.read(Array($0))) }
        precondition(shapes.count == lines.count, "Scripts/generate-requests has written what cannot be read")
    }

    /// Holds a request against its declaration.
    ///
    /// - Parameter request: The request; what stands behind the question mark is what was declared then, whether a page has written
    ///   it as a text or as a number.
    /// - Throws: ``RequestError`` that says what is not as declared.
    func check(_ request: inout EngineRequest) throws(RequestError) {
        switch RequestMatch(request.method, Substring(request.address), among: shapes) {
        case .none: throw .nothingHere
        case .methods(let methods): throw .wrongMethod(methods)
        case .found(let index, let texts):
            let shape = shapes[index]
            let tag = request.tag
            let values = try shape.values(path: texts, query: request.query(shape.parameters)) { name in
                name == "If-Match" ? tag : nil
            }
            request.filter = Self.filter(values, shape.parameters)
            if let body = request.body {
                try shape.check(body)
            } else if shape.isBodyRequired {
                try shape.check(JSONNode(line: 1, value: .null))
            }
        }
    }

    private static func filter(_ values: [String: [JSONNode]], _ parameters: [Parameter]) -> JSONNode.Value {
        var members: [JSONNode.Member] = []
        for parameter in parameters where parameter.place == .query {
            guard let found = values[parameter.name], let first = found.first else { continue }
            let isList = parameter.repeats || parameter.parts != nil
            let node = isList ? JSONNode(line: 1, value: .array(found)) : first
            members.append(JSONNode.Member(key: parameter.name, node: node))
        }
        return .object(members)
    }
}

extension RequestShape {
    /// Reads a line of the table.
    fileprivate init(compact node: JSONNode) throws(JSONDecodingError) {
        guard case .array(let parts) = node.value, parts.count > 2,
            case .array(let parameters) = parts[2].value
        else { throw node.fault("this is no request") }
        var all: [Parameter] = []
        for parameter in parameters { all.append(try Parameter(compact: parameter)) }
        self.init(
            method: try parts[0].text("The method"), path: try parts[1].text("The path"), parameters: all,
            body: parts.count > 3 ? try Schema(compact: parts[3]) : nil, isBodyRequired: parts.count == 4)
    }
}

extension Parameter {
    /// Reads its name, where it stands (`p`, `q` or `h`, with `*`, `!` or how many values one has), and what it may be.
    fileprivate init(compact node: JSONNode) throws(JSONDecodingError) {
        guard case .array(let parts) = node.value, parts.count > 2 else {
            throw node.fault("this is no parameter")
        }
        let marks = Array(try parts[1].text("The place").utf8)
        self.init(
            name: try parts[0].text("The name"),
            place: marks.first == UInt8(ascii: "p")
                ? .path : marks.first == UInt8(ascii: "q") ? .query : .header,
            about: parts.count > 3 ? try parts[3].text("What it is") : "",
            schema: try Schema(compact: parts[2]),
            parts: marks.first { (0x30...0x39).contains($0) }.map { Int($0 - 0x30) },
            isRequired: marks.contains(UInt8(ascii: "!")), repeats: marks.contains(UInt8(ascii: "*")))
    }
}

extension Schema {
    /// Reads what `Scripts/generate-requests` has written.
    fileprivate init(compact node: JSONNode) throws(JSONDecodingError) {
        switch node.value {
        case .object(let members):
            var properties: [Property] = []
            for member in members {
                let isOptional = member.key.utf8.first == UInt8(ascii: "?")
                properties.append(
                    Property(
                        name: isOptional ? String(member.key.dropFirst()) : member.key, about: "",
                        schema: try Schema(compact: member.node), isRequired: !isOptional))
            }
            self = .object(properties)
        case .text(let word): self = try Self.plain(word, node)
        case .array(let parts):
            guard let first = parts.first else { throw node.fault("this is no schema") }
            self = try Self.bounded(try first.text("The kind"), Array(parts.dropFirst()), node)
        default: throw node.fault("this is no schema")
        }
    }

    private static func plain(_ word: String, _ node: JSONNode) throws(JSONDecodingError) -> Schema {
        switch word {
        case "t": .text()
        case "i": .integer()
        case "n": .number()
        case "f": .flag
        case "T": .time
        case "o": .octets
        case "a": .address
        case "O": .anyObject
        case "*": .anything
        default: throw node.fault("this is no schema")
        }
    }

    private static func bounded(
        _ word: String, _ parts: [JSONNode], _ node: JSONNode
    ) throws(JSONDecodingError) -> Schema {
        if word == "w" {
            var words: [String] = []
            for part in parts { words.append(try part.text("A word")) }
            return .word(words)
        }
        if word == "?", let first = parts.first { return .nullable(try Schema(compact: first)) }
        var numbers: [Double] = []
        for part in parts { if case .number(let number) = part.value { numbers.append(number) } }
        guard word == "l" ? !parts.isEmpty : numbers.count == 2 else { throw node.fault("this is no schema") }
        if word == "i" { return .integer(Int64(numbers[0])...Int64(numbers[1])) }
        if word == "n" { return .number(numbers[0]...numbers[1]) }
        let count = numbers.count == 2 ? Int(numbers[0])...Int(numbers[1]) : nil
        return word == "t" ? .text(count) : .list(try Schema(compact: parts[0]), count)
    }
}
