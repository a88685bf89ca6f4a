// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension SMP {
    /// How well a link is protected.
    @available(*, deprecated, renamed: "SecurityLevel")
    public typealias SecurityLevel = BLEWire.SecurityLevel

    /// What protects a link that is encrypted.
    public struct Security: Hashable, Sendable {
        /// How well it is protected.
        public let level: BLEWire.SecurityLevel
        /// What the key has, in octets.
        public let keySize: UInt8
        /// Whether the key was made by LE Secure Connections.
        public let isSecureConnections: Bool
        /// Whether both sides keep the key.
        public let isBonded: Bool

        /// Describes a key.
        ///
        /// - Parameters:
        ///   - isAuthenticated: Whether nobody stood in the middle when it was made.
        ///   - keySize: What it has, in octets.
        ///   - isSecureConnections: Whether it was made by LE Secure Connections.
        ///   - isBonded: Whether both sides keep it.
        public init(isAuthenticated: Bool, keySize: UInt8, isSecureConnections: Bool, isBonded: Bool) {
            level =
                !isAuthenticated
                ? .encrypted : isSecureConnections && keySize == 16 ? .secureConnections : .authenticated
            self.keySize = keySize
            self.isSecureConnections = isSecureConnections
            self.isBonded = isBonded
        }

        /// Whether this is at least as good as something else, in every way.
        func isAtLeast(_ other: Security) -> Bool {
            level >= other.level && keySize >= other.keySize
                && (isSecureConnections || !other.isSecureConnections)
        }

        /// Whether it is what the other side asks for.
        func satisfies(_ requirements: AuthenticationRequirements) -> Bool {
            (!requirements.contains(.mitm) || level >= .authenticated)
                && (!requirements.bonds || isBonded)
        }
    }
}
