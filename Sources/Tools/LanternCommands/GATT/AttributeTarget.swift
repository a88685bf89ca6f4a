// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEGATT
import BLEWire
import Companion

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
    ///   - list: The command that shows all there is.
    /// - Returns: The attribute.
    /// - Throws: ``CommandError`` when there is none, or more than one.
    static func find(
        _ reference: AttributeReference, in services: [GATT.Service], list: String = "lantern gatt tree"
    ) throws(CommandError) -> AttributeTarget {
        switch reference {
        case .handle(let handle):
            guard let target = all(in: services).first(where: { $0.handle == handle }) else {
                throw .nothingFound("The device has nothing at \(handle.text); `\(list)` shows all.")
            }
            return target
        case .uuid(let uuid):
            return try find("\(uuid)", in: services, list: list) { $0.uuid == uuid }
        }
    }

    /// Finds what a person means by a name like `battery-level` or `Battery Level`.
    ///
    /// - Parameters:
    ///   - name: The name; case does not matter, nor what stands between its words.
    ///   - services: What the device has.
    ///   - list: The command that shows all there is.
    /// - Returns: The attribute.
    /// - Throws: ``CommandError`` when there is none, or more than one.
    static func find(
        named name: String, in services: [GATT.Service], list: String
    ) throws(CommandError) -> AttributeTarget {
        let wanted = word(name)
        return try find("called \(name)", in: services, list: list) { $0.word == wanted }
    }

    /// The one characteristic, else the one descriptor, that is meant.
    private static func find(
        _ what: String, in services: [GATT.Service], list: String, _ isMeant: (AttributeTarget) -> Bool
    ) throws(CommandError) -> AttributeTarget {
        let characteristics = services.flatMap(\.characteristics)
        let kinds = [
            characteristics.map(value), characteristics.flatMap(\.descriptors).map(descriptor),
        ]
        let found = kinds.map { $0.filter(isMeant) }.first { !$0.isEmpty }
        guard let found, let target = found.first else {
            throw .nothingFound(
                "The device has no characteristic or descriptor \(what); `\(list)` shows all.")
        }
        guard found.count == 1 else {
            let handles = found.map(\.handle.text).joined(separator: ", ")
            throw .wrongUsage(
                "\(what) occurs \(found.count) times: say which by its handle, one of \(handles).")
        }
        return target
    }

    /// All attributes that discovery has found, in handle order.
    static func all(in services: [GATT.Service]) -> [AttributeTarget] {
        let characteristics = services.flatMap(\.characteristics)
        let all =
            services.flatMap(declarations) + characteristics.map(value)
            + characteristics.flatMap(\.descriptors).map(descriptor)
        return all.sorted { $0.handle < $1.handle }
    }

    /// Whether it only says what is there, and is no value or descriptor.
    var isDeclaration: Bool {
        [
            GATT.AttributeType.primaryService, GATT.AttributeType.secondaryService,
            GATT.AttributeType.include,
            GATT.AttributeType.characteristic,
        ].contains(uuid)
    }

    /// The name as one word that can be typed, like `battery-level`.
    var word: String? { name.map(Self.word) }

    private static func word(_ name: String) -> String {
        name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }

    static func value(_ characteristic: GATT.Characteristic) -> AttributeTarget {
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
