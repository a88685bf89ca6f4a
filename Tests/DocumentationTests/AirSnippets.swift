// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import SimulatedDevices

enum AirSnippets {
    static func virtualAir() async throws -> Radio {
        // snippet: virtual-air
        let air = try VirtualRadio()
        await air.add {
            [
                SimulatedDevice(
                    kind: "thermometer", Thermometer(),
                    address: BluetoothAddress(0xC000_0000_0001, kind: .random))
            ]
        }
        let address = BluetoothAddress(0x00AA_0100_0001, kind: .public)
        let host = HostRadio(loop: air.loop) { (loop) async throws(TransportError) in
            await air.attach(VirtualAir.ControllerConfiguration(address: address), on: loop)
        }
        try await host.start()
        let radio = host.radio
        // end
        return radio
    }
}
