// SPDX-License-Identifier: Apache-2.0

#if canImport(VirtualPhone)
import BLECoreBluetooth
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import VirtualPhone

extension Bench {
    /// Core Bluetooth for Linux on a virtual phone, and our own host.
    static func coreBluetooth(on air: TestAir) async throws -> Bench {
        let phone = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01"))
        let opening = phone.app().launch {
            Task(executorPreference: air.air.loop) { try await Radio.coreBluetooth() }
        }
        return Bench(radio: try await opening.value, other: try await air.radio("C0:AA:00:00:00:02"))
    }

    /// The same with the device's side on the virtual phone.
    var turnedRound: Bench { Bench(radio: other, other: radio) }
}
#endif
