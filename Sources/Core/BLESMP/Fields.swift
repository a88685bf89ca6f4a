// SPDX-License-Identifier: Apache-2.0

extension SMP {
    /// What a device can show and what a person can enter on it.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.1, table 3.4.
    @frozen
    public struct IOCapability: RawRepresentable, Hashable, Sendable {
        /// The octet on the wire.
        public let rawValue: UInt8

        /// Wraps an octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It shows six digits, and takes nothing.
        public static let displayOnly = IOCapability(rawValue: 0x00)
        /// It shows six digits, and takes yes and no.
        public static let displayYesNo = IOCapability(rawValue: 0x01)
        /// It shows nothing, and takes six digits.
        public static let keyboardOnly = IOCapability(rawValue: 0x02)
        /// It shows nothing and takes nothing.
        public static let noInputNoOutput = IOCapability(rawValue: 0x03)
        /// It shows six digits, and takes six.
        public static let keyboardDisplay = IOCapability(rawValue: 0x04)

        /// Whether the specification defines it.
        @inlinable
        public var isDefined: Bool { rawValue <= 0x04 }
    }

    /// What a device wants of pairing.
    ///
    /// | bits | field |
    /// |------|-------|
    /// | 0–1 | bonding: 1 yes, 0 no |
    /// | 2 | protection against someone in the middle (MITM) |
    /// | 3 | LE Secure Connections |
    /// | 4 | keypress notifications |
    /// | 5 | CT2: a function for keys of BR/EDR |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.1, figure 3.3.
    @frozen
    public struct AuthenticationRequirements: OptionSet, Hashable, Sendable {
        /// The octet on the wire.
        public let rawValue: UInt8

        /// Wraps an octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The keys are to be kept.
        public static let bonding = AuthenticationRequirements(rawValue: 0x01)
        /// Somebody in the middle has to be noticed.
        public static let mitm = AuthenticationRequirements(rawValue: 0x04)
        /// LE Secure Connections pairing is supported.
        public static let secureConnections = AuthenticationRequirements(rawValue: 0x08)
        /// Keys pressed while a passkey is entered are told.
        public static let keypress = AuthenticationRequirements(rawValue: 0x10)
        /// The function h7 is supported; for BR/EDR.
        public static let ct2 = AuthenticationRequirements(rawValue: 0x20)

        /// Whether the keys are to be kept; two of the four values of the field are reserved and say no.
        @inlinable
        public var bonds: Bool { rawValue & 0x03 == 0x01 }
    }

    /// Which keys a side hands out when the link is encrypted.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.6.1, figure 3.11.
    @frozen
    public struct KeyDistribution: OptionSet, Hashable, Sendable {
        /// The octet on the wire.
        public let rawValue: UInt8

        /// Wraps an octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The long-term key, EDIV and Rand; without meaning in LE Secure Connections.
        public static let encryption = KeyDistribution(rawValue: 0x01)
        /// The identity resolving key and the identity address.
        public static let identity = KeyDistribution(rawValue: 0x02)
        /// The key for signed writes.
        public static let signing = KeyDistribution(rawValue: 0x04)
        /// The key of BR/EDR is derived.
        public static let link = KeyDistribution(rawValue: 0x08)

        /// All that the specification defines.
        public static let defined: KeyDistribution = [.encryption, .identity, .signing, .link]
    }

    /// What happens while a passkey is entered.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.8.
    @frozen
    public struct Keypress: RawRepresentable, Hashable, Sendable {
        /// The octet on the wire.
        public let rawValue: UInt8

        /// Wraps an octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The entry has begun.
        public static let started = Keypress(rawValue: 0x00)
        /// A digit was entered.
        public static let digitEntered = Keypress(rawValue: 0x01)
        /// A digit was erased.
        public static let digitErased = Keypress(rawValue: 0x02)
        /// All digits were erased.
        public static let cleared = Keypress(rawValue: 0x03)
        /// The entry is complete.
        public static let completed = Keypress(rawValue: 0x04)
    }
}
