// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
public import BLEGATT
public import BLEWire
import ProductRegistry

/// An attribute of a device: its UUID, handle and name.
public struct AttributeTarget: Hashable, Sendable {
    /// Its UUID; a declaration has that of its type.
    public let uuid: BluetoothUUID
    /// Its handle.
    public let handle: AttributeHandle
    /// The name of its UUID, if it has one.
    public let name: String?
    /// The characteristic, when it is the value of one.
    public let characteristic: GATT.Characteristic?
    /// What the device itself calls it, where its UUID has no name.
    public private(set) var userDescription: String?
    /// How its value is laid out, as far as that is known: by its UUID, else as the device says.
    public private(set) var layout: ValueLayout

    private init(
        uuid: BluetoothUUID, handle: AttributeHandle, name: String?, characteristic: GATT.Characteristic?
    ) {
        self.uuid = uuid
        self.handle = handle
        self.name = name
        self.characteristic = characteristic
        layout = ValueLayout(uuid)
    }

    /// Its name, whoever has given it.
    public var title: String? { name ?? userDescription.map(PrintableText.quoted) }

    /// The descriptors that say more of it, where its UUID has no name.
    public var sayingMore: [GATT.Descriptor] {
        guard name == nil, let characteristic else { return [] }
        return characteristic.descriptors.filter {
            $0.uuid == GATT.AttributeType.userDescription || $0.uuid == GATT.AttributeType.presentationFormat
        }
    }

    /// Takes in what such a descriptor says.
    ///
    /// - Parameters:
    ///   - octets: Its value.
    ///   - descriptor: The descriptor.
    public mutating func take(_ octets: [UInt8], of descriptor: GATT.Descriptor) {
        if descriptor.uuid == GATT.AttributeType.presentationFormat {
            layout = ValueLayout(uuid, presentation: octets)
        } else {
            userDescription = WireText(name: octets)?.string
        }
    }

    /// Finds the attribute that a reference means.
    ///
    /// A UUID or a name means the characteristic that has it, else the descriptor. In names like `battery-level` or
    /// `Battery Level` case does not matter, nor what stands between the words. Of several it is the one that can do
    /// what it is for, if only one can.
    ///
    /// - Parameters:
    ///   - reference: The reference.
    ///   - services: The device's services.
    ///   - use: What is to be done with it.
    /// - Returns: The attribute.
    /// - Throws: ``AttributeTargetError`` when there is none, or more than one.
    public static func find(
        _ reference: AttributeReference, in services: [GATT.Service], for use: AttributeUse
    ) throws(AttributeTargetError) -> AttributeTarget {
        switch reference {
        case .handle(let handle):
            guard let target = all(in: services).first(where: { $0.handle == handle }) else {
                throw AttributeTargetError(nothingAt: handle, in: services)
            }
            return target
        case .uuid(let uuid): return try find(reference, in: services, for: use) { $0.uuid == uuid }
        case .name(let name):
            let wanted = word(name)
            return try find(reference, in: services, for: use) { $0.word == wanted }
        }
    }

    /// The one characteristic, else the one descriptor, that is meant.
    private static func find(
        _ reference: AttributeReference, in services: [GATT.Service], for use: AttributeUse,
        _ isMeant: (AttributeTarget) -> Bool
    ) throws(AttributeTargetError) -> AttributeTarget {
        let characteristics = services.flatMap { $0.characteristics }
        let kinds = [
            characteristics.map(value), characteristics.flatMap { $0.descriptors }.map(descriptor),
        ]
        let found = kinds.map { $0.filter(isMeant) }.first { !$0.isEmpty }
        guard let found, let target = found.first else { throw .missing(reference) }
        guard found.count > 1 else { return target }
        let fit = found.filter { $0.allows(use) }
        guard let only = fit.first, fit.count == 1 else {
            throw .several(reference, found.map { $0.handle })
        }
        return only
    }

    /// Whether it can be used so, as far as its properties tell.
    private func allows(_ use: AttributeUse) -> Bool {
        guard let properties = characteristic?.properties else { return true }
        return switch use {
        case .read: properties.contains(.read)
        case .write: properties.contains(.write)
        case .writeWithoutResponse: properties.contains(.writeWithoutResponse)
        case .watch: !properties.isDisjoint(with: [.notify, .indicate])
        }
    }

    /// An attribute of which nothing is known but its type.
    ///
    /// - Parameters:
    ///   - type: Its type, which is the UUID of a characteristic when it is a value.
    ///   - handle: Its handle.
    /// - Returns: The attribute.
    public static func typed(_ type: BluetoothUUID, at handle: AttributeHandle) -> AttributeTarget {
        let name =
            declarationNames[type] ?? AssignedNumbers.name(ofDescriptor: type)
            ?? UUIDNames.name(ofCharacteristic: type)
        return AttributeTarget(uuid: type, handle: handle, name: name, characteristic: nil)
    }

    /// All attributes that discovery has found, in handle order.
    public static func all(in services: [GATT.Service]) -> [AttributeTarget] {
        let characteristics = services.flatMap { $0.characteristics }
        let all =
            services.flatMap(declarations) + characteristics.map(value)
            + characteristics.flatMap { $0.descriptors }.map(descriptor)
        return all.ordered { $0.handle < $1.handle }
    }

    /// Whether it is a declaration, not a value or descriptor.
    public var isDeclaration: Bool { Self.declarationNames[uuid] != nil }

    /// What declarations are called; the names are ours to give, as no table has them.
    private static let declarationNames: [BluetoothUUID: String] = [
        GATT.AttributeType.primaryService: "Primary Service",
        GATT.AttributeType.secondaryService: "Secondary Service",
        GATT.AttributeType.include: "Include",
        GATT.AttributeType.characteristic: "Characteristic",
    ]

    /// The name as one word that can be typed, like `battery-level`.
    public var word: String? { name.map(Self.word) }

    /// Makes one word of a name, as it can be typed: `Battery Level` gives `battery-level`.
    public static func word(_ name: String) -> String {
        name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }

    /// The value of a characteristic.
    public static func value(_ characteristic: GATT.Characteristic) -> AttributeTarget {
        AttributeTarget(
            uuid: characteristic.uuid, handle: characteristic.valueHandle,
            name: UUIDNames.name(ofCharacteristic: characteristic.uuid), characteristic: characteristic)
    }

    /// The value of a characteristic, with what its own descriptors say of it.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic.
    ///   - readings: What was read of it, by handle.
    /// - Returns: The value.
    public static func value(
        _ characteristic: GATT.Characteristic, _ readings: [AttributeHandle: GATTTree.Reading]
    ) -> AttributeTarget {
        var target = value(characteristic)
        for descriptor in target.sayingMore {
            if let octets = readings[descriptor.handle]?.octets { target.take(octets, of: descriptor) }
        }
        return target
    }

    private static func descriptor(_ descriptor: GATT.Descriptor) -> AttributeTarget {
        AttributeTarget(
            uuid: descriptor.uuid, handle: descriptor.handle,
            name: AssignedNumbers.name(ofDescriptor: descriptor.uuid), characteristic: nil)
    }

    /// The declarations of a service.
    private static func declarations(_ service: GATT.Service) -> [AttributeTarget] {
        let kind =
            service.isPrimary ? GATT.AttributeType.primaryService : GATT.AttributeType.secondaryService
        return [typed(kind, at: service.handle)]
            + service.includes.map { typed(GATT.AttributeType.include, at: $0.handle) }
            + service.characteristics.map { typed(GATT.AttributeType.characteristic, at: $0.handle) }
    }
}

/// What is to be done with an attribute.
public enum AttributeUse: Hashable, Sendable {
    /// Its value is read.
    case read
    /// Its value is written, and the device answers.
    case write
    /// Its value is written, and the device does not answer.
    case writeWithoutResponse
    /// It sends its values by itself.
    case watch
}

/// A characteristic or descriptor as a person names it: by UUID (`2a19`), by handle (`0x001f`) or by name
/// (`battery-level`).
public enum AttributeReference: Hashable, Sendable, CustomStringConvertible {
    /// By UUID.
    case uuid(BluetoothUUID)
    /// By handle.
    case handle(AttributeHandle)
    /// By the name of its UUID, in any case.
    case name(String)

    /// Reads a UUID, a handle with `0x` before it, or else a name; `0x` with more than four digits may stand before a UUID.
    ///
    /// - Parameter text: The text; `nil` comes of digits that are neither, and of `0x` with no handle behind it.
    public init?(_ text: String) {
        let digits = text.dropFirst(2)
        if text.lowercased().hasPrefix("0x") {
            if digits.utf8.count > 4, let uuid = BluetoothUUID(text) {
                self = .uuid(uuid)
                return
            }
            guard digits.utf8.count <= 4, let number = UInt16(digits, radix: 16), number > 0,
                digits.first != "+"
            else { return nil }
            self = .handle(AttributeHandle(rawValue: number))
        } else if let uuid = BluetoothUUID(text) {
            self = .uuid(uuid)
        } else {
            // What has nothing but digits was meant as a UUID.
            guard text.contains(where: { $0.isLetter && !$0.isHexDigit }) else { return nil }
            self = .name(text)
        }
    }

    /// As it is written.
    public var description: String {
        switch self {
        case .uuid(let uuid): uuid.description
        case .handle(let handle): handle.text
        case .name(let name): name
        }
    }
}

/// Why it is not clear which attribute is meant.
public enum AttributeTargetError: Error, Hashable {
    /// The device has none.
    case missing(AttributeReference)
    /// It has nothing at the handle, whose number may have been meant as this UUID.
    case uuidMeant(BluetoothUUID, at: AttributeHandle)
    /// It has several, at these handles.
    case several(AttributeReference, [AttributeHandle])

    /// The first 16-bit UUID that a service has.
    ///
    /// Spec: Assigned Numbers, 3.4.
    private static let firstServiceUUID: UInt16 = 0x1800

    /// Says that there is nothing at a handle, and whether its number looks like a UUID: one that the device has, or one
    /// behind all its handles.
    ///
    /// - Parameters:
    ///   - handle: The handle.
    ///   - services: What the device has, as far as that is known.
    public init(nothingAt handle: AttributeHandle, in services: [GATT.Service]) {
        let uuid = BluetoothUUID(handle.rawValue)
        let attributes = AttributeTarget.all(in: services)
        let isOfDevice =
            services.contains { $0.uuid == uuid }
            || attributes.contains { $0.uuid == uuid && !$0.isDeclaration }
        var isBehindAll = false
        if let last = attributes.last { isBehindAll = handle > last.handle }
        if isOfDevice || isBehindAll && handle.rawValue >= Self.firstServiceUUID {
            self = .uuidMeant(uuid, at: handle)
        } else {
            self = .missing(.handle(handle))
        }
    }
}
