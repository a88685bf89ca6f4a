// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Foundation

/// The file with the key that seals a hub's bonds: 64 hexadecimal digits, for its owner only.
struct BondKeyFile: Sendable {
    /// Where it is.
    let path: String

    /// Reads the key.
    ///
    /// - Parameter mayMake: Whether a new one is made where there is none: only as long as nothing is sealed.
    /// - Returns: The key.
    /// - Throws: ``BondStoreError`` that says what to do.
    func key(mayMake: Bool) throws(BondStoreError) -> [UInt8] {
        if let key = try read() { return key }
        guard mayMake else {
            throw BondStoreError(
                "The key file \(path) is missing, so the keys of bonded devices cannot be read. Put it back, or remove those bonds and pair anew."
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
            throw BondStoreError("\(path) is no file that could hold a key. Name another one.")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw BondStoreError(
                "Others may read the key file \(path). Take that away (chmod 600), then start the hub again.")
        }
        var text = [UInt8](repeating: 0, count: 2 * BondSeal.keyLength + 2)
        let count = text.withUnsafeMutableBytes { unsafe Foundation.read(file, $0.baseAddress, $0.count) }
        defer { BondText.wipe(&text) }
        let digits = text.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
        guard count <= 2 * BondSeal.keyLength + 1, digits.count == 2 * BondSeal.keyLength else {
            throw malformed
        }
        var key: [UInt8] = []
        for index in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
            guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else {
                throw malformed
            }
            key.append(high << 4 | low)
        }
        return key
    }

    private var malformed: BondStoreError {
        BondStoreError(
            "The key file \(path) is not what this program has made: 64 hexadecimal digits. Put the right one back."
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
        var key = BondSeal.makeKey()
        var text: [UInt8] = []
        text.reserveCapacity(2 * key.count + 1)
        for octet in key { for digit in [octet >> 4, octet & 15] { text.append(Self.digits[Int(digit)]) } }
        text.append(UInt8(ascii: "\n"))
        let count = text.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        let isWritten = count == text.count && fsync(file) == 0
        let reason = Self.reason
        BondText.wipe(&text)
        BondText.wipe(&key)
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

    private static let digits = Array("0123456789abcdef".utf8)

    private static func value(_ digit: UInt8) -> UInt8? {
        digits.firstIndex(of: digit | 0x20).map { UInt8($0) }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
