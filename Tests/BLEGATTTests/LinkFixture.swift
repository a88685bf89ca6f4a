// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

/// What the tests of `DeviceLink` share.
enum LinkFixture {
    static let service = BluetoothUUID(0xFF00)
    static let wanted = BluetoothUUID(0xFF01)
    static let alsoWanted = BluetoothUUID(0xFF02)
    static let a = Peer(BluetoothAddress(0xA, kind: .random))
    static let b = Peer(BluetoothAddress(0xB, kind: .public))
    static let c = Peer(BluetoothAddress(0xC, kind: .random))

    static func at(_ milliseconds: UInt64) -> HostInstant {
        .zero.advanced(byMilliseconds: milliseconds)
    }

    static func characteristic(
        _ uuid: BluetoothUUID, _ handle: UInt16, _ properties: GATT.Properties
    ) -> GATT.Characteristic {
        let handle = AttributeHandle(rawValue: handle)
        return GATT.Characteristic(
            uuid: uuid, handle: handle, valueHandle: handle, endHandle: handle, properties: properties)
    }

    /// What a device that fits has; the first `wanted` cannot notify and is passed over.
    static let found = [
        characteristic(wanted, 4, [.read, .notify]), characteristic(alsoWanted, 5, [.writeWithoutResponse]),
    ]
    static let fitting = [
        GATT.Service(
            uuid: BluetoothUUID(0x1800), handle: 1, endHandle: 2,
            characteristics: [characteristic(wanted, 2, [.read])]),
        GATT.Service(uuid: service, handle: 3, endHandle: 5, characteristics: found),
    ]

    static func configuration(_ target: DeviceLink.Target = .any, reconnects: Bool = true)
        -> DeviceLink.Configuration
    {
        DeviceLink.Configuration(
            target: target, services: [service], namePatterns: ["lamp", "s3"],
            required: [
                DeviceLink.Requirement(wanted, anyOf: [.notify, .indicate]),
                DeviceLink.Requirement(alsoWanted, anyOf: [.write, .writeWithoutResponse]),
            ],
            reconnects: reconnects, seed: 7)
    }

    static func heard(
        _ peer: Peer, name: WireText? = nil, offers: Bool = false, rssi: Int8? = -60,
        isConnectable: Bool = true
    ) -> ClientInput {
        .advertisement(
            ClientAdvertisement(
                peer: peer, name: name, services: offers ? [service] : [], rssi: rssi,
                isConnectable: isConnectable))
    }

    /// What happens until a device fits.
    static let wayUp: [ClientInput] = [
        .radio(.ready), heard(a, offers: true), .connected(a, mtu: 23), .discovered(fitting),
    ]
}

extension DeviceLink {
    mutating func drain() -> [Output] {
        var outputs: [Output] = []
        while let output = nextOutput() { outputs.append(output) }
        return outputs
    }

    mutating func receive(_ input: ClientInput, _ milliseconds: UInt64) -> [Output] {
        receive(input, at: LinkFixture.at(milliseconds))
        return drain()
    }

    mutating func reach(_ milliseconds: UInt64) -> [Output] {
        deadlineReached(at: LinkFixture.at(milliseconds))
        return drain()
    }

    /// Brings the link from the start to `connected` with `a`, at the start of the clock.
    mutating func bringUp() {
        for input in LinkFixture.wayUp {
            receive(input, at: .zero)
        }
        ready(at: .zero)
        _ = drain()
    }
}
