// SPDX-License-Identifier: Apache-2.0

/// The number that a controller gives a link; 0x0000 to 0x0EFF.
///
/// Spec: Core v5.4, Vol 4, Part E, 5.3.1.
@frozen
public struct ConnectionHandle: RawRepresentable, Hashable, Sendable {
    /// The number; only its low 12 bits travel.
    public let rawValue: UInt16

    /// Wraps a number.
    ///
    /// - Parameter rawValue: The number.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue & 0x0FFF }
}
