// SPDX-License-Identifier: Apache-2.0

/// A field of an event.
public struct EventField: Sendable {
    /// The kinds of values.
    public indirect enum Kind: Sendable {
        /// Text.
        case text
        /// One of few words.
        case word([String])
        /// A whole number.
        case integer
        /// Any number.
        case number
        /// True or false.
        case flag
        /// ISO 8601 in UTC with milliseconds.
        case time
        /// Hexadecimal digits in lower case, two for each octet.
        case octets
        /// An object with these fields.
        case object([EventField])
        /// A list of such values.
        case list(Kind)
        /// Any JSON.
        case anything
    }

    /// Its key.
    public let key: StaticString
    /// What it says.
    public let about: StaticString
    /// What kind of value it is.
    public let kind: Kind
    /// Whether null may stand for it.
    public let isOptional: Bool
}

/// The declaration of an event: its name, when it happens and its fields.
public struct EventDescription: Sendable {
    /// Its name.
    public let name: StaticString
    /// One sentence that says when it happens.
    public let summary: StaticString
    /// Its values, in order, without its name and time.
    public let fields: [EventField]

    /// Describes a kind of event.
    ///
    /// - Parameter kind: Its type.
    public init<Kind: Event>(_ kind: Kind.Type) {
        name = Kind.name
        summary = Kind.summary
        fields = Kind.fields
    }
}
