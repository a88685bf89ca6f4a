// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEWire

/// A value of an attribute in an event: its octets, and what they mean.
struct ValueJSON: EventPart {
    private let octets: [UInt8]
    private let layout: ValueLayout?

    /// Makes the part for a value; `layout` is the attribute's, if it is known.
    init(_ octets: [UInt8], of layout: ValueLayout?) {
        self.octets = octets
        self.layout = layout
    }

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.octets("octets", "The value.") { $0.octets }
        schema.include { MeaningJSON($0.octets, of: $0.layout) }
    }
}

/// What a value means: as text, and field by field where a standard lays it out.
struct MeaningJSON: EventPart {
    private let text: String?
    private let standard: StandardValue?

    /// Makes the part for a value, if there is one; `layout` is the attribute's, if it is known.
    init(_ octets: [UInt8]?, of layout: ValueLayout?) {
        text = octets.flatMap(PrintableText.text)
        // An empty value says nothing, and that is no fault.
        standard = octets.flatMap { octets in
            octets.isEmpty ? nil : layout?.decode(octets)
        }
    }

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("text", "The value as text, where it can be printed.") { $0.text }
        schema.list("fields", "What the value says, where a standard lays such values out.") { part in
            (part.standard?.fields ?? []).map { FieldJSON(field: $0) }
        }
        schema.text(
            "misfit",
            "Why the value does not fit that standard, if it does not; its fields are then those that do."
        ) { $0.standard?.misfit }
    }
}

private struct FieldJSON: EventPart {
    let field: StandardValue.Field

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "What it is.") { $0.field.name }
        schema.text("value", "How much or which, with its unit.") { $0.field.text }
    }
}
