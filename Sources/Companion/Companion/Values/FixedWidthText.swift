// SPDX-License-Identifier: Apache-2.0

/// Text where all characters have the same width, or twice of it, as terminals show them.
package enum FixedWidthText {
    /// The columns that text takes.
    package static func width(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width($1) } }

    /// As much of the text as fits, with `…` at the end when some is missing.
    package static func fitted(_ text: String, columns: Int) -> String {
        guard columns > 0 else { return "" }
        var result = ""
        var used = 0
        for character in text {
            let next = width(character)
            if used + next > columns {
                while used > columns - 1, let last = result.popLast() { used -= width(last) }
                return result + "…"
            }
            result.append(character)
            used += next
        }
        return result
    }

    /// The text followed by blanks up to a width; longer text as it is.
    package static func padded(_ text: String, columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(text)))
    }

    /// The text after blanks up to a width; longer text as it is.
    package static func rightAligned(_ text: String, columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - width(text))) + text
    }

    /// A character is as wide as its first scalar, or two columns when it asks for the look of an emoji.
    private static func width(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // The blocks that East Asian terminals draw two columns wide, and the emoji.
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
            0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return first.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
