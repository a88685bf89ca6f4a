// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionDevices
import Testing

private let known = ShellCompletion(
    [
        GATT.Service(
            uuid: BluetoothUUID(0x180F), handle: 1, endHandle: 4,
            characteristics: [
                GATT.Characteristic(
                    uuid: BluetoothUUID(0x2A19), handle: 2, valueHandle: 3, endHandle: 4,
                    properties: [.read, .notify],
                    descriptors: [GATT.Descriptor(uuid: BluetoothUUID(0x2902), handle: 4)])
            ]),
        GATT.Service(
            uuid: BluetoothUUID(0xFFF0), handle: 5, endHandle: 7,
            characteristics: [
                GATT.Characteristic(
                    uuid: BluetoothUUID(0xFFF1), handle: 6, valueHandle: 7, endHandle: 7, properties: .read)
            ]),
    ],
    seen: [
        BluetoothAddress(0xC0FF_EEF1_0C01, kind: .random), BluetoothAddress(0xC0FF_EEF1_0C02, kind: .random),
        BluetoothAddress(0x0102_0304_0506, kind: .public),
    ].map { Peer($0) })

@Suite struct ShellCompletionTests {
    @Test(arguments: [
        ("disc", "onnect ", []),
        ("char-w", "rite-", []),
        ("char-write-", "", ["char-write-cmd", "char-write-req"]),
        ("x", "", []),
        ("read bat", "tery-level ", []),
        ("READ BAT", "tery-level ", []),
        ("read ", "", ["battery-level", "client-characteristic-configuration", "fff1"]),
        ("read 2", "", ["2902", "2a19"]),
        ("read 2a", "19 ", []),
        ("write 0x", "000", []),
        ("write 0x000", "", ["0x0003", "0x0004", "0x0007"]),
        ("write 2a19 0", "", []),
        ("char-read-hnd 0x0001", " ", []),
        ("char-read-hnd ", "0x000", []),
        ("char-desc 0x0001 0x0007", " ", []),
        ("char-read-uuid f", "ff1 ", []),
        ("primary f", "ff0 ", []),
        ("connect c", "0:FF:EE:F1:0C:0", []),
        ("connect C0:FF:EE:F1:0C:0", "", ["C0:FF:EE:F1:0C:01", "C0:FF:EE:F1:0C:02"]),
        ("connect 01:02:03:04:05:06 r", "andom ", []),
        ("help unw", "atch ", []),
        ("nonsense r", "", []),
        ("exit ", "", []),
    ])
    func aWordIsCompleted(text: String, insertion: String, choices: [String]) {
        #expect(
            known.proposal(for: text)
                == ShellCompletion.Proposal(insertion: insertion, choices: choices))
    }

    @Test func withNothingTypedAllCommandsAreThere() {
        #expect(known.proposal(for: "").choices == ShellVerb.all.flatMap(\.names).sorted())
        #expect(known.proposal(for: "  ").choices == ShellVerb.all.flatMap(\.names).sorted())
    }

    @Test func withoutADeviceCommandsAreCompleted() {
        #expect(ShellCompletion().proposal(for: "disc").insertion == "onnect ")
        #expect(ShellCompletion().proposal(for: "read ") == .init(insertion: "", choices: []))
    }

    @Test(arguments: [
        (8, ["a    d", "bbb  e", "c"]), (5, ["a", "bbb", "c", "d", "e"]), (1, ["a", "bbb", "c", "d", "e"]),
        (80, ["a    bbb  c    d    e"]),
    ])
    func choicesStandSideBySide(columns: Int, lines: [String]) {
        #expect(ShellCompletion.lines(["a", "bbb", "c", "d", "e"], columns: columns) == lines)
    }

    @Test func noChoicesAreNoLines() { #expect(ShellCompletion.lines([], columns: 80) == []) }
}
