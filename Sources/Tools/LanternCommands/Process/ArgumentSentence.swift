// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

/// What is wrong with arguments, said so that a person knows what to write instead.
enum ArgumentSentence {
    /// A word of an error that is longer was never meant to be read.
    private static let longestWord = 250

    /// Says what an address looks like where one is bad; all else as it is.
    ///
    /// - Parameter text: What the argument parser says, with the usage behind it.
    /// - Returns: The text.
    static func better(_ text: String) -> String {
        guard let line = text.split(separator: "\n", maxSplits: 1).first,
            let end = line.range(of: "' is invalid for '<address>'"),
            let start = line.range(of: "The value '")
        else { return text }
        let value = PrintableText.quoted(line[start.upperBound..<end.lowerBound])
        let sentence =
            "\(value) is no address: it looks like F0:F1:F2:F3:F4:F5, or is the name of a device that "
            + "`lantern scan` has shown lately; `lantern scan` finds both."
        return line.prefix(upTo: start.lowerBound) + sentence + text.dropFirst(line.count)
    }

    /// A line whose words are no longer than a person can read.
    ///
    /// - Parameter line: The line.
    /// - Returns: The line with the ends of such words cut off.
    static func shortened(_ line: some StringProtocol) -> String {
        guard line.utf8.count > longestWord else { return String(line) }
        return line.split(separator: " ", omittingEmptySubsequences: false)
            .map { $0.utf8.count > longestWord ? PrintableText.quoted($0) : String($0) }.joined(
                separator: " ")
    }
}
