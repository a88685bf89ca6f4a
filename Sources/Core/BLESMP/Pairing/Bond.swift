// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension SMP {
    /// A key that encrypts a link, and what names it.
    public struct LongTermKey: Sendable {
        /// The key.
        public let key: Secret
        /// The random number that names it; 0 in LE Secure Connections and while pairing.
        public let rand: UInt64
        /// The diversifier that names it; 0 likewise.
        public let ediv: UInt16

        /// Makes a key.
        public init(key: Secret, rand: UInt64 = 0, ediv: UInt16 = 0) {
            self.key = key
            self.rand = rand
            self.ediv = ediv
        }
    }

    /// What is kept of a device after pairing.
    public struct Bond: Sendable {
        /// How well the keys protect.
        public let security: Security
        /// The key when we are the central; the other side has made it, or both have.
        public let keyAsCentral: LongTermKey?
        /// The key when we are the peripheral; we have made it, or both have.
        public let keyAsPeripheral: LongTermKey?
        /// Who the other side says that it is.
        public let identity: Identity?

        /// Puts a bond together.
        public init(
            security: Security, keyAsCentral: LongTermKey?, keyAsPeripheral: LongTermKey?, identity: Identity?
        ) {
            self.security = security
            self.keyAsCentral = keyAsCentral
            self.keyAsPeripheral = keyAsPeripheral
            self.identity = identity
        }
    }

    /// Both ends of a link, and what is known of them.
    public struct Parties: Sendable {
        /// What we do.
        public let role: Role
        /// The address that we have on this link.
        public let own: BluetoothAddress
        /// The address that the other side has on this link.
        public let peer: BluetoothAddress
        /// What is kept of the other side.
        public let bond: Bond?
        /// The identity addresses of all other bonds, which this side must not take.
        public let otherIdentities: [BluetoothAddress]

        /// Describes a link.
        public init(
            role: Role, own: BluetoothAddress, peer: BluetoothAddress, bond: Bond? = nil,
            otherIdentities: [BluetoothAddress] = []
        ) {
            self.role = role
            self.own = own
            self.peer = peer
            self.bond = bond
            self.otherIdentities = otherIdentities
        }

        var initiator: BluetoothAddress { role == .initiator ? own : peer }
        var responder: BluetoothAddress { role == .initiator ? peer : own }
    }
}

extension UInt128 {
    /// A key of which only the lowest octets are left.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.4.
    func shortened(to keySize: UInt8) -> UInt128 {
        keySize >= 16 ? self : self & ((1 &<< (8 * UInt128(keySize))) - 1)
    }
}
