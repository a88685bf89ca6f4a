// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers

/// The number in a value that can be drawn over time.
public struct PlottedNumber: Hashable, Sendable {
    /// The number, in its unit.
    public let number: Double
    /// The unit; `nil` for none, and where nothing says.
    public let unit: String?
    /// What it is of, where a standard says.
    public let name: String?

    /// Finds the number in a value.
    ///
    /// It is the first one that a standard lays out, also where not all of the value fits it; where there is no
    /// standard, what one, two, four or eight octets are from the least significant one on, unless they look like text.
    ///
    /// - Parameters:
    ///   - octets: The value.
    ///   - layout: How it is laid out; `nil` when that is not known.
    public init?(_ octets: [UInt8], of layout: ValueLayout?) {
        if !octets.isEmpty, let standard = layout?.decode(octets) {
            guard let field = standard.fields.first(where: { $0.number != nil }), let number = field.number,
                number.isFinite
            else { return nil }
            (self.number, name) = (number, field.name)
            unit = field.unit.isEmpty ? nil : field.unit
        } else {
            guard [1, 2, 4, 8].contains(octets.count) else { return nil }
            if octets.count > 2, PrintableText.text(octets) != nil { return nil }
            number = Double(octets.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            (unit, name) = (nil, nil)
        }
    }
}
