// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import Testing

@testable import CommandIO
@testable import LanternCommands

private let address = BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .random)

private let services: [GATT.Service] = [
    GATT.Service(
        uuid: BluetoothUUID(0x180F), handle: 1, endHandle: 6,
        includes: [GATT.Include(handle: 2, uuid: BluetoothUUID(0xFFF0), startHandle: 7, endHandle: 13)],
        characteristics: [
            GATT.Characteristic(
                uuid: BluetoothUUID(0x2A19), handle: 3, valueHandle: 4, endHandle: 6,
                properties: [.read, .notify],
                descriptors: [GATT.Descriptor(uuid: BluetoothUUID(0x2902), handle: 5)])
        ]),
    GATT.Service(
        uuid: BluetoothUUID(0xFFF0), handle: 7, endHandle: 13,
        characteristics: [
            GATT.Characteristic(
                uuid: BluetoothUUID(0xFFF1), handle: 8, valueHandle: 9, endHandle: 9, properties: .read),
            GATT.Characteristic(
                uuid: BluetoothUUID(0xFFF1), handle: 10, valueHandle: 11, endHandle: 11,
                properties: [.writeWithoutResponse]),
            GATT.Characteristic(
                uuid: BluetoothUUID(0xFFF2), handle: 12, valueHandle: 13, endHandle: 13, properties: .indicate
            ),
        ]),
]

private let answers: [AttributeHandle: Result<[UInt8], ATT.ErrorCode>] = [
    4: .success([0x5F]), 9: .success([0x1B, 0x5B, 0x32, 0x4A]), 11: .failure(.writeNotPermitted),
    99: .success([1]),
]

private struct Outcome {
    var lines: [String]
    var complaints: String
    var status: Int32
    var log: [String]
}

/// Carries out commands on a device whose answers are laid down, and that may be carried away after the first line.
private func run(
    _ commands: [String], _ options: String..., sent: [ReceivedValue] = [], isLost: Bool = false,
    terminal: Terminal = .none
) async throws -> Outcome {
    let device = TestDevice(address, services: services, answers: answers, sent: sent)
    let air = try await TestAir(device)
    let (output, complaints) = (Recorder(terminal), Recorder())
    let clock = FakeClock()
    let command = try GATTShellCommand.parse(["F0:F1:F2:F3:F4:F5/R"] + options)
    let work = begin {
        try await command.perform(
            ShellLines(commands), answers: ShellLines([]), on: air.radio, to: output.output,
            complaining: complaints.output,
            now: clock.now)
    }
    if isLost {
        await output.wait(for: 1)
        await air.loseDevices()
    }
    var status: Int32 = 0
    do { try await work.value } catch let code as ExitCode { status = code.rawValue }
    return Outcome(
        lines: output.text.split(separator: "\n").map(String.init), complaints: complaints.text,
        status: status,
        log: try await air.log(of: device))
}

/// An event without its name and time.
private func withoutHead(_ event: String) -> String {
    event.split(separator: ",", maxSplits: 2).last.map(String.init) ?? ""
}

/// The event of a command that was carried out.
private func answered(_ command: String, result: some StringProtocol, second: Int = 0) -> String {
    #"{"event":"shell_answer","time":"2027-01-15T08:00:0\#(second).000Z","command":"\#(command)","ok":true,"#
        + #""result":\#(result),"error":null}"#
}

/// The event of a command that has failed.
private func failed(_ command: String, _ sentence: String, second: Int = 0) -> String {
    #"{"event":"shell_answer","time":"2027-01-15T08:00:0\#(second).000Z","command":"\#(command)","ok":false,"#
        + #""result":null,"error":"\#(sentence)"}"#
}

@Suite(.manualTime, .timeLimit(.minutes(5))) struct ShellAnswerTests {
    @Test(
        "One object for each answer",
        arguments: [
            ("connect", #"{"address":"F0:F1:F2:F3:F4:F5","address_kind":"random","mtu":185}"#),
            ("disconnect", "{}"), ("exit", "{}"), ("mtu", #"{"mtu":185}"#), ("mtu 100", #"{"mtu":185}"#),
            ("sec-level", #"{"level":"low"}"#),
            (
                "primary 180f",
                #"{"services":[{"uuid":"180f","name":"Battery","handle":1,"end_handle":6}]}"#
            ),
            (
                "included",
                #"{"included":[{"uuid":"fff0","name":null,"declaration_handle":2,"handle":7,"end_handle":13}]}"#
            ),
            ("included 3", #"{"included":[]}"#),
            (
                "characteristics 1 7",
                #"{"characteristics":[{"uuid":"2a19","name":"Battery Level","handle":3,"value_handle":4,"#
                    + #""properties":["read","notify"]}]}"#
            ),
            (
                "char-desc 4 5",
                #"{"attributes":[{"uuid":"2a19","name":"Battery Level","description":null,"handle":4},"#
                    + #"{"uuid":"2902","name":"Client Characteristic Configuration","description":null,"handle":5}]}"#
            ),
            (
                "char-read-hnd 4",
                #"{"address":"F0:F1:F2:F3:F4:F5","address_kind":"random","#
                    + #""uuid":"2a19","name":"Battery Level","description":null,"handle":4,"octets":"5f","text":"_","#
                    + #""fields":[{"name":"Battery Level","value":"95%"}],"misfit":null,"incomplete":null}"#
            ),
            (
                "read 0x63",
                #"{"address":"F0:F1:F2:F3:F4:F5","address_kind":"random","#
                    + #""uuid":"fffe","name":null,"description":null,"handle":99,"octets":"01","text":null,"fields":[],"misfit":null,"incomplete":null}"#
            ),
            (
                "read Battery-Level",
                #"{"address":"F0:F1:F2:F3:F4:F5","address_kind":"random","#
                    + #""uuid":"2a19","name":"Battery Level","description":null,"handle":4,"octets":"5f","text":"_","#
                    + #""fields":[{"name":"Battery Level","value":"95%"}],"misfit":null,"incomplete":null}"#
            ),
            (
                "read \"client characteristic configuration\"",
                #"{"address":"F0:F1:F2:F3:F4:F5","address_kind":"random","#
                    + #""uuid":"2902","name":"Client Characteristic Configuration","description":null,"handle":5,"octets":"0000","text":null,"#
                    + #""fields":[{"name":"Values","value":"off"}],"misfit":null,"incomplete":null}"#
            ),
            (
                "char-read-uuid 2a19 1 6",
                #"{"address":"F0:F1:F2:F3:F4:F5","address_kind":"random","uuid":"2a19","values":[{"handle":4,"octets":"5f","text":"_","#
                    + #""fields":[{"name":"Battery Level","value":"95%"}],"misfit":null}]}"#
            ),
            (
                "char-write-req 4 01",
                #"{"address":"F0:F1:F2:F3:F4:F5","address_kind":"random","uuid":"2a19","name":"Battery Level","description":null,"#
                    + #""handle":4,"octets":"01","answered":true}"#
            ),
            (
                "write-command 0x0004 \"ab\"",
                #"{"address":"F0:F1:F2:F3:F4:F5","address_kind":"random","uuid":"2a19","name":"Battery Level","description":null,"#
                    + #""handle":4,"octets":"6162","answered":false}"#
            ),
            (
                "watch 2a19",
                #"{"watched":true,"characteristics":[{"uuid":"2a19","name":"Battery Level","description":null,"handle":4}]}"#
            ),
            ("unwatch", #"{"watched":false,"characteristics":[]}"#),
            ("wait 0", #"{"values":0}"#),
            (
                "help mtu",
                #"{"commands":[{"names":["mtu"],"usage":"mtu [OCTETS]","#
                    + #""help":"Show the MTU, or make sure that it is at least this large."}]}"#
            ),
        ])
    func json(command: String, result: String) async throws {
        let outcome = try await run([command], "--json")
        let quoted = command.replacing("\"", with: "\\\"")
        #expect(outcome.lines == [answered(quoted, result: result)])
        #expect((outcome.status, outcome.complaints) == (0, ""))
    }

    @Test func theTreeIsTheOneOfGATTTree() async throws {
        let outcome = try await run(["tree"], "--json")
        let recorder = Recorder()
        let air = try await TestAir(TestDevice(address, services: services, answers: answers))
        let tree = try GATTTreeCommand.parse(["F0:F1:F2:F3:F4:F5/R", "--json"])
        try await tree.perform(on: air.radio, to: recorder.output)
        // The same but for what every event begins with.
        let shape = withoutHead(String(recorder.text.dropLast()))
        #expect(outcome.lines == [answered("tree", result: "{" + shape)])
    }

    @Test(
        "A failure is one sentence",
        arguments: [
            ("nonsense", "There is no command nonsense: type help to see all."),
            ("char-read-hnd 0", "0 is not a handle: they are 0x0001 to 0xffff, in hex."),
            ("read 0x000b", "The device refused: reading is not permitted."),
            ("read 0x0077", "The device has nothing at 0x0077; `tree` shows all."),
            ("watch fff1", "fff1 occurs 2 times: say which by its handle, one of 0x0009, 0x000b."),
            ("read 2a6e", "The device has no characteristic or descriptor 2a6e; `tree` shows all."),
            (
                "read nobody",
                "The device has no characteristic or descriptor called nobody; `tree` shows all."
            ),
            ("primary 1800", "The device has no primary service 1800 there; `tree` shows all."),
            ("characteristics 1 9 2a6e", "The device has no characteristic 2a6e there; `tree` shows all."),
            ("char-read-uuid 2a6e 1 2", "The device has no value 2a6e there; `tree` shows all."),
            (
                "write 0x000b 00",
                "The device refused: writing is not permitted. This characteristic is written with write-command."
            ),
            ("watch 0x0009", "fff1 neither notifies nor indicates."),
            ("watch 0x0005", "Only a characteristic's value can be watched, not what is at 0x0005."),
            (
                "mtu 517",
                "The MTU is 185: it was agreed, as large as both sides can, when the link was opened."
            ),
            (
                "sec-level high",
                "The security level is lower. Pairing raises it: lantern pair, or gatt … --pair."
            ),
            ("wait 0 1", "Only 0 of 1 values came within 0 s."),
            (
                "connect C0:FF:EE:F1:0C:01/R",
                "C0:FF:EE:F1:0C:01 did not answer within 10 seconds: is it switched on, near, and not in use?"
            ),
        ])
    func failures(command: String, sentence: String) async throws {
        let outcome = try await run([command, "mtu"], "--json")
        #expect(outcome.lines == [failed(command, sentence)])
        #expect((outcome.status, outcome.complaints) == (1, "lantern: \(command): \(sentence)\n"))
    }

    @Test func whereOnlyOneCanBeReadItIsTaken() async throws {
        #expect(try await run(["read fff1"]).log == ["read 9", "disconnect"])
    }

    @Test func whatHasNoSwitchIsListenedToAllTheSame() async throws {
        let outcome = try await run(["watch fff2"], "--json")
        #expect(outcome.lines.first?.hasPrefix(#"{"event":"configuration_missing""#) == true)
        #expect(outcome.lines.last?.contains(#""watched":true"#) == true && outcome.status == 0)
    }

    @Test func withKeepGoingAllCommandsAreCarriedOut() async throws {
        let outcome = try await run(
            ["nonsense", "mtu", "read 0x0077", "disconnect"], "--json", "--keep-going")
        #expect(outcome.lines.map { $0.contains(#""ok":true"#) } == [false, true, false, true])
        #expect(outcome.status == 1)
    }

    @Test func exitLeavesOutTheRest() async throws {
        let outcome = try await run(["mtu", "exit", "nonsense"], "--json")
        #expect(outcome.lines.count == 2)
        #expect(outcome.status == 0)
    }

    @Test func withoutAnyCommandNoLinkIsOpened() async throws {
        #expect(try await run([]).log == [])
        #expect(try await run(["# a comment", "", "help"]).log == [])
    }

    @Test func theLinkStaysOpenBetweenCommandsAndIsClosedAtTheEnd() async throws {
        let outcome = try await run(["read 2a19", "char-write-req 4 0102", "watch 2a19", "unwatch 2a19"])
        #expect(
            outcome.log == [
                "read 4", "write 0102 to 4", "subscribe 1 of 4", "subscribe 0 of 4", "disconnect",
            ])
    }

    @Test func unwatchAloneEndsAllThatIsWatched() async throws {
        let outcome = try await run(["watch 2a19", "watch 2a19", "unwatch"])
        #expect(outcome.log == ["subscribe 1 of 4", "subscribe 0 of 4", "disconnect"])
        #expect(outcome.lines.last == "No longer watching Battery Level.")
    }

    @Test func afterADisconnectItTakesConnect() async throws {
        let outcome = try await run(["mtu", "disconnect", "mtu", "connect", "mtu"], "--json", "--keep-going")
        #expect(
            outcome.lines[2]
                == failed(
                    "mtu", "There is no link to F0:F1:F2:F3:F4:F5: type connect to open it again.", second: 2)
        )
        #expect(outcome.lines[4] == answered("mtu", result: #"{"mtu":185}"#, second: 4))
    }

    @Test func valuesAppearAsEvents() async throws {
        let sent = [
            ReceivedValue(handle: 4, value: [0x5E], kind: .notify),
            ReceivedValue(handle: 0x77, value: [1, 2], kind: .indicate),
        ]
        let outcome = try await run(["watch 2a19", "wait 5 2"], "--json", sent: sent)
        let events = outcome.lines.filter { $0.hasPrefix(#"{"event":"value_received""#) }
        #expect(
            events.map(withoutHead) == [
                #""address":"F0:F1:F2:F3:F4:F5","address_kind":"random","uuid":"2a19","name":"Battery Level","description":null,"#
                    + #""handle":4,"octets":"5e","text":"^","#
                    + #""fields":[{"name":"Battery Level","value":"94%"}],"misfit":null,"kind":"notify"}"#,
                #""address":"F0:F1:F2:F3:F4:F5","address_kind":"random","uuid":null,"name":null,"description":null,"#
                    + #""handle":119,"octets":"0102","text":null,"fields":[],"misfit":null,"kind":"indicate"}"#,
            ])
        #expect(outcome.lines.last?.hasSuffix(#""result":{"values":2},"error":null}"#) == true)
    }

    @Test func aLostLinkIsToldAndEndsAWait() async throws {
        let outcome = try await run(["watch 2a19", "wait 60 1"], "--json", isLost: true)
        #expect(
            outcome.lines.contains {
                $0.hasPrefix(#"{"event":"link_disconnected","#)
                    && $0.hasSuffix(
                        #""address":"F0:F1:F2:F3:F4:F5","address_kind":"random","link":null,"#
                            + #""reason":"The device fell silent and the connection was lost."}"#)
            })
        #expect(outcome.status == 1)
    }

    @Test func aPersonGetsNamesAndMeanings() async throws {
        let sent = [ReceivedValue(handle: 4, value: [0x5E], kind: .notify)]
        let commands = [
            "primary", "characteristics 1 7", "char-desc 4 5", "read 2a19", "char-read-uuid 2a19 1 6",
            "watch 2a19", "wait 5 1", "mtu", "disconnect",
        ]
        let outcome = try await run(commands, sent: sent)
        let value = "  ← 94%  5e  (Battery Level at 0x0004)"
        #expect(outcome.lines.filter { $0.hasSuffix(value) }.count == 1)
        #expect(
            outcome.lines.filter { !$0.hasSuffix(value) } == [
                "0x0001  Battery  180f  to 0x0006", "0x0007  fff0  to 0x000d",
                "0x0004  Battery Level  2a19  read, notify",
                "0x0004  Battery Level  2a19", "0x0005  Client Characteristic Configuration  2902",
                "95%  5f", "0x0004  95%  5f", "Watching Battery Level: values appear as they come.",
                "1 value came.", "MTU 185", "There is no link now.",
            ])
    }

    @Test func whatTheDeviceSaysCannotSteerTheTerminal() async throws {
        let sent = [ReceivedValue(handle: 4, value: Array("ab\u{1B}[2Jcd".utf8), kind: .notify)]
        let terminal = Terminal(isInteractive: true, hasColor: false, columns: 60, rows: 24)
        let outcome = try await run(
            ["read 0x0009", "watch 2a19", "wait 5 1", "tree"], sent: sent, terminal: terminal)
        #expect(outcome.lines.first == "1b 5b 32 4a")
        #expect(!outcome.lines.joined().unicodeScalars.contains("\u{1B}"))
    }

    @Test(arguments: [
        (true, false, "[C0:FF:EE:F1:0C:01]> "), (false, false, "[C0:FF:EE:F1:0C:01 not connected]> "),
        (true, true, "\u{1}\u{1B}[32m\u{1}[C0:FF:EE:F1:0C:01]\u{1}\u{1B}[0m\u{1}> "),
    ])
    func thePromptSaysWhetherThereIsALink(isConnected: Bool, hasColor: Bool, prompt: String) {
        let terminal = Terminal(isInteractive: true, hasColor: hasColor, columns: 80, rows: 24)
        let made = ShellConversation.prompt("C0:FF:EE:F1:0C:01", isConnected: isConnected, on: terminal)
        #expect(made == prompt)
    }
}

@Suite(.manualTime, .timeLimit(.minutes(5))) struct ShellLinkTests {
    @Test func anAppExploresWhatItsRadioHasNamed() async throws {
        let air = try await TestAir(TestDevice(address))
        let explorer = Explorer(Peer(address), on: air.radio) { _ in }
        guard case .link(let peer, mtu: _) = try await explorer.answer(.connect(nil)) else {
            Issue.record("no link")
            return
        }
        #expect(peer == Peer(address))
        let isConnected = await explorer.isConnected
        #expect(isConnected)
        await explorer.close()

        // A name of another platform's goes to the radio as it is.
        let identifier = Peer(identifier: BluetoothUUID(0x1234))
        let other = Explorer(identifier, on: air.radio) { _ in }
        await #expect(throws: BluetoothError.self) { _ = try await other.answer(.connect(nil)) }
        let device = await other.device
        #expect(device == DeviceAddress(identifier))
    }

    @Test func whatHasNotChangedStaysKnown() async throws {
        let air = try await TestAir(TestDevice(address))
        var link = Explorer.Link(try await air.radio.connect(to: Peer(address)), listeners: [])
        link.learn(GATT.FoundServices(services: services))
        #expect(link.targets[4]?.uuid == BluetoothUUID(0x2A19))
        link.forget(ATT.HandleRange(start: 7, end: 13))
        // What the device has is asked again, but a value of Battery Level that comes meanwhile is still one.
        #expect(link.found == nil)
        #expect(link.targets[4]?.uuid == BluetoothUUID(0x2A19))
        #expect(link.targets[9] == nil)
        link.learn(GATT.FoundServices(services: services))
        #expect(link.targets[9]?.uuid == BluetoothUUID(0xFFF1))
    }
}
