// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts only.
#if !hasFeature(Embedded) || arch(wasm32)

import BLEWire

extension SMP.FailureReason: CustomStringConvertible {
    /// What the code means, in a few words.
    public var description: String {
        switch self {
        case .passkeyEntryFailed: "the passkey was not entered"
        case .oobNotAvailable: "out-of-band data is missing"
        case .authenticationRequirements: "pairing would not be secure enough"
        case .confirmValueFailed: "the passkey is wrong, or somebody is in between"
        case .pairingNotSupported: "pairing is not supported"
        case .encryptionKeySize: "the encryption key would be too short"
        case .commandNotSupported: "the request is not supported"
        case .unspecifiedReason: "pairing failed without a reason"
        case .repeatedAttempts: "too soon after an attempt that failed, try again later"
        case .invalidParameters: "a message of pairing was malformed"
        case .dhKeyCheckFailed: "the keys of both sides differ, or somebody is in between"
        case .numericComparisonFailed: "the numbers differ"
        case .brEDRPairingInProgress: "pairing over BR/EDR is in progress"
        case .crossTransportKeyDerivationNotAllowed: "keys of BR/EDR must not be derived"
        case .keyRejected: "a key was rejected"
        default: "reason 0x\([rawValue].hexadecimal)"
        }
    }
}

/// What is a key has no description that prints it.
extension SMP.EncryptionInformation: CustomStringConvertible {
    /// The name of the PDU, without the key.
    public var description: String { "EncryptionInformation" }
}

extension SMP.IdentityInformation: CustomStringConvertible {
    /// The name of the PDU, without the key.
    public var description: String { "IdentityInformation" }
}

extension SMP.SigningInformation: CustomStringConvertible {
    /// The name of the PDU, without the key.
    public var description: String { "SigningInformation" }
}

extension SMP.Passkey: CustomStringConvertible {
    /// That it is one, without its digits.
    public var description: String { "a passkey" }
}

#endif
