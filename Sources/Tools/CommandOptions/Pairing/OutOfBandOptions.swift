// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLECrypto
package import BluetoothLE
package import CommandIO
import Companion
import Foundation

/// What two devices tell each other another way than by radio before they pair.
package struct OutOfBandOptions: ParsableArguments {
    /// The longest file that is read, in octets.
    private static let longest = 4096

    @Option(
        help: ArgumentHelp(
            "What the other device has handed over out of band: a file, or advertising data in hex digits.",
            valueName: "file|hex"),
        completion: .file())
    var oobData: String?

    @Flag(help: "Show this side's out-of-band data, which the other device has to get before it pairs.")
    package var showOobData = false

    package init() {}

    /// Whether anything goes another way.
    package var isUsed: Bool { oobData != nil || showOobData }

    /// The data of the other device.
    ///
    /// - Returns: Advertising data; `nil` when there is none.
    /// - Throws: ``CommandError`` when it cannot be read, or makes no sense.
    package func octets() throws(CommandError) -> [UInt8]? {
        guard let oobData else { return nil }
        var octets = [UInt8](typed: oobData) ?? []
        if octets.isEmpty { octets = try Self.octets(ofFile: oobData) }
        _ = try Self.decode(octets)
        return octets
    }

    private static func octets(ofFile path: String) throws(CommandError) -> [UInt8] {
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            data = try file.read(upToCount: longest + 1) ?? Data()
        } catch {
            throw .wrongUsage(
                "--oob-data \(path) is neither hex digits nor a file that can be read: give what the other device has handed over."
            )
        }
        guard data.count <= longest else {
            throw .wrongUsage("\(path) is too long for out-of-band data, which has about 60 octets.")
        }
        // As text or as it came from a tag, whose first octet, a length, is no digit.
        return [UInt8](typed: String(decoding: data, as: UTF8.self)) ?? [UInt8](data)
    }

    /// Understands what another device has handed over.
    ///
    /// - Parameter octets: Advertising data.
    /// - Returns: What it says.
    /// - Throws: ``CommandError`` when it makes no sense.
    package static func decode(_ octets: [UInt8]) throws(CommandError) -> OutOfBandData {
        do throws(OutOfBandData.Invalid) {
            return try OutOfBandData(decoding: octets)
        } catch {
            throw .wrongUsage("This is not out-of-band data. \(error.description)")
        }
    }

    /// Makes new keys, and what the other device has to know of them.
    ///
    /// - Parameters:
    ///   - configuration: What pairs with these keys.
    ///   - hasTemporaryKey: Whether there is a key for legacy pairing in it, too.
    /// - Returns: What the other device has to get.
    /// - Throws: ``CommandError``.
    static func makeOwn(
        for configuration: inout SMP.Configuration, hasTemporaryKey: Bool = false
    ) throws(CommandError) -> OutOfBandData {
        let cryptography = HostCryptography()
        guard let own = SMP.OutOfBand.Own(from: cryptography) else {
            throw .failed("No keys could be made: try again.")
        }
        configuration.outOfBand.own = own
        if hasTemporaryKey, configuration.outOfBand.temporaryKey == nil {
            configuration.outOfBand.temporaryKey = SMP.Secret(cryptography.random())
            return OutOfBandData(own, temporaryKey: configuration.outOfBand.temporaryKey)
        }
        return OutOfBandData(own)
    }
}
