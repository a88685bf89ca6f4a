// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire

/// The attributes of a device in four octets each, with the layout that ``GATT/Database`` gives the same services.
///
/// Values that a device stores, and UUIDs, stand beside it once.
struct AttributeTable: Sendable {
    /// What an attribute is.
    enum Kind: UInt32 {
        case primaryService, secondaryService, include, characteristic
        /// A value or a descriptor that the session answers for.
        case delegated
        /// A value or a descriptor that stands in ``AttributeTable/stored``.
        case stored
        case clientConfiguration, clientFeatures
        /// No attribute has this handle.
        case none
    }

    /// An attribute, in 32 bits.
    ///
    /// | bits | size | field | notes |
    /// |------|------|-------|-------|
    /// | 0 | 4 | kind |  |
    /// | 4 | 8 | properties | of the characteristic; of a descriptor whether it can be read and written |
    /// | 12 | 6 | access | two bits each: read, write, subscribe |
    /// | 18 | 14 | UUID | its place in the table's lists; the highest bit is of a long one |
    struct Row: Sendable {
        private let bits: UInt32

        init(_ kind: Kind, _ properties: GATT.Properties, _ access: GATT.Access, uuid: UInt32) {
            let levels = access.read.bits | access.write.bits << 2 | access.subscribe.bits << 4
            bits = kind.rawValue | UInt32(properties.rawValue) << 4 | levels << 12 | uuid << 18
        }

        var kind: Kind { Kind(rawValue: bits & 0xF) ?? .none }
        var properties: GATT.Properties { GATT.Properties(rawValue: UInt8(truncatingIfNeeded: bits >> 4)) }
        var uuid: Int { Int(bits >> 18) }
        var isService: Bool { kind == .primaryService || kind == .secondaryService }

        func access(_ use: Use) -> SecurityLevel { SecurityLevel(bits: bits >> (12 + 2 * use.rawValue) & 3) }
    }

    /// What somebody wants to do with a value.
    enum Use: UInt32 {
        case read, write, subscribe
    }

    /// A value that the host answers for.
    struct Stored: Sendable {
        let handle: Int
        var value: [UInt8]
    }

    private(set) var rows: [Row] = []
    private(set) var stored: [Stored] = []
    /// How many client characteristic configurations there are.
    private(set) var configurations = 0
    private var short: [UInt16] = []
    private var long: [BluetoothUUID] = []

    /// Lays out services as ``GATT/Database/init(_:)`` does.
    ///
    /// - Precondition: Handles that are asked for are not below the next free one.
    init(_ services: [GATT.ServiceDefinition]) {
        for service in services {
            fill(to: service.handle)
            add(service.isPrimary ? .primaryService : .secondaryService, service.uuid)
            for uuid in service.includes where services.contains(where: { $0.uuid == uuid }) {
                add(.include, uuid)
            }
            for characteristic in service.characteristics { add(characteristic) }
        }
        for index in stored.indices
        where uuid(of: rows[stored[index].handle - 1]) == GATT.CharacteristicType.databaseHash {
            stored[index].value = hash
        }
    }

    @inline(never)
    private mutating func add(_ characteristic: GATT.CharacteristicDefinition) {
        fill(to: characteristic.handle)
        let properties = characteristic.allProperties
        add(.characteristic, characteristic.uuid, properties)
        if characteristic.uuid == GATT.CharacteristicType.clientSupportedFeatures {
            add(.clientFeatures, characteristic.uuid, properties, characteristic.access)
        } else {
            add(characteristic.value, characteristic.uuid, properties, characteristic.access)
        }
        if !properties.isDisjoint(with: [.notify, .indicate]) {
            configurations += 1
            add(
                .clientConfiguration, GATT.AttributeType.clientConfiguration, properties,
                GATT.Access(write: characteristic.access.subscribe))
        }
        if properties.contains(.extendedProperties), !characteristic.hasExtendedProperties {
            add(
                .stored([characteristic.allExtendedProperties.rawValue, 0]),
                GATT.AttributeType.extendedProperties, .read)
        }
        for descriptor in characteristic.descriptors {
            add(
                descriptor.value, descriptor.uuid, descriptor.isWritable ? [.read, .write] : .read,
                descriptor.access)
        }
    }

    private mutating func add(
        _ value: GATT.ValueSource, _ uuid: BluetoothUUID, _ properties: GATT.Properties,
        _ access: GATT.Access = GATT.Access()
    ) {
        guard case .stored(let octets) = value else {
            return add(Kind.delegated, uuid, properties, access)
        }
        add(Kind.stored, uuid, properties, access)
        stored.append(Stored(handle: rows.count, value: octets))
    }

    @inline(never)
    private mutating func add(
        _ kind: Kind, _ uuid: BluetoothUUID, _ properties: GATT.Properties = [],
        _ access: GATT.Access = GATT.Access()
    ) {
        let place: Int
        if let value = uuid.short {
            place = short.firstIndex(of: value) ?? short.count
            if place == short.count { short.append(value) }
        } else {
            let index = long.firstIndex(of: uuid) ?? long.count
            if index == long.count { long.append(uuid) }
            place = index | 0x2000
        }
        precondition(place & 0x1FFF < 0x1FFF && rows.count < 0xFFFF, "a device has too many attributes")
        rows.append(Row(kind, properties, access, uuid: UInt32(place)))
    }

    private mutating func fill(to handle: AttributeHandle?) {
        guard let handle else { return }
        precondition(Int(handle.rawValue) > rows.count, "handles were asked for twice or out of order")
        while rows.count + 1 < Int(handle.rawValue) { rows.append(Row(.none, [], GATT.Access(), uuid: 0)) }
    }
}

extension AttributeTable {
    /// The attribute with a handle; `nil` when there is none.
    subscript(handle: Int) -> Row? {
        guard handle > 0, handle <= rows.count, rows[handle - 1].kind != .none else { return nil }
        return rows[handle - 1]
    }

    /// The UUID of a service, a characteristic, an included service, or what a value or descriptor is.
    @inline(never)
    func uuid(of row: Row) -> BluetoothUUID {
        row.uuid & 0x2000 == 0 ? BluetoothUUID(short[row.uuid]) : long[row.uuid & 0x1FFF]
    }

    /// The type of an attribute.
    func type(of row: Row) -> BluetoothUUID {
        switch row.kind {
        case .primaryService: GATT.AttributeType.primaryService
        case .secondaryService: GATT.AttributeType.secondaryService
        case .include: GATT.AttributeType.include
        case .characteristic: GATT.AttributeType.characteristic
        case .delegated, .stored, .clientConfiguration, .clientFeatures, .none: uuid(of: row)
        }
    }

    /// The last handle of a service.
    func groupEnd(of handle: Int) -> Int {
        var end = handle
        while end < rows.count, let next = self[end + 1], !next.isService { end += 1 }
        return end
    }

    /// The octets of a declaration, and of a value that is stored; `nil` for what somebody else answers for.
    @inline(never)
    func octets(of handle: Int, _ row: Row) -> [UInt8]? {
        var writer = ByteWriter(capacity: 19)
        switch row.kind {
        case .primaryService, .secondaryService: uuid(of: row).encodeAttributeType(into: &writer)
        case .characteristic:
            writer.write(row.properties.rawValue)
            writer.write(UInt16(truncatingIfNeeded: handle + 1))
            uuid(of: row).encodeAttributeType(into: &writer)
        case .include:
            for index in rows.indices where rows[index].isService && rows[index].uuid == row.uuid {
                writer.write(UInt16(truncatingIfNeeded: index + 1))
                writer.write(UInt16(truncatingIfNeeded: groupEnd(of: index + 1)))
                // A long UUID is left out; the service's own declaration has it.
                if row.uuid & 0x2000 == 0 { writer.write(short[row.uuid]) }
                break
            }
        case .stored: return storedIndex(of: handle).map { stored[$0].value }
        case .delegated, .clientConfiguration, .clientFeatures, .none: return nil
        }
        return writer.octets
    }

    private func storedIndex(of handle: Int) -> Int? { stored.firstIndex { $0.handle == handle } }

    /// Replaces a stored value.
    mutating func store(_ value: [UInt8], at handle: Int) {
        if let index = storedIndex(of: handle) { stored[index].value = value }
    }

    /// Which of all client characteristic configurations this is.
    func configuration(at handle: Int) -> Int {
        var number = 0
        for row in rows[..<(handle - 1)] where row.kind == .clientConfiguration { number += 1 }
        return number
    }

    /// Where the values are, for the session.
    var valueHandles: GATT.ValueHandles {
        var values: [(uuid: BluetoothUUID, handle: AttributeHandle)] = []
        for (index, row) in rows.enumerated() where row.kind == .characteristic {
            values.append((uuid(of: row), AttributeHandle(rawValue: UInt16(truncatingIfNeeded: index + 2))))
        }
        return GATT.ValueHandles(values)
    }

    /// The Database Hash of the attributes.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 7.3.1.
    private var hash: [UInt8] {
        var message = ByteWriter(capacity: rows.count * 8)
        for (index, row) in rows.enumerated() where row.kind != .none {
            let type = type(of: row)
            guard let short = type.short, 0x2800...0x2803 ~= short || 0x2900...0x2905 ~= short else {
                continue
            }
            message.write(UInt16(truncatingIfNeeded: index + 1))
            message.write(short)
            if short <= 0x2900, let octets = octets(of: index + 1, row) { message.write(octets) }
        }
        return AES128(key: [UInt8](repeating: 0, count: 16)).cmac(message.octets).reversed()
    }
}

extension SecurityLevel {
    /// In two bits.
    fileprivate var bits: UInt32 { UInt32(rawValue) - 1 }

    fileprivate init(bits: UInt32) {
        self = SecurityLevel(rawValue: UInt8(truncatingIfNeeded: bits + 1)) ?? .secureConnections
    }
}
