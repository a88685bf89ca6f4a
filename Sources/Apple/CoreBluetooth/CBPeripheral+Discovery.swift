// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Foundation

// What a device offers. All of it is found at the first call; each call answers in its turn.
extension CBPeripheral {
    func findServices(_ serviceUUIDs: [CBUUID]?) {
        let wanted = serviceUUIDs?.map(\.value)
        ask { session throws(BluetoothError) in
            try await session.connection.discoverServices()
        } then: { peripheral, result in
            if case .success(let all) = result { peripheral.take(all.filter { $0.isFor(wanted) }) }
            peripheral.delegate?.peripheral(peripheral, didDiscoverServices: result.error)
        }
    }

    func findIncludedServices(_ includedServiceUUIDs: [CBUUID]?, of service: CBService) {
        let wanted = includedServiceUUIDs?.map(\.value)
        look(at: service) { peripheral, service, result in
            if case .success(let (found, all)) = result {
                let handles = found.includes.map(\.startHandle)
                let included = all.filter { handles.contains($0.handle) && wanted?.contains($0.uuid) ?? true }
                service.includedServices = included.map { peripheral.object(for: $0) }
            }
            peripheral.delegate?.peripheral(
                peripheral, didDiscoverIncludedServicesFor: service, error: result.error)
        }
    }

    func findCharacteristics(_ characteristicUUIDs: [CBUUID]?, of service: CBService) {
        let wanted = characteristicUUIDs?.map(\.value)
        look(at: service) { peripheral, service, result in
            if case .success(let (found, _)) = result {
                let before = service.characteristics ?? []
                let all = found.characteristics.filter { one in
                    wanted?.contains(one.uuid) ?? true
                        || before.contains { $0.handle == one.valueHandle.rawValue }
                }
                service.characteristics = all.map { one in
                    before.first { $0.handle == one.valueHandle.rawValue }
                        ?? CBCharacteristic(one, of: service)
                }
            }
            peripheral.delegate?.peripheral(
                peripheral, didDiscoverCharacteristicsFor: service, error: result.error)
        }
    }

    func findDescriptors(of characteristic: CBCharacteristic) {
        guard let service = characteristic.service else { return misused("\(characteristic) has no service") }
        let (carried, handle) = (Carried(characteristic), characteristic.handle)
        look(at: service) { peripheral, _, result in
            let characteristic = carried.value
            if case .success(let (found, _)) = result {
                let one = found.characteristics.first { $0.valueHandle.rawValue == handle }
                let before = characteristic.descriptors ?? []
                characteristic.descriptors = (one?.descriptors ?? []).map { found in
                    before.first { $0.handle == found.handle.rawValue }
                        ?? CBDescriptor(found, of: characteristic)
                }
            }
            peripheral.delegate?.peripheral(
                peripheral, didDiscoverDescriptorsFor: characteristic, error: result.error)
        }
    }

    /// Looks at what was found of a service, in its turn.
    private func look(
        at service: CBService,
        then tell:
            @escaping @Sendable (
                CBPeripheral, CBService, Result<(GATT.Service, all: [GATT.Service]), BluetoothError>
            ) -> Void
    ) {
        let (carried, handle) = (Carried(service), service.handle)
        ask { session throws(BluetoothError) in
            let all = session.connection.knownServices
            guard let found = all.first(where: { $0.handle.rawValue == handle }) else {
                throw .servicesChanged
            }
            return (found, all: all)
        } then: { peripheral, result in
            tell(peripheral, carried.value, result)
        }
    }

    /// Adds services to those that were found before.
    private func take(_ new: [GATT.Service]) {
        var all = services ?? []
        for service in new where !all.contains(where: { $0.handle == service.handle.rawValue }) {
            all.append(object(for: service))
        }
        setServices(all.sorted { ($0.handle ?? 0) < ($1.handle ?? 0) })
    }

    private func object(for found: GATT.Service) -> CBService {
        let known = services ?? []
        let included = known.flatMap { $0.includedServices ?? [] }
        if let same = (known + included).first(where: { $0.handle == found.handle.rawValue }) { return same }
        let service = CBService(uuid: CBUUID(found.uuid))
        service.peripheral = self
        service.isPrimary = found.isPrimary
        (service.handle, service.endHandle) = (found.handle.rawValue, found.endHandle.rawValue)
        return service
    }

    /// What was found of a characteristic that an app names; `nil` when the device has another there by now.
    static func found(_ handle: UInt16?, _ session: LinkSession) -> GATT.Characteristic? {
        session.connection.knownServices.lazy.flatMap(\.characteristics).first {
            $0.valueHandle.rawValue == handle
        }
    }

    // MARK: What the device does by itself

    /// Tells the app what the device has done; on the queue.
    func happened(_ event: LinkEvent) {
        switch event {
        case .value(let value):
            guard let one = characteristic(value.handle.rawValue), one.isNotifying else { return }
            one.value = Data(value.value)
            delegate?.peripheral(self, didUpdateValueFor: one, error: nil)
        case .servicesChanged(let range):
            let gone = (services ?? []).filter { service in
                (service.handle ?? 0) <= range.end.rawValue
                    && range.start.rawValue <= (service.endHandle ?? 0)
            }
            setServices(services?.filter { !gone.contains($0) })
            delegate?.peripheral(self, didModifyServices: gone)
        case .change, .answered: break
        }
    }

    private func characteristic(_ handle: UInt16) -> CBCharacteristic? {
        for service in services ?? [] {
            if let one = service.characteristics?.first(where: { $0.handle == handle }) { return one }
        }
        return nil
    }
}

extension GATT.Service {
    /// Whether an app that names services is shown this one; GAP and GATT are the system's own.
    fileprivate func isFor(_ wanted: [BluetoothUUID]?) -> Bool {
        isPrimary && uuid != BluetoothUUID(0x1800) && uuid != BluetoothUUID(0x1801)
            && wanted.map { $0.contains(uuid) } ?? true
    }
}

extension CBCharacteristic {
    fileprivate convenience init(_ found: GATT.Characteristic, of service: CBService) {
        self.init(uuid: CBUUID(found.uuid))
        self.service = service
        handle = found.valueHandle.rawValue
        properties = CBCharacteristicProperties(rawValue: UInt(found.properties.rawValue))
    }
}

extension CBDescriptor {
    fileprivate convenience init(_ found: GATT.Descriptor, of characteristic: CBCharacteristic) {
        self.init(uuid: CBUUID(found.uuid))
        self.characteristic = characteristic
        handle = found.handle.rawValue
    }
}

extension Result where Failure == BluetoothError {
    /// What the app is told of a failure.
    var error: (any Error)? { if case .failure(let error) = self { error.core } else { nil } }
}
