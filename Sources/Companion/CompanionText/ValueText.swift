// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
public import BLEWire
public import Companion

/// Attribute values in words.
public enum ValueText {
    /// What a value means.
    public enum Meaning: Hashable, Sendable {
        /// It has no octets.
        case empty
        /// A decoded standard value, or text.
        case words(String)
        /// Some of it fits the layout that the standard gives it: what that says, and why the rest does not.
        case partly(words: String, why: String)
        /// It does not fit the layout that the standard gives it, and why.
        case misfit(String)
        /// Its layout is not known.
        case unknown
    }

    /// Shorter values are numbers more often than text.
    private static let shortestText = 3
    /// The octets of longer text help nobody.
    private static let longestTextWithHex = 20

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - layout: How it is laid out; `nil` when that is not known.
    /// - Returns: What it means.
    public static func meaning(of value: [UInt8], _ layout: ValueLayout?) -> Meaning {
        if value.isEmpty { return .empty }
        guard let standard = layout?.decode(value) else {
            guard value.count >= shortestText, let text = PrintableText.text(value) else { return .unknown }
            return .words("\"\(text)\"")
        }
        let words = text(of: standard.fields)
        if let why = standard.misfit {
            guard let words else { return .misfit(why) }
            return .partly(words: words, why: why)
        }
        guard let words else { return .unknown }
        return .words(words)
    }

    /// Writes a value for a sentence: what it means, and its octets.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - layout: How it is laid out; `nil` when that is not known.
    /// - Returns: The words.
    public static func words(for value: [UInt8], _ layout: ValueLayout?) -> String {
        let octets = pairs(value)
        return switch meaning(of: value, layout) {
        case .empty: "empty"
        case .words(let words): value.count > longestTextWithHex ? words : "\(words)  \(octets)"
        case .partly(let words, let why): "\(words) (\(why))  \(octets)"
        case .misfit(let why): "\(octets)  (\(why))"
        case .unknown: octets
        }
    }

    /// Writes a value on a line: what it means, and its octets as far as they fit.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - layout: How it is laid out; `nil` when that is not known.
    ///   - columns: The width of the line.
    /// - Returns: The line.
    public static func line(_ value: [UInt8], of layout: ValueLayout?, columns: Int) -> StyledText {
        switch meaning(of: value, layout) {
        case .empty: return StyledText("empty", .dim)
        case .unknown: return StyledText(pairs(value, columns: columns), .green)
        case .misfit(let why):
            let room = max(1, columns - why.count - 4)
            return StyledText(pairs(value, columns: room), .green) + "  " + StyledText("(\(why))", .dim)
        case .partly(let words, let why):
            let cut = FixedWidthText.fitted(PrintableText.escaped(words), columns: columns)
            // The reason is whole, also where it takes another line; octets are there only if they fit beside it.
            let line = StyledText(cut, .green) + " " + StyledText("(\(why))", .dim)
            let room = columns - FixedWidthText.width(cut) - why.count - 5
            guard room >= value.count * 3 else { return line }
            return line + "  " + StyledText(pairs(value), .dim)
        case .words(let words):
            let cut = FixedWidthText.fitted(PrintableText.escaped(words), columns: columns)
            let room = columns - FixedWidthText.width(cut) - 2
            guard value.count <= longestTextWithHex, room >= value.count * 3 else {
                return StyledText(cut, .green)
            }
            return StyledText(cut, .green) + "  " + StyledText(pairs(value, columns: room), .dim)
        }
    }

    /// Says below a value that it is the first part only.
    ///
    /// - Parameters:
    ///   - value: The first part.
    ///   - why: Why there may be more, as part of a sentence.
    /// - Returns: The line.
    public static func incomplete(_ value: [UInt8], _ why: String) -> StyledText {
        StyledText("the first \(value.count) octets; there may be more: \(why)", .yellow)
    }

    /// Writes a value of an attribute with a UUID for a sentence.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - uuid: The UUID.
    /// - Returns: The words.
    public static func words(for value: [UInt8], _ uuid: BluetoothUUID) -> String {
        words(for: value, ValueLayout(uuid))
    }

    /// Pairs of digits, and how many octets there are when not all of them fit.
    private static func pairs(_ value: [UInt8], columns: Int) -> String {
        guard value.count * 3 - 1 > columns else { return pairs(value) }
        let end = "… (\(value.count) octets)"
        return pairs(value.prefix(max(1, (columns - end.count) / 3))) + " " + end
    }

    /// Writes octets as two hexadecimal digits each, with blanks between them.
    public static func pairs(_ value: some Sequence<UInt8>) -> String {
        value.map { [$0].hexadecimal }.joined(separator: " ")
    }

    /// What a standard value says; `nil` when that is nothing, or nothing but its octets.
    private static func text(of fields: [StandardValue.Field]) -> String? {
        if fields.count == 1, fields[0].isOctets { return nil }
        let texts = fields.map { $0.isText ? "\"\($0.text)\"" : $0.text }
        guard texts.count > 1 else { return texts.first }
        return zip(fields, texts).map { "\($0.name) \($1)" }.joined(separator: ", ")
    }
}
