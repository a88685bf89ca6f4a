// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Foundation

// What is published. A service that cannot be is refused with an error, where Apple's framework raises an exception.
extension CBPeripheralManager {
    func publish(_ service: CBMutableService) {
        guard isReady(), let publication else { return }
        guard !publication.published.contains(where: { $0 === service }) else {
            return refuse(service, .invalidParameters, "\(service) is published already")
        }
        let included = service.includedServices ?? []
        guard included.allSatisfy({ one in publication.published.contains { $0 === one } }) else {
            return refuse(service, .invalidParameters, "included services have to be published before")
        }
        // The system's own: GAP and GATT.
        guard ![0x1800, 0x1801].map({ BluetoothUUID($0) }).contains(service.uuid.value) else {
            return refuse(service, .uuidNotAllowed, "\(service.uuid) is the system's own")
        }
        var characteristics: [GATT.CharacteristicDefinition] = []
        for one in service.characteristics ?? [] {
            switch (one as? CBMutableCharacteristic)?.definition {
            case .success(let definition): characteristics.append(definition)
            case .failure(let reason): return refuse(service, .invalidParameters, reason.text)
            case nil: return refuse(service, .invalidParameters, "\(one) is not a CBMutableCharacteristic")
            }
        }
        publication.add(
            service,
            GATT.ServiceDefinition(
                service.uuid.value, isPrimary: service.isPrimary, includes: included.map(\.uuid.value),
                characteristics: characteristics))
    }

    private func refuse(_ service: CBMutableService, _ code: CBError.Code, _ reason: String) {
        misused(reason)
        let carried = Carried(service)
        callbacks.post { [reference] in
            guard let manager = reference.object as? CBPeripheralManager else { return }
            let error = CBError(code, userInfo: [NSLocalizedDescriptionKey: reason])
            manager.delegate?.peripheralManager(manager, didAdd: carried.value, error: error)
        }
    }
}

/// Why something cannot be published.
private struct Unpublishable: Error {
    let text: String
}

extension CBMutableCharacteristic {
    /// What the phone's server offers for it.
    fileprivate var definition: Result<GATT.CharacteristicDefinition, Unpublishable> {
        if valueIsCached,
            properties != .read || !permissions.isSubset(of: [.readable, .readEncryptionRequired])
        {
            return .failure(Unpublishable(text: "Characteristics with cached values must be read-only"))
        }
        guard properties.isDisjoint(with: [.broadcast, .extendedProperties]) else {
            return .failure(Unpublishable(text: "Broadcast and extended properties cannot be published"))
        }
        let octets = Array(value ?? Data())
        guard octets.count <= ATT.maximumValueLength else {
            return .failure(Unpublishable(text: "A value has at most \(ATT.maximumValueLength) octets"))
        }
        var offered = GATT.Properties(rawValue: UInt8(properties.rawValue & 0xFF))
        let isProtected = !properties.isDisjoint(with: [
            .notifyEncryptionRequired, .indicateEncryptionRequired,
        ])
        if properties.contains(.notifyEncryptionRequired) { offered.insert(.notify) }
        if properties.contains(.indicateEncryptionRequired) { offered.insert(.indicate) }
        var described: [GATT.DescriptorDefinition] = []
        for one in descriptors ?? [] {
            guard let definition = (one as? CBMutableDescriptor)?.definition else {
                return .failure(
                    Unpublishable(
                        text: "Descriptors are a user description as text or a presentation format as data"))
            }
            described.append(definition)
        }
        return .success(
            GATT.CharacteristicDefinition(
                uuid.value, offered,
                access: GATT.Access(
                    read: permissions.contains(.readEncryptionRequired) ? .encrypted : .none,
                    write: permissions.contains(.writeEncryptionRequired) ? .encrypted : .none,
                    subscribe: isProtected ? .encrypted : .none),
                value: valueIsCached ? .stored(octets) : .delegated, descriptors: described))
    }
}

extension CBMutableDescriptor {
    /// What the phone's server offers for it; the two kinds that Apple's documentation names.
    fileprivate var definition: GATT.DescriptorDefinition? {
        switch (uuid.value.short, value) {
        case (0x2901, let text as String): .userDescription(WireText(Array(text.utf8)))
        case (0x2904, let data as Data): GATT.DescriptorDefinition(uuid.value, value: Array(data))
        default: nil
        }
    }
}
