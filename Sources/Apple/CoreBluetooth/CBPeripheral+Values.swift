// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Foundation

// Reading, writing and subscribing.
extension CBPeripheral {
    func askForRSSI() {
        ask { session throws(BluetoothError) in
            try await session.connection.readRSSI()
        } then: { peripheral, result in
            let rssi = NSNumber(value: Int((try? result.get()) ?? 127))
            peripheral.delegate?.peripheral(peripheral, didReadRSSI: rssi, error: result.error)
        }
    }

    func read(_ characteristic: CBCharacteristic) {
        let (carried, handle) = (Carried(characteristic), characteristic.handle)
        ask { session throws(BluetoothError) in
            try await session.connection.read(try Self.attribute(handle))
        } then: { peripheral, result in
            if case .success(let octets) = result { carried.value.value = Data(octets) }
            peripheral.delegate?.peripheral(peripheral, didUpdateValueFor: carried.value, error: result.error)
        }
    }

    func write(_ data: Data, to characteristic: CBCharacteristic, _ type: CBCharacteristicWriteType) {
        let (carried, handle, octets) = (Carried(characteristic), characteristic.handle, Array(data))
        guard type == .withoutResponse else {
            return ask { session throws(BluetoothError) in
                try await session.connection.write(octets, to: try Self.attribute(handle))
            } then: { peripheral, result in
                peripheral.delegate?.peripheral(
                    peripheral, didWriteValueFor: carried.value, error: result.error)
            }
        }
        guard state == .connected, takeRoom() else { return }
        ask { session throws(BluetoothError) in
            try await session.connection.writeWithoutResponse(octets, to: try Self.attribute(handle))
        } then: { peripheral, _ in
            // Nobody is told what has become of it.
            peripheral.giveRoom()
        }
    }

    func subscribe(_ enabled: Bool, to characteristic: CBCharacteristic) {
        let (carried, handle) = (Carried(characteristic), characteristic.handle)
        ask { session throws(BluetoothError) in
            guard let found = Self.found(handle, session) else { throw .refused(.invalidHandle) }
            let kind: GATT.Subscription = found.properties.contains(.notify) ? .notify : .indicate
            try await session.subscriber.subscribe(enabled ? kind : [], to: found)
        } then: { peripheral, result in
            if case .success = result { carried.value.isNotifying = enabled }
            peripheral.delegate?.peripheral(
                peripheral, didUpdateNotificationStateFor: carried.value, error: result.error)
        }
    }

    func read(_ descriptor: CBDescriptor) {
        let (carried, handle) = (Carried(descriptor), descriptor.handle)
        ask { session throws(BluetoothError) in
            try await session.connection.read(try Self.attribute(handle))
        } then: { peripheral, result in
            let descriptor = carried.value
            if case .success(let octets) = result {
                descriptor.value = Self.value(octets, of: descriptor.uuid.value)
            }
            peripheral.delegate?.peripheral(peripheral, didUpdateValueFor: descriptor, error: result.error)
        }
    }

    func write(_ data: Data, to descriptor: CBDescriptor) {
        guard descriptor.uuid.value != BluetoothUUID(0x2902) else {
            return misused("Cannot write Client Characteristic Configuration descriptors: use setNotifyValue")
        }
        let (carried, handle, octets) = (Carried(descriptor), descriptor.handle, Array(data))
        ask { session throws(BluetoothError) in
            try await session.connection.write(octets, to: try Self.attribute(handle))
        } then: { peripheral, result in
            peripheral.delegate?.peripheral(peripheral, didWriteValueFor: carried.value, error: result.error)
        }
    }

    /// The types that Apple's documentation has for the values of descriptors.
    private static func value(_ octets: [UInt8], of uuid: BluetoothUUID) -> Any {
        switch uuid.short {
        case 0x2901: String(decoding: octets, as: UTF8.self)
        case 0x2900, 0x2902, 0x2903: NSNumber(value: octets.reversed().reduce(0) { $0 << 8 | Int($1) })
        default: Data(octets)
        }
    }

    private static func attribute(_ handle: UInt16?) throws(BluetoothError) -> AttributeHandle {
        guard let handle else { throw .refused(.invalidHandle) }
        return AttributeHandle(rawValue: handle)
    }
}
