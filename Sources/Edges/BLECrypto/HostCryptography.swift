// SPDX-License-Identifier: Apache-2.0

// Without its trait there is no swift-crypto to import.
#if Pairing
public import BLESMP
import Crypto
import CryptoExtras

/// What pairing needs of a host: swift-crypto, whose AES and P-256 take the same time for all keys.
public final class HostCryptography: PairingCryptography {
    /// Makes it.
    public init() {}

    /// Encrypts one block with AES-128.
    ///
    /// - Parameters:
    ///   - block: The block; its most significant octet is the first of FIPS 197.
    ///   - key: The key, likewise.
    /// - Returns: The encrypted block.
    public func encrypt(_ block: UInt128, key: UInt128) -> UInt128 {
        var octets = block.octets
        var keyOctets = key.octets
        defer { keyOctets.wipe() }
        do {
            try AES.permute(&octets, key: SymmetricKey(data: keyOctets))
        } catch {
            // It throws for a block or a key of another length only, and both have 16 octets.
            preconditionFailure("AES refuses a block and a key of 128 bits")
        }
        return UInt128(octets: octets)
    }

    /// A number that nobody can guess: of the system's source.
    ///
    /// - Returns: 128 random bits.
    public func random() -> UInt128 {
        var generator = SystemRandomNumberGenerator()
        return UInt128(generator.next()) << 64 | UInt128(generator.next())
    }

    /// The public key that belongs to a private one.
    ///
    /// - Parameter privateKey: The private key.
    /// - Returns: The point; `nil` when the number is no private key.
    public func publicKey(of privateKey: SMP.Secret) -> SMP.PublicKey? {
        guard let octets = key(privateKey)?.publicKey.rawRepresentation, octets.count == 64 else {
            return nil
        }
        return SMP.PublicKey(x: .init(octets: octets.prefix(32)), y: .init(octets: octets.suffix(32)))
    }

    /// The first coordinate of the point that both sides can compute.
    ///
    /// - Parameters:
    ///   - privateKey: Our private key.
    ///   - publicKey: The key of the other side.
    /// - Returns: 256 bits; `nil` when the point is not on the curve.
    public func sharedSecret(of privateKey: SMP.Secret, with publicKey: SMP.PublicKey) -> SMP.Secret? {
        let point = publicKey.x.octets + publicKey.y.octets
        // What fails is that a number is no key, which is the answer.
        guard let own = key(privateKey),
            let other = try? P256.KeyAgreement.PublicKey(rawRepresentation: point),
            let shared = try? own.sharedSecretFromKeyAgreement(with: other)
        else { return nil }
        return shared.withUnsafeBytes { SMP.Secret(.init(octets: $0)) }
    }

    private func key(_ privateKey: SMP.Secret) -> P256.KeyAgreement.PrivateKey? {
        var octets = privateKey.value256.octets
        defer { octets.wipe() }
        // What fails is that the number is no key, which is the answer.
        return try? P256.KeyAgreement.PrivateKey(rawRepresentation: octets)
    }
}

extension [UInt8] {
    /// Overwrites the octets, by a function that the compiler may not look into.
    @inline(never)
    @_optimize(none)
    fileprivate mutating func wipe() {
        for index in indices { self[index] = 0 }
    }
}

extension UInt128 {
    /// Sixteen octets, the most significant first.
    fileprivate var octets: [UInt8] { withUnsafeBytes(of: bigEndian) { [UInt8]($0) } }

    fileprivate init(octets: some Sequence<UInt8>) { self = octets.reduce(0) { $0 << 8 | UInt128($1) } }
}

extension SMP.UInt256 {
    /// 32 octets, the most significant first.
    fileprivate var octets: [UInt8] { high.octets + low.octets }

    fileprivate init(octets: some Collection<UInt8>) {
        self.init(UInt128(octets: octets.prefix(16)), UInt128(octets: octets.dropFirst(16)))
    }
}
#else
#error(
    "BLECrypto needs the trait Pairing of Lantern: write `traits: [\"Pairing\"]` where your Package.swift names the package, as in .package(path: \"../lantern\", traits: [\"Pairing\"])."
)
#endif
