// SPDX-License-Identifier: Apache-2.0

/// Why octets could not be decoded, and where.
///
/// Every decoder of Core and Kits throws this one error. The offset counts octets from the start of
/// what the reader was given.
@frozen
public struct DecodeError: Error, Hashable, Sendable {
    /// What was wrong.
    @frozen
    public enum Reason: Hashable, Sendable {
        /// The octets ended although `needed` more were due.
        case truncated(needed: Int)
        /// Octets were left over after a complete value.
        case trailing(count: Int)
        /// A length or count field contradicts the octets that follow.
        case badLength(Int)
        /// A field holds a value that its definition excludes.
        case outOfRange(UInt64)
        /// The code that says what follows is not one this decoder knows.
        case unknownCode(UInt64)
        /// The text is not valid UTF-8.
        case badText
    }

    /// What was wrong.
    public let reason: Reason
    /// Octets before the fault.
    public let offset: Int

    /// Makes an error.
    @inlinable
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
