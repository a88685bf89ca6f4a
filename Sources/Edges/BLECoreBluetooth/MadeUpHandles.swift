// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import CoreBluetooth

/// The handles of what a device offers: Core Bluetooth keeps the real ones to itself, so these are made up in the order in which
/// services were found.
///
/// What was found keeps its handles as long as the link lasts; what comes in the place of services that have changed gets new ones.
struct MadeUpHandles {
    private struct Found {
        /// Held, so that nothing else is at its place in memory.
        let object: CBService
        var service: GATT.Service
        /// What it had when its handles were made up.
        let shape: [ObjectIdentifier]
        let included: [ObjectIdentifier]
    }

    private(set) var characteristics: [AttributeHandle: CBCharacteristic] = [:]
    private(set) var descriptors: [AttributeHandle: CBDescriptor] = [:]
    private var values: [ObjectIdentifier: AttributeHandle] = [:]
    private var found: [ObjectIdentifier: Found] = [:]
    private var next = 1

    /// Handles that nothing has had yet.
    var unused: ATT.HandleRange {
        ATT.HandleRange(start: AttributeHandle(rawValue: UInt16(clamping: next)), end: .last)
    }

    /// The handle of a characteristic's value.
    func handle(of characteristic: CBCharacteristic) -> AttributeHandle? {
        values[ObjectIdentifier(characteristic)]
    }

    /// Gives everything a handle that has none yet.
    ///
    /// - Parameter services: All that there are; those for which no handles are left are left out.
    /// - Returns: The same with handles, in their order.
    mutating func layOut(_ services: [CBService]) -> [GATT.Service] {
        for service in services { layOut(service) }
        let all = services.compactMap { found[ObjectIdentifier($0)] }
        return all.map { one in
            var service = one.service
            service.includes = one.included.enumerated().compactMap { index, included in
                guard let inside = found[included]?.service else { return nil }
                return GATT.Include(
                    handle: AttributeHandle(rawValue: service.handle.rawValue + 1 + UInt16(index)),
                    uuid: inside.uuid, startHandle: inside.handle, endHandle: inside.endHandle)
            }
            return service
        }.sorted { $0.handle < $1.handle }
    }

    private mutating func layOut(_ object: CBService) {
        let inside = object.characteristics ?? []
        let shape = inside.flatMap { one in
            [ObjectIdentifier(one)] + (one.descriptors ?? []).map { ObjectIdentifier($0) }
        }
        let included = (object.includedServices ?? []).map { ObjectIdentifier($0) }
        if let before = found[ObjectIdentifier(object)] {
            if before.shape == shape, before.included == included { return }
            _ = forget([object])
        }
        let count = 1 + included.count + inside.reduce(0) { $0 + 2 + ($1.descriptors?.count ?? 0) }
        guard next + count <= 0x1_0000 else { return }
        func handle(_ offset: Int) -> AttributeHandle { AttributeHandle(rawValue: UInt16(next + offset)) }
        var offset = 1 + included.count
        var laidOut: [GATT.Characteristic] = []
        for one in inside {
            let declaration = handle(offset), value = handle(offset + 1)
            offset += 2
            characteristics[value] = one
            values[ObjectIdentifier(one)] = value
            var described: [GATT.Descriptor] = []
            for descriptor in one.descriptors ?? [] {
                descriptors[handle(offset)] = descriptor
                described.append(
                    GATT.Descriptor(uuid: BluetoothUUID(descriptor.uuid), handle: handle(offset)))
                offset += 1
            }
            laidOut.append(
                GATT.Characteristic(
                    uuid: BluetoothUUID(one.uuid), handle: declaration, valueHandle: value,
                    endHandle: handle(offset - 1),
                    properties: GATT.Properties(rawValue: UInt8(truncatingIfNeeded: one.properties.rawValue)),
                    descriptors: described))
        }
        let service = GATT.Service(
            uuid: BluetoothUUID(object.uuid), handle: handle(0), endHandle: handle(offset - 1),
            isPrimary: object.isPrimary, characteristics: laidOut)
        found[ObjectIdentifier(object)] = Found(
            object: object, service: service, shape: shape, included: included)
        next += count
    }

    /// Forgets services that are not what they were.
    ///
    /// - Returns: Their handles, and everything of theirs that somebody may wait for.
    mutating func forget(_ services: [CBService]) -> (
        ranges: [ATT.HandleRange], objects: Set<ObjectIdentifier>
    ) {
        var ranges: [ATT.HandleRange] = []
        var objects: Set<ObjectIdentifier> = []
        for object in services {
            objects.insert(ObjectIdentifier(object))
            guard let gone = found.removeValue(forKey: ObjectIdentifier(object)) else { continue }
            let range = ATT.HandleRange(start: gone.service.handle, end: gone.service.endHandle)
            ranges.append(range)
            objects.formUnion(gone.shape)
            for one in gone.shape { values[one] = nil }
            characteristics = characteristics.filter { !(range.start...range.end).contains($0.key) }
            descriptors = descriptors.filter { !(range.start...range.end).contains($0.key) }
        }
        return (ranges, objects)
    }
}
