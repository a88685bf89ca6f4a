// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import BluetoothLE
import Companion
import Foundation
import Testing

@testable import CommandIO
@testable import LanternCommands

private let address = BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .random)

private func device(_ json: String, name: String? = nil) throws(JSONDecodingError) -> ReplayDevice {
    try ReplayDevice(json: Array(json.utf8), name: name)
}

/// A file with one service that has one characteristic.
private func withCharacteristic(_ fields: String) -> String {
    #"{"services":[{"uuid":"fff0","characteristics":["# + "\n{" + fields + "}]}]}"
}

@Suite struct JSONReaderTests {
    @Test(arguments: [
        ("null", JSONNode.Value.null), ("true", .bool(true)), (" false\n", .bool(false)),
        ("-12", .number(-12)),
        ("1.5e3", .number(1500)),
        (#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#, .text("a\"\\/\u{8}\u{c}\n\r\té😀é")),
        ("[]", .array([])), ("{}", .object([])), ("[ ]", .array([])),
    ])
    func whatJSONHasIsRead(text: String, value: JSONNode.Value) throws {
        #expect(try JSONReader.read(Array(text.utf8)).value == value)
    }

    @Test func everyValueKnowsItsLine() throws {
        let node = try JSONReader.read(Array("{\n\"a\":\n[1,\n2]}".utf8))
        let list = try node.list("a")
        #expect(try node.member("a")?.line == 3)
        #expect(list.map(\.line) == [3, 4])
    }

    @Test(arguments: [
        ("", 1), ("\n\n", 3), ("{", 1), ("{\"a\"", 1), ("{\"a\":\n}", 2), ("[1\n2]", 2), ("[1,]", 1),
        ("nul", 1),
        ("\"a", 1), ("\"a\nb\"", 1), (#""\x""#, 1), (#""\u12""#, 1), (#""\ud800""#, 1),
        (#""\ud800\u0041""#, 1),
        ("1 2", 1), ("01x", 1), ("+1", 1), (".5", 1), ("{1:2}", 1), (#"{"a":1,}"#, 1),
    ])
    func whatIsNoJSONIsRefusedWithItsLine(text: String, line: Int) {
        let fault = #expect(throws: JSONDecodingError.self) { try JSONReader.read(Array(text.utf8)) }
        #expect(fault?.line == line)
    }

    @Test func deepNestingAndBadUTF8AreRefused() {
        #expect(throws: JSONDecodingError.self) {
            try JSONReader.read([UInt8](repeating: 0x5B, count: 100_000))
        }
        #expect(throws: JSONDecodingError.self) { try JSONReader.read([0x22, 0xC3, 0x22]) }
    }
}

@Suite struct ReplayDeviceTests {
    @Test func handlesFollowEachOtherUnlessTheyAreGiven() throws {
        let device = try device(
            #"""
            {"name":"Gadget","services":[
              {"uuid":"180f","handle":"0x0010","end_handle":40,
               "includes":[{"uuid":"fff0"}],
               "characteristics":[
                 {"uuid":"2a19","properties":["read","notify"],"value":"5f","value_handle":20,
                  "descriptors":[{"uuid":"2902"},{"uuid":"2901","text":"Wärme","handle":30,"writable":true}]}]},
              {"uuid":"fff0","primary":false,"handle":50,"characteristics":[]}]}
            """#)
        let attributes = device.database.attributes
        #expect(attributes.map(\.handle.rawValue) == [16, 17, 18, 20, 21, 30, 50])
        #expect(attributes[0].groupEnd == 40)
        #expect(attributes[1].content == .constant([50, 0, 50, 0, 0xF0, 0xFF]))
        #expect(attributes[2].content == .constant([0x12, 20, 0, 0x19, 0x2A]))
        #expect(attributes[3].content == .value([.read, .notify], .stored([0x5F])))
        #expect(attributes[4].content == .clientConfiguration(20, [.read, .notify]))
        #expect(attributes[5].content == .value([.read, .write], .stored(Array("Wärme".utf8))))
        #expect(attributes[6].type == GATT.AttributeType.secondaryService)
        #expect(device.refusals.isEmpty)
    }

    /// Saved files have `octets`; what people write by hand may have `value`, as the guide shows.
    @Test(arguments: ["octets", "value"])
    func aValueIsCalledAsTheGuideSays(name: String) throws {
        let device = try device(
            withCharacteristic(#""uuid":"2a19","properties":["read","notify"],"\#(name)":"5f""#))
        #expect(device.database.attributes[2].content == .value([.read, .notify], .stored([0x5F])))
        let line = #"{"handle":3,"\#(name)":"5e"}"#
        let recording = try ReplayRecording(jsonLines: Array(line.utf8), of: device)
        #expect(recording.lines(of: 3).map(\.value) == [[0x5E]])
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let guide = root.appending(path: "Documentation/Guides/devices.md")
        #expect(try String(contentsOf: guide, encoding: .utf8).contains("`\"\(name)\"`"))
    }

    @Test(arguments: [
        (#""error_code":128"#, 0x80), (#""error_code":"0x05""#, 0x05),
        (#""error":"reading is not permitted""#, 0x02),
        (#""error":"application error 0x9f""#, 0x9F), (#""error":"the answer makes no sense""#, 0x0E),
    ])
    func anErrorIsServedAgain(field: String, code: UInt8) throws {
        let device = try device(withCharacteristic(#""uuid":"2a19","properties":["read"],"# + field))
        #expect(device.refusals == [3: .init(read: ATT.ErrorCode(rawValue: code))])
        #expect(device.database.attributes[2].content == .value(.read, .delegated))
    }

    @Test func permissionsAndWriteErrorsCanBeAskedFor() throws {
        let device = try device(
            withCharacteristic(
                #""uuid":"2a19","properties":["write","notify"],"value":"01","write_error":128,"#
                    + #""permissions":{"read":"encrypted","write":"authenticated","subscribe":"encrypted"},"#
                    + #""descriptors":[{"uuid":"2902","error_code":15}]"#))
        #expect(device.refusals == [3: .init(write: ATT.ErrorCode(rawValue: 0x80))])
        #expect(device.values == [3: [1]])
        #expect(
            device.database.attributes[2].access
                == GATT.Access(read: .encrypted, write: .authenticated, subscribe: .encrypted))
        #expect(device.database.attributes[3].access == GATT.Access(read: .encrypted, write: .encrypted))
    }

    @Test(arguments: [
        ("[]", 1, "object"), (#"{"services":1}"#, 1, "array"), (#"{"services":[{}]}"#, 1, "missing"),
        (withCharacteristic(#""uuid":"xyz""#), 2, "UUID"),
        (withCharacteristic(#""uuid":"2a19","handle":1"#), 2, "not above"),
        (withCharacteristic(#""uuid":"2a19","handle":0"#), 2, "1 to 65535"),
        (withCharacteristic(#""uuid":"2a19","handle":65536"#), 2, "1 to 65535"),
        (withCharacteristic(#""uuid":"2a19","handle":65535"#), 2, "no handle after"),
        (withCharacteristic(#""uuid":"2a19","properties":["fly"]"#), 2, "fly"),
        (withCharacteristic(#""uuid":"2a19","value":"0""#), 2, "two hex digits"),
        (
            withCharacteristic(#""uuid":"2a19","value":""# + String(repeating: "00", count: 513) + "\""), 2,
            "513"
        ),
        (withCharacteristic(#""uuid":"2a19","error_code":256"#), 2, "1 to 255"),
        (withCharacteristic(#""uuid":"2a19","permissions":{"read":"maybe"}"#), 2, "permission"),
        (#"{"services":[{"uuid":"fff0","handle":5,"end_handle":4}]}"#, 1, "ends before"),
        (#"{"services":[{"uuid":"fff0","includes":[{"uuid":"fff1"}]}]}"#, 1, "included"),
        (#"{"advertisement":"0","services":[]}"#, 1, "two hex digits"),
    ])
    func aBadFileIsRefusedWithLineAndReason(json: String, line: Int, part: String) {
        let fault = #expect(throws: JSONDecodingError.self) { try device(json) }
        #expect(fault?.line == line)
        #expect(fault?.reason.contains(part) == true, "\(fault?.reason ?? "")")
    }

    @Test func aFileThatIsNoneIsWrongUsageWithItsName() throws {
        let options = try ReplayOptions.parse(["--tree", "/no/such/file"])
        let error = #expect(throws: CommandError.self) { try options.device() }
        #expect(
            error == .wrongUsage("/no/such/file cannot be read: No such file or directory. Check its name."))
    }

    @Test(arguments: [
        [], ["--tree", "a", "--script", "b"], ["--tree", "a", "--name", ""],
    ])
    func optionsThatDoNotGoTogetherAreRefused(arguments: [String]) {
        #expect(throws: (any Error).self) { try ReplayRunCommand.parse(arguments) }
    }
}

@Suite struct ReplayAdvertisementTests {
    private let advertised = #""advertisement":"02010603030f18040941626300","scan_response":"0409447878""#

    @Test func whatWasHeardIsAdvertisedAgain() throws {
        let device = try device("{\(advertised)}")
        #expect(device.advertisement.data.hexadecimal == "02010603030f18040941626300")
        #expect(device.advertisement.scanResponse.hexadecimal == "0409447878")
    }

    @Test func anotherNameReplacesTheOldOnes() throws {
        let device = try device("{\(advertised)}", name: "Neu")
        #expect(device.advertisement.data.hexadecimal == "02010603030f18")
        #expect(device.advertisement.scanResponse.hexadecimal == "04094e6575")
        #expect(device.name == "Neu")
    }

    @Test func theNameInTheGAPServiceChangesToo() throws {
        let gap =
            #"{"services":[{"uuid":"1800","characteristics":[{"uuid":"2a00","properties":["read"],"value":"41"}]}]}"#
        #expect(try device(gap).name == "A")
        let renamed = try device(gap, name: "Neu")
        #expect(renamed.database.attributes[2].content == .value(.read, .stored(Array("Neu".utf8))))
    }

    @Test func aFileThatDoesNotSayGetsFlagsServicesAndName() throws {
        let device = try device(#"{"name":"Abc","advertised_services":["180f"],"services":[]}"#)
        #expect(device.advertisement.data.hexadecimal == "02010603030f18")
        #expect(device.advertisement.scanResponse.hexadecimal == "0409416263")
    }

    @Test func anExtendedAdvertisementIsCutBetweenStructures() throws {
        let long = "02010620ff" + String(repeating: "00", count: 31) + "0409416263"
        let device = try device(#"{"advertisement":""# + long + "\"}")
        #expect(device.advertisement.data.hexadecimal == "0201060409416263")
    }
}

@Suite struct ReplayRecordingTests {
    private let gadget = withCharacteristic(
        #""uuid":"2a19","properties":["notify","indicate"],"descriptors":[{"uuid":"2902"}]"#)

    private func recording(_ lines: String) throws -> ReplayRecording {
        try ReplayRecording(jsonLines: Array(lines.utf8), of: try device(gadget))
    }

    @Test func timesCountFromTheFirstValue() throws {
        let recording = try recording(
            """
            {"event":"value","uuid":"2a19","handle":3,"value":"01","kind":"notify","time":"2027-01-15T08:00:00.250Z"}

            {"event":"other"}
            {"uuid":"2a19","value":"","kind":"indicate","time":"2027-01-15T08:00:01.000Z"}
            {"uuid":"2a19","value":"03","time":"2027-01-15T07:00:00.000Z"}
            {"handle":3,"value":"04","after_ms":5}
            {"handle":3,"value":"05"}
            """)
        let lines = recording.lines(of: 3)
        #expect(lines.map(\.value) == [[1], [], [3], [4], [5]])
        #expect(lines.map(\.kind) == [.notify, .indicate, .notify, .notify, .notify])
        #expect(
            lines.map(\.after) == [0, 750, 750, 755, 755].map { Duration.milliseconds($0) })
        #expect(recording.lines(of: 4).isEmpty)
    }

    /// Where a system keeps handles to itself they were made up, and those of a saved device may be others.
    @Test func aValueThatIsNotAtItsHandleIsFoundByItsUUID() throws {
        let recording = try recording(
            """
            {"handle":77,"uuid":"2a19","value":"01"}
            {"handle":4,"uuid":"2a19","value":"02"}
            {"handle":3,"uuid":null,"value":"03"}
            """)
        #expect(recording.lines(of: 3).map(\.value) == [[1], [2], [3]])
    }

    @Test(arguments: [
        ("{}", "missing"), (#"{"handle":4,"value":"00"}"#, "0x0004"),
        (#"{"handle":3,"uuid":"2a1a","value":"00"}"#, "2a1a at 0x0003"),
        (#"{"uuid":"2a1a","value":"00"}"#, "2a1a"),
        (#"{"handle":3}"#, "missing"), (#"{"handle":3,"value":"00","time":"noon"}"#, "time"),
        (#"{"handle":3,"value":"00","kind":"shout"}"#, "kind"),
        (#"{"handle":3,"value":"00","after_ms":-1}"#, "after_ms"),
    ])
    func aLineThatCannotBePlayedIsNamed(line: String, part: String) {
        let fault = #expect(throws: JSONDecodingError.self) { try recording("\n" + line) }
        #expect(fault?.line == 2)
        #expect(fault?.reason.contains(part) == true, "\(fault?.reason ?? "")")
    }
}

@Suite(.manualTime, .timeLimit(.minutes(5))) struct SavingTests {
    @Test func whatIsSavedCanBeServed() async throws {
        let services = [
            GATT.Service(
                uuid: BluetoothUUID(0x1800), handle: 1, endHandle: 9,
                includes: [
                    GATT.Include(handle: 3, uuid: BluetoothUUID(0xFFF0), startHandle: 20, endHandle: 65535)
                ],
                characteristics: [
                    GATT.Characteristic(
                        uuid: BluetoothUUID(0x2A00), handle: 5, valueHandle: 7, endHandle: 9,
                        properties: .read,
                        descriptors: [GATT.Descriptor(uuid: BluetoothUUID(0x2901), handle: 9)])
                ]),
            GATT.Service(uuid: BluetoothUUID(0xFFF0), handle: 20, endHandle: 65535),
        ]
        let air = try await TestAir(
            TestDevice(
                address, advertising: [.init(data: [2, 1, 6], scanResponse: [2, 9, 0x42])],
                services: services,
                answers: [7: .success([0x41]), 9: .failure(.insufficientResources)]))
        let path = FileManager.default.temporaryDirectory.path + "/lantern-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let command = try GATTTreeCommand.parse(["F0:F1:F2:F3:F4:F5", "--output", path])
        try await command.perform(on: air.radio, to: Recorder().output)

        let device = try ReplayOptions.parse(["--tree", path]).device()
        #expect(device.name == "A")
        #expect(device.advertisement == DeviceAdvertisement(data: [2, 1, 6], scanResponse: [2, 9, 0x42]))
        #expect(device.database.attributes.map(\.handle.rawValue) == [1, 3, 5, 7, 9, 20])
        #expect(device.database.attributes[0].groupEnd == 9)
        #expect(device.database.attributes[5].groupEnd == .last)
        #expect(device.refusals == [9: .init(read: .insufficientResources)])
    }

    @Test func whatIsWatchedCanBePlayed() async throws {
        let services = [
            GATT.Service(
                uuid: BluetoothUUID(0xFFF0), handle: 1, endHandle: 4,
                characteristics: [
                    GATT.Characteristic(
                        uuid: BluetoothUUID(0x2A19), handle: 2, valueHandle: 3, endHandle: 4,
                        properties: .notify,
                        descriptors: [GATT.Descriptor(uuid: BluetoothUUID(0x2902), handle: 4)])
                ])
        ]
        let sent = [[UInt8(1)], []].map { ReceivedValue(handle: 3, value: $0, kind: .notify) }
        let air = try await TestAir(TestDevice(address, services: services, sent: sent))
        let path = FileManager.default.temporaryDirectory.path + "/lantern-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let command = try GATTWatchCommand.parse(
            ["F0:F1:F2:F3:F4:F5/R", "2a19", "--count", "2", "--output", path])
        try await command.perform(
            on: air.radio, to: Recorder().output, now: FakeClock().now)

        let device = try device(withCharacteristic(#""uuid":"2a19","properties":["notify"]"#))
        let options = try ReplayOptions.parse(["--tree", "not-read", "--recording", path])
        let lines = try options.recording(of: device).lines(of: 3)
        #expect(lines.map(\.value) == [[1], []])
        #expect(lines.map(\.after) == [.zero, .seconds(1)])
    }
}
