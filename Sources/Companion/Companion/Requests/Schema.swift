// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

/// What a JSON value or a parameter may be: the OpenAPI document says it, and what comes in is held against it.
indirect enum Schema: Sendable {
    /// Text of so many characters.
    case text(ClosedRange<Int>? = nil)
    /// One of few words.
    case word([String])
    case integer(ClosedRange<Int>? = nil)
    case number(ClosedRange<Double>? = nil)
    case flag
    /// ISO 8601.
    case time
    /// Hexadecimal digits.
    case octets
    /// A device's address, or a platform's identifier of one.
    case address
    /// So many values of one kind.
    case list(Schema, ClosedRange<Int>? = nil)
    /// An object with these values and no others.
    case object([Property])
    /// Either null or that.
    case nullable(Schema)
    /// Any object.
    case anyObject
    /// Any JSON.
    case anything
    /// What has this name among the components of the document.
    case component(String, Schema)

    /// A value of an object.
    struct Property: Sendable {
        let name: String
        let about: String
        let schema: Schema
        var isRequired = true
    }

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

// MARK: Checks

extension Schema {
    /// What is wrong with a value, as a sentence that begins with its name; `nil` when it fits.
    func fault(in node: JSONNode, named name: String) -> String? {
        switch (self, node.value) {
        case (.component(_, let schema), _): return schema.fault(in: node, named: name)
        case (.nullable, .null): return nil
        case (.nullable(let schema), _): return schema.fault(in: node, named: name)
        case (.anything, _), (.anyObject, .object): return nil
        case (.flag, .bool): return nil
        case (.text(let count), .text(let text)):
            guard let count, !count.contains(text.unicodeScalars.count) else { return nil }
            return "\(name) must have \(count.lowerBound) to \(count.upperBound) characters."
        case (.word(let words), .text(let text)) where words.contains(text): return nil
        case (.time, .text(let text)) where Timestamp(text) != nil: return nil
        case (.octets, .text(let text)) where [UInt8](hexadecimal: text) != nil: return nil
        case (.address, .text(let text)) where DeviceAddress(text) != nil: return nil
        case (.integer(let range), .number(let number)):
            guard let whole = Int(exactly: number), range?.contains(whole) ?? true else { break }
            return nil
        case (.number(let range), .number(let number)) where range?.contains(number) ?? true: return nil
        case (.list(let schema, let count), .array(let elements)):
            guard count?.contains(elements.count) ?? true else { break }
            for (index, element) in elements.enumerated() {
                if let fault = schema.fault(in: element, named: "\(name)[\(index)]") { return fault }
            }
            return nil
        case (.object(let properties), .object(let members)):
            return Self.fault(in: members, of: properties, named: name)
        default: break
        }
        return "\(name) must be \(words)."
    }

    private static func fault(
        in members: [JSONNode.Member], of properties: [Property], named name: String
    ) -> String? {
        for member in members {
            guard let property = properties.first(where: { $0.name == member.key }) else {
                let known = properties.map { $0.name }.joined(separator: ", ")
                return "\"\(member.key.shortened)\" is not known here; known are: \(known)."
            }
            if members.count(where: { $0.key == member.key }) > 1 { return "\(member.key) is there twice." }
            if let fault = property.schema.fault(in: member.node, named: member.key) { return fault }
        }
        let missing = properties.first { property in
            property.isRequired && !members.contains { $0.key == property.name }
        }
        return missing.map { "\($0.name) is missing in \(name)." }
    }

    /// What it may be, in words.
    var words: String {
        switch self {
        case .text(let count?): "text of \(count.lowerBound) to \(count.upperBound) characters"
        case .text(nil): "text"
        case .word(let words): "one of " + words.joined(separator: ", ")
        case .integer(let range?): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .integer(nil): "a whole number"
        case .number(let range?): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .number(nil): "a number"
        case .flag: "true or false"
        case .time: "a time as ISO 8601 has it, for example 2026-11-22T14:03:00Z"
        case .octets: "two hexadecimal digits for each octet"
        case .address: "twelve hexadecimal digits in pairs, such as F0:F1:F2:F3:F4:F5"
        case .list(_, let count?): "a list of \(count.lowerBound) to \(count.upperBound) values"
        case .list(_, nil): "a list"
        case .object, .anyObject: "an object"
        case .nullable(let schema): "null or \(schema.words)"
        case .anything, .component: "a value"
        }
    }
}
