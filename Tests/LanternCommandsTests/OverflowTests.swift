// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import Companion
import CompanionText
import Foundation
import OverflowArea
import OverflowAreaCompanion
import OverflowAreaSimulated
import Synchronization
import Testing

@testable import CommandIO
@testable import LanternCommands
@testable import OverflowAreaCommands

private let demo = OverflowPayload(0x0102_0304)
private let alice = BluetoothAddress(0xC300_0000_0001, kind: .random)
private let time = Timestamp(milliseconds: 1_800_000_000_000)
private let timeText = "2027-01-15T08:00:00.000Z"
private let flock = "4fafc201-1fb5-459e-8fcc-c5c9c331914b"
private let flockMap = "00000000000000800000000000000000"

private let known =
    #"[{"uuid":"\#(flock)","name":"FlockFinder or WiFiSet"},"#
    + #"{"uuid":"7a5a0000-d04b-48eb-b3fa-32eb4f0ffac4","name":"Nightlight LED"}]"#

private func json(_ event: some Event) -> String { String(decoding: event.json(at: time), as: UTF8.self) }

private func v1(_ position: OverflowPosition) -> OverflowMap { OverflowBanks.map(of: demo, at: position) }

/// A device that sends maps, one after the other, and then something else.
private func phone(_ maps: OverflowMap...) -> TestDevice {
    TestDevice(alice, advertising: maps.map { .init(data: $0.advertisingData) } + [.init()])
}

/// What a command has printed.
private final class Paper: Sendable {
    private let octets = Mutex<[UInt8]>([])

    func output(_ terminal: Terminal = .none) -> Output {
        Output(terminal: terminal) { octets in self.octets.withLock { $0 += octets } }
    }

    var lines: [String] {
        String(decoding: octets.withLock { $0 }, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

@Suite struct OverflowJSONTests {
    @Test func aBitAsScriptsGetIt() throws {
        let uuid = try #require(BluetoothUUID(flock))
        #expect(
            json(OverflowBitFound(uuid))
                == #"{"event":"overflow_bit","time":"\#(timeText)","uuid":"\#(flock)","bit":63,"octet":7,"#
                + #""mask":"0x80","table_index":56,"services":\#(known)}"#)
        let text = OverflowBitFound(BluetoothUUID(0xFD6F)).styledLine.plain
        #expect(text == "fd6f  bit 89 (table index 94), octet 11, mask 0x02  Exposure Notification")
        #expect(OverflowBitFound(uuid).styledLine.plain.hasSuffix("FlockFinder or WiFiSet, Nightlight LED"))
    }

    @Test func servicesAndPayloadsAreEncoded() throws {
        func encoded(_ arguments: String...) throws -> String {
            let command = try OverflowEncodeCommand.parse(arguments)
            return json(command.made)
        }
        #expect(
            try encoded(flock, "7a5a0000-d04b-48eb-b3fa-32eb4f0ffac4")
                == #"{"event":"overflow_encoded","time":"\#(timeText)","octets":"\#(flockMap)","#
                + #""advertisement_octets":"14ff4c0001\#(flockMap)","uuids":["\#(flock)","#
                + #""7a5a0000-d04b-48eb-b3fa-32eb4f0ffac4"]}"#)
        let first = try encoded("--payload", "01020304")
        #expect(
            first.contains(
                #""octets":"558040c0200000000000000000000000","advertisement_octets":"14ff4c0001558040c020"#))
        #expect(first.hasSuffix(#","00000000-0000-0000-0000-00000000004f"]}"#))
        #expect(try encoded("--payload", "01020304", "--codec", "v1", "--position", "0") == first)
        #expect(
            try encoded("--payload", "01020304", "--codec", "v1", "--position", "1")
                .contains(#""octets":"0000000000000000558040c020000000""#))
        #expect(
            try encoded("--payload", "01020304", "--codec", "v2")
                .contains(#""octets":"80000000000000005a59020700820000""#))
    }

    @Test(arguments: [
        [], ["--payload", "010203"], ["--payload", "0102030405"], ["--payload", "zz"],
        ["fd6f", "--payload", "00000000"],
        ["fd6f", "--codec", "v1"], ["--payload", "00000000", "--codec", "v3"],
        ["--payload", "00000000", "--position", "2"],
        ["--payload", "00000000", "--codec", "v2", "--position", "1"], ["fd6"],
    ])
    func whatCannotBeEncodedIsWrongUsage(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try OverflowEncodeCommand.parse(arguments) }
    }

    @Test(arguments: [
        flockMap, "14FF4C0001" + flockMap, "FF4C0001" + flockMap, "4C0001" + flockMap, "0x4c0001" + flockMap,
        "4C00 10 05 0102030405 01" + flockMap, "02011A 14FF4C0001" + flockMap,
        "02011A14FF4C0001" + flockMap + "0000",
    ])
    func aMapIsDecodedInAnyForm(_ hex: String) throws {
        let map = try OverflowDecodeCommand.map(in: hex)
        #expect(
            json(OverflowMapRead(map, .bank))
                == #"{"event":"overflow_decoded","time":"\#(timeText)","octets":"\#(flockMap)","bits":[63],"#
                + #""candidates":[{"bit":63,"services":\#(known)}],"payloads":[]}"#)
    }

    @Test(arguments: [
        ("", CommandError.Status.wrongUsage), ("0", .wrongUsage), ("xy", .wrongUsage),
        ("14FF4C0001", .failed), ("4C0001" + "00", .failed), ("14FF4C00010000", .failed), ("0509", .failed),
        ("020106", .failed), ("4C00", .failed), ("0303 0D18", .failed),
    ])
    func whatHasNoMapSaysWhy(_ hex: String, _ status: CommandError.Status) {
        #expect { try OverflowDecodeCommand.map(in: hex) } throws: { ($0 as? CommandError)?.status == status }
    }

    @Test func payloadsAreDecodedWithoutHistory() throws {
        func payloads(_ map: OverflowMap, _ reading: OverflowBanks.Reading = .bank) -> String {
            let text = json(OverflowMapRead(map, reading))
            return String(
                text[(text.range(of: "\"payloads\":")?.upperBound ?? text.startIndex)...].dropLast())
        }
        func entry(_ codec: String, _ position: Int, polluted: Bool = false, corrected: Int = 0) -> String {
            #"[{"codec":"\#(codec)","position":\#(position),"octets":"01020304","polluted":\#(polluted),"#
                + #""corrected_bits":\#(corrected)}]"#
        }
        #expect(payloads(OverflowMap()) == "[]")
        #expect(payloads(v1(.first)) == entry("v1", 0))
        #expect(payloads(v1(.second)) == entry("v1", 1))
        let noise = OverflowMap(high: 1 << 63)
        #expect(payloads(v1(.first).union(noise)) == entry("v1", 0, polluted: true))
        #expect(payloads(v1(.first).union(noise), .pattern) == entry("v1", 0))
        #expect(payloads(v1(.second).union(noise)) == entry("v1", 1))
        let v2 = OverflowHamming.map(of: demo)
        #expect(payloads(v2) == entry("v2", 1))
        #expect(payloads(v2.union(OverflowMap(low: 1))) == entry("v2", 1, polluted: true))
        var broken = v2
        broken.insert(.watchSetup)
        #expect(payloads(broken) == entry("v2", 1, corrected: 1))
    }

    @Test func eventsAreSpelledAsScriptsExpect() throws {
        func heard(_ event: OverflowReceiver.Event, _ address: BluetoothAddress = alice) throws
            -> OverflowReceiver.Output
        {
            var receiver = OverflowReceiver()
            receiver.receive(OverflowMap().structure, from: address, rssi: -50, at: .zero)
            let first = receiver.nextOutput()
            var output = try #require(first)
            output.event = event
            return output
        }
        let sender =
            #""time":"\#(timeText)","address":"C3:00:00:00:00:01","address_kind":"random","rssi":-50,"#
        let map = try heard(.map(OverflowMap(services: [BluetoothUUID(0xFD6F)])))
        #expect(
            OverflowMapHeard(map).map(json)
                == #"{"event":"overflow_map",\#(sender)"octets":"00000000000000000000000200000000","bits":[89],"#
                + #""candidates":[{"bit":89,"services":[{"uuid":"fd6f","name":"Exposure Notification"}]}]}"#)
        let message = try heard(.payload(OverflowMessage(codec: .v1, position: .second, payload: demo)))
        #expect(
            OverflowPayloadHeard(message).map(json)
                == #"{"event":"overflow_payload",\#(sender)"codec":"v1","position":1,"octets":"01020304"}"#)
        #expect(
            OverflowMapIgnored(try heard(.ignored(.unknownPosition))).map(json)
                == #"{"event":"overflow_ignored",\#(sender)"reason":"unknown position"}"#)
        #expect(
            OverflowMapIgnored(try heard(.ignored(.unknownPosition)))?.line.text.hasSuffix(
                " a message; waiting for its other position") == true)
        let nobody = try heard(.ignored(.polluted), BluetoothAddress(0, kind: .anonymous))
        #expect(
            OverflowMapIgnored(nobody).map(json)?.contains(
                #""address":null,"address_kind":"anonymous","rssi":-50,"reason":"polluted"}"#) == true)
        #expect(OverflowMapHeard(nobody) == nil && OverflowPayloadHeard(nobody) == nil)
    }
}

@Suite struct OverflowShowTests {
    @Test func thePictureHasSixteenColumnsOfEightDots() {
        let lines = v1(.first).picture.map(\.plain)
        #expect(lines.count == 9)
        #expect(lines[0] == "       0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15  octet")
        #expect(lines[1] == "0x80   ·  ●  ·  ●  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·")
        #expect(lines[8] == "0x01   ●  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·")
        #expect(lines.dropFirst().joined().count(where: { $0 == "●" }) == 9)
        #expect(lines.allSatisfy { FixedWidthText.width($0) <= OverflowMap.pictureColumns + 3 })
    }

    @Test(.manualTime, .timeLimit(.minutes(5)))
    func aScanTellsMapsAndPayloadsInOrder() async throws {
        let paper = Paper()
        let air = try await TestAir(phone(v1(.first), v1(.second)))
        let command = try OverflowScanCommand.parse(["--json", "--duration", "5"])
        try await command.perform(on: air.radio, to: paper.output(), now: { time })
        #expect(
            paper.lines.map { $0.dropFirst(19).prefix { $0 != "\"" } } == [
                "map", "ignored", "map", "payload",
            ])
    }

    @Test(.manualTime, .timeLimit(.minutes(5)))
    func aTableIsPrintedAtTheEnd() async throws {
        let paper = Paper()
        let air = try await TestAir(phone(v1(.first), v1(.second)))
        let command = try OverflowScanCommand.parse(["--duration", "5"])
        try await command.perform(on: air.radio, to: paper.output(), now: { time })
        #expect(
            paper.lines[0]
                == "dBm  ADDRESS              PAYLOAD      MAP                               WHAT IT MAY BE")
        #expect(
            paper.lines[1]
                == "-50  C3:00:00:00:00:01/R  01020304 v1  0000000000000000558040c020000000  a message")
        #expect(paper.lines.count == 2 + 9)
    }

    @Test(.manualTime, .timeLimit(.minutes(5)))
    func whenNothingIsHeardItSaysSo() async throws {
        let command = try OverflowScanCommand.parse(["--json", "--duration", "5"])
        let air = try await TestAir()
        await #expect {
            try await command.perform(on: air.radio, to: Paper().output(), now: { time })
        } throws: { ($0 as? CommandError)?.status == .nothingFound }
    }

    @Test(.manualTime, .timeLimit(.minutes(5)))
    func aRadioThatIsLostEndsTheScan() async throws {
        let endless = try OverflowScanCommand.parse(["--json"])
        let air = try await TestAir()
        let scan = begin { try await endless.perform(on: air.radio, to: Paper().output(), now: { time }) }
        try await ManualTime.pass(milliseconds: 1000)
        air.loseRadio(returns: false)
        await #expect(throws: BluetoothError.radioUnavailable("the connection to it was lost")) {
            try await scan.value
        }
    }

    @Test func theTableKeepsToTheTerminal() {
        var board = OverflowTable()
        var receiver = OverflowReceiver()
        for (number, map) in [v1(.first), OverflowMap(), OverflowMap(low: .max, high: .max)].enumerated() {
            receiver.receive(
                map.structure, from: BluetoothAddress(UInt64(number), kind: .public),
                rssi: Int8(-40 - number),
                at: .zero)
        }
        while let output = receiver.nextOutput() { board.receive(output) }
        #expect(board.sorted.map(\.rssi) == [-40, -41, -42])
        for columns in [20, 40, 80, 120] {
            let lines = board.lines(columns: columns, rows: 40).map(\.plain)
            #expect(lines.allSatisfy { FixedWidthText.width($0) <= columns })
            #expect(lines.count == (columns >= 80 ? 4 + 10 : 4))
        }
        let words = board.lines(columns: .max, rows: 24).map(\.plain)
        #expect(words[1].hasSuffix("a message; waiting for its other position"))
        #expect(words[2].hasSuffix("none known"))
    }

    /// The published table counts from the other end of an octet.
    @Test func aBitIsNeverNamedByItsNumberAlone() {
        let lines = OverflowMapRead(v1(.second), .bank).lines.map(\.plain)
        let bits = lines.filter { $0.hasPrefix("bit ") }
        #expect(bits.contains { $0.hasPrefix("bit 66 (table index 69)") })
        #expect(bits.allSatisfy { $0.contains(/^bit \d+ \(table index \d+\) +\S/) })
        let paper = Paper()
        OverflowWarning.show(for: .payload(demo, .v1), on: paper.output())
        #expect(paper.lines.joined().contains("bit 66 (table index 69)"))
    }

    @Test func theTableForgetsWhoWasHeardLongestAgo() throws {
        func heard(_ number: Int) throws -> OverflowReceiver.Output {
            var receiver = OverflowReceiver()
            receiver.receive(
                OverflowMap().structure, from: BluetoothAddress(UInt64(number), kind: .public), rssi: -50,
                at: .zero)
            let output = receiver.nextOutput()
            return try #require(output)
        }
        var board = OverflowTable()
        for number in 0..<OverflowTable.limit { board.receive(try heard(number)) }
        // The first one was heard again, so the second one makes room.
        board.receive(try heard(0))
        board.receive(try heard(OverflowTable.limit))
        #expect(board.count == OverflowTable.limit)
        let addresses = Set(board.sorted.map(\.address.value))
        #expect(addresses.contains(0) && !addresses.contains(1) && addresses.contains(2))
    }

    @Test func theWatchBitIsWarnedOf() {
        func warned(_ content: OverflowSender.Content) -> Bool {
            let paper = Paper()
            OverflowWarning.show(for: content, on: paper.output())
            return paper.lines.count == 1
        }
        #expect(warned(.payload(demo, .v1)))
        #expect(!warned(.payload(demo, .v2)))
        #expect(warned(.services([BluetoothUUID(high: 0x9AA4_730F_B25C_4CC3, low: 0xB821_C931_559F_C196)])))
        #expect(!warned(.services([BluetoothUUID(0xFD6F)])))
        #expect(!warned(.sequence(from: BluetoothUUID(high: 0, low: 0))))
    }

    @Test(arguments: [
        ["advertise"], ["advertise", "01020304", "--uuid", "fd6f"], ["advertise", "010203"],
        ["advertise", "01020304", "05060708"], ["advertise", "01020304", "fd6f"],
        ["advertise", "fd6f", "--codec", "v1"],
        ["advertise", "--uuid", "fd6f", "--codec", "v1"], ["advertise", "01020304", "--interval", "0"],
        ["sequence", "--from", "1"], ["sequence", "fd6f", "--from", "fd6f"], ["beacon"],
        ["beacon", "01020304", "--codec", "v9"],
    ])
    func whatCannotBeSentIsWrongUsage(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try LanternCommand.parseAsRoot(["overflow"] + arguments) }
    }

    @Test(arguments: [
        ["fd6f", "1802"], ["FD6F", "--uuid", "immediate-alert"],
        ["0000fd6f-0000-1000-8000-00805f9b34fb", "immediate-alert"],
    ])
    func servicesAreAdvertisedAsTheyAreTyped(_ words: [String]) throws {
        let command = try OverflowAdvertiseCommand.parse(words)
        #expect(command.content == .services([BluetoothUUID(0xFD6F), BluetoothUUID(0x1802)]))
    }

    @Test(arguments: [["1802"], ["--from", "immediate-alert"]])
    func aSequenceBeginsWithWhatIsTyped(_ words: [String]) throws {
        #expect(try OverflowSequenceCommand.parse(words).content == .sequence(from: BluetoothUUID(0x1802)))
    }

    @Test(
        arguments: [
            (["beacon", "fd6f"], "fd6f is a service: `lantern overflow advertise fd6f` sends it."),
            (["encode", "--payload", "fd6f"], "fd6f is a service: write fd6f without --payload."),
            (["beacon", "010203"], "8 hex digits"),
        ] as [([String], String)])
    func aServiceWhereAPayloadBelongsIsSaid(_ arguments: [String], _ sentence: String) {
        let error = #expect(throws: (any Error).self) {
            try LanternCommand.parseAsRoot(["overflow"] + arguments)
        }
        #expect(error.map { LanternCommand.message(for: $0).contains(sentence) } == true)
    }

    @Test func whatIsSentIsAnEvent() throws {
        var sender = OverflowSender(.payload(demo, .v1))
        sender.start(at: .zero)
        let sent = sender.nextOutput()
        let text = json(OverflowAdvertising(try #require(sent), codec: .v1))
        #expect(
            text.hasPrefix(
                #"{"event":"overflow_advertising","time":"\#(timeText)","codec":"v1","position":0,"octets":"#
                    + #""558040c0200000000000000000000000","advertisement_octets":"14ff4c0001"#
            ))
    }

    @Test func aPhoneHasOptionsOfItsOwn() throws {
        let command = try PhoneRunCommand.parse([
            "--uuid", "fd6f", "1802", "--foreground-every", "2",
        ])
        #expect(command.phone.uuids == [BluetoothUUID(0xFD6F), BluetoothUUID(0x1802)])
        let bare = try PhoneRunCommand.parse(["fd6f", "01020304", "--uuid", "1802"]).phone
        #expect(bare.app.uuids == command.phone.uuids && bare.words.payloads == [demo])
        for arguments in [
            ["--foreground-every", "0"], ["--payload", "01"], ["--script", "x"], ["010203"],
            ["01020304", "--payload", "01020304"],
        ] {
            #expect(throws: (any Error).self) { try PhoneRunCommand.parse(arguments) }
        }
    }
}
