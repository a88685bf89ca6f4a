// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

// What is asked of a device.
extension CoreBluetoothConnection {
    // MARK: Discovery

    func discoverServices() async throws(BluetoothError) -> [GATT.Service] {
        _ = try await ask { link in
            link.peripheral.discoverServices(nil)
            return .services
        }
        var services = try await onQueue { link in (link.peripheral.services ?? []).map { OnQueue($0) } }
        var index = 0
        while index < services.count {
            let service = services[index]
            index += 1
            // Those that are only included come after the others.
            let included = try await lookInside(service)
            for one in included where !services.contains(where: { $0.value === one.value }) {
                services.append(one)
            }
        }
        return try await onQueue { [services] link in link.handles.layOut(services.map(\.value)) }
    }

    /// Finds what is in a service.
    ///
    /// - Returns: The services that it includes.
    private func lookInside(
        _ service: OnQueue<CBService>
    ) async throws(BluetoothError) -> [OnQueue<CBService>] {
        _ = try await ask { link in
            link.peripheral.discoverIncludedServices(nil, for: service.value)
            return .includes(ObjectIdentifier(service.value))
        }
        _ = try await ask { link in
            link.peripheral.discoverCharacteristics(nil, for: service.value)
            return .inside(ObjectIdentifier(service.value))
        }
        let inside = try await onQueue { _ in (service.value.characteristics ?? []).map { OnQueue($0) } }
        for characteristic in inside {
            _ = try await ask { link in
                link.peripheral.discoverDescriptors(for: characteristic.value)
                return .inside(ObjectIdentifier(characteristic.value))
            }
        }
        return try await onQueue { _ in (service.value.includedServices ?? []).map { OnQueue($0) } }
    }

    // MARK: Values

    func read(_ handle: AttributeHandle) async throws(BluetoothError) -> [UInt8] {
        let answer = try await ask { (link, waiter) throws(BluetoothError) in
            if let characteristic = link.handles.characteristics[handle] {
                link.peripheral.readValue(for: characteristic)
                let mark = characteristic.isNotifying ? characteristic.switchDescriptor : nil
                guard let mark else {
                    return link.wait(waiter, for: .read(ObjectIdentifier(characteristic)))
                }
                link.peripheral.readValue(for: mark)
                return link.wait(waiter, forMarked: characteristic, mark)
            }
            guard let descriptor = link.handles.descriptors[handle] else { throw .refused(.invalidHandle) }
            link.peripheral.readValue(for: descriptor)
            link.wait(waiter, for: .read(ObjectIdentifier(descriptor)))
        }
        guard case .value(let octets) = answer else { throw .badResponse }
        return octets
    }

    func write(_ value: [UInt8], to handle: AttributeHandle) async throws(BluetoothError) {
        // The switch for a characteristic's values is the system's own: it is asked to switch.
        let isSwitch = try await onQueue { link in
            link.handles.descriptors[handle]?.uuid == GATT.AttributeType.clientConfiguration.core
        }
        if isSwitch { return try await setNotifying(value.first.map { $0 & 3 != 0 } ?? false, at: handle) }
        _ = try await ask { (link) throws(BluetoothError) in
            if let characteristic = link.handles.characteristics[handle] {
                link.peripheral.writeValue(Data(value), for: characteristic, type: .withResponse)
                return .write(ObjectIdentifier(characteristic))
            }
            guard let descriptor = link.handles.descriptors[handle] else { throw .refused(.invalidHandle) }
            link.peripheral.writeValue(Data(value), for: descriptor)
            return .write(ObjectIdentifier(descriptor))
        }
    }

    func writeWithoutResponse(_ value: [UInt8], to handle: AttributeHandle) async throws(BluetoothError) {
        while true {
            let wasSent = try await onQueue { (link) throws(BluetoothError) in
                if let reason = link.state.ending.reason { throw .disconnected(reason) }
                guard let characteristic = link.handles.characteristics[handle] else {
                    throw .refused(.invalidHandle)
                }
                // The system would leave it out without a word.
                guard characteristic.properties.contains(.writeWithoutResponse) else {
                    throw .notOffered("this characteristic takes no writes without response")
                }
                let limit = link.peripheral.maximumWriteValueLength(for: .withoutResponse)
                guard value.count <= limit else { throw .tooLong(octets: value.count, limit: limit) }
                return link.send(value, to: characteristic)
            }
            if wasSent { return }
            try await waitForRoom()
        }
    }

    func subscribe(
        _ subscription: GATT.Subscription, to characteristic: GATT.Characteristic
    ) async throws(BluetoothError) {
        guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
            throw .notOffered("this characteristic sends nothing by itself")
        }
        try await setNotifying(!subscription.isEmpty, at: characteristic.valueHandle)
    }

    /// Has the system switch a characteristic's values; it chooses notifications where there are both.
    ///
    /// - Parameters:
    ///   - isOn: Whether values are wanted.
    ///   - handle: Of the value, or of its switch.
    /// - Throws: What the device says.
    private func setNotifying(_ isOn: Bool, at handle: AttributeHandle) async throws(BluetoothError) {
        let isSo = try await onQueue { (link) throws(BluetoothError) in
            let characteristic = try link.characteristic(switchedAt: handle)
            if let value = link.handles.handle(of: characteristic) { link.claim(value, isWanted: isOn) }
            return characteristic.isNotifying == isOn
        }
        if isSo { return }
        _ = try await ask { (link) throws(BluetoothError) in
            let characteristic = try link.characteristic(switchedAt: handle)
            link.peripheral.setNotifyValue(isOn, for: characteristic)
            return .subscription(ObjectIdentifier(characteristic))
        }
    }

    private func characteristic(
        switchedAt handle: AttributeHandle
    ) throws(BluetoothError) -> CBCharacteristic {
        if let reason = state.ending.reason { throw .disconnected(reason) }
        guard
            let found = handles.characteristics[handle] ?? handles.descriptors[handle]?.characteristic
        else { throw .refused(.invalidHandle) }
        return found
    }

    func readRSSI() async throws(BluetoothError) -> Int8 {
        let answer = try await ask { link in
            link.peripheral.readRSSI()
            return .strength
        }
        guard case .strength(let strength) = answer else { throw .badResponse }
        return strength
    }
}

extension CBCharacteristic {
    /// The descriptor that switches its values, if the device has it.
    fileprivate var switchDescriptor: CBDescriptor? {
        descriptors?.first { $0.uuid == GATT.AttributeType.clientConfiguration.core }
    }
}
