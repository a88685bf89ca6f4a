// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// What a value of a standard characteristic or descriptor says, as far as it fits its format.
public struct StandardValue: Hashable, Sendable {
    /// One thing that it says.
    public struct Field: Hashable, Sendable {
        /// What the thing is.
        public let name: String
        /// How much or which; for text the text as it came, which may hold any character.
        public let text: String
        /// Whether somebody else has written the text.
        public let isText: Bool
        /// Whether the text is nothing but octets, in hex.
        public var isOctets = false
        /// The number that it is, in its unit; `nil` for what is none, and for one that is not known.
        public var number: Double?
        /// The unit of that number; empty for none.
        public var unit = ""
        /// The number without a fraction, as a heart rate is; `nil` when it has one.
        public var integer: Int? { number.flatMap { Int(exactly: $0) } }
    }

    /// The things that it says, in order; bits of which none is set and fields that are left out are not there, nor are
    /// those that do not fit.
    public internal(set) var fields: [Field] = []
    /// What does not fit its format, as part of a sentence; `nil` when all of it fits.
    public internal(set) var misfit: String?

    /// Decodes a value; for many values of one kind make a ``StandardFormat`` once.
    ///
    /// - Parameters:
    ///   - value: The octets.
    ///   - uuid: What they are the value of.
    /// - Returns: What it says; `nil` when no standard lays such values out.
    public static func decode(_ value: [UInt8], of uuid: BluetoothUUID) -> StandardValue? {
        StandardFormat(of: uuid)?.decode(value)
    }

    /// Decodes a value that a Characteristic Presentation Format describes.
    ///
    /// - Parameters:
    ///   - value: The octets.
    ///   - presentation: The value of that descriptor.
    /// - Returns: What it says; `nil` when the format is none that is known.
    public static func decode(_ value: [UInt8], presentedAs presentation: [UInt8]) -> StandardValue? {
        StandardFormat(presentedAs: presentation)?.decode(value)
    }
}

extension StandardValue {
    /// The first thing that has a name.
    ///
    /// - Parameter name: The name, as the standard writes it, such as `Battery Level`.
    /// - Returns: The thing; `nil` when the value does not say it.
    public subscript(name: String) -> Field? { fields.first { $0.name == name } }
}

extension StandardValue: CustomStringConvertible {
    /// All that it says, as in `Battery Level: 95%`, and in parentheses what does not fit.
    public var description: String {
        let said = fields.map { $0.description }.joined(separator: ", ")
        guard let misfit else { return said }
        return said.isEmpty ? "(\(misfit))" : "\(said) (\(misfit))"
    }
}

extension StandardValue.Field: CustomStringConvertible {
    /// What it is and how much; text that somebody else has written stands in quotation marks, its control characters
    /// escaped.
    public var description: String { "\(name): \(isText ? text.debugDescription : text)" }
}
