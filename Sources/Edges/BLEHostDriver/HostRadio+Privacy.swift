// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLESMP
public import BLEWire
import BluetoothLE

// Addresses that change.
extension HostRadio {
    /// Whether this side can be heard under an address that changes.
    var canHide: Bool { hasCryptography && stack.controller.ownAddress?.kind == .random }

    /// The address that others hear; `nil` when the radio is off.
    public var addressOnAir: BluetoothAddress? { stack.isReady ? stack.addressOnAir : nil }

    package nonisolated func usePrivacy(_ isOn: Bool) async throws(BluetoothError) {
        let key = isOn ? try await keyOfOwn() : nil
        _ = try await wait { radio in radio.beginPrivacy(key) }
    }

    /// The key that stays the same from run to run, where there is a store.
    private func keyOfOwn() async throws(BluetoothError) -> SMP.Secret {
        guard canHide, let adapter = stack.controller.ownAddress else { throw .unsupported(.privacy) }
        if let ownKey { return ownKey }
        var generator = SystemRandomNumberGenerator()
        let new = SMP.Secret(UInt128(generator.next()) << 64 | UInt128(generator.next()))
        guard let bondStore else {
            ownKey = new
            return new
        }
        do throws(BondStoreError) {
            return try await bondStore.resolvingKey(of: adapter, orKeep: new)
        } catch {
            throw .bonds(error.description)
        }
    }

    private func beginPrivacy(_ key: SMP.Secret?) -> WaitStart {
        guard stack.isReady else { return .over(.failure(.radioUnavailable("it is off"))) }
        guard canHide else { return .over(.failure(.unsupported(.privacy))) }
        stack.usePrivacy(key.map { HostPrivacy(key: $0) }, at: loop.now)
        return .waiting(.address)
    }
}
