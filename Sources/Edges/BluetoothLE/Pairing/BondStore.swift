// SPDX-License-Identifier: Apache-2.0

/// What is kept of a bonded device: its keys, and what our server knows of it.
public struct KeptBond: Sendable {
    /// The address that stays.
    public let identity: BluetoothAddress
    /// The keys.
    public var bond: SMP.Bond
    /// What it has switched on, and what it says that it can do; `nil` when it was no client yet.
    public var client: GATT.KeptClient?

    /// Puts it together; none of a bond that has no identity.
    ///
    /// - Parameters:
    ///   - bond: The keys.
    ///   - client: What our server keeps of it.
    public init?(_ bond: SMP.Bond, client: GATT.KeptClient? = nil) {
        guard let identity = bond.identity?.address else { return nil }
        self.identity = identity
        self.bond = bond
        self.client = client
    }
}

/// Why bonds could not be read or written, in a sentence.
public struct BondStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    /// Makes an error.
    public init(_ description: String) { self.description = description }
}

/// Keeps bonds from one run of a program to the next, apart for each adapter: a device knows one adapter, not the machine.
///
/// A radio reads once, when it is started, and tells of each change.
public protocol BondStore: Sendable {
    /// All that is kept.
    ///
    /// - Parameter adapter: The address by which devices know the adapter.
    /// - Returns: The bonds, the oldest first.
    /// - Throws: ``BondStoreError`` when it cannot be read.
    func bonds(of adapter: BluetoothAddress) async throws(BondStoreError) -> [KeptBond]

    /// Keeps a bond, in place of what was kept of the same identity.
    ///
    /// - Parameters:
    ///   - bond: The bond.
    ///   - adapter: The address by which devices know the adapter.
    /// - Throws: ``BondStoreError`` when it is not kept.
    func keep(_ bond: KeptBond, of adapter: BluetoothAddress) async throws(BondStoreError)

    /// Forgets a device.
    ///
    /// - Parameters:
    ///   - identity: The address that stays.
    ///   - adapter: The address by which devices know the adapter.
    /// - Returns: Whether it was known.
    /// - Throws: ``BondStoreError`` when it is still kept.
    func remove(_ identity: BluetoothAddress, of adapter: BluetoothAddress) async throws(BondStoreError)
        -> Bool

    /// The key that an adapter's own changing addresses are made with.
    ///
    /// - Parameters:
    ///   - adapter: The address by which devices know the adapter.
    ///   - new: What is kept from then on where there is no key.
    /// - Returns: The key that is kept.
    /// - Throws: ``BondStoreError`` when it cannot be read or kept.
    func resolvingKey(of adapter: BluetoothAddress, orKeep new: SMP.Secret) async throws(BondStoreError)
        -> SMP.Secret
}

/// Keeps bonds as long as the program runs.
public actor MemoryBondStore: BondStore {
    private var adapters: [BluetoothAddress: [KeptBond]] = [:]
    private var ownKeys: [BluetoothAddress: SMP.Secret] = [:]

    /// Starts with nothing.
    public init() {}

    /// All that is kept.
    public func bonds(of adapter: BluetoothAddress) -> [KeptBond] { adapters[adapter] ?? [] }

    /// Keeps a bond, in place of what was kept of the same identity.
    public func keep(_ bond: KeptBond, of adapter: BluetoothAddress) {
        adapters[adapter, default: []].keep(bond)
    }

    /// Forgets a device.
    public func remove(_ identity: BluetoothAddress, of adapter: BluetoothAddress) -> Bool {
        adapters[adapter]?.remove(identity) ?? false
    }

    /// The key that an adapter's own changing addresses are made with.
    public func resolvingKey(of adapter: BluetoothAddress, orKeep new: SMP.Secret) -> SMP.Secret {
        let key = ownKeys[adapter] ?? new
        ownKeys[adapter] = key
        return key
    }
}

extension [KeptBond] {
    /// Keeps a bond in the place of the same identity's, or at the end.
    package mutating func keep(_ bond: KeptBond) {
        if let index = firstIndex(where: { $0.identity == bond.identity }) {
            self[index] = bond
        } else {
            append(bond)
        }
    }

    /// Takes the bond of an identity out.
    ///
    /// - Returns: Whether there was one.
    package mutating func remove(_ identity: BluetoothAddress) -> Bool {
        guard let index = firstIndex(where: { $0.identity == identity }) else { return false }
        remove(at: index)
        return true
    }
}
