// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionText
import Testing

@testable import CommandIO
@testable import LanternCommands

private let level = BluetoothUUID(0x2A19)
private let services = TestDevice.batteryServices
private let found = GATT.FoundServices(services: services)

@Suite struct AttributeTargetTests {
    @Test func aUUIDMeansTheCharacteristic() throws {
        let target = try AttributeTarget.find(.uuid(level), in: services, for: .read)
        #expect((target.handle, target.name) == (4, "Battery Level"))
        #expect(target.characteristic?.handle == 3)
    }

    @Test func aUUIDMayMeanADescriptor() throws {
        let target = try AttributeTarget.find(.uuid(BluetoothUUID(0x2901)), in: services, for: .read)
        #expect((target.handle, target.characteristic) == (6, nil))
    }

    @Test(arguments: [
        (1 as AttributeHandle, "2800"), (2, "2802"), (3, "2803"), (4, "2a19"), (5, "2902"), (7, "2801"),
        (11, "fff1"),
    ])
    func aHandleMeansWhateverIsThere(handle: AttributeHandle, uuid: String) throws {
        let target = try AttributeTarget.find(.handle(handle), in: services, for: .read)
        #expect(target.handle == handle)
        #expect(target.uuid.description == uuid)
    }

    @Test func aUUIDThatOccursTwiceListsTheHandles() {
        let error = #expect(throws: ExplorerError.self) {
            try AttributeTarget.named(.uuid(BluetoothUUID(0xFFF1)), in: found, for: .watch)
        }
        #expect(
            error.map(CommandError.init)
                == .wrongUsage("fff1 occurs 2 times: say which by its handle, one of 0x0009, 0x000b."))
    }

    @Test(arguments: [AttributeReference.uuid(BluetoothUUID(0x2A6E)), .handle(14)])
    func whatIsNotThereIsNamed(reference: AttributeReference) {
        let fault = #expect(throws: ExplorerError.self) {
            try AttributeTarget.named(reference, in: found, for: .read)
        }
        let error = fault.map(CommandError.init)
        #expect(error?.status == .nothingFound)
        #expect(error?.sentence.contains(reference.description) == true)
    }
}

@Suite struct UUIDAsHandleTests {
    @Test(
        arguments: [
            (0xFFF1, "If you mean the UUID, write fff1."),
            (0x2A19, "If you mean the UUID of Battery Level, write 2a19."),
            (0x2902, "If you mean the UUID of Client Characteristic Configuration, write 2902."),
            (0x180F, "If you mean the UUID of Battery, write 180f."),
            (0xABCD, "If you mean the UUID, write abcd."), (0x0077, nil),
        ] as [(UInt16, String?)])
    func aUUIDThatIsWrittenAsAHandleIsSaid(number: UInt16, hint: String?) {
        let handle = AttributeHandle(rawValue: number)
        let fault = #expect(throws: ExplorerError.self) {
            try AttributeTarget.named(.handle(handle), in: found, for: .watch)
        }
        let error = fault.map(CommandError.init)
        #expect(error?.status == .nothingFound)
        let start = "The device has nothing at \(handle.text); `lantern gatt tree` shows all."
        #expect(error?.sentence == start + (hint.map { " " + $0 } ?? ""))
    }
}

@Suite struct ValueTextTests {
    @Test(arguments: [
        ("", ""), ("312e32", "1.2"), ("4bc3bc", "Kü"), ("61620a", nil), ("616200", nil), ("ff", nil),
        ("c3", nil), ("e280ae61", nil),
    ])
    func textIsWhatCanBePrinted(hex: String, text: String?) throws {
        #expect(PrintableText.text(try #require([UInt8](hexadecimal: hex))) == text)
    }

    @Test(arguments: [
        ("", 0x2A00, 80, "empty"),
        ("416263", 0x2A00, 80, "\"Abc\"  41 62 63"),
        ("416263", 0x2A00, 6, "\"Abc\""),
        ("416263", 0x2A00, 4, "\"Ab…"),
        ("4142", 0x2A00, 80, "\"AB\"  41 42"),
        ("4142", 0xFFF1, 80, "41 42"),
        ("ff41", 0x2A00, 80, "ff 41  (it is no UTF-8 text)"),
        ("1b5b", 0x2A00, 80, "\"\\u{1b}[\"  1b 5b"),
        (String(repeating: "41", count: 21), 0x2A00, 800, "\"AAAAAAAAAAAAAAAAAAAAA\""),
        ("5f", 0x2A19, 80, "95%  5f"),
        ("c200", 0x2A01, 80, "Smartwatch  c2 00"),
        ("0000", 0x2902, 80, "off  00 00"),
        ("0100", 0x2902, 80, "notifications on  01 00"),
        ("0200", 0x2902, 80, "indications on  02 00"),
        ("0700", 0x2902, 80, "notifications on, indications on  07 00"),
        ("01", 0x2902, 80, "01  (it ends before its Values)"),
        ("5f00", 0x2A19, 80, "95% (1 octet too many)  5f 00"),
        ("5f00", 0x2A19, 30, "95% (1 octet too many)  5f 00"),
        ("5f00", 0x2A19, 29, "95% (1 octet too many)"),
        (
            "103eb103de", 0x2A37, 110,
            "Heart Rate 62 /min, RR-interval 0.9229 s (it ends before its second RR-interval)  10 3e b1 03 de"
        ),
        (
            "103eb103de", 0x2A37, 20, "Heart Rate 62 /min,… (it ends before its second RR-interval)"
        ),
        // A map of octets is not said twice.
        ("05010906", 0x2A4B, 80, "05 01 09 06"),
        ("2909", 0x2A6E, 80, "23.45 °C  29 09"),
        (
            "0648", 0x2A37, 80, "Flags contact, contact can be told, Heart Rate 72 /min  06 48"
        ),
        ("fffe0080", 0xFFF1, 11, "ff fe 00 80"),
        ("fffe008000000000", 0xFFF1, 22, "ff fe 00 … (8 octets)"),
        ("fffe008000000000", 0xFFF1, 1, "ff … (8 octets)"),
    ])
    func aValueIsShownWithItsMeaning(hex: String, uuid: UInt16, columns: Int, line: String) throws {
        let value = try #require([UInt8](hexadecimal: hex))
        #expect(ValueText.line(value, of: ValueLayout(BluetoothUUID(uuid)), columns: columns).plain == line)
    }

    @Test func aSentenceHasWhatFitsOfAValueAndWhyTheRestDoesNot() {
        #expect(ValueText.words(for: [0x5F, 0], BluetoothUUID(0x2A19)) == "95% (1 octet too many)  5f 00")
        #expect(ValueText.words(for: [1], BluetoothUUID(0x2902)) == "01  (it ends before its Values)")
        #expect(ValueText.words(for: [5, 1], BluetoothUUID(0x2A4B)) == "05 01")
    }

    @Test func aLongValueIsWholeWhereThereIsRoom() {
        let value = [UInt8](repeating: 0xAB, count: 512)
        #expect(
            ValueText.line(value, of: ValueLayout(BluetoothUUID(0xFFF1)), columns: .max).plain
                == [String](repeating: "ab", count: 512).joined(separator: " "))
    }
}

@Suite(.manualTime, .timeLimit(.minutes(5))) struct GATTTreeTests {
    private let wholeJSON =
        #"{"event":"gatt_tree","address":"F0:F1:F2:F3:F4:F5","address_kind":"random","mtu":185,"services":["#
        + #"{"uuid":"180f","name":"Battery","handle":1,"end_handle":6,"primary":true,"#
        + #""includes":[{"uuid":"fff0","handle":7,"end_handle":9,"declaration_handle":2}],"characteristics":["#
        + #"{"uuid":"2a19","name":"Battery Level","description":null,"handle":3,"value_handle":4,"properties":["read","notify"],"#
        + #""octets":"5f","text":"_","fields":[{"name":"Battery Level","value":"95%"}],"misfit":null,"incomplete":null,"error":null,"error_code":null,"descriptors":["#
        + #"{"uuid":"2902","name":"Client Characteristic Configuration","handle":5,"octets":"0000","text":null,"#
        + #""fields":[{"name":"Values","value":"off"}],"misfit":null,"incomplete":null,"error":null,"error_code":null},"#
        + #"{"uuid":"2901","name":"Characteristic User Description","handle":6,"octets":"4d61696e","text":"Main","#
        + #""fields":[{"name":"Description","value":"Main"}],"misfit":null,"incomplete":null,"error":null,"error_code":null}"#
        + #"]}]},"#
        + #"{"uuid":"fff0","name":null,"handle":7,"end_handle":13,"primary":false,"includes":[],"#
        + #""characteristics":["#
        + #"{"uuid":"fff1","name":null,"description":null,"handle":8,"value_handle":9,"properties":["read"],"#
        + #""octets":null,"text":null,"fields":[],"misfit":null,"incomplete":null,"error":"the link must be authenticated first","error_code":5,"descriptors":[]},"#
        + #"{"uuid":"fff1","name":null,"description":null,"handle":10,"value_handle":11,"properties":["write_without_response"],"#
        + #""octets":null,"text":null,"fields":[],"misfit":null,"incomplete":null,"error":null,"error_code":null,"descriptors":[]},"#
        + #"{"uuid":"fff2","name":null,"description":null,"handle":12,"value_handle":13,"properties":["indicate"],"#
        + #""octets":null,"text":null,"fields":[],"misfit":null,"incomplete":null,"error":null,"error_code":null,"descriptors":[]}]}],"#
        + #""faults":[],"ended":null}"#

    @Test func theTreeIsOneObject() async throws {
        let recorder = Recorder()
        let device = TestDevice.battery()
        let air = try await TestAir(device)
        let command = try GATTTreeCommand.parse(["F0:F1:F2:F3:F4:F5", "--json"])
        try await command.perform(on: air.radio, to: recorder.output)
        #expect(recorder.text.replacing(/"time":"[^"]*",/, with: "") == wholeJSON + "\n")
        // The host answers for the switch at 5.
        #expect(try await air.log(of: device) == ["read 4", "read 6", "read 9", "disconnect"])
    }

    @Test func theTreeIsReadableWithoutColours() async throws {
        let device = TestDevice.battery()
        let air = try await TestAir(device)
        let tree = try await GATTTree(over: try await air.radio.connect(to: Peer(device.address)))
        #expect(
            tree.lines(columns: .max).map(\.plain).joined(separator: "\n") == """
                F0:F1:F2:F3:F4:F5/R  MTU 185

                0x0001  Battery  180f
                0x0002  ├─ includes fff0  at 0x0007
                0x0004  └─ Battery Level  2a19  read, notify
                           │  95%  5f
                0x0005     ├─ Client Characteristic Configuration  2902
                           │     off  00 00
                0x0006     └─ Characteristic User Description  2901
                                 "Main"  4d 61 69 6e

                0x0007  fff0  secondary
                0x0009  ├─ fff1  read
                        │     the link must be authenticated first
                0x000b  ├─ fff1  write without response
                0x000d  └─ fff2  indicate
                              has no descriptor 2902 that switches it on
                """)
    }

    @Test(arguments: [BluetoothError.timeout, .disconnected(.supervisionTimeout)])
    func aDeviceThatFallsSilentEndsTheDump(failure: BluetoothError) async throws {
        let device = TestDevice.battery(silent: [4])
        let air = try await TestAir(device)
        let connection = try await air.radio.connect(to: Peer(device.address))
        let dump = begin { try await GATTTree(over: connection) }
        try await ManualTime.pass(milliseconds: 5000)
        if failure != .timeout { await air.loseDevices() }
        let tree = try await dump.value
        #expect(tree.ending?.handle == 4 && tree.ending?.isTimeout == (failure == .timeout))
        #expect(tree.readings[6] == .refused("not read: the link had ended", nil) && tree.services.count == 2)
        #expect(device.log.entries.first == "read 4")
        #expect(!device.log.entries.contains("read 6"))
    }

    @Test func propertiesAreSpelledAsScriptsKnowThem() {
        #expect(
            GATT.Properties(rawValue: 0xFF).words == [
                "broadcast", "read", "write_without_response", "write", "notify", "indicate",
                "authenticated_signed_writes", "extended_properties",
            ])
        #expect(GATT.Properties(rawValue: 0).words == [])
    }
}
