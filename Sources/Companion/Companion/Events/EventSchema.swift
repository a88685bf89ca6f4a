// SPDX-License-Identifier: Apache-2.0

/// The declaration of a part's fields: writes them as JSON, or collects what they are.
///
/// ```
/// schema.text("ssid", "The network's name; null when it is hidden.") { $0.ssid }
/// schema.integer("rssi", "How strong it is, in dBm.") { $0.rssi }
/// ```
///
/// A value that can be missing comes from a closure that returns an optional: it is always there, as null.
public struct EventSchema<Part: EventPart> {
    #if hasFeature(Embedded)
    // Nobody asks for descriptions where there is little room: what they say is no part of the program then.
    private let written: Part
    var part: Part? { @inline(__always) get { written } }
    #else
    /// What is written; `nil` when only the description is wanted.
    let part: Part?
    #endif
    /// Where it is written.
    var json = JSONWriter()
    /// What the values are, when only that is wanted.
    private(set) var fields: [EventField] = []

    #if hasFeature(Embedded)
    init(writing part: Part) { written = part }
    #else
    init(writing part: Part) { self.part = part }

    /// Describes without a value.
    init() { part = nil }
    #endif

    /// Writes the values of a part, without the brackets of an object.
    static func write(_ part: Part, into json: inout JSONWriter) {
        var schema = EventSchema(writing: part)
        swap(&schema.json, &json)
        Part.describe(&schema)
        swap(&schema.json, &json)
    }

    private mutating func add(
        _ key: StaticString, _ about: StaticString, _ kind: EventField.Kind, isOptional: Bool
    ) {
        fields.append(EventField(key: key, about: about, kind: kind, isOptional: isOptional))
    }

    /// Text.
    @inline(__always)
    public mutating func text(_ key: StaticString, _ about: StaticString, _ value: (Part) -> String) {
        guard let part else { return add(key, about, .text, isOptional: false) }
        json.key(key)
        json.value(value(part))
    }

    /// Text, or null.
    @inline(__always)
    public mutating func text(_ key: StaticString, _ about: StaticString, _ value: (Part) -> String?) {
        guard let part else { return add(key, about, .text, isOptional: true) }
        json.key(key)
        json.value(value(part))
    }

    /// One of few words, all of which are given.
    @inline(__always)
    public mutating func word(
        _ key: StaticString, _ about: StaticString, of words: @autoclosure () -> [String],
        _ value: (Part) -> String
    ) {
        guard let part else { return add(key, about, .word(words()), isOptional: false) }
        json.key(key)
        json.value(value(part))
    }

    /// One of few words, all of which are given, or null.
    @inline(__always)
    public mutating func word(
        _ key: StaticString, _ about: StaticString, of words: @autoclosure () -> [String],
        _ value: (Part) -> String?
    ) {
        guard let part else { return add(key, about, .word(words()), isOptional: true) }
        json.key(key)
        json.value(value(part))
    }

    /// A whole number.
    @inline(__always)
    public mutating func integer<Number: BinaryInteger>(
        _ key: StaticString, _ about: StaticString, _ value: (Part) -> Number
    ) {
        guard let part else { return add(key, about, .integer, isOptional: false) }
        json.key(key)
        json.value(value(part))
    }

    /// A whole number, or null.
    @inline(__always)
    public mutating func integer<Number: BinaryInteger>(
        _ key: StaticString, _ about: StaticString, _ value: (Part) -> Number?
    ) {
        guard let part else { return add(key, about, .integer, isOptional: true) }
        json.key(key)
        json.value(value(part))
    }

    /// A number.
    @inline(__always)
    public mutating func number(_ key: StaticString, _ about: StaticString, _ value: (Part) -> Double) {
        guard let part else { return add(key, about, .number, isOptional: false) }
        json.key(key)
        json.value(value(part))
    }

    /// A number, or null.
    @inline(__always)
    public mutating func number(_ key: StaticString, _ about: StaticString, _ value: (Part) -> Double?) {
        guard let part else { return add(key, about, .number, isOptional: true) }
        json.key(key)
        json.value(value(part))
    }

    /// True or false.
    @inline(__always)
    public mutating func flag(_ key: StaticString, _ about: StaticString, _ value: (Part) -> Bool) {
        guard let part else { return add(key, about, .flag, isOptional: false) }
        json.key(key)
        json.value(value(part))
    }

    /// True, false or null.
    @inline(__always)
    public mutating func flag(_ key: StaticString, _ about: StaticString, _ value: (Part) -> Bool?) {
        guard let part else { return add(key, about, .flag, isOptional: true) }
        json.key(key)
        json.value(value(part))
    }

    /// A moment, or null.
    @inline(__always)
    public mutating func time(_ key: StaticString, _ about: StaticString, _ value: (Part) -> Timestamp?) {
        guard let part else { return add(key, about, .time, isOptional: true) }
        json.key(key)
        json.value(value(part))
    }

    /// Octets, as hexadecimal digits in lower case.
    @inline(__always)
    public mutating func octets(_ key: StaticString, _ about: StaticString, _ value: (Part) -> [UInt8]) {
        guard let part else { return add(key, about, .octets, isOptional: false) }
        json.key(key)
        json.value(octets: value(part))
    }

    /// Octets, as hexadecimal digits in lower case, or null.
    @inline(__always)
    public mutating func octets(_ key: StaticString, _ about: StaticString, _ value: (Part) -> [UInt8]?) {
        guard let part else { return add(key, about, .octets, isOptional: true) }
        json.key(key)
        json.value(octets: value(part))
    }

    /// Any JSON that came from elsewhere.
    @inline(__always)
    public mutating func anything(_ key: StaticString, _ about: StaticString, _ value: (Part) -> [UInt8]) {
        guard let part else { return add(key, about, .anything, isOptional: false) }
        json.key(key)
        json.json(value(part))
    }
}

extension EventSchema {
    /// An object with values of its own.
    @inline(__always)
    public mutating func object<Inner: EventPart>(
        _ key: StaticString, _ about: StaticString, _ value: (Part) -> Inner
    ) {
        guard let part else { return add(key, about, .object(Inner.fields), isOptional: false) }
        json.key(key)
        value(part).write(into: &json)
    }

    /// An object with values of its own, or null.
    @inline(__always)
    public mutating func object<Inner: EventPart>(
        _ key: StaticString, _ about: StaticString, _ value: (Part) -> Inner?
    ) {
        guard let part else { return add(key, about, .object(Inner.fields), isOptional: true) }
        json.key(key)
        if let inner = value(part) { inner.write(into: &json) } else { json.value(String?.none) }
    }

    /// A list of objects.
    @inline(__always)
    public mutating func list<Inner: EventPart>(
        _ key: StaticString, _ about: StaticString, _ value: (Part) -> [Inner]
    ) {
        guard let part else { return add(key, about, .list(.object(Inner.fields)), isOptional: false) }
        json.key(key)
        json.array { json in
            for inner in value(part) { inner.write(into: &json) }
        }
    }

    /// A list of texts.
    @inline(__always)
    public mutating func list(_ key: StaticString, _ about: StaticString, _ value: (Part) -> [String]) {
        guard let part else { return add(key, about, .list(.text), isOptional: false) }
        json.key(key)
        json.array { json in
            for text in value(part) { json.value(text) }
        }
    }

    /// A list of whole numbers.
    @inline(__always)
    public mutating func list<Number: BinaryInteger>(
        _ key: StaticString, _ about: StaticString, _ value: (Part) -> [Number]
    ) {
        guard let part else { return add(key, about, .list(.integer), isOptional: false) }
        json.key(key)
        json.array { json in
            for number in value(part) { json.value(number) }
        }
    }

    /// The values of another part, as if they were this one's own.
    @inline(__always)
    public mutating func include<Inner: EventPart>(_ value: (Part) -> Inner) {
        guard let part else {
            fields += Inner.fields
            return
        }
        EventSchema<Inner>.write(value(part), into: &json)
    }
}
