// SPDX-License-Identifier: Apache-2.0

package import Companion

/// What cannot be used in a file that is imported, and where.
public struct ImportError: Error, Hashable, Sendable {
    /// The line, from 1; 0 of what is the fault of no line.
    public let line: Int
    /// The column, from 1, where it is known.
    public let column: Int?
    /// What is wrong, as part of a sentence.
    public let reason: String
    /// Whether every other row has the same fault, so that no more is read.
    let endsFile: Bool

    /// Makes a fault.
    ///
    /// - Parameters:
    ///   - line: The line, from 1.
    ///   - column: The column, from 1, where it is known.
    ///   - reason: What is wrong, as part of a sentence.
    public init(_ line: Int, column: Int? = nil, _ reason: String) {
        self.init(line, column: column, reason, endsFile: false)
    }

    init(_ line: Int, column: Int? = nil, _ reason: String, endsFile: Bool) {
        self.line = line
        self.column = column
        self.reason = reason
        self.endsFile = endsFile
    }

    /// What faults have in common that are of one kind: the reason without the numbers and the texts that it names.
    package var kind: String {
        var (kind, isQuoted) = ([UInt8](), false)
        for octet in reason.utf8 {
            if octet == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, !(0x30...0x39).contains(octet) { kind.append(octet) }
        }
        return String(decoding: kind, as: UTF8.self)
    }

    /// Writes it as one JSON object.
    ///
    /// - Parameters:
    ///   - json: Where it is written.
    ///   - count: How many rows are so, where that is counted.
    package func write(into json: inout JSONWriter, count: Int? = nil) {
        json.object { json in
            json.field("line", line)
            json.field("column", column)
            json.field("reason", reason)
            if let count { json.field("rows", count) }
        }
    }
}

/// A detection of a file, with what the file says about it beside what was seen.
public struct ImportedDetection: Hashable, Sendable {
    /// What was seen.
    public var sighting: Sighting
    /// What names it in every file; `nil` in a file of an older version.
    public var key: DetectionKey?
    /// The mark that a person has given its source.
    public var mark: SourceMark
    /// What a person has noted about its source; empty when nothing.
    public var note: String

    /// Makes a detection.
    public init(_ sighting: Sighting, key: DetectionKey? = nil, mark: SourceMark = .none, note: String = "") {
        self.sighting = sighting
        self.key = key
        self.mark = mark
        self.note = note
    }

    /// What makes it unfit to be stored, beside what is wrong with the sighting itself, as a phrase; nothing when it is fit.
    var fault: String? { note.utf8.contains(0) ? "the note has the character U+0000" : nil }
}
