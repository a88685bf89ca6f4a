// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// A value in the path, the query or a header of a request.
package struct Parameter: Sendable {
    /// Where it stands.
    package enum Place: String, Sendable {
        case path, query, header
    }

    package let name: String
    package let place: Place
    package let about: String
    /// What one value may be: text, a word, a number, a time.
    package let schema: Schema
    /// How many values in one are separated by commas; `nil` for one value.
    package var parts: Int?
    package var isRequired = false
    /// Whether it may be there more than once.
    package var repeats = false

    package init(
        name: String, place: Place, about: String, schema: Schema, parts: Int? = nil,
        isRequired: Bool = false, repeats: Bool = false
    ) {
        (self.name, self.place, self.about, self.schema) = (name, place, about, schema)
        (self.parts, self.isRequired, self.repeats) = (parts, isRequired, repeats)
    }

    package static func path(_ name: String, _ about: String, _ schema: Schema) -> Parameter {
        Parameter(name: name, place: .path, about: about, schema: schema, isRequired: true)
    }

    package static func query(
        _ name: String, _ about: String, _ schema: Schema, repeats: Bool = false, parts: Int? = nil
    ) -> Parameter {
        Parameter(name: name, place: .query, about: about, schema: schema, parts: parts, repeats: repeats)
    }

    package static func header(
        _ name: String, _ about: String, _ schema: Schema, isRequired: Bool = false
    ) -> Parameter {
        Parameter(name: name, place: .header, about: about, schema: schema, isRequired: isRequired)
    }

    /// How often a repeated one may be there.
    package static let mostValues = 1000

    /// Reads a value, or refuses it.
    package func values(_ texts: [String]) throws(RequestError) -> [JSONNode] {
        guard repeats || texts.count <= 1 else {
            throw RequestError(400, "\(name) may be there only once.")
        }
        guard texts.count <= Self.mostValues else {
            throw RequestError(400, "\(name) may be there at most \(Self.mostValues) times.")
        }
        var nodes: [JSONNode] = []
        for text in texts {
            let pieces =
                parts == nil ? [text[...]] : text.split(separator: ",", omittingEmptySubsequences: false)
            guard pieces.count == parts ?? 1 else {
                throw RequestError(400, "\(name) must have \(parts ?? 1) values with commas between them.")
            }
            for piece in pieces {
                let node = Self.node(piece, schema)
                if let fault = schema.fault(in: node, named: name) { throw RequestError(400, fault) }
                nodes.append(node)
            }
        }
        return nodes
    }

    /// A value that is text in the address, as the JSON that it stands for.
    private static func node(_ text: Substring, _ schema: Schema) -> JSONNode {
        switch schema {
        case .integer, .number:
            let isDecimal = text.utf8.allSatisfy { octet in
                (0x30...0x39).contains(octet) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(octet)
            }
            guard isDecimal, let number = Double(decimal: text.utf8) else { break }
            return JSONNode(line: 1, value: .number(number))
        case .flag where text == "true" || text == "false":
            return JSONNode(line: 1, value: .bool(text == "true"))
        default: break
        }
        return JSONNode(line: 1, value: .text(String(text)))
    }
}
