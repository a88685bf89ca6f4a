// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension SMP {
    /// What a side of a link does in pairing.
    public enum Role: Hashable, Sendable {
        /// The central: it begins.
        case initiator
        /// The peripheral: it may ask to begin.
        case responder
    }

    /// Whether LE Secure Connections is used.
    public enum SecureConnectionsUse: Hashable, Sendable {
        /// Never; legacy pairing only.
        case off
        /// Where both sides can.
        case preferred
        /// Always: Secure Connections Only mode.
        case required
    }

    /// What a device can do and wants when it pairs.
    public struct Configuration: Sendable {
        /// What it can show and take.
        public var ioCapability = IOCapability.noInputNoOutput
        /// Whether keys are kept.
        public var bonds = true
        /// Whether it asks for protection against somebody in the middle, though it does without where that is impossible.
        public var wantsAuthentication = false
        /// What pairing has to reach, or else fails.
        public var minimumLevel = BLEWire.SecurityLevel.encrypted
        /// Whether LE Secure Connections is used.
        public var secureConnections = SecureConnectionsUse.preferred
        /// The shortest key that it accepts, in octets, 7 to 16; a short one can be searched for (KNOB).
        public var minimumKeySize: UInt8 = 16
        /// The longest key that it supports, in octets, 7 to 16.
        public var maximumKeySize: UInt8 = 16
        /// Which keys it hands out; of ``KeyDistribution/encryption`` and ``KeyDistribution/identity``.
        public var ownKeys: KeyDistribution = [.encryption, .identity]
        /// Which keys it takes; likewise.
        public var peerKeys: KeyDistribution = [.encryption, .identity]
        /// What it hands out as its identity; without one it hands out none.
        public var identity: Identity?
        /// What came, or went, another way.
        public var outOfBand = OutOfBand()
        /// A passkey that is always shown; `nil` for a new one each time, which is better: one that stays is learnt bit by bit.
        public var passkey: Passkey?
        /// Whether a person is asked before somebody else's request is answered.
        public var asksConsent = false
        /// Whether other devices may pair at all; bonded ones still encrypt.
        public var isPairable = true
        /// Whether a Security Request begins pairing by itself; otherwise it is put out.
        public var answersSecurityRequests = false
        /// Whether a key that everybody knows is accepted; for protocol analysers.
        public var acceptsDebugKeys = false

        /// Nothing to show, nothing to enter; keys are kept, and Secure Connections is preferred.
        public init() {}

        /// The smallest and largest key, each in its range.
        var keySizes: ClosedRange<UInt8> {
            let largest = min(max(maximumKeySize, SMP.keySizes.lowerBound), SMP.keySizes.upperBound)
            return min(max(minimumKeySize, SMP.keySizes.lowerBound), largest)...largest
        }

        /// What both sides are told that it wants.
        var requirements: AuthenticationRequirements {
            var requirements: AuthenticationRequirements = []
            if bonds { requirements.insert(.bonding) }
            if wantsAuthentication || minimumLevel >= .authenticated { requirements.insert(.mitm) }
            if secureConnections != .off { requirements.insert(.secureConnections) }
            return requirements
        }

        /// Which keys it can hand out.
        var distributed: KeyDistribution {
            let possible: KeyDistribution = identity == nil ? .encryption : [.encryption, .identity]
            return bonds ? ownKeys.intersection(possible) : []
        }

        /// Which keys it can take.
        var taken: KeyDistribution { bonds ? peerKeys.intersection([.encryption, .identity]) : [] }
    }

    /// The address that stays, and what resolves the ones that change.
    public struct Identity: Sendable {
        /// The identity resolving key; `nil` when the addresses do not change.
        public let resolvingKey: Secret?
        /// The address that stays: public, or static random.
        public let address: BluetoothAddress

        /// Makes an identity.
        public init(resolvingKey: Secret?, address: BluetoothAddress) {
            self.resolvingKey = resolvingKey
            self.address = address
        }
    }

    /// What two devices have told each other by NFC, a picture or a cable.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.4 and 2.3.5.6.4.
    public struct OutOfBand: Sendable {
        /// What a device made for the other one; to be made anew for each pairing.
        public struct Own: Sendable {
            /// The keys that it pairs with.
            public let keyPair: KeyPair
            /// The random number that goes with them.
            public let random: Secret
            /// The commitment to them.
            public let confirm: UInt128

            /// Makes new keys and a commitment to them; nothing when the cryptography makes no keys.
            ///
            /// - Parameter cryptography: What they are made with.
            public init?(from cryptography: any PairingCryptography) {
                guard let keyPair = KeyPair(from: cryptography) else { return nil }
                let number = cryptography.random()
                self.keyPair = keyPair
                random = Secret(number)
                confirm = Toolbox(cryptography).f4(
                    u: keyPair.publicKey.x, v: keyPair.publicKey.x, x: number, z: 0)
            }
        }

        /// What a device got from the other one.
        public struct Received: Sendable {
            /// The random number of the other device.
            public let random: Secret
            /// Its commitment to its key.
            public let confirm: UInt128

            /// Takes what came another way.
            public init(random: Secret, confirm: UInt128) {
                self.random = random
                self.confirm = confirm
            }
        }

        /// The temporary key of legacy pairing, which both devices have.
        public var temporaryKey: Secret?
        /// What this device has given to the other one, for Secure Connections.
        public var own: Own?
        /// What it has got from the other one, for Secure Connections.
        public var received: Received?

        /// Nothing.
        public init() {}
    }
}
