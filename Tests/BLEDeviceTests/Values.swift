// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire

/// A device whose values are what was written, with services as a test wants them.
struct Values: DeviceSession, ~Copyable {
    typealias Event = Never

    let services: [GATT.ServiceDefinition]
    var name: WireText { "Values" }
    var appearance: UInt16 { 0x0240 }
    var advertisement: DeviceAdvertisement { DeviceAdvertisement(data: [2, 1, 6], scanResponse: []) }
    var nextDeadline: HostInstant? { nil }

    /// What it was told, in words.
    var told: [String] = []
    private var values: [AttributeHandle: [UInt8]] = [:]
    private var outputs = FIFO<DeviceOutput<Never>>()

    init(_ services: [GATT.ServiceDefinition]) { self.services = services }

    mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {}

    mutating func receive(_ input: DeviceInput, at now: HostInstant) { told.append("\(input)") }

    mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        if handle.rawValue.isMultiple(of: 7) { throw .unlikelyError }
        return values[handle]
            ?? Array(repeating: UInt8(handle.rawValue & 0xFF), count: Int(handle.rawValue) * 5)
    }

    mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        told.append("write \(handle) \(value)")
        if value.first == 0xBA { throw .valueNotAllowed }
        values[handle] = value
    }

    mutating func deadlineReached(at now: HostInstant) {}

    mutating func nextOutput() -> DeviceOutput<Never>? { outputs.popFirst() }

    mutating func say(_ value: [UInt8], _ handle: AttributeHandle, _ link: LinkID, _ kind: GATT.ValueKind) {
        outputs.append(.send(link, handle, value, kind))
    }

    mutating func advertisementChanges() { outputs.append(.advertisementChanged) }

    /// Services with everything that a definition can say, as a seed has it.
    static func services(_ seed: UInt64) -> [GATT.ServiceDefinition] {
        var random = SplitMix64(seed: seed)
        let uuids = (0..<6).map { number in
            number < 3 ? BluetoothUUID(0xFF00 + UInt16(number)) : BluetoothUUID(high: 7, low: UInt64(number))
        }
        var handle: UInt16 = 20
        return [.genericAttribute]
            + (0..<(1 + random.next() % 4)).map { _ in
                handle += UInt16(random.next() % 30) + 40
                return GATT.ServiceDefinition(
                    random.one(of: uuids), isPrimary: random.next() % 4 != 0,
                    handle: random.next() % 3 == 0 ? AttributeHandle(rawValue: handle) : nil,
                    includes: random.next() % 3 == 0 ? [random.one(of: uuids)] : [],
                    characteristics: (0..<(random.next() % 4)).map { _ in
                        characteristic(random.one(of: uuids), &random)
                    })
            }
    }

    private static func characteristic(
        _ uuid: BluetoothUUID, _ random: inout SplitMix64
    ) -> GATT.CharacteristicDefinition {
        let levels: [SecurityLevel] = [.none, .none, .none, .encrypted, .authenticated, .secureConnections]
        let access = GATT.Access(
            read: random.one(of: levels), write: random.one(of: levels),
            subscribe: random.one(of: levels))
        func source() -> GATT.ValueSource {
            random.next() % 2 == 0
                ? .delegated : .stored(Array(repeating: 5, count: Int(random.next() % 40)))
        }
        var descriptors: [GATT.DescriptorDefinition] = []
        if random.next() % 3 == 0 {
            descriptors.append(.userDescription("Spoken", isWritable: random.next() % 2 == 0))
        }
        if random.next() % 4 == 0 {
            descriptors.append(
                .init(
                    BluetoothUUID(high: 9, low: 9), source(), isWritable: random.next() % 2 == 0,
                    access: access))
        }
        return GATT.CharacteristicDefinition(
            uuid, GATT.Properties(rawValue: UInt8(truncatingIfNeeded: random.next()) & 0xBE), access: access,
            value: source(), extendedProperties: random.next() % 5 == 0 ? .reliableWrite : [],
            descriptors: descriptors)
    }
}

extension SplitMix64 {
    /// One of some; each is as likely as the others.
    mutating func one<Element>(of all: [Element]) -> Element { all[below(all.count)] }
}
