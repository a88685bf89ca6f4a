// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import CompanionStore
import Foundation
import Testing

@testable import BondSealing

@Suite("Bonds in a hub's database", .timeLimit(.minutes(5)))
struct SealedBondsTests {
    private static let adapter = BluetoothAddress(0x00AA_0000_0001, kind: .public)
    private static let other = BluetoothAddress(0xC000_0000_0002, kind: .random)
    private static let key: UInt128 = 0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210
    private let folder = NSTemporaryDirectory() + "lantern-bonds-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private var keyFile: String { folder + "/key" }

    private func store() throws -> DetectionDatabase {
        try DetectionDatabase(path: folder + "/hub.sqlite", createIfMissing: true)
    }

    private static func bond(_ number: UInt64, key: UInt128 = Self.key) throws -> KeptBond {
        let security = SMP.Security(
            isAuthenticated: true, keySize: 16, isSecureConnections: true, isBonded: true)
        let long = SMP.LongTermKey(key: SMP.Secret(key), rand: 0, ediv: 0)
        return try #require(
            KeptBond(
                SMP.Bond(
                    security: security, keyAsCentral: long, keyAsPeripheral: long,
                    identity: SMP.Identity(
                        resolvingKey: SMP.Secret(7),
                        address: BluetoothAddress(0xC100_0000_0000 + number, kind: .random))),
                client: GATT.KeptClient(
                    subscriptions: [AttributeHandle(rawValue: 9): GATT.Subscription(rawValue: 1)],
                    features: GATT.ClientFeatures(rawValue: 3), hash: Array(0..<16))))
    }

    @Test func bondsOutliveTheProgramAndStandNowhereInClear() async throws {
        let first = try store()
        let bonds = SealedBonds(in: first, keyFile: keyFile)
        #expect(try await bonds.bonds(of: Self.adapter).isEmpty)
        try await bonds.keep(try Self.bond(1), of: Self.adapter)
        try await bonds.keep(try Self.bond(2), of: Self.adapter)
        try await bonds.keep(try Self.bond(1), of: Self.other)
        let own = try await bonds.resolvingKey(of: Self.adapter, orKeep: SMP.Secret(99))
        #expect(own.value128 == 99)
        let copy = folder + "/copy.sqlite"
        try await first.copy(to: copy)
        try await first.close()
        let second = try store()
        let again = SealedBonds(in: second, keyFile: keyFile)
        let kept = try await again.bonds(of: Self.adapter)
        #expect(kept.map(\.identity.value) == [0xC100_0000_0001, 0xC100_0000_0002])
        let one = try #require(kept.first)
        #expect(
            one.bond.keyAsCentral?.key.value128 == Self.key && one.bond.identity?.resolvingKey?.value128 == 7)
        #expect(one.client?.hash == Array(0..<16) && one.client?.subscriptions.count == 1)
        #expect(try await again.resolvingKey(of: Self.adapter, orKeep: SMP.Secret(5)).value128 == 99)
        #expect(try await again.remove(one.identity, of: Self.adapter))
        #expect(try await !again.remove(one.identity, of: Self.adapter))
        #expect(try await again.bonds(of: Self.adapter).count == 1)
        #expect(try await again.bonds(of: Self.other).count == 1)
        try await second.close()
        // Neither as octets, in either order, nor as text: not in the file, its log or a copy.
        let octets = (0..<16).map { UInt8(truncatingIfNeeded: Self.key >> UInt128($0 * 8)) }
        let text = Array("0123456789abcdeffedcba9876543210".utf8)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file != "key" {
            let content = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
            for secret in [octets, octets.reversed(), text] {
                #expect(content.range(of: Data(secret)) == nil, "\(file)")
            }
        }
        let mode = try FileManager.default.attributesOfItem(atPath: keyFile)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test(arguments: ["missing", "another", "spoiled", "open"])
    func withoutItsKeyNothingIsLostAndNothingKept(_ fault: String) async throws {
        let store = try store()
        let before = SealedBonds(in: store, keyFile: keyFile)
        try await before.keep(try Self.bond(1), of: Self.adapter)
        let right = try Data(contentsOf: URL(fileURLWithPath: keyFile))
        switch fault {
        case "missing": try FileManager.default.removeItem(atPath: keyFile)
        case "another":
            try Data(String(repeating: "ab", count: 32).utf8).write(to: URL(fileURLWithPath: keyFile))
        case "spoiled": try Data("what".utf8).write(to: URL(fileURLWithPath: keyFile))
        default: chmod(keyFile, 0o644)
        }
        if fault != "open" { chmod(keyFile, 0o600) }
        let bonds = SealedBonds(in: store, keyFile: keyFile)
        #expect(try await bonds.bonds(of: Self.adapter).isEmpty)
        let sentence = try #require(bonds.fault)
        #expect(sentence.contains(keyFile))
        await #expect(throws: BondStoreError(sentence)) {
            try await bonds.keep(try Self.bond(2), of: Self.adapter)
        }
        #expect(try await bonds.all().unreadable == 1)
        // No new key was made in its place.
        #expect(FileManager.default.fileExists(atPath: keyFile) == (fault != "missing"))
        // Put back, everything is as it was.
        try right.write(to: URL(fileURLWithPath: keyFile))
        chmod(keyFile, 0o600)
        #expect(try await bonds.bonds(of: Self.adapter).count == 1)
        #expect(bonds.fault == nil)
        try await bonds.keep(try Self.bond(2), of: Self.adapter)
        #expect(try await bonds.all().entries.count == 2)
        try await store.close()
    }

    @Test func aPersonMayBeginAnewWithoutTheKey() async throws {
        let store = try store()
        let before = SealedBonds(in: store, keyFile: keyFile)
        try await before.keep(try Self.bond(1), of: Self.adapter)
        try FileManager.default.removeItem(atPath: keyFile)
        let bonds = SealedBonds(in: store, keyFile: keyFile)
        _ = try await bonds.all()
        #expect(bonds.fault != nil)
        try await bonds.removeUnreadable()
        #expect(bonds.fault == nil)
        #expect(try await store.sealedBonds().isEmpty)
        try await bonds.keep(try Self.bond(3), of: Self.adapter)
        #expect(try await bonds.bonds(of: Self.adapter).count == 1)
        try await store.close()
    }

    @Test func rowsCannotBeExchangedOrChanged() async throws {
        let store = try store()
        let bonds = SealedBonds(in: store, keyFile: keyFile)
        try await bonds.keep(try Self.bond(1), of: Self.adapter)
        try await bonds.keep(try Self.bond(2), of: Self.adapter)
        let rows = try await store.sealedBonds()
        // The keys of one device under the address of another one.
        try await store.keep(
            SealedBond(adapter: rows[0].adapter, identity: rows[0].identity, octets: rows[1].octets))
        #expect(try await bonds.bonds(of: Self.adapter).map(\.identity.value) == [0xC100_0000_0002])
        var spoiled = rows[1].octets
        spoiled[spoiled.count / 2] ^= 1
        try await store.keep(
            SealedBond(adapter: rows[0].adapter, identity: rows[0].identity, octets: rows[0].octets))
        try await store.keep(
            SealedBond(adapter: rows[1].adapter, identity: rows[1].identity, octets: spoiled))
        #expect(try await bonds.bonds(of: Self.adapter).map(\.identity.value) == [0xC100_0000_0001])
        #expect(try await bonds.all().unreadable == 1)
        try await store.close()
    }

    @Test func aBackupThatIsRestoredKeepsTheBondsOfNow() async throws {
        let store = try store()
        let bonds = SealedBonds(in: store, keyFile: keyFile)
        try await bonds.keep(try Self.bond(1), of: Self.adapter)
        let copy = folder + "/old.sqlite"
        try await store.copy(to: copy)
        _ = try await bonds.remove(try Self.bond(1).identity, of: Self.adapter)
        try await bonds.keep(try Self.bond(2), of: Self.adapter)
        try await store.replaceContent(with: try await store.readCopy(copy))
        #expect(try await bonds.bonds(of: Self.adapter).map(\.identity.value) == [0xC100_0000_0002])
        try await store.close()
    }
}
