// SPDX-License-Identifier: Apache-2.0

/// Names one link for as long as its host runs; never used twice.
///
/// A controller hands out a connection handle again as soon as a link is gone; this number lets nobody
/// mistake the next link for the last.
@frozen
public struct LinkID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt32

    /// Wraps a number.
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Orders by age, oldest first.
    @inlinable
    public static func < (a: LinkID, b: LinkID) -> Bool { a.rawValue < b.rawValue }
}
