// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Text of unknown origin, made safe to show.
package enum PrintableText {
    /// Octets as text, when they are UTF-8 with nothing in it that cannot be printed.
    package static func text(_ octets: [UInt8]) -> String? {
        guard let text = WireText(octets).validString, text.unicodeScalars.allSatisfy(isPrintable) else {
            return nil
        }
        return text
    }

    /// Whether a character neither steers a terminal nor hides what is there.
    ///
    /// Control characters, marks that turn the direction of writing and line separators do.
    package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // Joiners belong to emoji and several scripts; the other format characters are invisible.
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        default: true
        }
    }

    /// The text with every character escaped that could steer a terminal or hide what is there.
    ///
    /// Control characters, marks that turn the direction of writing and line separators become `\u{…}`.
    package static func escaped(_ text: some StringProtocol) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isPrintable(scalar) {
                result.append(scalar)
            } else {
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            }
        }
        return String(result)
    }

    /// As much of a text as helps a person to find it again: what takes 80 characters when it is ``escaped(_:)``.
    package static func quoted(_ text: some StringProtocol) -> String {
        let limit = 80
        var kept = String.UnicodeScalarView()
        var used = 0
        // Where it ends if something is missing, with room for the sign that says so.
        var end = kept.endIndex
        for scalar in text.unicodeScalars {
            used += columns(of: scalar)
            if used > limit { return String(kept[..<end]) + "…" }
            kept.append(scalar)
            if used < limit { end = kept.endIndex }
        }
        return String(kept)
    }

    /// How many characters a scalar takes when it is escaped.
    private static func columns(of scalar: Unicode.Scalar) -> Int {
        isPrintable(scalar) ? 1 : 4 + String(scalar.value, radix: 16).utf8.count
    }
}
