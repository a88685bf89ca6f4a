// SPDX-License-Identifier: Apache-2.0

package import BLEATT
import BLEAdvertising
package import BLEGATT
public import BLESimulation
public import BLEWire

/// A strap with a heart rate, a battery and a thermometer, for those who explore what devices have.
///
/// It notifies numbers, has text, a value that is longer than a packet, one that needs pairing, and one to write to.
public enum SimulatedStrap {
    /// Its address, the same in every run.
    public static let address = BluetoothAddress(0xC0FF_EE9A_3C2B, kind: .random)
    /// Its name.
    public static let name: WireText = "HR strap 9A3C2B"

    /// Makes the strap.
    ///
    /// - Parameter interval: How often it notifies a heart rate, in milliseconds; at least 1.
    /// - Returns: The strap, not started.
    public static func make(every interval: UInt64 = 1000) -> any SimulatedHost {
        SimulatedDevice(
            kind: "strap", StrapSession(interval: max(1, interval)), address: address,
            position: VirtualAir.Position(x: 3))
    }
}

/// Its attributes, and numbers that go up and down.
package struct StrapSession: DeviceSession {
    package typealias Event = Never

    /// Of what one of its services, which nobody has assigned, is made.
    private static let own: UInt64 = 0x51A9_0200_0C3E_4D7A

    let interval: UInt64
    private var links: [LinkID] = []
    private var handles: GATT.ValueHandles?
    private var beat = 0
    private var nextBeat: HostInstant?
    private var outputs = FIFO<DeviceOutput<Never>>()

    package init(interval: UInt64 = 1000) { self.interval = interval }

    package var name: WireText { SimulatedStrap.name }
    // Spec: Assigned Numbers, 2.6.3: heart rate belt.
    package var appearance: UInt16 { 0x0341 }
    package var nextDeadline: HostInstant? { nextBeat }

    package var advertisement: DeviceAdvertisement {
        var data = AdvertisingDataBuilder()
        var response = AdvertisingDataBuilder()
        // All of it fits.
        try? data.appendFlags()
        try? data.appendServices([BluetoothUUID(0x180D), BluetoothUUID(0x180F)])
        try? data.append(.appearance, [0x41, 0x03])
        try? data.append(ManufacturerData(company: 0x0059, data: [0x01, 0x9A, 0x3C, 0x2B]))
        try? response.appendName(name)
        return DeviceAdvertisement(data: data.octets, scanResponse: response.octets)
    }

    package var services: [GATT.ServiceDefinition] {
        [
            service(
                0x180D,
                [
                    characteristic(0x2A37, .notify, .stored(rate)),
                    characteristic(0x2A38, .read, .stored([1])),
                    characteristic(0x2A39, .write, .delegated),
                ]),
            service(0x180F, [characteristic(0x2A19, [.read, .notify], .delegated)]),
            service(0x1809, [characteristic(0x2A1E, .notify, .stored(temperature))]),
            service(
                0x180A,
                [
                    text(0x2A29, "Nordlicht GmbH & Söhne, Werk 3"), text(0x2A24, "Strap <b>2</b>"),
                    text(0x2A26, "1.14.2"),
                    characteristic(
                        0x2A23, .read, .stored([0x2B, 0x3C, 0x9A, 0xFE, 0xFF, 0xEE, 0xFF, 0xC0])),
                ]),
            GATT.ServiceDefinition(
                Self.uuid(0),
                characteristics: [
                    GATT.CharacteristicDefinition(
                        Self.uuid(1), [.read, .write, .writeWithoutResponse], value: .stored([0, 0, 0, 0]),
                        descriptors: [
                            GATT.DescriptorDefinition(
                                BluetoothUUID(0x2901), value: Array("Display brightness".utf8))
                        ]),
                    GATT.CharacteristicDefinition(Self.uuid(2), .read, value: .stored(Self.long)),
                    GATT.CharacteristicDefinition(
                        Self.uuid(3), [.read, .notify],
                        access: GATT.Access(read: .encrypted, write: .encrypted, subscribe: .encrypted),
                        value: .stored([0x2A])),
                ]),
        ]
    }

    private func service(
        _ uuid: UInt16, _ characteristics: [GATT.CharacteristicDefinition]
    ) -> GATT.ServiceDefinition {
        GATT.ServiceDefinition(BluetoothUUID(uuid), characteristics: characteristics)
    }

    private func characteristic(
        _ uuid: UInt16, _ properties: GATT.Properties, _ value: GATT.ValueSource
    ) -> GATT.CharacteristicDefinition {
        GATT.CharacteristicDefinition(BluetoothUUID(uuid), properties, value: value)
    }

    private func text(_ uuid: UInt16, _ text: String) -> GATT.CharacteristicDefinition {
        characteristic(uuid, .read, .stored(Array(text.utf8)))
    }

    private static func uuid(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: own + number << 32, low: 0x9C41_5A2D_11E6_0B83)
    }

    /// What takes several requests to read.
    private static let long: [UInt8] = (0..<400).map { UInt8(truncatingIfNeeded: $0 * 7) }

    /// 66 to 78 beats a minute, with contact and the time between the last two, as the standard lays it out.
    private var rate: [UInt8] {
        let swing = [0, 1, 3, 4, 6, 5, 6, 4, 3, 2, 0, -1, -3, -4, -6, -5, -6, -4, -2, -1]
        let rate = 72 + swing[beat % swing.count]
        let between = 60 * 1024 / rate
        return [0x16, UInt8(rate), UInt8(between & 0xFF), UInt8(between >> 8)]
    }

    private var battery: UInt8 { UInt8(82 - (beat / 60) % 40) }

    /// 36.5 to 36.9 °C.
    private var temperature: [UInt8] {
        let tenths = 365 + beat / 10 % 5
        return [0x00, UInt8(tenths & 0xFF), UInt8(tenths >> 8), 0, 0xFF]
    }

    package mutating func start(handles: GATT.ValueHandles, at now: HostInstant) { self.handles = handles }

    package mutating func receive(_ input: DeviceInput, at now: HostInstant) {
        switch input {
        case .connected(let link, _):
            links.append(link)
            if nextBeat == nil { nextBeat = now.advanced(byMilliseconds: interval) }
        case .disconnected(let link):
            links.removeAll { $0 == link }
            if links.isEmpty { nextBeat = nil }
        case .mtuChanged, .subscribed: break
        }
    }

    package mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        guard handle == handles?[BluetoothUUID(0x2A19)] else { throw .readNotPermitted }
        return [battery]
    }

    // Spec: Heart Rate Service v1.0, 3.3: 1 sets the energy to zero, and all else is refused with 0x80.
    package mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        guard value == [1] else { throw ATT.ErrorCode(rawValue: 0x80) }
    }

    package mutating func deadlineReached(at now: HostInstant) {
        guard let due = nextBeat, due <= now else { return }
        beat += 1
        nextBeat = due.advanced(byMilliseconds: interval)
        let changed: [(UInt16, [UInt8], Bool)] = [
            (0x2A37, rate, true), (0x2A1E, temperature, beat % 5 == 0), (0x2A19, [battery], beat % 60 == 0),
        ]
        for (uuid, value, isDue) in changed where isDue {
            guard let handle = handles?[BluetoothUUID(uuid)] else { continue }
            for link in links { outputs.append(.send(link, handle, value, .notify)) }
        }
    }

    package mutating func nextOutput() -> DeviceOutput<Never>? { outputs.popFirst() }
}
