// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

extension Schema {
    /// The shape of a part, as its declaration says it.
    init<Part: EventPart>(of part: Part.Type) { self.init(Part.fields) }

    private init(_ fields: [EventField]) {
        self = .object(
            fields.map { field in
                let schema = Schema(field.kind)
                return Property(
                    name: "\(field.key)", about: "\(field.about)",
                    schema: field.isOptional ? .nullable(schema) : schema)
            })
    }

    private init(_ kind: EventField.Kind) {
        switch kind {
        case .text: self = .text()
        case .word(let words): self = .word(words)
        case .integer: self = .integer()
        case .number: self = .number()
        case .flag: self = .flag
        case .time: self = .time
        case .octets: self = .octets
        case .object(let fields): self = .init(fields)
        case .list(let kind): self = .list(Schema(kind))
        case .anything: self = .anything
        }
    }

    /// An object with the values of this one and these.
    func adding(_ properties: [Property]) -> Schema {
        guard case .object(let mine) = self else { return self }
        return .object(mine + properties)
    }
}

// MARK: The document

extension Schema {
    /// Writes it as JSON Schema (draft 2020-12, which OpenAPI 3.1 takes).
    func write(into json: inout JSONWriter, about: String? = nil) {
        json.object { json in
            if let about { json.field("description", about) }
            writeBody(into: &json)
        }
    }

    private func writeBody(into json: inout JSONWriter) {
        switch self {
        case .text(let count):
            json.field("type", "string")
            if let count {
                if count.lowerBound > 0 { json.field("minLength", count.lowerBound) }
                json.field("maxLength", count.upperBound)
            }
        case .word(let words):
            json.field("type", "string")
            json.key("enum")
            json.array { json in for word in words { json.value(word) } }
        case .integer(let range):
            json.field("type", "integer")
            if let range {
                json.field("minimum", range.lowerBound)
                json.field("maximum", range.upperBound)
            }
        case .number(let range):
            json.field("type", "number")
            if let range {
                json.field("minimum", range.lowerBound)
                json.field("maximum", range.upperBound)
            }
        case .flag: json.field("type", "boolean")
        case .time:
            json.field("type", "string")
            json.field("format", "date-time")
        case .octets:
            json.field("type", "string")
            json.field("pattern", "^([0-9a-f]{2})*$")
        case .address:
            json.field("type", "string")
            let (pair, four) = ("[0-9A-Fa-f]{2}", "[0-9A-Fa-f]{4}")
            let identifier = "\(four)\(four)(-\(four)){3}-\(four)\(four)\(four)"
            json.field("pattern", "^((\(pair):){5}\(pair)(/[PpRr])?|\(identifier))$")
        case .list(let schema, let count):
            json.field("type", "array")
            json.key("items")
            schema.write(into: &json)
            if let count {
                if count.lowerBound > 0 { json.field("minItems", count.lowerBound) }
                json.field("maxItems", count.upperBound)
            }
        case .object(let properties): Self.write(properties, into: &json)
        case .nullable(let schema):
            json.key("anyOf")
            json.array { json in
                schema.write(into: &json)
                json.object { $0.field("type", "null") }
            }
        case .anyObject: json.field("type", "object")
        case .anything: break
        case .component(let name, _): json.field("$ref", "#/components/schemas/\(name)")
        }
    }

    private static func write(_ properties: [Property], into json: inout JSONWriter) {
        json.field("type", "object")
        json.key("properties")
        json.object { json in
            for property in properties {
                json.key(property.name)
                property.schema.write(into: &json, about: property.about)
            }
        }
        let required = properties.filter { $0.isRequired }
        if !required.isEmpty {
            json.key("required")
            json.array { json in for property in required { json.value(property.name) } }
        }
        json.field("additionalProperties", false)
    }
}
