// SPDX-License-Identifier: Apache-2.0

/// What protects a link, or would: as much as the platform tells.
public struct LinkSecurity: Hashable, Sendable {
    /// How well it is protected, at least.
    public let level: SecurityLevel
    /// What the key has, in octets; `nil` when the platform does not tell.
    public let keySize: UInt8?
    /// Whether both sides keep the key.
    public let isBonded: Bool

    /// Describes a protection.
    public init(level: SecurityLevel, keySize: UInt8?, isBonded: Bool) {
        self.level = level
        self.keySize = keySize
        self.isBonded = isBonded
    }

    /// Tells all that is known of a key.
    package init(_ security: SMP.Security) {
        self.init(level: security.level, keySize: security.keySize, isBonded: security.isBonded)
    }
}
