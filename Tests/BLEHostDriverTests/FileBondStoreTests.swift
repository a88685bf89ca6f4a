// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import BLEHostDriver

@Suite("Bonds in a folder", .timeLimit(.minutes(5)))
struct FileBondStoreTests {
    private static let adapter = BluetoothAddress(0xC000_0000_00AA, kind: .random)
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("lantern-bonds-\(UUID().uuidString)").path
    private var file: String { folder + "/c000000000aa-random.bonds" }

    private static func bond(
        _ number: UInt64, resolvingKey: SMP.Secret? = nil, client: GATT.KeptClient? = nil
    ) throws -> KeptBond {
        let security = SMP.Security(
            isAuthenticated: number > 1, keySize: 16, isSecureConnections: number > 2, isBonded: true)
        let key = SMP.LongTermKey(
            key: SMP.Secret(0x0123_4567_89AB_CDEF << 64 | UInt128(number)), rand: number << 60, ediv: 0xFEDC)
        return try #require(
            KeptBond(
                SMP.Bond(
                    security: security, keyAsCentral: number > 1 ? key : nil, keyAsPeripheral: key,
                    identity: SMP.Identity(
                        resolvingKey: resolvingKey,
                        address: BluetoothAddress(number, kind: number > 1 ? .public : .random))),
                client: client))
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func theKeyOfTheOwnAddressesStaysTheSame() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = FileBondStore(folder: folder)
        let (first, second) = (SMP.Secret(UInt128.max - 7), SMP.Secret(UInt128(1) << 64))
        #expect(try await store.resolvingKey(of: Self.adapter, orKeep: first).isSame(as: first))
        try await store.keep(try Self.bond(2), of: Self.adapter)
        let again = FileBondStore(folder: folder)
        #expect(try await again.resolvingKey(of: Self.adapter, orKeep: second).isSame(as: first))
        #expect(try await again.bonds(of: Self.adapter).count == 1)
        #expect(try mode(file) == 0o600)
        // Another adapter has another one; two of them in one file are not believed.
        let other = BluetoothAddress(0xC000_0000_00AB, kind: .random)
        #expect(try await again.resolvingKey(of: other, orKeep: second).isSame(as: second))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("own ") })
        try FileManager.default.removeItem(atPath: file)
        let twice = Data((text + line + "\n").utf8)
        #expect(
            FileManager.default.createFile(
                atPath: file, contents: twice, attributes: [.posixPermissions: 0o600]))
        await #expect(throws: BondStoreError.self) {
            try await again.resolvingKey(of: Self.adapter, orKeep: second)
        }
    }

    @Test func whatIsKeptComesBack() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = FileBondStore(folder: folder)
        #expect(try await store.bonds(of: Self.adapter).isEmpty)
        #expect(try await store.adapters().isEmpty)
        let client = GATT.KeptClient(
            subscriptions: [0x0016: .notify, 0x0019: [.notify, .indicate]], features: .robustCaching,
            hash: (0..<16).map { $0 * 16 })
        let irk = SMP.Secret(UInt128.max - 5)
        for bond in [
            try Self.bond(1), try Self.bond(2, resolvingKey: irk), try Self.bond(3, client: client),
        ] { try await store.keep(bond, of: Self.adapter) }
        let kept = try await FileBondStore(folder: folder).bonds(of: Self.adapter)
        #expect(kept.map(\.identity.value) == [1, 2, 3])
        #expect(kept.map(\.identity.kind) == [.random, .public, .public])
        #expect(kept.map(\.bond.security.level) == [.encrypted, .authenticated, .secureConnections])
        #expect(kept[0].bond.keyAsCentral == nil && kept[0].client == nil)
        let key = try #require(kept[2].bond.keyAsCentral)
        #expect(key.key.value128 == UInt128(0x0123_4567_89AB_CDEF) << 64 | UInt128(3))
        #expect(key.rand == 3 << 60 && key.ediv == 0xFEDC)
        #expect(kept[1].bond.identity?.resolvingKey?.isSame(as: irk) == true)
        #expect(kept[2].client == client)
        #expect(try await store.adapters() == [Self.adapter])
        // Nobody else may read it, and nothing else is left behind.
        #expect(try mode(file) == 0o600 && mode(folder) == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        // Another adapter has its own.
        #expect(try await store.bonds(of: BluetoothAddress(7, kind: .public)).isEmpty)

        #expect(try await store.remove(kept[1].identity, of: Self.adapter))
        #expect(try await !store.remove(kept[1].identity, of: Self.adapter))
        try await store.keep(try Self.bond(1, client: client), of: Self.adapter)
        #expect(try await store.bonds(of: Self.adapter).map(\.identity.value) == [1, 3])
    }

    @Test(arguments: [
        ("", 1), ("lantern-bonds 2\n", 1), ("lantern-bonds 1\nnonsense\n", 2),
        ("lantern-bonds 1\nbond address=000000000001/public\n", 2),
        ("lantern-bonds 1\n\nbond address=00000000001/public authenticated=1\n", 3),
        ("lantern-bonds 1\nbond colour=red\n", 2), ("lantern-bonds 1\nbond size=11\n", 2),
        ("lantern-bonds 1\nbond central=00:00:00\n", 2), ("lantern-bonds 1\nbond =\n", 2),
    ]) func aFileThatMakesNoSenseIsSaidAndLeft(_ text: String, _ line: Int) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let store = FileBondStore(folder: folder)
        #expect(chmod(file, 0o644) == 0)
        await #expect { _ = try await store.bonds(of: Self.adapter) } throws: {
            "\($0)".contains("chmod 600")
        }
        #expect(chmod(file, 0o600) == 0)
        await #expect { _ = try await store.bonds(of: Self.adapter) } throws: {
            "\($0)".contains("Line \(line) of")
        }
        let bond = try Self.bond(1)
        await #expect(throws: BondStoreError.self) { try await store.keep(bond, of: Self.adapter) }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }

    @Test func aFolderThatCannotBeMadeIsSaid() async throws {
        let store = FileBondStore(folder: "/dev/null/bonds")
        let bond = try Self.bond(1)
        await #expect(throws: BondStoreError.self) { try await store.keep(bond, of: Self.adapter) }
        // Who opens a radio hears of it, not only who pairs later.
        for folder in ["/dev/null/bonds", "/dev/null"] {
            await #expect(throws: BondStoreError.self, "\(folder)") {
                try await FileBondStore(folder: folder).bonds(of: Self.adapter)
            }
        }
        for folder in ["bonds", "./bonds/of/mine/", "/tmp/bonds/of/mine"] {
            #expect(try await FileBondStore(folder: folder).bonds(of: Self.adapter).isEmpty, "\(folder)")
        }
    }

    /// Holds the folder as another program does.
    private func hold() throws -> CInt {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let other = open(folder, O_RDONLY | O_DIRECTORY)
        try #require(flock(other, LOCK_EX) == 0)
        return other
    }

    @Test func whoIsHeldUpByAnotherProgramIsTold() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = try hold()
        let store = FileBondStore(folder: folder, patience: .milliseconds(50))
        let error = await #expect(throws: BondStoreError.self) {
            try await store.keep(try Self.bond(2), of: Self.adapter)
        }
        #expect(error?.description.contains("another program holds them") == true)
        close(other)
        try await store.keep(try Self.bond(2), of: Self.adapter)
        #expect(try await store.bonds(of: Self.adapter).count == 1)
    }

    @Test func whoWaitsForAnotherProgramHoldsUpNoTask() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = try hold()
        let store = FileBondStore(folder: folder, patience: .seconds(300))
        // More than there are threads for tasks.
        let keeping = try (0..<64).map { number in
            let bond = try Self.bond(UInt64(number) + 2)
            return Task { try await store.keep(bond, of: Self.adapter) }
        }
        for _ in 0..<1000 { await Task.detached {}.value }
        // What its task wants no more is kept all the same.
        keeping[0].cancel()
        close(other)
        for task in keeping { try await task.value }
        #expect(try await store.bonds(of: Self.adapter).count == 64)
    }

    @Test func manyWhoKeepLoseNothing() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let folder = folder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 as ClosedRange<UInt64> {
                let bond = try Self.bond(number)
                group.addTask {
                    // However busy the machine is.
                    let store = FileBondStore(folder: folder, patience: .seconds(300))
                    try await store.keep(bond, of: Self.adapter)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await FileBondStore(folder: folder).bonds(of: Self.adapter).count == 20)
    }
}
