// SPDX-License-Identifier: Apache-2.0

/// Why text is not JSON, and where.
package struct JSONError: Error, Hashable, Sendable {
    /// What is wrong.
    package enum Reason: UInt8, Hashable, Sendable, CaseIterable {
        /// Lists and objects stand in each other too deep.
        case tooDeep
        /// It ends too early.
        case endsEarly
        /// A character stands where JSON allows none like it.
        case notJSON
        /// A string holds a control character that is not escaped.
        case controlCharacter
        /// A backslash is followed by something that JSON does not know.
        case badEscape
        /// An escape gives half a character.
        case loneSurrogate
        /// A string is not UTF-8.
        case badUTF8
        /// A number is not written as JSON wants it.
        case badNumber
    }

    /// What is wrong.
    package let reason: Reason
    /// Octets before the fault.
    package let offset: Int

    /// Makes an error.
    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
