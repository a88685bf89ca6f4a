// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEWire

/// A device of a controller's resolving list.
///
/// Spec: Core v5.4, Vol 6, Part B, 4.7.
struct ResolvingEntry {
    let identity: BluetoothAddress
    /// What its private addresses are made with; `nil` when it has none.
    let peerKey: AddressKey?
    /// What ours are made with towards it; likewise.
    let localKey: AddressKey?
    var mode = HCI.PrivacyMode.network
    /// The private address that we use towards it, and since when.
    var local: (address: BluetoothAddress, since: HostInstant)?
    /// The private address that it was heard with last.
    var peer: BluetoothAddress?
}

/// An identity resolving key.
struct AddressKey {
    /// As it travels: the least significant octet first.
    let octets: [UInt8]
    private let cipher: AES128

    /// - Returns: The key; `nil` when all of it is zero, which is none.
    init?(_ octets: [UInt8]) {
        guard octets.contains(where: { $0 != 0 }) else { return nil }
        self.octets = octets
        cipher = AES128(key: octets.reversed())
    }

    /// The hash that belongs to the random part of a private address.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 1.3.2.2.
    private func hash(of part: UInt64) -> UInt64 {
        var block = [UInt8](repeating: 0, count: 13)
        for shift in [16, 8, 0] { block.append(UInt8(truncatingIfNeeded: part >> UInt64(shift))) }
        return cipher.encrypt(block).suffix(3).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A private address.
    func address(from random: UInt64) -> BluetoothAddress {
        // Of the 22 random bits one is 1 and one is 0.
        let part = random & 0x3F_FFFC | 0x40_0001
        return BluetoothAddress(part << 24 | hash(of: part), kind: .random)
    }

    /// Whether a private address was made with the key.
    func resolves(_ address: BluetoothAddress) -> Bool {
        address.kind == .random && address.value >> 46 == 0b01
            && hash(of: address.value >> 24) == address.value & 0xFF_FFFF
    }
}

extension HCI.OwnAddressType {
    /// Whether a private address is to be made where the resolving list has a key for it.
    var isResolvable: Bool { self == .resolvableOrPublic || self == .resolvableOrRandom }
}

extension Controller {
    /// Whether anything goes on that would change with the resolving list.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.38.
    var isOnAir: Bool {
        state.scanning != nil || state.initiating != nil
            || (state.advertisingSets + [state.legacySet]).contains { $0.run != nil }
    }

    func entry(of identity: BluetoothAddress) throws(HCI.Status) -> Int {
        guard let index = state.resolvingList.firstIndex(where: { $0.identity == identity }) else {
            throw .unknownConnectionIdentifier
        }
        return index
    }

    /// Who is heard, as far as the resolving list says.
    ///
    /// - Returns: The address to report; `nil` when network privacy has the packet passed over.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.7.
    func heard(_ address: BluetoothAddress) -> HeardAddress? {
        guard state.resolvesAddresses else { return HeardAddress(address: address, onAir: address) }
        for index in state.resolvingList.indices {
            let entry = state.resolvingList[index]
            guard let key = entry.peerKey else { continue }
            if key.resolves(address) {
                state.resolvingList[index].peer = address
                return HeardAddress(address: entry.identity, onAir: address)
            }
            if entry.identity == address, entry.mode == .network { return nil }
        }
        return HeardAddress(address: address, onAir: address)
    }
}

/// An address that was heard, and whose it is.
struct HeardAddress {
    /// The identity if it was resolved.
    let address: BluetoothAddress
    let onAir: BluetoothAddress

    var isIdentity: Bool { address != onAir }

    /// Whether a host that named somebody has meant this one.
    func isOne(of addresses: [BluetoothAddress]) -> Bool {
        addresses.contains(address) || addresses.contains(onAir)
    }
}

extension VirtualAir {
    /// The address that a controller uses towards a peer.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - type: What the host has chosen.
    ///   - peer: The peer's identity.
    ///   - other: What it uses where the resolving list has no key.
    /// - Returns: The address.
    func ownAddress(
        of controller: Controller, _ type: HCI.OwnAddressType, towards peer: BluetoothAddress,
        else other: BluetoothAddress
    ) -> BluetoothAddress {
        guard type.isResolvable, controller.state.resolvesAddresses,
            let index = controller.state.resolvingList.firstIndex(where: { $0.identity == peer }),
            let key = controller.state.resolvingList[index].localKey
        else { return other }
        let limit = controller.state.privateAddressSeconds * 1_000_000
        if let local = controller.state.resolvingList[index].local,
            now.microseconds(since: local.since) < limit
        {
            return local.address
        }
        let address = key.address(from: randomness.next())
        controller.state.resolvingList[index].local = (address, now)
        return address
    }
}
