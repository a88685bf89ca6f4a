// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the body of a request, in the words in which a hub says it of all that a route has declared.
extension HubError {
    /// A whole number of a body.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - range: What it may be.
    ///   - body: The body.
    /// - Returns: The number; `nil` when it is missing.
    /// - Throws: ``badValue(_:)`` when it is something else.
    package static func whole(
        _ name: String, _ range: ClosedRange<Int>, in body: JSONNode?
    ) throws(HubError) -> Int? {
        guard let value = body?.value(of: name) else { return nil }
        guard case .number(let found) = value, let number = Int(exactly: found), range.contains(number) else {
            throw mustBe(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// One of some words of a body.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - words: What it may be.
    ///   - body: The body.
    /// - Returns: The word; `nil` when it is missing or null.
    /// - Throws: ``badValue(_:)`` when it is something else.
    package static func word(_ name: String, of words: [String], in body: JSONNode?) throws(HubError)
        -> String?
    {
        guard let value = body?.value(of: name), value != .null else { return nil }
        guard case .text(let word) = value, words.contains(word) else {
            throw mustBe(name, "one of \(words.joined(separator: ", "))")
        }
        return word
    }

    /// Something of a body has to be something else.
    package static func mustBe(_ name: String, _ what: String) -> HubError {
        .badValue("\(name.prefix(1).uppercased() + name.dropFirst()) must be \(what).")
    }

    /// Something of a body is not there.
    package static func missing(_ name: String) -> HubError {
        .badValue("\(name.prefix(1).uppercased() + name.dropFirst()) is missing in the body.")
    }
}
