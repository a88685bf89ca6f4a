// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Events by their names: what the JSON Schema and the page of documentation are made of.
public struct EventCatalogue: Sendable {
    /// The events, by name.
    public let events: [EventDescription]

    /// Sorts events by their names.
    ///
    /// - Parameter events: All that there are; no two have one name.
    public init(_ events: [EventDescription]) {
        self.events = events.ordered { "\($0.name)" < "\($1.name)" }
    }

    /// A JSON Schema (draft 2020-12) that each event's JSON fits, on one line.
    public var schema: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("$schema", "https://json-schema.org/draft/2020-12/schema")
            json.field("title", "Events of Lantern")
            json.key("oneOf")
            json.array { json in
                for event in events {
                    json.object { json in json.field("$ref", "#/$defs/\(event.name)") }
                }
            }
            json.key("$defs")
            json.object { json in
                for event in events {
                    json.key(event.name)
                    Self.write(event, into: &json)
                }
            }
        }
        return json.octets
    }

    /// A page of documentation in Markdown.
    public var markdown: String {
        var text = ""
        for event in events {
            text += "## `\(event.name)`\n\n\(event.summary)\n\n"
            if event.fields.isEmpty {
                text += "It has no values beyond its time.\n\n"
            } else {
                text += "| key | value | meaning |\n|---|---|---|\n"
                Self.rows(event.fields, under: "", into: &text)
                text += "\n"
            }
        }
        return text
    }

    private static func write(_ event: EventDescription, into json: inout JSONWriter) {
        let always = [
            EventField(key: "event", about: "Its name.", kind: .word(["\(event.name)"]), isOptional: false),
            EventField(key: "time", about: "When it happened.", kind: .time, isOptional: false),
        ]
        json.object { json in
            json.field("description", "\(event.summary)")
            write(object: always + event.fields, into: &json)
        }
    }

    private static func write(object fields: [EventField], into json: inout JSONWriter) {
        json.field("type", "object")
        json.key("properties")
        json.object { json in
            for field in fields {
                json.key(field.key)
                json.object { json in
                    json.field("description", "\(field.about)")
                    write(field.kind, isOptional: field.isOptional, into: &json)
                }
            }
        }
        json.key("required")
        json.array { json in
            for field in fields { json.value(field.key) }
        }
        json.field("additionalProperties", false)
    }

    private static func write(_ kind: EventField.Kind, isOptional: Bool, into json: inout JSONWriter) {
        func type(_ name: String) {
            json.key("type")
            guard isOptional else { return json.value(name) }
            json.array { json in
                json.value(name)
                json.value("null")
            }
        }
        switch kind {
        case .text: type("string")
        case .word(let words):
            json.key("enum")
            json.array { json in
                for word in words { json.value(word) }
                if isOptional { json.value(String?.none) }
            }
        case .integer: type("integer")
        case .number: type("number")
        case .flag: type("boolean")
        case .time:
            type("string")
            json.field("pattern", #"^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"#)
        case .octets:
            type("string")
            json.field("pattern", "^([0-9a-f]{2})*$")
        case .anything: break
        case .object(let fields) where isOptional:
            json.key("anyOf")
            json.array { json in
                json.object { write(object: fields, into: &$0) }
                json.object { $0.field("type", "null") }
            }
        case .object(let fields): write(object: fields, into: &json)
        case .list(let kind):
            type("array")
            json.key("items")
            json.object { write(kind, isOptional: false, into: &$0) }
        }
    }

    private static func rows(_ fields: [EventField], under path: String, into text: inout String) {
        for field in fields {
            let (name, inner) = words(for: field.kind)
            text +=
                "| `\(path)\(field.key)` | \(name)\(field.isOptional ? " or null" : "") | \(field.about) |\n"
            rows(inner, under: "\(path)\(field.key).", into: &text)
        }
    }

    private static func words(for kind: EventField.Kind) -> (String, [EventField]) {
        switch kind {
        case .text: ("text", [])
        case .word(let words): (words.map { "`\($0)`" }.joined(separator: ", "), [])
        case .integer: ("integer", [])
        case .number: ("number", [])
        case .flag: ("true or false", [])
        case .time: ("time", [])
        case .octets: ("octets in hexadecimal", [])
        case .anything: ("any JSON", [])
        case .object(let fields): ("object", fields)
        case .list(let kind):
            {
                let (name, inner) = words(for: kind)
                return ("list of \(name)", inner)
            }()
        }
    }
}
