// SPDX-License-Identifier: Apache-2.0

extension SMP {
    /// Why pairing, or encryption with kept keys, came to nothing.
    public enum Failure: Error, Hashable, Sendable {
        /// The other side has given up.
        case refusedByPeer(FailureReason)
        /// We have given up, and told the other side why.
        case refused(FailureReason)
        /// A person here has said no.
        case cancelled
        /// The other side did nothing for 30 s; this link takes no more pairing.
        case timeout
        /// Too little time has passed since an attempt that failed; another one may be made in so many seconds.
        case tooEarly(seconds: Int)
        /// This link takes no more pairing, because an attempt on it has timed out.
        case closed
        /// Something else is going on.
        case busy
        /// No key of the other side is kept.
        case notBonded
        /// The other side has forgotten the key that is kept here.
        case keyMissing
        /// The other side wants new keys in place of those that are kept here, and shows nothing that says that it is the same
        /// one; nobody here has said that it may.
        case bondKept
        /// The controller could not encrypt the link.
        case encryption(status: UInt8)
        /// The link stopped being encrypted, or was encrypted by somebody else's key.
        case encryptionLost
        /// The link has ended.
        case disconnected
        /// No keys can be made on this machine.
        case noCryptography
    }

    /// What a person is asked.
    public enum Question: Hashable, Sendable {
        /// Which six digits the other device shows, or both shall have.
        case passkey
        /// Whether the other device shows the same six digits.
        case comparison(Passkey)
        /// Whether a device may pair that has asked for it; it may take the place of one that is known.
        case consent(replacesBond: Bool)
    }

    /// What a person answers.
    public enum Answer: Hashable, Sendable {
        /// Yes: the numbers are the same, the device may pair.
        case accept
        /// No, or: give up, whatever was asked.
        case reject
        /// The six digits.
        case passkey(Passkey)
    }

    /// What has become of the encryption of a link.
    public enum EncryptionChange: Hashable, Sendable {
        /// It is encrypted, or encrypted anew.
        case on
        /// It is not encrypted any more.
        case off
        /// It could not be encrypted, or not anew, and is not encrypted; with the controller's status.
        case failed(status: UInt8)
        /// The controller has not begun: the link is as it was; with its status.
        case refused(status: UInt8)
    }
}
