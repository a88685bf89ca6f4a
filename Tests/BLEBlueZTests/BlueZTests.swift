// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLETransport
import BLEWire
import BluetoothLE
import DBus
import Testing

@testable import BLEBlueZ

@Suite("What BlueZ tells")
struct BlueZTests {
    private static let device = "/org/bluez/hci0/dev_00_AA_01_00_00_01"

    /// Objects as they are listed: path, interface, properties.
    private static func objects(
        _ listed: [(String, String, [String: DBusValue])]
    ) throws -> DBusObjects {
        var objects: [DBusValue: DBusValue] = [:]
        for (path, interface, properties) in listed {
            objects[.path(path)] = .dictionary(
                [.string(interface): .options(properties)], key: "s", value: "a{sv}")
        }
        return try DBusObjects(answer: [.dictionary(objects, key: "o", value: "a{sa{sv}}")])
    }

    @Test("a device is put together from its properties")
    func device() throws {
        let manufacturer: [DBusValue: DBusValue] = [.uint16(0x004C): .variant(.octets([1, 2]))]
        let heard = try #require(
            BlueZDevice(properties: [
                "Address": .string("F0:F1:F2:F3:F4:F5"), "AddressType": .string("random"),
                "RSSI": .int16(-60),
                "Name": .string("Lamp"), "TxPower": .int16(4),
                "UUIDs": .array(
                    [.string("0000180f-0000-1000-8000-00805f9b34fb"), .string("rubbish")], of: "s"),
                "ManufacturerData": .dictionary(manufacturer, key: "q", value: "v"),
                "ServiceData": .options(["0000180f-0000-1000-8000-00805f9b34fb": .octets([7])]),
            ]).advertisement)
        #expect(heard.peer == Peer(BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .random)))
        #expect((heard.rssi, heard.name, heard.txPower) == (-60, "Lamp", 4))
        #expect(heard.services == [BluetoothUUID(0x180F)])
        #expect(heard.data.manufacturerData.map(\.data) == [[1, 2]])
        #expect(heard.isConnectable == nil)
    }

    @Test("properties of wrong types are left out")
    func wrongTypes() throws {
        let heard = try #require(
            BlueZDevice(properties: [
                "Address": .string("F0:F1:F2:F3:F4:F5"), "AddressType": .uint32(1), "RSSI": .int16(127),
                "Name": .octets([1]), "TxPower": .int16(400), "UUIDs": .string("180f"),
                "ManufacturerData": .array([], of: "s"), "ServiceData": .uint32(1), "Appearance": .int32(-1),
                "AdvertisingFlags": .array([.uint32(1)], of: "u"),
            ]).advertisement)
        #expect(heard.peer.address?.kind == .public)
        #expect(heard.rssi == nil)
        #expect(heard.data.octets == [])
        for address in [DBusValue.string("F0:F1"), .uint32(1)] {
            #expect(BlueZDevice(properties: ["Address": address]).advertisement == nil)
        }
    }

    @Test("services are read from their objects, in handle order")
    func services() throws {
        let service = Self.device + "/service000a"
        let uuid = DBusValue.string("0000180f-0000-1000-8000-00805f9b34fb")
        let level = DBusValue.string("00002a19-0000-1000-8000-00805f9b34fb")
        let found = BlueZServices(
            try Self.objects([
                (Self.device + "/service0020", BlueZ.gattService, ["UUID": uuid, "Primary": .bool(false)]),
                (service, BlueZ.gattService, ["UUID": uuid, "Primary": .bool(true)]),
                (
                    service + "/char000b", BlueZ.characteristic,
                    [
                        "UUID": level, "MTU": .uint16(247),
                        "Flags": .array([.string("read"), .string("notify"), .string("other")], of: "s"),
                    ]
                ),
                (
                    service + "/char000b/desc000d", BlueZ.descriptor,
                    ["UUID": .string("00002902-0000-1000-8000-00805f9b34fb")]
                ),
                // Nothing of these is taken.
                (service + "/charzzzz", BlueZ.characteristic, ["UUID": level]),
                (service + "/char0000", BlueZ.characteristic, ["UUID": level]),
                (service + "/charffff", BlueZ.characteristic, ["UUID": level]),
                (service + "/char0010", BlueZ.characteristic, ["UUID": .uint32(1)]),
                (Self.device + "5/service0001", BlueZ.gattService, ["UUID": uuid]),
            ]), of: Self.device)
        let battery = GATT.Characteristic(
            uuid: BluetoothUUID(0x2A19), handle: AttributeHandle(rawValue: 0x0B),
            valueHandle: AttributeHandle(rawValue: 0x0C), endHandle: AttributeHandle(rawValue: 0x1F),
            properties: [.read, .notify],
            descriptors: [
                GATT.Descriptor(uuid: BluetoothUUID(0x2902), handle: AttributeHandle(rawValue: 0x0D))
            ])
        #expect(found.services.map(\.handle.rawValue) == [0x0A, 0x20])
        #expect(found.services.map(\.endHandle.rawValue) == [0x1F, 0xFFFF])
        #expect(found.services.map(\.isPrimary) == [true, false])
        #expect(found.services[0].characteristics == [battery])
        #expect(found.mtu == 247)
        #expect(found.values[AttributeHandle(rawValue: 0x0C)]?.path == service + "/char000b")
        #expect(found.values[AttributeHandle(rawValue: 0x0D)]?.interface == BlueZ.descriptor)
    }

    @Test(
        "errors say what can be done about them",
        arguments: [
            (
                "Failed", "Operation failed with ATT error: 0x80 (Application Error)",
                .refused(ATT.ErrorCode(rawValue: 0x80))
            ),
            (
                "Failed", "Operation failed with ATT error: 0x",
                .refusedByRadio("Operation failed with ATT error: 0x (org.bluez.Error.Failed)")
            ),
            ("NotPermitted", "Read not permitted", .refused(.readNotPermitted)),
            ("NotPermitted", "Write not permitted", .refused(.writeNotPermitted)),
            ("NotConnected", "Not Connected", .disconnected(.closedByPeer)),
            ("InvalidValueLength", "", .refused(.invalidAttributeValueLength)),
            ("Odd", "what", .refusedByRadio("what (org.bluez.Error.Odd)")),
        ] as [(String, String, BluetoothError)])
    func errors(name: String, message: String, expected: BluetoothError) {
        let error = DBusError.refused(name: "org.bluez.Error." + name, message: message)
        #expect(BlueZ.requestFailure(error) == expected)
    }

    @Test("why no link could be opened")
    func connectErrors() {
        let aborted = DBusError.refused(
            name: "org.bluez.Error.Failed", message: "le-connection-abort-by-local")
        #expect(BlueZ.connectFailure(aborted) == .connectFailed(.connectTimeout))
        #expect(BlueZ.connectFailure(.timeout) == .connectFailed(.connectTimeout))
        #expect(BlueZ.connectFailure(.cancelled) == .cancelled)
    }

    @Test("why a link has ended")
    func ends() {
        #expect(BlueZ.linkFailure("org.bluez.Reason.Timeout") == .supervisionTimeout)
        #expect(BlueZ.linkFailure("org.bluez.Reason.Local") == .closedByUs)
        #expect(BlueZ.linkFailure("org.bluez.Reason.Remote") == .closedByPeer)
        #expect(BlueZ.linkFailure("org.bluez.Reason.Unknown") == nil)
    }

    @Test("the adapters are told by name")
    func adapters() throws {
        let found = BlueZAdapter.all(
            in: try Self.objects([
                ("/org/bluez/hci1", BlueZ.adapter, ["Powered": .bool(true), "Address": .string("rubbish")]),
                (
                    "/org/bluez/hci0", BlueZ.adapter,
                    ["Powered": .bool(false), "Address": .string("00:AA:01:00:00:01")]
                ),
                (Self.device, BlueZ.device, ["Address": .string("00:AA:01:00:00:02")]),
            ]))
        #expect(found.map(\.name) == ["hci0", "hci1"])
        #expect(found.map(\.isPowered) == [false, true])
        #expect(found.map(\.address) == [BluetoothAddress(0x00AA_0100_0001, kind: .public), nil])
    }

    @Test("without a bus the answer comes from the system, and says so")
    func noBus() async throws {
        let loop = try TransportLoop()
        let address = "unix:path=/no/such/bus"
        let listing = await #expect(throws: BluetoothError.self) {
            try await BlueZAdapter.all(bus: address, on: loop)
        }
        let radio = BlueZRadio(bus: address, loop: loop)
        let starting = await #expect(throws: BluetoothError.self) { try await radio.start() }
        #expect(listing == starting)
        #expect(listing?.description.contains("nothing answers at unix:path=/no/such/bus") == true)
        await radio.radio.close()
    }
}
