// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import Testing

@testable import CommandIO
@testable import LanternCommands

@Suite(.manualTime, .timeLimit(.minutes(5))) struct ConnectingTests {
    private let screen = Recorder(Terminal(isInteractive: true, hasColor: false, columns: 80, rows: 24))

    private func read(_ text: String, on air: TestAir) async throws {
        let command = try GATTReadCommand.parse([text, "2a19"])
        try await command.perform(
            on: air.radio, to: Recorder().output, showing: ProgressLine(on: screen.output))
    }

    @Test func theKindIsTheOneThatWasHeard() async throws {
        let (device, other) = (
            TestDevice.battery(), TestDevice(BluetoothAddress(0xC000_0000_0001, kind: .random))
        )
        let air = try await TestAir(other, device)
        try await read("F0:F1:F2:F3:F4:F5", on: air)
        #expect(screen.text.contains("Looking for F0:F1:F2:F3:F4:F5"))
        #expect(try await air.log(of: device) == ["read 4", "disconnect"])
        #expect(try await air.log(of: other) == [])
    }

    @Test func aKindThatIsGivenNeedsNoScan() async throws {
        let device = TestDevice.battery()
        let air = try await TestAir(device)
        try await read("F0:F1:F2:F3:F4:F5/R", on: air)
        #expect(!screen.text.contains("Looking for"))
        #expect(try await air.log(of: device) == ["read 4", "disconnect"])
    }

    @Test func whoDoesNotAnswerAndWasNotSeenIsNotFound() async throws {
        let air = try await TestAir(.battery())
        let error = await #expect(throws: CommandError.self) {
            try await read("F0:F1:F2:F3:F4:F5/P", on: air)
        }
        #expect(error?.status == .nothingFound)
        #expect(error?.sentence.contains("F0:F1:F2:F3:F4:F5") == true)
    }

    @Test func whoWasSeenAndDoesNotAnswerIsAFailure() async throws {
        let air = try await TestAir(.battery())
        let work = begin { try await read("F0:F1:F2:F3:F4:F5", on: air) }
        await screen.wait { $0.contains("Connecting") }
        await air.loseDevices()
        await #expect(throws: BluetoothError.connectFailed(.connectTimeout)) { try await work.value }
    }

    @Test func aRadioThatIsLostIsNoMissingDevice() async throws {
        let device = TestDevice.battery(advertising: [.init(isConnectable: false)])
        let air = try await TestAir(device)
        let work = begin { try await read("F0:F1:F2:F3:F4:F5", on: air) }
        try await ManualTime.pass(milliseconds: 1000)
        air.loseRadio(returns: false)
        await #expect(throws: BluetoothError.radioUnavailable("the connection to it was lost")) {
            try await work.value
        }
        #expect(!screen.text.contains("Connecting"))
    }
}

/// Devices that end the link when they are asked for their MTU, or after that.
@Suite(.manualTime, .timeLimit(.minutes(5))) struct SuspectedMTUTests {
    private let who = "F0:F1:F2:F3:F4:F5/R"
    private let exchangeMTU: UInt8 = 0x02
    /// What comes first after that: Read By Type, for the Database Hash.
    private let readByType: UInt8 = 0x08

    @Test func theWayWithoutIsSaid() async throws {
        for opcode in [exchangeMTU, readByType] {
            let reading = await #expect(throws: CommandError.self) {
                let air = try await TestAir(.battery(hangsUpAt: opcode))
                try await GATTReadCommand.parse([who, "2a19"]).perform(on: air.radio, to: Recorder().output)
            }
            let exploring = await #expect(throws: CommandError.self) {
                let air = try await TestAir(.battery(hangsUpAt: opcode))
                try await GATTTreeCommand.parse([who]).perform(on: air.radio, to: Recorder().output)
            }
            let sentence =
                "The device closed the connection. If it does so each time, try again with --no-mtu: "
                + "some devices cannot bear to be asked for a larger MTU."
            #expect(reading == .failed(sentence), "\(opcode)")
            #expect(exploring == .failed(sentence), "\(opcode)")
        }
    }

    @Test func theShellHasItsOwnWords() async throws {
        let air = try await TestAir(.battery(hangsUpAt: exchangeMTU))
        let complaints = Recorder()
        await #expect(throws: ExitCode.self) {
            try await GATTShellCommand.parse([who, "--command", "primary"]).perform(
                ShellLines(["primary"]), answers: ShellLines([]), on: air.radio, to: Recorder().output,
                complaining: complaints.output, now: FakeClock().now)
        }
        #expect(complaints.text.contains("start the shell with --no-mtu"), "\(complaints.text)")
    }

    @Test func whoHasNotAskedIsNotToldOfIt() async throws {
        let recorder = Recorder()
        let command = try GATTReadCommand.parse([who, "2a19", "--no-mtu"])
        let device = TestDevice.battery(hangsUpAt: exchangeMTU)
        try await command.perform(on: try await TestAir(device).radio, to: recorder.output)
        #expect(recorder.text.contains("5f"))
        let air = try await TestAir(.battery(hangsUpAt: readByType))
        await #expect(throws: BluetoothError.disconnected(.closedByPeer)) {
            try await command.perform(on: air.radio, to: recorder.output)
        }
    }
}

@Suite(.manualTime, .timeLimit(.minutes(5))) struct GATTValueCommandTests {
    private let peer = TestDevice.battery(sent: [
        ReceivedValue(handle: 4, value: [0x5E], kind: .notify),
        ReceivedValue(handle: 13, value: [1, 2], kind: .indicate),
        ReceivedValue(handle: 4, value: [], kind: .notify),
    ])
    private let recorder = Recorder()

    private let who = "F0:F1:F2:F3:F4:F5/R"

    @Test func aValueIsOneObject() async throws {
        let command = try GATTReadCommand.parse([who, "2A19", "--json"])
        try await command.perform(on: try await TestAir(peer).radio, to: recorder.output)
        #expect(
            recorder.text.replacing(/"time":"[^"]*",/, with: "")
                == #"{"event":"value_read","address":"F0:F1:F2:F3:F4:F5","address_kind":"random","#
                + #""uuid":"2a19","name":"Battery Level","description":null,"handle":4,"octets":"5f","text":"_","fields":[{"name":"Battery Level","value":"95%"}],"misfit":null,"incomplete":null}"#
                + "\n")
    }

    @Test func aValueIsReadableForAPerson() async throws {
        let air = try await TestAir(peer)
        try await GATTReadCommand.parse([who, "0x0006"]).perform(on: air.radio, to: recorder.output)
        #expect(recorder.text == "\"Main\"  4d 61 69 6e\n")
    }

    @Test func aWriteIsAnswered() async throws {
        let air = try await TestAir(peer)
        try await GATTWriteCommand.parse([who, "2a19", "01ffA0"]).perform(on: air.radio, to: recorder.output)
        #expect(try await air.log(of: peer) == ["write 01ffa0 to 4", "disconnect"])
        #expect(recorder.text == "3 octets written to Battery Level at 0x0004.\n")
    }

    @Test func aWriteWithoutResponseIsSent() async throws {
        let air = try await TestAir(peer)
        let command = try GATTWriteCommand.parse([who, "0xb", "01", "--no-response"])
        try await command.perform(on: air.radio, to: recorder.output)
        #expect(try await air.log(of: peer) == ["send 01 to 11", "disconnect"])
        #expect(recorder.text == "1 octet sent to fff1 at 0x000b.\n")
    }

    @Test func aRefusedWriteSaysHowItIsDone() async throws {
        let air = try await TestAir(peer)
        let error = await #expect(throws: CommandError.self) {
            try await GATTWriteCommand.parse([who, "0xb", "01"]).perform(on: air.radio, to: recorder.output)
        }
        #expect(
            error
                == .failed(
                    "The device refused: writing is not permitted. This characteristic is written with --no-response."
                ))
        #expect(try await air.log(of: peer) == ["write 01 to 11", "disconnect"])
    }

    @Test(arguments: ["0", "0g", "hello", "0x1", "01:g", "\""])
    func whatIsNotHexIsRefused(value: String) {
        #expect(throws: (any Error).self) { try GATTWriteCommand.parse([who, "2a19", value]) }
    }

    @Test func noOctetsAreAValueToo() throws {
        #expect(try GATTWriteCommand.parse([who, "2a19", ""]).value == [])
        #expect(try GATTWriteCommand.parse([who, "2a19", "01 02"]).value == [1, 2])
        #expect(try GATTWriteCommand.parse([who, "battery-level", "\"hé\""]).value == Array("hé".utf8))
    }

    @Test func onlyValuesOfTheCharacteristicArePrinted() async throws {
        let command = try GATTWatchCommand.parse([who, "2a19", "--count", "2", "--json"])
        let air = try await TestAir(peer)
        try await command.perform(on: air.radio, to: recorder.output, now: FakeClock().now)
        let whose =
            #""address":"F0:F1:F2:F3:F4:F5","address_kind":"random","uuid":"2a19","name":"Battery Level","description":null,"handle":4"#
        #expect(
            recorder.text == """
                {"event":"value_received","time":"2027-01-15T08:00:00.000Z",\(whose),"octets":"5e","text":"^","fields":[{"name":"Battery Level","value":"94%"}],"misfit":null,"kind":"notify"}
                {"event":"value_received","time":"2027-01-15T08:00:01.000Z",\(whose),"octets":"","text":"","fields":[],"misfit":null,"kind":"notify"}

                """)
        #expect(try await air.log(of: peer) == ["subscribe 1 of 4", "subscribe 0 of 4", "disconnect"])
    }

    @Test func aLostLinkEndsTheWatch() async throws {
        let command = try GATTWatchCommand.parse([who, "2a19"])
        let air = try await TestAir(peer)
        let watch = begin {
            try await command.perform(on: air.radio, to: recorder.output, now: FakeClock().now)
        }
        await recorder.wait(for: 2)
        await air.loseDevices()
        await #expect(throws: BluetoothError.disconnected(.supervisionTimeout)) { try await watch.value }
        let lines = recorder.text.split(separator: "\n").map { $0.dropFirst(8) }
        #expect(
            lines == ["  ← 94%  5e  (Battery Level at 0x0004)", "  ← empty  (Battery Level at 0x0004)"])
    }

    @Test func aWatchIsEndedByCancelling() async throws {
        let quiet = TestDevice.battery(sent: [ReceivedValue(handle: 4, value: [1], kind: .notify)])
        let command = try GATTWatchCommand.parse([who, "2a19"])
        let air = try await TestAir(quiet)
        let watch = begin {
            try await command.perform(on: air.radio, to: recorder.output, now: FakeClock().now)
        }
        await recorder.wait(for: 1)
        watch.cancel()
        try await watch.value
        #expect(try await air.log(of: quiet).last == "disconnect")
    }

    @Test(arguments: [("0", 0), ("10", 1)])
    func tooFewValuesInTheTimeIsNothingFound(duration: String, count: Int) async throws {
        let quiet = TestDevice.battery(
            sent: Array(repeating: ReceivedValue(handle: 4, value: [1], kind: .notify), count: count))
        let command = try GATTWatchCommand.parse([who, "2a19", "--duration", duration, "--count", "2"])
        let air = try await TestAir(quiet)
        let error = await #expect(throws: CommandError.self) {
            try await command.perform(on: air.radio, to: recorder.output, now: FakeClock().now)
        }
        #expect(error?.status == .nothingFound)
    }

    @Test(arguments: ["0x0005", "0x0009", "0x0003"])
    func whatSendsNothingIsNotWatched(what: String) async throws {
        let command = try GATTWatchCommand.parse([who, what])
        let air = try await TestAir(peer)
        let error = await #expect(throws: CommandError.self) {
            try await command.perform(on: air.radio, to: recorder.output, now: FakeClock().now)
        }
        #expect(error?.status == .wrongUsage)
    }

    @Test func aCountIsAtLeastOne() {
        #expect(throws: (any Error).self) { try GATTWatchCommand.parse([who, "2a19", "--count", "0"]) }
    }
}
