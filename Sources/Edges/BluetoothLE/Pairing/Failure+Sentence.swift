// SPDX-License-Identifier: Apache-2.0

extension SMP.Failure {
    /// The sentence of an error that has this reason: what happened, and what to do.
    package var sentence: String {
        switch self {
        case .refusedByPeer(let reason): Self.sentence(reason, of: "The device refused to pair")
        case .refused(let reason): Self.sentence(reason, of: "Pairing was given up")
        case .cancelled: "Pairing was cancelled."
        case .timeout: "Nobody went on with pairing for 30 s: connect again and pair anew."
        case .tooEarly:
            "Too many attempts to pair with this device have failed: wait a while, then try again."
        case .closed: "This connection takes no more pairing since an attempt timed out: connect again."
        case .busy: "This connection is being paired or encrypted already: wait until that is over."
        case .notBonded: "No keys of this device are kept: pair with it first."
        case .keyMissing:
            "The device has forgotten this computer: remove the bond and pair again."
        case .encryption(let status):
            "The connection could not be encrypted (status 0x\([status].hexadecimal)): remove the bond and pair again."
        case .encryptionLost:
            "The connection was no longer encrypted as agreed, so it was ended: somebody may be in between."
        case .disconnected: "The device ended the connection while it was being paired."
        case .noCryptography: "This program cannot make keys, so it cannot pair."
        }
    }

    private static func sentence(_ reason: SMP.FailureReason, of what: String) -> String {
        let advice =
            switch reason {
            case .pairingNotSupported: ": it may need a button pressed first, or it does not pair at all"
            case .confirmValueFailed:
                ", because the six digits are wrong, or somebody is in between: try again"
            case .passkeyEntryFailed: ", because the six digits were not entered: try again"
            case .numericComparisonFailed: ", because somebody said that the numbers differ: try again"
            case .authenticationRequirements:
                ", because that would not be secure enough: let both show or enter six digits"
            case .repeatedAttempts: ", because too many attempts have failed: wait a while, then try again"
            case .keyRejected, .dhKeyCheckFailed: ": \(reason); try again"
            default: ": \(reason)"
            }
        return what + advice + "."
    }
}
