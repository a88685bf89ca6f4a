// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BLEWire
import BluetoothLE

/// A store of bonds for which the clock of a manual loop stands still: a disk takes none of a test's time.
struct HeldBondStore: BondStore {
    let store: any BondStore
    let loop: TransportLoop

    func bonds(of adapter: BluetoothAddress) async throws(BondStoreError) -> [KeptBond] {
        try await loop.holdingTime { () async throws(BondStoreError) in try await store.bonds(of: adapter) }
    }

    func keep(_ bond: KeptBond, of adapter: BluetoothAddress) async throws(BondStoreError) {
        try await loop.holdingTime { () async throws(BondStoreError) in
            try await store.keep(bond, of: adapter)
        }
    }

    func remove(_ identity: BluetoothAddress, of adapter: BluetoothAddress) async throws(BondStoreError)
        -> Bool
    {
        try await loop.holdingTime { () async throws(BondStoreError) in
            try await store.remove(identity, of: adapter)
        }
    }

    func resolvingKey(
        of adapter: BluetoothAddress, orKeep new: SMP.Secret
    ) async throws(BondStoreError) -> SMP.Secret {
        try await loop.holdingTime { () async throws(BondStoreError) in
            try await store.resolvingKey(of: adapter, orKeep: new)
        }
    }
}
