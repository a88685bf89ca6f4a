// SPDX-License-Identifier: Apache-2.0

/// The beginning of a command line in bash, taken apart as bash does it.
struct ShellWords {
    /// The words before the last one, without their quotes; the first is the program.
    private(set) var words: [String] = []
    /// What was typed of the last word, without its quotes.
    private(set) var last = ""
    /// What of the last word bash has set aside: it puts a candidate behind that.
    private(set) var aside = ""
    /// Whether the last word is within quotes that are still open.
    private(set) var isQuoted = false

    /// Takes a line apart.
    ///
    /// - Parameters:
    ///   - line: The line up to the cursor.
    ///   - breaks: The characters behind which bash begins anew when it completes, `COMP_WORDBREAKS`.
    init(_ line: String, breaks: String) {
        var quote: Character?
        var isEscaped = false
        var isWord = false
        for character in line {
            if isEscaped {
                last.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
                isWord = true
            } else if let open = quote {
                if character == open { quote = nil } else { last.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                isWord = true
            } else if character == " " || character == "\t" {
                if isWord { words.append(last) }
                last = ""
                aside = ""
                isWord = false
            } else {
                last.append(character)
                isWord = true
                if breaks.contains(character) { aside = last }
            }
        }
        isQuoted = quote != nil
    }

    /// What bash has to put into the line, so that a candidate stands there.
    ///
    /// Words come from files and from the air: whatever bash would act on is escaped.
    ///
    /// - Parameter candidate: The whole word.
    /// - Returns: What stands behind ``aside``; `nil` when that cannot be written within the open quotes.
    func insertion(of candidate: String) -> String? {
        let rest = candidate.dropFirst(aside.count)
        if isQuoted { return rest.allSatisfy { Self.isPlain($0) || $0 == " " } ? String(rest) : nil }
        return rest.map { Self.isPlain($0) ? "\($0)" : "\\\($0)" }.joined()
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_-./:@%+,=".contains(character)
    }
}
