// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEAdvertising
import BLEGATT
public import BLESimulation
import BLEWire
import Companion

/// What stands along a street: cameras, a gunshot detector, and what looks like them, on the virtual air.
///
/// | address | what it is |
/// |---|---|
/// | CA:3E:4A:00:00:01 | the battery of a camera, by its name |
/// | CA:3E:4A:00:00:02 | a camera's pack with ten digits |
/// | CA:3E:4A:00:00:03 | a gunshot detector, by its services |
/// | CA:3E:4A:00:00:04 | a thermometer, with services that the first gunshot detectors had, too |
/// | CA:3E:4A:00:00:05 | a mouse called penguin |
public enum SimulatedStreet {
    /// Makes all of it, at the same addresses in every run.
    ///
    /// - Returns: The devices, not started.
    public static func make() -> [any SimulatedHost] {
        let all: [Passer] = [
            Passer(name: "FS Ext Battery", services: []),
            Passer(name: "Penguin-2231907001", services: []),
            Passer(name: "RVN", services: [0x180A, 0x3100, 0x3200, 0x3300, 0x3400, 0x3500]),
            Passer(name: "Thermometer", services: [0x1809, 0x180A]),
            Passer(name: "Penguin Mouse", services: [0x1812]),
        ]
        return all.enumerated().map { index, passer in
            SimulatedDevice(
                kind: "street", passer,
                address: BluetoothAddress(0xCA3E_4A00_0001 + UInt64(index), kind: .random),
                position: VirtualAir.Position(x: Double(4 + 3 * index)))
        }
    }
}

/// A device of which nothing is known but what it advertises.
private struct Passer: DeviceSession {
    typealias Event = Never

    let name: WireText
    private let short: [UInt16]

    init(name: WireText, services: [UInt16]) {
        self.name = name
        short = services
    }

    var services: [GATT.ServiceDefinition] { [] }
    var appearance: UInt16 { 0 }
    var nextDeadline: HostInstant? { nil }

    var advertisement: DeviceAdvertisement {
        var data = AdvertisingDataBuilder()
        var response = AdvertisingDataBuilder()
        // All of it fits.
        try? data.appendFlags()
        try? data.appendServices(short.map { BluetoothUUID($0) })
        try? response.appendName(name)
        return DeviceAdvertisement(data: data.octets, scanResponse: response.octets)
    }

    mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {}
    mutating func receive(_ input: DeviceInput, at now: HostInstant) {}

    mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] { throw .readNotPermitted }

    mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) { throw .writeNotPermitted }

    mutating func deadlineReached(at now: HostInstant) {}
    mutating func nextOutput() -> DeviceOutput<Never>? { nil }
}
