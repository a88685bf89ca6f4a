// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// What a JSON value or a parameter may be: a hub's OpenAPI document says it, and what comes in is held against it, in a page too.
package indirect enum Schema: Sendable {
    /// Text of so many characters.
    case text(ClosedRange<Int>? = nil)
    /// One of few words.
    case word([String])
    case integer(ClosedRange<Int64>? = nil)
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
    package struct Property: Sendable {
        package let name: String
        package let about: String
        package let schema: Schema
        package var isRequired = true

        package init(name: String, about: String, schema: Schema, isRequired: Bool = true) {
            (self.name, self.about, self.schema, self.isRequired) = (name, about, schema, isRequired)
        }
    }
}

// MARK: Checks

extension Schema {
    /// What is wrong with a value, as a sentence that begins with its name; `nil` when it fits.
    package func fault(in node: JSONNode, named name: String) -> String? {
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
            guard let whole = Int64(exactly: number), range?.contains(whole) ?? true else { break }
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
    package var words: String {
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
