// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE

extension TestDevice {
    /// Battery with a level that notifies, a secondary service, and two characteristics with one UUID.
    static let batteryServices: [GATT.Service] = [
        GATT.Service(
            uuid: BluetoothUUID(0x180F), handle: 1, endHandle: 6,
            includes: [GATT.Include(handle: 2, uuid: BluetoothUUID(0xFFF0), startHandle: 7, endHandle: 9)],
            characteristics: [
                GATT.Characteristic(
                    uuid: BluetoothUUID(0x2A19), handle: 3, valueHandle: 4, endHandle: 6,
                    properties: [.read, .notify],
                    descriptors: [
                        GATT.Descriptor(uuid: BluetoothUUID(0x2902), handle: 5),
                        GATT.Descriptor(uuid: BluetoothUUID(0x2901), handle: 6),
                    ])
            ]),
        GATT.Service(
            uuid: BluetoothUUID(0xFFF0), handle: 7, endHandle: 13, isPrimary: false,
            characteristics: [
                GATT.Characteristic(
                    uuid: BluetoothUUID(0xFFF1), handle: 8, valueHandle: 9, endHandle: 9, properties: .read),
                GATT.Characteristic(
                    uuid: BluetoothUUID(0xFFF1), handle: 10, valueHandle: 11, endHandle: 11,
                    properties: [.writeWithoutResponse]),
                GATT.Characteristic(
                    uuid: BluetoothUUID(0xFFF2), handle: 12, valueHandle: 13, endHandle: 13,
                    properties: .indicate
                ),
            ]),
    ]

    /// A device with these services at F0:F1:F2:F3:F4:F5.
    static func battery(
        advertising advertisements: [Advertisement] = [.init()], silent: Set<AttributeHandle> = [],
        sent: [ReceivedValue] = [], hangsUpAt: UInt8? = nil
    ) -> TestDevice {
        TestDevice(
            BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .random), advertising: advertisements,
            services: batteryServices,
            answers: [
                4: .success([0x5F]), 6: .success(Array("Main".utf8)),
                9: .failure(.insufficientAuthentication), 11: .failure(.writeNotPermitted),
            ], silent: silent, sent: sent, hangsUpAt: hangsUpAt)
    }
}
