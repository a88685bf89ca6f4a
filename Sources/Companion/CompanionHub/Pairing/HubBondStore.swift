// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import BluetoothLE

/// A bond, and the adapter that the device knows.
public typealias HubBondEntry = (adapter: BluetoothAddress, bond: KeptBond)

/// Keeps the bonds of a hub, whatever adapter it has at the moment.
public protocol HubBondStore: BondStore {
    /// Why no bonds can be kept, in a sentence; `nil` when they can.
    var fault: String? { get }

    /// All bonds that can be read, and how many cannot.
    func all() async throws(BondStoreError) -> (entries: [HubBondEntry], unreadable: Int)

    /// Forgets what cannot be read, so that others can be kept.
    func removeUnreadable() async throws(BondStoreError)
}
