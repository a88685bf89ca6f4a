// SPDX-License-Identifier: Apache-2.0

import BLEATT
public import BLEWire

extension GATT {
    /// How well a link is protected.
    @available(*, deprecated, renamed: "SecurityLevel")
    public typealias Security = SecurityLevel

    /// How well a link is protected, and whether it could be better without pairing.
    ///
    /// Spec: Core v5.4, Vol 3, Part C, 10.3.1.
    @frozen
    public enum LinkSecurity: Hashable, Sendable {
        /// Not at all; this side may have a key of the peer's from before, to encrypt it with.
        case plain(hasKey: Bool)
        /// It is encrypted, with whomever.
        case encrypted
        /// It is encrypted, and a person has made sure with whom.
        case authenticated
        /// The same, by LE Secure Connections, with a key of 128 bits.
        case secureConnections

        /// What it does for.
        public var level: SecurityLevel {
            switch self {
            case .plain: .none
            case .encrypted: .encrypted
            case .authenticated: .authenticated
            case .secureConnections: .secureConnections
            }
        }
    }

    /// What a link must be before a value may be read, written or subscribed to.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.2.5.
    public struct Access: Hashable, Sendable {
        /// Before it may be read.
        public var read: SecurityLevel
        /// Before it may be written, with or without an answer.
        public var write: SecurityLevel
        /// Before its notifications and indications may be switched.
        public var subscribe: SecurityLevel

        /// Makes a set of conditions.
        public init(
            read: SecurityLevel = .none, write: SecurityLevel = .none, subscribe: SecurityLevel = .none
        ) {
            self.read = read
            self.write = write
            self.subscribe = subscribe
        }
    }
}

extension GATT.Server {
    /// Why a link as it is does not do for what an attribute asks for.
    ///
    /// The code says what to do about it: encrypt with the key that there is, or pair.
    ///
    /// Spec: Core v5.4, Vol 3, Part C, 10.3.1.
    func refusal(for wanted: SecurityLevel) -> ATT.ErrorCode? {
        guard security.level < wanted else { return nil }
        return security == .plain(hasKey: true) ? .insufficientEncryption : .insufficientAuthentication
    }
}
