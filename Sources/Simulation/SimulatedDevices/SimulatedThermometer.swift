// SPDX-License-Identifier: Apache-2.0

package import BLEATT
import BLEAdvertising
package import BLEGATT
public import BLESimulation
package import BLEWire

/// A thermometer for people, as the Health Thermometer service has it: it indicates a temperature every five seconds.
package struct ThermometerSession: DeviceSession {
    package typealias Event = Never

    /// How often it measures, in seconds.
    private static let interval: UInt16 = 5
    private static let measurement = BluetoothUUID(0x2A1C)

    private var links: [LinkID] = []
    private var handles: GATT.ValueHandles?
    private var count = 0
    private var next: HostInstant?
    private var outputs = FIFO<DeviceOutput<Never>>()

    package init() {}

    package var name: WireText { "Thermometer" }
    // Spec: Assigned Numbers, 2.6.3: generic thermometer.
    package var appearance: UInt16 { 0x0300 }
    package var nextDeadline: HostInstant? { next }

    package var advertisement: DeviceAdvertisement {
        var data = AdvertisingDataBuilder()
        var response = AdvertisingDataBuilder()
        // All of it fits.
        try? data.appendFlags()
        try? data.appendServices([BluetoothUUID(0x1809), BluetoothUUID(0x180A)])
        try? response.appendName(name)
        return DeviceAdvertisement(data: data.octets, scanResponse: response.octets)
    }

    package var services: [GATT.ServiceDefinition] {
        [
            GATT.ServiceDefinition(
                BluetoothUUID(0x1809),
                characteristics: [
                    GATT.CharacteristicDefinition(Self.measurement, .indicate, value: .stored(temperature)),
                    // Where it measures: 2 is the body.
                    GATT.CharacteristicDefinition(BluetoothUUID(0x2A1D), .read, value: .stored([2])),
                    GATT.CharacteristicDefinition(
                        BluetoothUUID(0x2A21), .read, value: .stored([UInt8(Self.interval), 0])),
                ]),
            GATT.ServiceDefinition(
                BluetoothUUID(0x180A),
                characteristics: [
                    GATT.CharacteristicDefinition(
                        BluetoothUUID(0x2A29), .read, value: .stored(Array("Lantern".utf8)))
                ]),
        ]
    }

    /// 36.5 to 36.9 °C: flags of none, then tenths with the exponent -1.
    private var temperature: [UInt8] {
        let tenths = 365 + count % 5
        return [0x00, UInt8(tenths & 0xFF), UInt8(tenths >> 8), 0, 0xFF]
    }

    package mutating func start(handles: GATT.ValueHandles, at now: HostInstant) { self.handles = handles }

    package mutating func receive(_ input: DeviceInput, at now: HostInstant) {
        switch input {
        case .connected(let link, _):
            links.append(link)
            if next == nil { next = now.advanced(bySeconds: UInt64(Self.interval)) }
        case .disconnected(let link):
            links.removeAll { $0 == link }
            if links.isEmpty { next = nil }
        case .mtuChanged, .subscribed: break
        }
    }

    package mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] { throw .readNotPermitted }

    package mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) { throw .writeNotPermitted }

    package mutating func deadlineReached(at now: HostInstant) {
        guard let due = next, due <= now else { return }
        count += 1
        next = due.advanced(bySeconds: UInt64(Self.interval))
        guard let handle = handles?[Self.measurement] else { return }
        for link in links { outputs.append(.send(link, handle, temperature, .indicate)) }
    }

    package mutating func nextOutput() -> DeviceOutput<Never>? { outputs.popFirst() }
}

extension SimulatedDevices {
    /// Kinds of devices that belong to no product, for those who explore what devices have.
    public static let others = ["strap", "thermometer"]

    /// Makes a device of one of these kinds, at its fixed address.
    ///
    /// - Parameter kind: One of ``others``.
    /// - Returns: The device, not started; `nil` when there is no such kind.
    public static func makeOther(_ kind: String) -> (any SimulatedHost)? {
        switch kind {
        case "strap": SimulatedStrap.make()
        // Where the street of `--radio sim` has one.
        case "thermometer":
            SimulatedDevice(
                kind: "thermometer", ThermometerSession(),
                address: BluetoothAddress(0xCA3E_4A00_0004, kind: .random),
                position: VirtualAir.Position(x: 13))
        default: nil
        }
    }
}
