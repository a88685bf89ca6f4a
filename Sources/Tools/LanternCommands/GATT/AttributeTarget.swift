// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEGATT
import BLEWire

/// One attribute of a device that a person can mean.
struct AttributeTarget: Hashable, Sendable {
    /// What it is.
    let uuid: BluetoothUUID
    /// Its handle.
    let handle: AttributeHandle
    /// The name of what it is.
    let name: String?
    /// The characteristic, when it is the value of one.
    let characteristic: GATT.Characteristic?

    /// Finds what a person means.
    ///
    /// A UUID means the characteristic that has it, else the descriptor.
    ///
    /// - Parameters:
    ///   - reference: What was written.
    ///   - services: What the device has.
    /// - Returns: The attribute.
    /// - Throws: ``CommandError`` when there is none, or more than one.
    static func find(
        _ reference: AttributeReference, in services: [GATT.Service]
    ) throws(CommandError) -> AttributeTarget {
        let values = services.flatMap(\.characteristics).map(value)
        let descriptors = services.flatMap(\.characteristics).flatMap(\.descriptors).map(descriptor)
        switch reference {
        case .handle(let handle):
            let all = values + descriptors + services.flatMap(declarations)
            guard let target = all.first(where: { $0.handle == handle }) else {
                throw .nothingFound(
                    "The device has nothing at \(handle.text); `lantern gatt tree` shows all.")
            }
            return target
        case .uuid(let uuid):
            let found = [values, descriptors].lazy.map { $0.filter { $0.uuid == uuid } }.first { !$0.isEmpty }
            guard let found, let target = found.first else {
                throw .nothingFound(
                    "The device has no characteristic or descriptor \(uuid); `lantern gatt tree` shows all.")
            }
            guard found.count == 1 else {
                let handles = found.map(\.handle.text).joined(separator: ", ")
                throw .wrongUsage(
                    "\(uuid) occurs \(found.count) times: say which by its handle, one of \(handles).")
            }
            return target
        }
    }

    private static func value(_ characteristic: GATT.Characteristic) -> AttributeTarget {
        AttributeTarget(
            uuid: characteristic.uuid, handle: characteristic.valueHandle,
            name: AssignedNumbers.name(ofCharacteristic: characteristic.uuid), characteristic: characteristic)
    }

    private static func descriptor(_ descriptor: GATT.Descriptor) -> AttributeTarget {
        AttributeTarget(
            uuid: descriptor.uuid, handle: descriptor.handle,
            name: AssignedNumbers.name(ofDescriptor: descriptor.uuid), characteristic: nil)
    }

    /// The declarations of a service; their names are ours to give, as no table has them.
    private static func declarations(_ service: GATT.Service) -> [AttributeTarget] {
        let kind =
            service.isPrimary
            ? (GATT.AttributeType.primaryService, "Primary Service")
            : (GATT.AttributeType.secondaryService, "Secondary Service")
        let parts =
            [(kind, service.handle)]
            + service.includes.map { ((GATT.AttributeType.include, "Include"), $0.handle) }
            + service.characteristics.map {
                ((GATT.AttributeType.characteristic, "Characteristic"), $0.handle)
            }
        return parts.map { part in
            AttributeTarget(uuid: part.0.0, handle: part.1, name: part.0.1, characteristic: nil)
        }
    }
}
