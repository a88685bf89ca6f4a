// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import SimulatedDevices
import Testing

// snippet: doorbell-test
@Test func aMutedDoorbellSaysSo() async throws {
    let air = try VirtualRadio()
    await air.add {
        let address = BluetoothAddress(0xC000_0000_0002, kind: .random)
        return [SimulatedDevice(kind: "doorbell", Doorbell(), address: address)]
    }
    let host = HostRadio(loop: air.loop) { (loop) async throws(TransportError) in
        await air.attach(.init(address: BluetoothAddress(0x00AA_0100_0001, kind: .public)), on: loop)
    }
    try await host.start()
    let radio = host.radio
    for try await heard in try await radio.scan() where heard.name == "Doorbell" {
        let connection = try await radio.connect(to: heard.peer)
        let mute = try #require(try await connection.discoverServices().characteristic(Doorbell.mute))
        try await connection.write([1], to: mute)
        #expect(try await connection.read(mute) == [1])
        break
    }
    await radio.close()
}
// end
