// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionText
import Foundation
import Testing

@testable import CommandIO
@testable import LanternCommands

private func tree(_ services: String, name: String = "\"A\"") throws -> SavedTree {
    try SavedTree(try JSONReader.read(Array(#"{"name":\#(name),"services":[\#(services)]}"#.utf8)))
}

private func lines(_ before: String, _ after: String) throws -> [String] {
    GATTChange.between(try tree(before), try tree(after)).map { $0.styledLine.plain }
}

private let battery =
    #"{"uuid":"180f","handle":1,"characteristics":[{"uuid":"2a19","handle":2,"value_handle":3,"#
    + #""properties":["read","notify"],"value":"5f","descriptors":[{"uuid":"2902","handle":4,"value":"0000"}]}]}"#
private let custom = #"{"uuid":"fff0","characteristics":[{"uuid":"fff1","properties":["write"]}]}"#

private func json(_ change: GATTChange) -> String {
    String(decoding: change.json(at: Timestamp(milliseconds: 0)), as: UTF8.self)
}

@Suite struct GATTDiffTests {
    @Test(arguments: [battery, custom, battery + "," + custom, custom + "," + custom, ""])
    func aDeviceIsLikeItself(services: String) throws { #expect(try lines(services, services) == []) }

    @Test func handlesAndTheSpellingOfValuesDoNotMatter() throws {
        let other =
            #"{"uuid":"0000180F-0000-1000-8000-00805F9B34FB","handle":7,"end_handle":20,"characteristics":[{"uuid":"2A19","#
            + #""handle":8,"properties":["notify","read"],"text":"_","descriptors":[{"uuid":"2902","value":"00 00"}]}]}"#
        #expect(try lines(battery, other) == [])
    }

    /// Discovery subscribes to Service Changed; that is no state of the device.
    @Test(.manualTime, .timeLimit(.minutes(5)))
    func ourOwnSubscriptionIsNotTheDevices() async throws {
        let changed = GATT.Service(
            uuid: BluetoothUUID(0x1801), handle: 1, endHandle: 4,
            characteristics: [
                GATT.Characteristic(
                    uuid: BluetoothUUID(0x2A05), handle: 2, valueHandle: 3, endHandle: 4,
                    properties: .indicate,
                    descriptors: [GATT.Descriptor(uuid: BluetoothUUID(0x2902), handle: 4)])
            ])
        let address = BluetoothAddress(0xC000_0000_0001, kind: .random)
        let air = try await TestAir(TestDevice(address, services: [changed]))
        let tree = try await GATTTree(over: try await air.radio.connect(to: Peer(address)))
        #expect(
            String(
                decoding: SavedDevice(tree, advertisement: nil, scanResponse: nil).octets, as: UTF8.self
            ).contains(
                #""handle":4,"octets":null,"text":null,"fields":[],"misfit":null,"incomplete":null,"error":null,"#
                    + #""error_code":null}"#
            ))
        #expect(tree.lines(columns: .max).last?.plain.hasSuffix("switched by this command itself") == true)
    }

    /// Files of before hold it.
    @Test func ourOwnSubscriptionIsNoDifference() throws {
        let changed =
            #"{"uuid":"1801","characteristics":[{"uuid":"2a05","properties":["indicate"],"#
            + #""descriptors":[{"uuid":"2902","value":"0200"}]}]}"#
        #expect(try lines(changed, changed.replacing(#""0200""#, with: "null")) == [])
    }

    @Test(
        "What is added, removed or changed",
        arguments: [
            (battery, battery + "," + custom, ["+ service fff0"]),
            (custom + "," + battery, battery, ["- service fff0"]),
            (battery + "," + battery, battery, ["- service Battery (180f)"]),
            (
                custom, custom.replacing("fff1", with: "fff2"),
                ["- characteristic fff0 › fff1", "+ characteristic fff0 › fff2"]
            ),
            (
                battery, battery.replacing(#","notify""#, with: ""),
                ["~ properties of Battery (180f) › Battery Level (2a19): read notify → read"]
            ),
            (
                battery, battery.replacing("5f", with: "60"),
                ["~ value of Battery (180f) › Battery Level (2a19): 95%  5f → 96%  60"]
            ),
            (
                battery, battery.replacing(#""5f""#, with: #""""#),
                ["~ value of Battery (180f) › Battery Level (2a19): 95%  5f → empty"]
            ),
            (
                battery, battery.replacing(#""value":"5f""#, with: #""error":"reading is not permitted""#),
                [
                    "~ value of Battery (180f) › Battery Level (2a19): 95%  5f → none",
                    "~ error of Battery (180f) › Battery Level (2a19): none → reading is not permitted",
                ]
            ),
            (
                battery, battery.replacing(#""5f""#, with: #""5f","incomplete":"the link was lost""#),
                ["~ incomplete of Battery (180f) › Battery Level (2a19): none → the link was lost"]
            ),
            (
                battery, battery.replacing("0000", with: "0100"),
                [
                    "~ value of Battery (180f) › Battery Level (2a19) › Client Characteristic Configuration (2902): "
                        + "off  00 00 → notifications on  01 00"
                ]
            ),
            (
                battery, battery.replacing(#"{"uuid":"2902","handle":4,"value":"0000"}"#, with: ""),
                [
                    "- descriptor Battery (180f) › Battery Level (2a19) › Client Characteristic Configuration (2902): "
                        + "off  00 00"
                ]
            ),
            (
                custom, custom.replacing(#""uuid":"fff0""#, with: #""uuid":"fff0","primary":false"#),
                ["~ type of fff0: primary → secondary"]
            ),
            (
                custom,
                custom.replacing(#""uuid":"fff0""#, with: #""uuid":"fff0","includes":[{"uuid":"180f"}]"#),
                ["~ includes of fff0: empty → 180f"]
            ),
        ])
    func changes(before: String, after: String, changes: [String]) throws {
        #expect(try lines(before, after) == changes)
    }

    @Test func theNameIsCompared() throws {
        let changes = GATTChange.between(try tree("", name: "\"A\""), try tree("", name: "\"\\u001b[2J\""))
        #expect(
            changes.map { Terminal.none.drawn($0.styledLine) } == ["~ name of the device: A → \\u{1b}[2J"])
        #expect(
            changes.map(json) == [
                #"{"event":"gatt_difference","time":"1970-01-01T00:00:00.000Z","change":"changed","what":"name","service":null,"characteristic":null,"descriptor":null,"title":null,"#
                    + #""before":"A","after":"\u001b[2J"}"#
            ])
    }

    @Test func aChangeIsOneObject() throws {
        let changes = GATTChange.between(try tree(battery), try tree(battery.replacing("0000", with: "0200")))
        #expect(
            changes.map(json) == [
                #"{"event":"gatt_difference","time":"1970-01-01T00:00:00.000Z","change":"changed","what":"value","service":"180f","characteristic":"2a19","descriptor":"2902","#
                    + #""title":"Client Characteristic Configuration (2902)","before":"0000","after":"0200"}"#
            ])
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"services":1}"#, #"{"services":[1]}"#, #"{"services":[{"uuid":"zz"}]}"#,
        #"{"services":[{"uuid":"180f","characteristics":[{"uuid":"2a19","value":"5"}]}]}"#,
        #"{"services":[{"uuid":"180f","characteristics":[{"uuid":"2a19","properties":["fly"]}]}]}"#,
        #"{"name":1,"services":[]}"#,
    ])
    func whatIsNoDeviceIsRefused(file: String) {
        #expect(throws: JSONDecodingError.self) { try SavedTree(try JSONReader.read(Array(file.utf8))) }
    }

    @Test func theStatusSaysWhetherTheyDiffer() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/lantern-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (one, two) = (folder + "/one.json", folder + "/two.json")
        try Data(#"{"services":[\#(battery)]}"#.utf8).write(to: URL(fileURLWithPath: one))
        try Data(#"{"services":[\#(custom)]}"#.utf8).write(to: URL(fileURLWithPath: two))
        try await GATTDiffCommand.parse([one, one]).run()
        await #expect(throws: ExitCode(1)) { try await GATTDiffCommand.parse([one, two]).run() }
        let error = await #expect(throws: CommandError.self) {
            try await GATTDiffCommand.parse([one, folder + "/none.json"]).run()
        }
        #expect(error?.status == .wrongUsage)
    }
}
