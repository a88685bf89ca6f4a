// SPDX-License-Identifier: Apache-2.0

package import BLEHostDriver
import BLEWire
import BluetoothLE
package import CommandIO
package import Companion
import CompanionDevices

/// Where bonds are kept.
package enum BondFolder {
    /// The bonds of all adapters.
    package static var store: FileBondStore { FileBondStore(folder: DataFolder.path + "/bonds") }

    /// All bonds, or those of one device.
    ///
    /// - Parameters:
    ///   - store: Where they are kept.
    ///   - device: The device; `nil` for all.
    /// - Returns: The bonds, each with its adapter.
    /// - Throws: ``CommandError`` when they cannot be read.
    package static func bonds(
        in store: FileBondStore, of device: DeviceAddress? = nil
    ) async throws(CommandError) -> [(adapter: BluetoothAddress, bond: KeptBond)] {
        do throws(BondStoreError) {
            var all: [(BluetoothAddress, KeptBond)] = []
            for adapter in try await store.adapters() {
                for bond in try await store.bonds(of: adapter)
                where device?.matches(Peer(bond.identity)) ?? true {
                    all.append((adapter, bond))
                }
            }
            return all
        } catch {
            throw .failed(error.description)
        }
    }

    /// Says that there is nothing of a device.
    package static func nothing(of device: DeviceAddress) -> CommandError {
        .nothingFound("No keys of \(device) are kept: look at lantern bonds list, or pair with lantern pair.")
    }
}
