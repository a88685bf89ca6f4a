// SPDX-License-Identifier: Apache-2.0

/// How well a link is protected, or has to be.
///
/// Spec: Core v5.4, Vol 3, Part C, 10.2.1: the levels of LE security mode 1.
@frozen
public enum SecurityLevel: UInt8, Comparable, Hashable, Sendable {
    /// Everybody can read along.
    case none = 1
    /// Encrypted, but somebody may have stood in the middle when the key was made.
    case encrypted = 2
    /// Encrypted with a key that was made with nobody in the middle: a person has made sure.
    case authenticated = 3
    /// The same, by LE Secure Connections, with a key of 128 bits.
    case secureConnections = 4

    /// Whether one level is lower than another.
    ///
    /// - Parameters:
    ///   - a: A level.
    ///   - b: Another level.
    /// - Returns: Whether `a` is the lower one.
    @inlinable
    public static func < (a: SecurityLevel, b: SecurityLevel) -> Bool { a.rawValue < b.rawValue }
}
