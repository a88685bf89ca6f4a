// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEAdvertising
import BLEGATT
import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

/// The services of a server as Core Bluetooth takes them.
///
/// GAP and GATT are the system's own, as are the descriptors that switch values or say extended properties. Every value is asked for
/// each time, since Core Bluetooth never changes one that it was given. Clients see other handles than ours.
struct OfferedServices {
    /// The services, each after those that it includes.
    private(set) var services: [(handle: AttributeHandle, service: CBMutableService)] = []
    private(set) var characteristics: [AttributeHandle: CBMutableCharacteristic] = [:]

    /// - Parameters:
    ///   - database: The attributes.
    ///   - range: Those of them that are made into services.
    ///   - known: Services that are offered already.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` for what Core Bluetooth does not offer.
    init(
        _ database: GATT.Database, _ range: ClosedRange<AttributeHandle>? = nil,
        beside known: [AttributeHandle: CBMutableService] = [:]
    ) throws(BluetoothError) {
        var made: [(handle: AttributeHandle, service: CBMutableService, includes: [AttributeHandle])] = []
        var (isOwn, last) = (true, CBMutableCharacteristic?.none)
        for attribute in database.attributes where range?.contains(attribute.handle) ?? true {
            switch (attribute.type, attribute.content) {
            case (GATT.AttributeType.primaryService, .constant(let octets)),
                (GATT.AttributeType.secondaryService, .constant(let octets)):
                last = nil
                guard let uuid = Self.uuid(octets), !Self.own.contains(uuid) else {
                    isOwn = true
                    continue
                }
                isOwn = false
                let isPrimary = attribute.type == GATT.AttributeType.primaryService
                made.append((attribute.handle, CBMutableService(type: uuid.core, primary: isPrimary), []))
            case _ where isOwn: continue
            case (GATT.AttributeType.include, .constant(let octets)):
                guard octets.count >= 2 else { continue }
                let start = UInt16(octets[0]) | UInt16(octets[1]) << 8
                made[made.count - 1].includes.append(AttributeHandle(rawValue: start))
            case (GATT.AttributeType.characteristic, _): last = nil
            case (GATT.AttributeType.clientConfiguration, _), (GATT.AttributeType.extendedProperties, _):
                continue
            case (let uuid, .value(let properties, _)) where last == nil:
                let one = try Self.characteristic(uuid, properties, attribute.access)
                let service = made[made.count - 1].service
                service.characteristics = (service.characteristics ?? []) + [one]
                characteristics[attribute.handle] = one
                last = one
            case (let uuid, let content):
                guard let last else { continue }
                last.descriptors = (last.descriptors ?? []) + [try Self.descriptor(uuid, content)]
            }
        }
        var offered = known
        while !made.isEmpty {
            let next = made.firstIndex { $0.includes.allSatisfy { offered[$0] != nil } }
            guard let next else {
                throw .invalidArgument(
                    "Core Bluetooth offers no services that include each other, or its own.")
            }
            let (handle, service, includes) = made.remove(at: next)
            if !includes.isEmpty { service.includedServices = includes.compactMap { offered[$0] } }
            offered[handle] = service
            services.append((handle, service))
        }
    }

    /// The handle of a characteristic's value.
    func handle(of characteristic: CBCharacteristic) -> AttributeHandle? {
        if let same = characteristics.first(where: { $0.value === characteristic }) { return same.key }
        return characteristics.first {
            $0.value.uuid == characteristic.uuid && $0.value.service?.uuid == characteristic.service?.uuid
        }?.key
    }

    /// Adds what is offered from now on, too.
    mutating func append(_ more: OfferedServices) {
        services += more.services
        characteristics.merge(more.characteristics) { $1 }
    }

    /// Takes out what is offered no more.
    ///
    /// - Parameter range: Its handles.
    /// - Returns: The services.
    mutating func remove(_ range: ATT.HandleRange) -> [CBMutableService] {
        let handles = range.start...range.end
        let gone = services.filter { handles.contains($0.handle) }.map(\.service)
        services.removeAll { handles.contains($0.handle) }
        characteristics = characteristics.filter { !handles.contains($0.key) }
        return gone
    }

    private static let own: Set<BluetoothUUID> = [BluetoothUUID(0x1800), BluetoothUUID(0x1801)]

    private static func uuid(_ octets: [UInt8]) -> BluetoothUUID? {
        [2, 4, 16].contains(octets.count) ? BluetoothUUID(CBUUID(data: Data(octets.reversed()))) : nil
    }

    private static func characteristic(
        _ uuid: BluetoothUUID, _ properties: GATT.Properties, _ access: GATT.Access
    ) throws(BluetoothError) -> CBMutableCharacteristic {
        let levels = [access.read, access.write, access.subscribe]
        guard levels.allSatisfy({ $0 == .none || $0 == .encrypted }) else {
            throw .invalidArgument("Core Bluetooth protects values by encryption, and by nothing stronger.")
        }
        let offered = properties.subtracting([.broadcast, .extendedProperties])
        var permissions: CBAttributePermissions = []
        if properties.contains(.read) {
            permissions.insert(access.read == .none ? .readable : .readEncryptionRequired)
        }
        if !properties.isDisjoint(with: [.write, .writeWithoutResponse, .authenticatedSignedWrites]) {
            permissions.insert(access.write == .none ? .writeable : .writeEncryptionRequired)
        }
        var told = CBCharacteristicProperties(rawValue: numericCast(offered.rawValue))
        if access.subscribe != .none, properties.contains(.notify) { told.insert(.notifyEncryptionRequired) }
        if access.subscribe != .none, properties.contains(.indicate) {
            told.insert(.indicateEncryptionRequired)
        }
        return CBMutableCharacteristic(
            type: uuid.core, properties: told, value: nil, permissions: permissions)
    }

    private static func descriptor(
        _ uuid: BluetoothUUID, _ content: GATT.Database.Content
    ) throws(BluetoothError) -> CBMutableDescriptor {
        let octets: [UInt8] =
            switch content {
            case .constant(let octets), .value(_, .stored(let octets)): octets
            default: []
            }
        switch uuid.short {
        case 0x2901:
            return CBMutableDescriptor(type: uuid.core, value: String(decoding: octets, as: UTF8.self))
        case 0x2904: return CBMutableDescriptor(type: uuid.core, value: Data(octets))
        default:
            throw .invalidArgument(
                "Core Bluetooth offers no descriptor \(uuid): only descriptions (2901) and formats (2904).")
        }
    }
}

/// What Core Bluetooth is told to advertise: a name and services, and nothing else.
struct CoreBluetoothAdvertisement {
    private var name: String?
    private var services: [BluetoothUUID] = []

    /// - Throws: ``BluetoothError/invalidArgument(_:)`` for what it does not advertise.
    init(_ advertisement: DeviceAdvertisement) throws(BluetoothError) {
        for element in [advertisement.data, advertisement.scanResponse].flatMap({
            AdvertisingData($0).elements
        }) {
            switch element {
            // The system says its own.
            case .flags: break
            case .services(let uuids, _, _): services += uuids
            case .completeName(let name), .shortenedName(let name): self.name = name.string
            default:
                throw .invalidArgument("Core Bluetooth advertises a name and services, and nothing else.")
            }
        }
    }

    var data: [String: Any] {
        var data: [String: Any] = [:]
        if let name { data[CBAdvertisementDataLocalNameKey] = name }
        if !services.isEmpty { data[CBAdvertisementDataServiceUUIDsKey] = services.map(\.core) }
        return data
    }
}
