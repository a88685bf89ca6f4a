// SPDX-License-Identifier: Apache-2.0

/// The words of a command line as they are meant, before the argument parser reads them.
enum ArgumentWords {
    /// Joins an option with the negative number behind it, which would be taken for another option, and parts one from
    /// an empty value, which would be overlooked.
    ///
    /// - Parameter words: The arguments, without the program's name.
    /// - Returns: The arguments for the parser.
    static func joined(_ words: [String]) -> [String] {
        var joined: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word != "--" else {
                joined.append(word)
                if word == "--" { break }
                continue
            }
            if word.hasSuffix("="), word.firstIndex(of: "=") == word.indices.last {
                joined += [String(word.dropLast()), ""]
            } else if !word.contains("="), let next = rest.first, isNegative(next) {
                joined.append("\(word)=\(next)")
                rest.removeFirst()
            } else {
                joined.append(word)
            }
        }
        return joined + rest
    }

    /// Whether a word begins as a negative number does: `-1`, `-33.8,151.2`, `-.5`.
    private static func isNegative(_ word: String) -> Bool {
        guard word.hasPrefix("-") else { return false }
        let digits = word.dropFirst().drop { $0 == "." }
        return word.dropFirst().count - digits.count <= 1 && digits.first?.isWholeNumber == true
    }
}
