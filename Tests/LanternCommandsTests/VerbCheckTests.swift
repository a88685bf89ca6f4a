// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import Companion
import Foundation
import Testing

@testable import CommandIO
@testable import CommandOptions
@testable import LanternCommands

@Suite struct VerbCheckTests {
    @Test(arguments: [
        (["nigtlight"], "There is no `lantern nigtlight`. Did you mean `lantern nightlight`?"),
        (["help", "scna"], "There is no `lantern scna`. Did you mean `lantern scan`?"),
        (
            ["gatt", "reed", "A", "--radio", "sim"],
            "There is no `lantern gatt reed`. Did you mean `lantern gatt read`?"
        ),
        (
            ["gatt", "list"],
            "There is no `lantern gatt list`. There are tree, read, write, watch, shell, diff."
        ),
        (
            ["nightlight", "week", "C0:FF:EE:F1:1A:4B", "--radio", "sim"],
            "What to do comes before the device: `lantern nightlight week` takes show, set, check."
        ),
        (
            ["nightlight", "status"],
            "There is no `lantern nightlight status`. Did you mean `lantern nightlight show`?"
        ),
        (["bulb", "get"], "There is no `lantern bulb get`. Did you mean `lantern bulb show`?"),
        (["bulb", "color", "red", "--dim", "40"], "--dim is now called --brightness."),
        (["nightlight", "color", "all", "red", "--dim=40"], "--dim is now called --brightness."),
        (["radio", "Serve"], "There is no `lantern radio Serve`. Did you mean `lantern radio serve`?"),
    ])
    func anUnknownVerbIsNamed(arguments: [String], sentence: String) {
        #expect(VerbCheck.fault(in: arguments) == .wrongUsage(sentence))
    }

    @Test(arguments: [
        [], ["scan"], ["help"], ["help", "help"], ["help", "gatt", "read"], ["--version"],
        ["scan", "everything"],
        ["gatt", "--help"],
        ["gatt", "read", "nonsense"], ["scan", "--dim"], ["bulb", "color", "--", "--dim"],
    ])
    func knownVerbsPass(arguments: [String]) { #expect(VerbCheck.fault(in: arguments) == nil) }

    @Test func aWordOfAMegabyteIsNotQuotedBackWhole() {
        let word = String(repeating: "x", count: 1 << 20)
        #expect((VerbCheck.fault(in: [word])?.sentence.count ?? 0) < 400)
        #expect(ArgumentSentence.shortened("a \(word) b") == "a \(String(repeating: "x", count: 79))… b")
        #expect(ArgumentSentence.shortened("/a/path") == "/a/path")
    }

    @Test func theNameOfAFileKeepsItsEnd() {
        #expect("/a/path".shortenedPath == "/a/path")
        let long = String(repeating: "x", count: 1 << 20) + "/week.json"
        #expect(long.shortenedPath == "…" + String(repeating: "x", count: 245) + "/week.json")
    }

    @Test func aBadAddressSaysWhatOneLooksLike() throws {
        let error = #expect(throws: (any Error).self) { try GATTReadCommand.parse(["hall lamp", "2a19"]) }
        let text = ArgumentSentence.better(GATTReadCommand.fullMessage(for: try #require(error)))
        #expect(text.hasPrefix("hall lamp is not an address: write one like F0:F1:F2:F3:F4:F5"))
        #expect(text.contains("Usage:"))
        #expect(ArgumentSentence.better("Error: else") == "else")
    }
}

@Suite struct SeenNamesTests {
    private func names(_ lines: String...) throws -> SeenNames {
        let path = FileManager.default.temporaryDirectory.path + "/lantern-\(UUID().uuidString)"
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
        return SeenNames(LineFile(path: path))
    }

    @Test func aNameStandsForTheAddressThatItHadLast() throws {
        let names = try names("C0:FF:EE:00:00:01/R Hall", "C0:FF:EE:00:00:01/R Hall lamp", "nonsense", "")
        #expect(names.devices(called: "Hall").isEmpty)
        #expect(DeviceAddress("HALL LAMP", names: names)?.complete == Peer("C0:FF:EE:00:00:01/R"))
        #expect(DeviceAddress("kitchen", names: names) == nil)
    }

    @Test func aNameOfTwoDevicesStandsForNone() throws {
        let names = try names("C0:FF:EE:00:00:01/R Lamp", "C0:FF:EE:00:00:02/R Lamp")
        #expect(DeviceAddress("Lamp", names: names) == nil)
        #expect(
            DeviceChoice.ambiguous("\"Lamp\"", names.devices(called: "lamp"))
                == "Two devices are called \"Lamp\": say which by its address, one of C0:FF:EE:00:00:01/R, C0:FF:EE:00:00:02/R."
        )
    }

    @Test func addressesNeedNoFile() {
        #expect(DeviceAddress("C0:FF:EE:00:00:01/P", names: nil)?.complete == Peer("C0:FF:EE:00:00:01/P"))
    }

    @Test func whatWasSeenIsKeptOnce() throws {
        let names = try names()
        let report = AdvertisementReport(
            peer: Peer(BluetoothAddress(7, kind: .public)), octets: [3, 9, 0x41, 0x42], isScanResponse: false,
            isConnectable: true, rssi: nil, txPower: nil)
        let device = SeenDevice(report, at: Timestamp(milliseconds: 0))
        names.keep([device])
        names.keep([device])
        #expect(names.all.map(\.name) == ["AB"])
        #expect(names.devices(called: "ab") == [device.peer])
    }
}
