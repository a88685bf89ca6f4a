// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An error whose description is a sentence, or a phrase that becomes one: its `localizedDescription`.
///
/// The libraries do without Foundation, which would make a static program some 50 MB larger. Whoever has it anyway links this module,
/// and `localizedDescription` of all their errors, also behind `any Error`, says what happened and, where there is something, what to do.
public protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    /// The description as a sentence.
    public var errorDescription: String? { description.asSentence }
}

extension String {
    /// The text with a capital letter at its beginning and a full stop at its end.
    package var asSentence: String {
        let text = trimmingCharacters(in: .whitespaces)
        // Not what a person has to find again as it is written: hci0, hci:N.
        let isWord = text.prefix { $0 != " " }.allSatisfy { $0.isLetter || $0 == "," || $0 == "’" }
        let beginning = isWord ? text.prefix(1).uppercased() : String(text.prefix(1))
        let isEnded = text.last.map { ".!?".contains($0) } ?? true
        return beginning + text.dropFirst() + (isEnded ? "" : ".")
    }
}
