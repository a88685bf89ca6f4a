// SPDX-License-Identifier: Apache-2.0

extension SMP.Failure {
    /// The sentence of an error that has this reason: what happened, and what to do.
    package var sentence: String {
        switch self {
        case .refusedByPeer(let reason): "The device refused to pair\(reason.advice)."
        case .refused(let reason): "Pairing was given up\(reason.advice)."
        case .cancelled: "Pairing was cancelled."
        case .timeout: "Pairing did not go on for 30 s: connect again, then pair again."
        case .tooEarly(let seconds):
            "Pairing with this device has just failed: wait \(seconds) s, then try again. Each failure doubles the wait."
        case .closed: "This connection accepts no more pairing, since an attempt timed out: connect again."
        case .busy: "This connection is being paired or encrypted already: wait until that is done."
        case .notBonded: "No keys of this device are kept: pair with it first."
        case .keyMissing:
            "The device has forgotten this computer: remove the bond and pair again."
        case .bondKept:
            "The device has forgotten this computer, or somebody has taken its address, so it was not paired again: remove its bond here, then let it pair again."
        case .encryption(let status): "The connection could not be encrypted\(Self.advice(status))."
        case .encryptionLost:
            "The connection was no longer encrypted as agreed, so it was ended: somebody may be in between."
        case .disconnected:
            "The device ended the connection while it was being paired: try again nearer to it, or have it forget this computer first."
        case .noCryptography:
            "This radio has no cryptography, so it cannot pair: give it `cryptography: HostCryptography()`, of the product BLECrypto (trait Pairing), where it is opened or put on a virtual air."
        }
    }

    /// What a controller's status means where a link was to be encrypted, and what to do.
    ///
    /// Spec: Core v5.4, Vol 1, Part F, 1.3 and 2.
    private static func advice(_ status: UInt8) -> String {
        switch status {
        case 0x05, 0x06, 0x3D:
            ", because the keys of both sides differ: remove the bond here and on the device, and pair again"
        case 0x08, 0x10, 0x22: ", because the device did not answer in time: go nearer, and try again"
        case 0x0C, 0x23, 0x2A, 0x3A: ", because something else was going on: try again"
        case 0x0F, 0x25, 0x2F: ", because the device does not accept the key: remove the bond and pair again"
        case 0x11, 0x1A: ", because the device or this radio cannot encrypt: use another radio"
        case 0x13, 0x14, 0x15, 0x16: ", because the connection was ended: connect again"
        default: " (status 0x\([status].hexadecimal)): remove the bond and pair again"
        }
    }
}

extension SMP.FailureReason {
    /// What the reason means, behind what happened, and what to do.
    fileprivate var advice: String {
        switch self {
        case .passkeyEntryFailed: ", because the six digits were not entered: try again"
        case .oobNotAvailable:
            ", because out-of-band data is missing: let both sides show new data, and try again"
        case .authenticationRequirements:
            ", because that would not be secure enough: let both show or enter six digits, or give out-of-band data"
        case .confirmValueFailed:
            ", because the six digits or the out-of-band data are wrong, or somebody is in between: try again, over a new connection if it fails once more"
        case .pairingNotSupported:
            ": it may need a button pressed first, it may have a bond of this computer that has to be removed there, or it does not pair at all"
        case .encryptionKeySize:
            ", because the key would be too short to be safe: see whether there is newer firmware for the device"
        case .commandNotSupported: ", because a request is not supported: switch it off and on, and try again"
        case .unspecifiedReason:
            ", without a reason: have it forget this computer, switch it off and on, and try again"
        case .repeatedAttempts:
            ", because an attempt has failed not long ago: wait a minute, and longer each time it says so, then try again"
        case .invalidParameters:
            ", because a message of pairing was malformed: try again, and see whether there is newer firmware for the device"
        case .dhKeyCheckFailed:
            ", because the keys of both sides differ, or somebody is in between: try again"
        case .numericComparisonFailed: ", because somebody said that the numbers differ: try again"
        case .brEDRPairingInProgress:
            ", because it is being paired over BR/EDR: wait until that is done, then try again"
        case .crossTransportKeyDerivationNotAllowed:
            ", because keys of BR/EDR must not be used: remove the bond on both sides, and pair again"
        case .keyRejected: ", because a key was not taken: remove the bond on both sides, and pair again"
        default: " with reason 0x\([rawValue].hexadecimal): switch it off and on, and try again"
        }
    }
}
