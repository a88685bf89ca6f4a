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

/// Long values whose rest a device does not give.
@Suite(.manualTime, .timeLimit(.minutes(5))) struct GATTFirstPartTests {
    /// What one response holds.
    private static let part = [UInt8](repeating: 0x61, count: 184)
    private static let refused = "the device refused to read on (an unlikely error)"

    private let recorder = Recorder()
    private let who = "F0:F1:F2:F3:F4:F5/R"

    /// A device whose User Description at 6 is long, and a value at 9 behind it.
    private func device(_ rest: TestDevice.Rest) -> TestDevice {
        TestDevice(
            BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .random), services: TestDevice.batteryServices,
            answers: [4: .success([0x5F]), 6: .success(Self.part + Self.part), 9: .success([1])],
            rest: [6: rest])
    }

    @Test func aTreeKeepsWhatCameBeforeARefusal() async throws {
        let device = device(.refused(.unlikelyError))
        let air = try await TestAir(device)
        let tree = try await GATTTree(over: try await air.radio.connect(to: Peer(device.address)))
        #expect(tree.ending == nil)
        #expect(tree.readings[6] == .firstPart(Self.part, Self.refused) && tree.readings[9] == .value([1]))
        #expect(
            tree.lines(columns: .max).contains {
                $0.plain.hasSuffix("the first 184 octets; there may be more: " + Self.refused)
            })
        let saved = SavedDevice(tree, advertisement: nil, scanResponse: nil).octets
        #expect(
            String(decoding: saved, as: UTF8.self).contains(
                #""incomplete":"\#(Self.refused)","error":null,"error_code":null"#))
        // Opened again it is as it was, and served again it has what was read.
        let opened = try OpenedSave(
            try SavedDeviceEntry(file: saved, name: "", time: Timestamp(milliseconds: 0)), file: saved)
        var json = JSONWriter()
        opened.write(into: &json)
        #expect(
            String(decoding: json.octets, as: UTF8.self).contains(
                #""incomplete":"\#(Self.refused)","error":null"#))
        let content = try ReplayDevice(json: saved).database.attribute(6)?.content
        guard case .value(_, .stored(let served))? = content else {
            Issue.record("\(String(describing: content))")
            return
        }
        #expect(served == Self.part)
    }

    @Test(arguments: [true, false]) func aTreeKeepsWhatCameBeforeTheLinkEnded(isSilent: Bool) async throws {
        let device = device(.silent)
        let air = try await TestAir(device)
        let connection = try await air.radio.connect(to: Peer(device.address))
        let dump = begin { try await GATTTree(over: connection) }
        try await ManualTime.pass(milliseconds: 5000)
        if !isSilent { await air.loseDevices() }
        let tree = try await dump.value
        #expect(tree.ending?.handle == 6 && tree.ending?.isTimeout == isSilent)
        let why = isSilent ? "the device did not answer in time" : "the link was lost"
        #expect(tree.readings[6] == .firstPart(Self.part, why))
        #expect(tree.readings[9] == .refused("not read: the link had ended", nil))
    }

    @Test func whoTakesNoPartGetsOneWhereItMayBeAll() async throws {
        func read(_ rest: TestDevice.Rest) async throws -> [UInt8] {
            let device = device(rest)
            let air = try await TestAir(device)
            let connection = try await air.radio.connect(to: Peer(device.address))
            return try await connection.read(AttributeHandle(rawValue: 6))
        }
        #expect(try await read(.refused(.unlikelyError)) == Self.part)
        await #expect(throws: BluetoothError.refused(.insufficientEncryption)) {
            try await read(.refused(.insufficientEncryption))
        }
        await #expect(throws: BluetoothError.timeout) { try await read(.silent) }
    }

    @Test func aValueWhoseRestIsRefusedIsPrintedWithTheReason() async throws {
        let air = try await TestAir(device(.refused(.unlikelyError)))
        try await GATTReadCommand.parse([who, "2901", "--json"]).perform(
            on: air.radio, to: recorder.output)
        #expect(recorder.text.contains(#""octets":"\#(Self.part.hexadecimal)""#))
        #expect(recorder.text.hasSuffix(#""incomplete":"\#(Self.refused)"}"# + "\n"))
        let page = Recorder()
        try await GATTReadCommand.parse([who, "2901"]).perform(on: air.radio, to: page.output)
        let lines = page.text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last == "the first 184 octets; there may be more: \(Self.refused)")
    }

    @Test func aValueWhoseRestMayBeGrantedLaterIsPrintedAndTheCommandFails() async throws {
        let air = try await TestAir(device(.refused(.insufficientEncryption)))
        let error = await #expect(throws: CommandError.self) {
            try await GATTReadCommand.parse([who, "2901"]).perform(on: air.radio, to: recorder.output)
        }
        #expect(
            error
                == .failed(
                    "Only the first 184 octets were read. The device refused: the link must be encrypted first. Pair with it first."
                ))
        #expect(recorder.text.split(separator: "\n").count == 1 && recorder.text.contains("aaaa"))
    }

    @Test func aValueThatFallsSilentIsPrintedAndTimesOut() async throws {
        let air = try await TestAir(device(.silent))
        let error = await #expect(throws: CommandError.self) {
            try await GATTReadCommand.parse([who, "2901", "--json"]).perform(
                on: air.radio, to: recorder.output)
        }
        #expect(error?.status == .nothingFound)
        #expect(
            recorder.text.hasSuffix(#""incomplete":"the device did not answer in time"}"# + "\n"))
    }
}
