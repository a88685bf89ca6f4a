// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEHost
import BLETransport
import BLEWire
import Companion
import CompanionText
import Testing

@testable import LanternCommands

@Suite struct RadioCheckTests {
    private func text(_ lines: [StyledText]) -> String {
        lines.map { $0.parts.map(\.text).joined() }.joined(separator: "\n")
    }

    @Test func aControllerIsSaidInFull() {
        var controller = ControllerInformation()
        controller.publicAddress = BluetoothAddress(0x1122_3344_5566, kind: .public)
        controller.ownAddress = BluetoothAddress(0xD122_3344_5566, kind: .random)
        controller.features = [.encryption, .dataPacketLengthExtension]
        var commands = HCI.SupportedCommands()
        commands.insert(.reset)
        controller.supportedCommands = commands
        controller.refusals = [
            RejectedCommand(.hostBufferSize, .unknownCommand), RejectedCommand(.leRand, nil),
        ]
        controller.sharesDataBuffers = true
        var check = RadioChecked("hci:0")
        check.note(controller)
        #expect(check.features == ["encryption", "data length extension"])
        #expect(check.featureOctets == [0x21, 0, 0, 0, 0, 0, 0, 0])
        #expect(check.ownAddress == "D1:22:33:44:55:66/R")
        #expect(check.missingCommands.contains("LE Set Scan Enable (0x200C)"))
        #expect(check.refusals.map(\.reason) == ["unknown HCI command (0x01)", "its answer makes no sense"])
        #expect(
            check.findings == [.hearsNothing, .lacksCommands, .refusedCommands, .legacyOnly, .sharedBuffers])
        check.devices = 1
        #expect(check.findings.first == .hears)
        check.scanRefusal = "no"
        #expect(check.findings.first == .cannotScan)
        let words = text(check.lines)
        for part in [
            "11:22:33:44:55:66, public", "Host Buffer Size (0x0C33): unknown HCI command (0x01)",
            "encryption",
            "shared with classic Bluetooth",
        ] { #expect(words.contains(part)) }
    }

    @Test func radiosAreListedWithWhatKeepsAProgramOut() {
        let free = RadioOffered("hci:1", .adapter, product: "Dongle", isDefault: true)
        let offers = [RadioOffered("hci:0", .adapter, obstacle: "hci0 is blocked"), free]
        let words = text(offers.lines(columns: 100))
        #expect(words.contains("hci:0: hci0 is blocked."))
        #expect(words.contains("the default"))
        #expect(!words.contains("being named"))
        #expect(text([offers[0]].lines(columns: 100)).contains("being named"))
        // A machine without adapters says why, and there is always one that needs none.
        let none = RadiosCommand.offers(adapters: [], ports: ["/dev/no-such-port"])
        #expect(none.map(\.radio) == ["hci", "serial:/dev/no-such-port", "sim"])
        #expect(none.map(\.isUsable) == [false, false, true])
    }
}

extension StyledText.Part {
    fileprivate var text: String {
        switch self {
        case .plain(let text), .strong(let text), .faint(let text), .warning(let text), .styled(let text, _):
            text
        case .color, .patch: ""
        }
    }
}
