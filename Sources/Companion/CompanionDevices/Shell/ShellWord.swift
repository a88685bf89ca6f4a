// SPDX-License-Identifier: Apache-2.0

import Companion

/// One word of a line that was typed into the shell.
package struct ShellWord: Hashable, Sendable {
    /// The word without its quotes.
    package var text: String
    /// Whether any of it stood in quotes.
    package var isQuoted: Bool

    /// Cuts a line at its blanks; what stands in double quotes is one word, `\"` a quote in it, `\\` a backslash.
    ///
    /// A word that begins with a single quote goes on to the next one. What is octets in those is octets, as on the command
    /// line; all else counts as in double quotes.
    ///
    /// - Parameter line: The line.
    /// - Returns: The words.
    /// - Throws: ``ShellSyntaxError`` when a quote is not closed.
    static func words(of line: String) throws(ShellSyntaxError) -> [ShellWord] {
        var words: [ShellWord] = []
        var word: ShellWord?
        var isInQuotes = false
        var isInSingleQuotes = false
        var isEscaped = false
        for character in line {
            if isEscaped {
                word?.text.append(character)
                isEscaped = false
            } else if isInSingleQuotes {
                if character == "'" {
                    isInSingleQuotes = false
                    let octets = word.flatMap { [UInt8](typed: $0.text) } ?? []
                    word?.isQuoted = octets.isEmpty
                } else {
                    word?.text.append(character)
                }
            } else if isInQuotes {
                switch character {
                case "\\": isEscaped = true
                case "\"": isInQuotes = false
                default: word?.text.append(character)
                }
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else if character == "'", word == nil {
                isInSingleQuotes = true
                word = ShellWord(text: "", isQuoted: true)
            } else {
                var next = word ?? ShellWord(text: "", isQuoted: false)
                if character == "\"" {
                    isInQuotes = true
                    next.isQuoted = true
                } else {
                    next.text.append(character)
                }
                word = next
            }
        }
        guard !isInSingleQuotes else { throw ShellSyntaxError("A quote is not closed: end it with '.") }
        guard !isInQuotes else { throw ShellSyntaxError("A quote is not closed: end it with \".") }
        if let word { words.append(word) }
        return words
    }
}

/// A line that cannot be parsed: one sentence that says what to type instead.
package struct ShellSyntaxError: Error, Hashable {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}
