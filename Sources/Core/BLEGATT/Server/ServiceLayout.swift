// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

/// Gives the attributes of services their handles, one after the other.
struct ServiceLayout {
    /// An include declaration whose service is still to be found.
    struct Include {
        let handle: AttributeHandle
        let uuid: BluetoothUUID
    }

    private(set) var attributes: [GATT.Database.Attribute] = []
    private(set) var includes: [Include] = []
    /// Whether a handle was asked for that lies behind, or there are no handles left.
    private(set) var hasFailed = false
    /// The next free handle; `nil` when there is none.
    private var free: AttributeHandle?
    private let offered: [BluetoothUUID]

    /// Starts with nothing laid out.
    init(from start: AttributeHandle?, offered: [BluetoothUUID]) {
        free = start
        self.offered = offered
    }

    mutating func append(_ service: GATT.ServiceDefinition) {
        let start = attributes.count
        append(
            service.isPrimary ? GATT.AttributeType.primaryService : GATT.AttributeType.secondaryService,
            .constant(Self.octets(of: service.uuid)), at: service.handle)
        for uuid in service.includes where offered.contains(uuid) {
            guard let handle = append(GATT.AttributeType.include, .constant([])) else { return }
            includes.append(Include(handle: handle, uuid: uuid))
        }
        for characteristic in service.characteristics { append(characteristic) }
        guard let last = attributes.last, start < attributes.count else { return }
        attributes[start].groupEnd = last.handle
    }

    private mutating func append(_ characteristic: GATT.CharacteristicDefinition) {
        guard let valueHandle = (characteristic.handle ?? free)?.next else {
            hasFailed = true
            return
        }
        let properties = characteristic.allProperties
        append(
            GATT.AttributeType.characteristic,
            .constant(
                [properties.rawValue, UInt8(valueHandle.rawValue & 0xFF), UInt8(valueHandle.rawValue >> 8)]
                    + Self.octets(of: characteristic.uuid)),
            at: characteristic.handle)
        append(
            characteristic.uuid,
            characteristic.uuid == GATT.CharacteristicType.clientSupportedFeatures
                ? .clientFeatures : .value(properties, characteristic.value),
            characteristic.access)
        if !properties.isDisjoint(with: [.notify, .indicate]) {
            append(
                GATT.AttributeType.clientConfiguration, .clientConfiguration(valueHandle, properties),
                GATT.Access(write: characteristic.access.subscribe))
        }
        if properties.contains(.extendedProperties), !characteristic.hasExtendedProperties {
            append(
                GATT.AttributeType.extendedProperties,
                .constant([characteristic.allExtendedProperties.rawValue, 0]))
        }
        for descriptor in characteristic.descriptors {
            append(descriptor.uuid, descriptor.content, descriptor.access)
        }
    }

    @discardableResult
    private mutating func append(
        _ type: BluetoothUUID, _ content: GATT.Database.Content, _ access: GATT.Access = GATT.Access(),
        at wanted: AttributeHandle? = nil
    ) -> AttributeHandle? {
        guard let free, wanted ?? free >= free else {
            hasFailed = true
            return nil
        }
        let handle = wanted ?? free
        attributes.append(
            .init(handle: handle, type: type, content: content, access: access, groupEnd: handle))
        self.free = handle.next
        return handle
    }

    private static func octets(of uuid: BluetoothUUID) -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        uuid.encodeAttributeType(into: &writer)
        return writer.octets
    }
}
