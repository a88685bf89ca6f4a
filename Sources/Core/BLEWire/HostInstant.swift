// SPDX-License-Identifier: Apache-2.0

/// A moment on the clock of whoever drives a state machine.
///
/// Microseconds since an arbitrary start. Core and Kits never read a clock; each input brings its moment.
@frozen
public struct HostInstant: Hashable, Comparable, Sendable {
    /// Microseconds since the start of the clock.
    public var microseconds: UInt64

    /// Makes a moment.
    @inlinable
    public init(microseconds: UInt64) { self.microseconds = microseconds }

    /// The start of the clock.
    public static let zero = HostInstant(microseconds: 0)

    /// Whether a moment is earlier than another.
    @inlinable
    public static func < (a: HostInstant, b: HostInstant) -> Bool { a.microseconds < b.microseconds }

    /// A later moment.
    ///
    /// - Parameter microseconds: How much later, in microseconds.
    /// - Returns: The moment; the end of time when that is past it.
    @inlinable
    public func advanced(byMicroseconds microseconds: UInt64) -> HostInstant {
        let (sum, overflow) = self.microseconds.addingReportingOverflow(microseconds)
        return HostInstant(microseconds: overflow ? .max : sum)
    }

    /// A later moment.
    ///
    /// - Parameter milliseconds: How much later, in milliseconds.
    /// - Returns: The moment; the end of time when that is past it.
    @inlinable
    public func advanced(byMilliseconds milliseconds: UInt64) -> HostInstant {
        let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1000)
        return advanced(byMicroseconds: overflow ? .max : product)
    }

    /// A later moment.
    ///
    /// - Parameter seconds: How much later, in seconds.
    /// - Returns: The moment; the end of time when that is past it.
    @inlinable
    public func advanced(bySeconds seconds: UInt64) -> HostInstant {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return advanced(byMicroseconds: overflow ? .max : product)
    }

    /// Microseconds from an earlier moment to this one.
    ///
    /// - Parameter earlier: The earlier moment.
    /// - Returns: The distance in microseconds; 0 when `earlier` is later.
    @inlinable
    public func microseconds(since earlier: HostInstant) -> UInt64 {
        microseconds > earlier.microseconds ? microseconds &- earlier.microseconds : 0
    }

    /// The earlier of two deadlines, of which either may be missing.
    ///
    /// - Parameters:
    ///   - a: A deadline, if any.
    ///   - b: Another deadline, if any.
    /// - Returns: The earlier one; `nil` when there is neither.
    @inlinable
    public static func earliest(_ a: HostInstant?, _ b: HostInstant?) -> HostInstant? {
        guard let a else { return b }
        guard let b else { return a }
        return a < b ? a : b
    }
}
