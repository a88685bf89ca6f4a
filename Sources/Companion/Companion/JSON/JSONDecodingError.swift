// SPDX-License-Identifier: Apache-2.0

/// What is wrong with JSON that a person has written, and where.
public struct JSONDecodingError: Error, Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1 and in characters; `nil` where only the line is known.
    public let column: Int?
    /// What is wrong, as part of a sentence.
    public let reason: String

    /// Makes a fault.
    public init(_ line: Int, column: Int? = nil, _ reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }

    /// Where it is: `line 3, column 7`.
    public var place: String { "line \(line)" + (column.map { ", column \($0)" } ?? "") }
}

extension StringProtocol {
    /// The text as errors quote it: at most 80 characters, with `…` at the end when some are missing.
    public var shortened: String { PrintableText.quoted(self) }

    /// The name of a file as errors quote it: at most 255 characters, with `…` in place of what stands before the rest.
    public var shortenedPath: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars.suffix(255) { text.append(scalar) }
        return (unicodeScalars.dropLast(255).isEmpty ? "" : "…") + String(text)
    }
}
