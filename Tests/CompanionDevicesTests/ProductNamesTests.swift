// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import ProductRegistry
import SimulatedDevices
import Testing

@Suite(.manualTime, .timeLimit(.minutes(5)))
struct ProductNamesTests {
    /// A product that lacks names of what its device serves is found here.
    @Test(arguments: Products.all.map(\.name)) func whatAProductHasHasAName(_ name: String) async throws {
        let air = VirtualRadio(on: ManualTime.loop)
        await air.add { SimulatedDevices.make(name, seed: 1, clock: nil).map { [$0] } ?? [] }
        let host = HostRadio(loop: air.loop) { (loop) async throws(TransportError) in
            let address = BluetoothAddress(0x00AA_0000_0001, kind: .public)
            return await air.attach(VirtualAir.ControllerConfiguration(address: address), on: loop)
        }
        try await host.start()
        let radio = host.radio
        for try await heard in try await radio.scan() where !heard.isScanResponse {
            guard heard.isConnectable == true else { break }
            let connection = try await radio.connect(to: heard.peer)
            for service in try await connection.discoverServices() {
                #expect(UUIDNames.name(ofService: service.uuid) != nil, "\(service.uuid)")
                for characteristic in service.characteristics {
                    #expect(
                        UUIDNames.name(ofCharacteristic: characteristic.uuid) != nil, "\(characteristic.uuid)"
                    )
                }
            }
            break
        }
        await radio.close()
    }
}
