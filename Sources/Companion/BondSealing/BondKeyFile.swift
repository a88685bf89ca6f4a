// SPDX-License-Identifier: Apache-2.0

package import BluetoothLE
import Foundation

/// Where the key is that seals a hub's bonds.
package protocol BondKeySource: Sendable {
    /// What it is called at the beginning of a sentence.
    var name: String { get }

    /// Gets the key.
    ///
    /// - Parameter mayMake: Whether a new one is made where there is none: only as long as nothing is sealed.
    /// - Returns: The key, 32 octets.
    /// - Throws: ``BondStoreError`` that says what to do.
    func key(mayMake: Bool) async throws(BondStoreError) -> [UInt8]
}

/// The key as text, as files and keyrings have it: 64 hexadecimal digits.
package enum BondKeyText {
    private static let digits = Array("0123456789abcdef".utf8)

    /// A new key that nobody can guess.
    package static func make() -> [UInt8] {
        var key = BondSeal.makeKey()
        defer { BondText.wipe(&key) }
        var text: [UInt8] = []
        text.reserveCapacity(2 * key.count + 1)
        for octet in key { for digit in [octet >> 4, octet & 15] { text.append(digits[Int(digit)]) } }
        return text
    }

    /// Reads a key.
    ///
    /// - Parameter text: The digits.
    /// - Returns: The key; `nil` when it is none.
    package static func key(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count == 2 * BondSeal.keyLength else { return nil }
        var key: [UInt8] = []
        var half: UInt8?
        for digit in text {
            guard let value = digits.firstIndex(of: digit | 0x20) else { return nil }
            if let high = half { key.append(high << 4 | UInt8(value)) }
            half = half == nil ? UInt8(value) : nil
        }
        return key
    }
}

/// The file with the key that seals a hub's bonds, for its owner only.
struct BondKeyFile: BondKeySource {
    /// Where it is.
    let path: String

    var name: String { "The key file \(path)" }

    func key(mayMake: Bool) throws(BondStoreError) -> [UInt8] {
        if let key = try read() { return key }
        guard mayMake else {
            throw BondStoreError(
                "The key file \(path) is missing, so the keys of bonded devices cannot be read. Put it back, or remove those bonds and pair again."
            )
        }
        try make()
        guard let key = try read() else {
            throw BondStoreError("The key file \(path) was taken away as it was made.")
        }
        return key
    }

    /// - Returns: The key; `nil` when there is no file.
    private func read() throws(BondStoreError) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if file < 0, errno == ENOENT { return nil }
        guard file >= 0 else {
            throw BondStoreError("The key file \(path) cannot be read: \(Self.reason).")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw BondStoreError("\(path) is not a file that can hold a key. Name another one.")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw BondStoreError(
                "Others can read the key file \(path). Run chmod 600 on it, then start the hub again.")
        }
        var text = [UInt8](repeating: 0, count: 2 * BondSeal.keyLength + 2)
        let count = text.withUnsafeMutableBytes { unsafe Foundation.read(file, $0.baseAddress, $0.count) }
        defer { BondText.wipe(&text) }
        let digits = text.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
        guard count <= 2 * BondSeal.keyLength + 1, let key = BondKeyText.key(digits) else { throw malformed }
        return key
    }

    private var malformed: BondStoreError {
        BondStoreError(
            "The key file \(path) does not hold a key of Lantern, which has 64 hexadecimal digits. Put the right one back."
        )
    }

    /// Makes the file with a new key, whole or not at all; one that was made meanwhile stays.
    private func make() throws(BondStoreError) {
        let partial = "\(path).partial"
        unlink(partial)
        let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw BondStoreError("The key file \(path) cannot be made: \(Self.reason).")
        }
        var text = BondKeyText.make()
        text.append(UInt8(ascii: "\n"))
        let count = text.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        let isWritten = count == text.count && fsync(file) == 0
        let reason = Self.reason
        BondText.wipe(&text)
        close(file)
        // A link does not take the place of a file.
        let isThere = isWritten && (link(partial, path) == 0 || errno == EEXIST)
        let linkReason = Self.reason
        unlink(partial)
        guard isThere else {
            throw BondStoreError(
                "The key file \(path) cannot be written: \(isWritten ? linkReason : reason).")
        }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
