// SPDX-License-Identifier: Apache-2.0

extension SMP {
    /// What an SMP PDU is: its first octet.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.3, table 3.3.
    @frozen
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The octet on the wire.
        public let rawValue: UInt8

        /// Wraps an octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Pairing Request.
        public static let pairingRequest = Code(rawValue: 0x01)
        /// Pairing Response.
        public static let pairingResponse = Code(rawValue: 0x02)
        /// Pairing Confirm.
        public static let pairingConfirm = Code(rawValue: 0x03)
        /// Pairing Random.
        public static let pairingRandom = Code(rawValue: 0x04)
        /// Pairing Failed.
        public static let pairingFailed = Code(rawValue: 0x05)
        /// Encryption Information.
        public static let encryptionInformation = Code(rawValue: 0x06)
        /// Central Identification.
        public static let centralIdentification = Code(rawValue: 0x07)
        /// Identity Information.
        public static let identityInformation = Code(rawValue: 0x08)
        /// Identity Address Information.
        public static let identityAddressInformation = Code(rawValue: 0x09)
        /// Signing Information.
        public static let signingInformation = Code(rawValue: 0x0A)
        /// Security Request.
        public static let securityRequest = Code(rawValue: 0x0B)
        /// Pairing Public Key.
        public static let pairingPublicKey = Code(rawValue: 0x0C)
        /// Pairing DHKey Check.
        public static let pairingDHKeyCheck = Code(rawValue: 0x0D)
        /// Keypress Notification.
        public static let pairingKeypressNotification = Code(rawValue: 0x0E)
    }

    /// Why a side gives up pairing.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.5, table 3.7.
    @frozen
    public struct FailureReason: RawRepresentable, Error, Hashable, Sendable {
        /// The octet on the wire.
        public let rawValue: UInt8

        /// Wraps an octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The person did not enter the passkey.
        public static let passkeyEntryFailed = FailureReason(rawValue: 0x01)
        /// Out-of-band data was asked for and is not there.
        public static let oobNotAvailable = FailureReason(rawValue: 0x02)
        /// What both sides can do is not secure enough for one of them.
        public static let authenticationRequirements = FailureReason(rawValue: 0x03)
        /// A confirm value does not belong to what was revealed: another passkey, or an attack.
        public static let confirmValueFailed = FailureReason(rawValue: 0x04)
        /// The device does not pair, or not now.
        public static let pairingNotSupported = FailureReason(rawValue: 0x05)
        /// The key would be too short for one side.
        public static let encryptionKeySize = FailureReason(rawValue: 0x06)
        /// The device does not do what the PDU asks for.
        public static let commandNotSupported = FailureReason(rawValue: 0x07)
        /// Something that has no code of its own.
        public static let unspecifiedReason = FailureReason(rawValue: 0x08)
        /// Too little time has passed since an attempt that failed.
        public static let repeatedAttempts = FailureReason(rawValue: 0x09)
        /// A PDU of the wrong length, or a field outside its range.
        public static let invalidParameters = FailureReason(rawValue: 0x0A)
        /// The Diffie-Hellman key of the sides is not the same.
        public static let dhKeyCheckFailed = FailureReason(rawValue: 0x0B)
        /// The person says that the numbers differ.
        public static let numericComparisonFailed = FailureReason(rawValue: 0x0C)
        /// Pairing over BR/EDR is going on.
        public static let brEDRPairingInProgress = FailureReason(rawValue: 0x0D)
        /// The key of LE may not be made from that of BR/EDR, or the other way round.
        public static let crossTransportKeyDerivationNotAllowed = FailureReason(rawValue: 0x0E)
        /// The device does not take a key that was distributed.
        public static let keyRejected = FailureReason(rawValue: 0x0F)
    }
}
