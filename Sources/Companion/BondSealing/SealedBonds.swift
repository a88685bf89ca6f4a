// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
import Companion
package import CompanionHub
package import CompanionStore
import Synchronization

/// Keeps the bonds of a hub in its database, sealed with a key that is in none of it.
///
/// Without its key nothing is lost and nothing is kept: devices pair for one link, and why is said. The key is looked for
/// again whenever bonds are read.
package actor SealedBonds: HubBondStore {
    private let store: DetectionDatabase
    private let source: any BondKeySource
    private let makesKey: Bool
    private var seal: BondSeal?
    /// Getting the key, which may take its time.
    private var preparing: Task<Void, Never>?
    private nonisolated let trouble = Mutex<String?>(nil)

    /// Keeps bonds.
    package init(in store: DetectionDatabase, key source: any BondKeySource, makesKey: Bool = true) {
        self.store = store
        self.source = source
        self.makesKey = makesKey
    }

    /// Keeps bonds, sealed with the key in a file.
    ///
    /// - Parameters:
    ///   - store: Where.
    ///   - keyFile: The file.
    ///   - makesKey: Whether it is made; not by whoever only looks.
    package init(in store: DetectionDatabase, keyFile: String, makesKey: Bool = true) {
        self.init(in: store, key: BondKeyFile(path: keyFile), makesKey: makesKey)
    }

    /// Why no bonds can be kept, in a sentence; `nil` when they can.
    package nonisolated var fault: String? { trouble.withLock { $0 } }

    // MARK: The key

    /// Gets the key, unless it is there already; two who want it at once get the same.
    ///
    /// - Parameter rows: What is sealed.
    private func prepare(_ rows: [SealedBond]) async {
        guard seal == nil || fault != nil else { return }
        if let preparing { return await preparing.value }
        let task = Task { await takeKey(rows) }
        preparing = task
        await task.value
        preparing = nil
    }

    private func takeKey(_ rows: [SealedBond]) async {
        do throws(BondStoreError) {
            var key = try await source.key(mayMake: makesKey && rows.isEmpty)
            defer { BondText.wipe(&key) }
            let seal = BondSeal(key: key)
            guard rows.isEmpty || rows.contains(where: { Self.opened($0, by: seal) != nil }) else {
                throw BondStoreError(
                    "\(source.name) is not the one that has sealed the bonds of this database. Put the right one back, or remove those bonds and pair again."
                )
            }
            self.seal = seal
            trouble.withLock { $0 = nil }
        } catch {
            seal = nil
            trouble.withLock { $0 = error.description }
        }
    }

    private func rows() async throws(BondStoreError) -> [SealedBond] {
        do throws(StoreError) {
            let rows = try await store.sealedBonds()
            await prepare(rows)
            return rows
        } catch {
            throw BondStoreError(error.description)
        }
    }

    private static func opened(_ row: SealedBond, by seal: BondSeal) -> BondText.Content? {
        guard var octets = seal.open(row.octets, adapter: row.adapter, identity: row.identity) else {
            return nil
        }
        defer { BondText.wipe(&octets) }
        // What makes no sense is no bond.
        return try? BondText.content(of: octets)
    }

    // MARK: What is kept

    /// All bonds that can be read, and how many cannot.
    package func all() async throws(BondStoreError) -> (entries: [HubBondEntry], unreadable: Int) {
        let rows = try await rows()
        var (entries, unreadable): ([HubBondEntry], Int) = ([], 0)
        for row in rows {
            guard let adapter = Self.address(row.adapter), let seal, let content = Self.opened(row, by: seal)
            else {
                unreadable += 1
                continue
            }
            for bond in content.bonds { entries.append((adapter, bond)) }
        }
        return (entries, unreadable)
    }

    /// Forgets what cannot be read, so that a new key may seal what comes.
    package func removeUnreadable() async throws(BondStoreError) {
        for row in try await rows() where seal.flatMap({ Self.opened(row, by: $0) }) == nil {
            _ = try await remove(row.adapter, row.identity)
        }
        _ = try await rows()
    }

    /// All that is kept.
    package func bonds(of adapter: BluetoothAddress) async throws(BondStoreError) -> [KeptBond] {
        try await all().entries.filter { $0.adapter == adapter }.map(\.bond)
    }

    /// Keeps a bond, in place of what was kept of the same identity.
    package func keep(_ bond: KeptBond, of adapter: BluetoothAddress) async throws(BondStoreError) {
        var content = BondText.Content()
        content.bonds = [bond]
        try await keep(content, Self.text(adapter), Self.text(bond.identity))
    }

    private func keep(
        _ content: BondText.Content, _ adapter: String, _ identity: String
    ) async throws(BondStoreError) {
        _ = try await rows()
        if let fault { throw BondStoreError(fault) }
        var text = BondText(content)
        defer { text.wipe() }
        guard let sealed = seal?.seal(text.octets, adapter: adapter, identity: identity) else {
            throw BondStoreError("The keys of the device could not be sealed, so they are not kept.")
        }
        do throws(StoreError) {
            try await store.keep(SealedBond(adapter: adapter, identity: identity, octets: sealed))
        } catch {
            throw BondStoreError(error.description)
        }
    }

    /// Forgets a device.
    package func remove(
        _ identity: BluetoothAddress, of adapter: BluetoothAddress
    ) async throws(BondStoreError) -> Bool { try await remove(Self.text(adapter), Self.text(identity)) }

    private func remove(_ adapter: String, _ identity: String) async throws(BondStoreError) -> Bool {
        do throws(StoreError) {
            return try await store.removeBond(adapter: adapter, identity: identity)
        } catch {
            throw BondStoreError(error.description)
        }
    }

    /// The key that an adapter's own changing addresses are made with.
    package func resolvingKey(
        of adapter: BluetoothAddress, orKeep new: SMP.Secret
    ) async throws(BondStoreError) -> SMP.Secret {
        let text = Self.text(adapter)
        let kept = try await rows().first { $0.adapter == text && $0.identity.isEmpty }
        if let kept, let seal, let key = Self.opened(kept, by: seal)?.ownKey { return key }
        var content = BondText.Content()
        content.ownKey = new
        try await keep(content, text, "")
        return new
    }

    // MARK: Addresses

    private static func text(_ address: BluetoothAddress) -> String {
        let digits = String(address.value, radix: 16)
        let kind = address.kind == .public ? "public" : "random"
        return String(repeating: "0", count: 12 - digits.count) + digits + "/" + kind
    }

    private static func address(_ text: String) -> BluetoothAddress? {
        guard let value = UInt64(text.prefix(12), radix: 16) else { return nil }
        switch text.dropFirst(12) {
        case "/public": return BluetoothAddress(value, kind: .public)
        case "/random": return BluetoothAddress(value, kind: .random)
        default: return nil
        }
    }
}
