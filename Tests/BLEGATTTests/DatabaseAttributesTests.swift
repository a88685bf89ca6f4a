// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Testing

@Suite("A database of attributes that were laid out elsewhere")
struct DatabaseAttributesTests {
    private let database = GATT.Database(attributes: [
        .init(
            handle: 0x0010, type: GATT.AttributeType.primaryService, content: .constant([0x0F, 0x18]),
            groupEnd: 0xFFFF),
        .init(
            handle: 0x0020, type: GATT.AttributeType.characteristic,
            content: .constant([0x02, 0x00, 0x10, 0x19, 0x2A])),
        .init(handle: 0x1000, type: BluetoothUUID(0x2A19), content: .value(.read, .stored([0x5F]))),
        .init(handle: 0xFFFF, type: BluetoothUUID(0x2901), content: .value(.read, .delegated)),
    ])

    @Test(arguments: [0x0010, 0x0020, 0x1000, 0xFFFF] as [AttributeHandle])
    func everyAttributeIsFoundAtItsHandle(handle: AttributeHandle) {
        #expect(database.attribute(handle)?.handle == handle)
    }

    @Test(arguments: [0, 1, 0x0011, 0x0FFF, 0x1001, 0xFFFE] as [AttributeHandle])
    func betweenThemThereIsNothing(handle: AttributeHandle) {
        #expect(database.attribute(handle) == nil)
    }

    @Test func theEndOfAServiceIsTheOneThatWasGiven() {
        #expect(database.attributes.map(\.groupEnd) == [0xFFFF, 0x0020, 0x1000, 0xFFFF])
        #expect(database.valueHandle(of: BluetoothUUID(0x2A19)) == 0x1000)
    }
}
