// SPDX-License-Identifier: Apache-2.0

/// What pairing needs of a machine: one block cipher, one curve, and chance.
///
/// On a host `BLECrypto` has it; on a chip it is what the firmware brings: a hardware block or a library. Everything
/// else (CMAC, the functions of the specification, the check that a key lies on the curve) is built on it here.
/// It is bound to classes because Embedded Swift has no other protocol values.
public protocol PairingCryptography: AnyObject, Sendable {
    /// Encrypts one block with AES-128, in a time that depends on neither argument.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.2.1; FIPS 197.
    ///
    /// - Parameters:
    ///   - block: The block; its most significant octet is the first of FIPS 197.
    ///   - key: The key, likewise.
    /// - Returns: The encrypted block.
    func encrypt(_ block: UInt128, key: UInt128) -> UInt128

    /// A number that nobody can guess.
    ///
    /// - Returns: 128 random bits.
    func random() -> UInt128

    /// The public key that belongs to a private one, on the curve P-256.
    ///
    /// - Parameter privateKey: The private key.
    /// - Returns: The point; `nil` when the number is no private key: 0, or not below the order of the curve.
    func publicKey(of privateKey: SMP.Secret) -> SMP.PublicKey?

    /// The first coordinate of the point that both sides can compute.
    ///
    /// - Parameters:
    ///   - privateKey: Our private key.
    ///   - publicKey: The key of the other side; the caller has checked that it lies on the curve.
    /// - Returns: 256 bits; `nil` when there is none.
    func sharedSecret(of privateKey: SMP.Secret, with publicKey: SMP.PublicKey) -> SMP.Secret?
}

extension SMP {
    /// A private key and the public one that belongs to it.
    public struct KeyPair: Sendable {
        /// What nobody else may know.
        public let privateKey: Secret
        /// What the other side gets.
        public let publicKey: PublicKey

        /// Makes a new pair; none when the cryptography makes no keys at all.
        ///
        /// - Parameter cryptography: What it is made with.
        public init?(from cryptography: any PairingCryptography) {
            // One number in 2³² is no private key; eight of them are a broken source.
            for _ in 0..<8 {
                let privateKey = Secret(UInt256(cryptography.random(), cryptography.random()))
                if let publicKey = cryptography.publicKey(of: privateKey) {
                    self.privateKey = privateKey
                    self.publicKey = publicKey
                    return
                }
            }
            return nil
        }

        /// Puts a known pair together, for tests.
        public init(privateKey: Secret, publicKey: PublicKey) {
            self.privateKey = privateKey
            self.publicKey = publicKey
        }
    }
}
