// SPDX-License-Identifier: Apache-2.0

/// The Logical Link Control and Adaptation Protocol.
///
/// Spec: Core v5.4, Vol 3, Part A.
public enum L2CAP {
    /// Octets before the payload of every frame: length (2) and channel (2).
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 3.1.
    public static let headerLength = 4

    /// The number of a channel on a link.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 2.1.
    @frozen
    public struct ChannelID: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: UInt16

        /// Wraps a number.
        @inlinable
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The Attribute Protocol.
        public static let att = ChannelID(rawValue: 0x0004)
        /// LE signalling.
        public static let signalling = ChannelID(rawValue: 0x0005)
        /// The Security Manager Protocol.
        public static let securityManager = ChannelID(rawValue: 0x0006)

        /// The numbers that credit-based channels have on LE.
        ///
        /// Spec: Core v5.4, Vol 3, Part A, 2.1, table 2.3.
        public static let dynamic: ClosedRange<UInt16> = 0x0040...0x007F

        /// Whether the number is one of credit-based channels.
        @inlinable
        public var isDynamic: Bool { Self.dynamic.contains(rawValue) }
    }
}
