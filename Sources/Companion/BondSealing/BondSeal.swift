// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// Seals what the database keeps of devices, so that a copy of it is no use to anybody who lacks the key.
///
/// Spec: RFC 8439 (ChaCha20 and Poly1305). What is sealed is bound to its adapter and device: rows cannot be exchanged.
struct BondSeal: Sendable {
    /// Octets of a key.
    static let keyLength = 32

    private let key: SymmetricKey

    /// Seals with a key.
    ///
    /// - Parameter key: 32 octets.
    init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

    /// A key that nobody can guess.
    static func makeKey() -> [UInt8] {
        SymmetricKey(size: .bits256).withUnsafeBytes { unsafe [UInt8]($0) }
    }

    /// Seals octets; each time they look different.
    func seal(_ octets: [UInt8], adapter: String, identity: String) -> [UInt8]? {
        let sealed = try? ChaChaPoly.seal(octets, using: key, authenticating: Self.about(adapter, identity))
        return sealed.map { [UInt8]($0.combined) }
    }

    /// Opens what was sealed.
    ///
    /// - Returns: The octets; `nil` when another key has sealed them, or somebody has changed them.
    func open(_ octets: [UInt8], adapter: String, identity: String) -> [UInt8]? {
        // What fails says no more than that.
        guard let box = try? ChaChaPoly.SealedBox(combined: octets),
            let opened = try? ChaChaPoly.open(box, using: key, authenticating: Self.about(adapter, identity))
        else { return nil }
        return [UInt8](opened)
    }

    private static func about(_ adapter: String, _ identity: String) -> [UInt8] {
        Array("lantern-bond 1 \(adapter) \(identity)".utf8)
    }
}
