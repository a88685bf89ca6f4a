// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder
import ProductRegistry
import Testing

@Suite struct UUIDNamesTests {
    @Test(arguments: [
        ("180f", "Battery"),
        // Two products share it.
        ("4fafc201-1fb5-459e-8fcc-c5c9c331914b", "FlockFinder or WiFiSet"),
        ("7a5a0200-d04b-48eb-b3fa-32eb4f0ffac4", "Nightlight Schedule"),
        ("0000ffe5-0000-1000-8000-00805f9b34fb", "Magic Blue Bulb"),
    ])
    func services(uuid: String, name: String) throws {
        #expect(UUIDNames.name(ofService: try #require(BluetoothUUID(uuid))) == name)
    }

    @Test(arguments: [
        ("2a19", "Battery Level"),
        ("beb5483e-36e1-4688-b7f5-ea07361b26a8", "FlockFinder Detection"),
        ("4fafc203-1fb5-459e-8fcc-c5c9c331914b", "WiFiSet Credential Write"),
        ("00467768-6228-2272-4663-277478268003", "Improv RPC Command"),
        ("7a5a0012-d04b-48eb-b3fa-32eb4f0ffac4", "Nightlight LED 2 Colour"),
        ("ca22ee9a-90c3-4631-8761-947df10f72d0", "Nightlight Button Shake Mode"), ("ffd9", "Triones Command"),
    ])
    func characteristics(uuid: String, name: String) throws {
        #expect(UUIDNames.name(ofCharacteristic: try #require(BluetoothUUID(uuid))) == name)
    }

    @Test func whatNobodyNamesHasNoName() {
        #expect(UUIDNames.name(ofService: BluetoothUUID(high: .max, low: .max)) == nil)
        // A name of a service is none of a characteristic.
        #expect(UUIDNames.name(ofCharacteristic: BluetoothUUID(0x180F)) == nil)
    }
}
