// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension GATT {
    /// Where a host has put the values of a device, for the session that serves them.
    public struct ValueHandles: Sendable {
        private let values: [(uuid: BluetoothUUID, handle: AttributeHandle)]

        /// Makes it of the characteristic values of a host, in handle order.
        package init(_ values: [(uuid: BluetoothUUID, handle: AttributeHandle)]) { self.values = values }

        /// The handle of the first value of a kind; `nil` when there is none.
        public subscript(uuid: BluetoothUUID) -> AttributeHandle? {
            for value in values where value.uuid == uuid { return value.handle }
            return nil
        }
    }
}

extension GATT.Database {
    /// Where the values are, for a device's session.
    public var valueHandles: GATT.ValueHandles {
        var values: [(uuid: BluetoothUUID, handle: AttributeHandle)] = []
        var isValue = false
        for attribute in attributes {
            // The value stands right after its declaration.
            if isValue { values.append((attribute.type, attribute.handle)) }
            isValue = attribute.type == GATT.AttributeType.characteristic
        }
        return GATT.ValueHandles(values)
    }
}
