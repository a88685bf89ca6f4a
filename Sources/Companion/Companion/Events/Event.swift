// SPDX-License-Identifier: Apache-2.0

/// Something that has happened, for people and programs.
///
/// An event has one name and one schema wherever it appears: as a line of `--json`, in the hub's event stream, in a
/// page. As JSON it is one object that begins with its name and its time:
///
/// ```
/// {"event":"wifi_network","time":"2026-11-21T14:03:32.123Z","ssid":"Home",…}
/// ```
///
/// What the schema is, ``EventPart/describe(_:)`` says once; it is what writes the JSON, the schema and the page of
/// documentation.
public protocol Event: EventPart {
    /// Its name, which no other event has: lower case with underscores.
    static var name: StaticString { get }
    /// One sentence that says when it happens.
    static var summary: StaticString { get }
}

/// An event, or an object within one, with declared fields.
public protocol EventPart {
    /// Names each value, in the order in which it is written, and says where it comes from.
    ///
    /// - Parameter schema: Takes the descriptions.
    static func describe(_ schema: inout EventSchema<Self>)
}

extension Event {
    /// The event as one JSON object, without a line end.
    ///
    /// - Parameter time: When it happened.
    /// - Returns: The text in UTF-8.
    public func json(at time: Timestamp) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("event")
            json.value(Self.name)
            json.key("time")
            json.value(time)
            EventSchema.write(self, into: &json)
        }
        return json.octets
    }
}

extension EventPart {
    /// Writes the part as one JSON object.
    ///
    /// - Parameter json: Takes the object.
    public func write(into json: inout JSONWriter) { json.object { EventSchema.write(self, into: &$0) } }

    /// The values of the part, without the brackets of an object: others can follow them.
    ///
    /// - Parameter json: Takes the keys and values, within an object.
    public func writeValues(into json: inout JSONWriter) { EventSchema.write(self, into: &json) }

    /// What its values are.
    public static var fields: [EventField] {
        #if hasFeature(Embedded)
        return []
        #else
        var schema = EventSchema<Self>()
        describe(&schema)
        return schema.fields
        #endif
    }
}
