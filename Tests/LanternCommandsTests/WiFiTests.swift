// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import Companion
import FlockFinder
import Testing
import WiFiSet

@testable import LanternCommands

private let address = "C0:FF:EE:F1:5E:71"

@Suite("lantern wifi")
struct WiFiTests {
    // MARK: Arguments

    @Test(arguments: [
        ["--ssid", "a", "--ssid-hex", "61"], ["--ssid", ""], ["--ssid-hex", "6"], ["--ssid-hex", "zz"],
        ["--ssid", "123456789012345678901234567890123"], ["--ssid", "ééééééééééééééééé"],
        ["--password-stdin", "--open"], ["--password-file", "a", "--password-stdin"],
        ["--open", "--password-file", "a"], ["--timeout", "-1"], ["--timeout", "x"],
        ["--password", "secret"],
    ])
    func whatCannotBeMeantIsWrongUsage(arguments: [String]) {
        let error = #expect(throws: (any Error).self) {
            _ = try WiFiProvisionCommand.parse([address] + arguments)
        }
        if let error { #expect(WiFiProvisionCommand.exitCode(for: error) == .validationFailure) }
    }

    @Test func thereIsNoPasswordArgument() {
        #expect(!WiFiProvisionCommand.helpMessage().contains("--password "))
    }

    @Test func theLastLineEndIsNotPartOfAPassword() throws {
        for (content, password) in [
            ("secret12\n", "secret12"), ("secret12\r\n", "secret12"), ("secret12", "secret12"),
            (" secret 12 \n", " secret 12 "), ("secret12\n\n", "secret12\n"), ("", ""), ("\n", ""),
        ] {
            let file = try TemporaryFile(content)
            let options = try PasswordOptions.parse(["--password-file", file.path])
            #expect(try options.read() == Array(password.utf8))
        }
    }

    @Test func aPasswordFileThatIsNotThereIsWrongUsage() throws {
        let options = try PasswordOptions.parse(["--password-file", "/no/such/file"])
        let error = #expect(throws: CommandError.self) { _ = try options.read() }
        #expect(error?.status == .wrongUsage && error?.sentence.contains("/no/such/file") == true)
    }

    // MARK: For scripts

    @Test func linesForScriptsAreSpeltAsTheIssueSpellsThem() throws {
        let home = WiFiNetwork(ssid: "Home", rssi: -48, security: .wpa2, channel: 6)
        #expect(
            WiFiJSON.network(home)
                == #"{"event":"network","ssid":"Home","ssid_hex":"486f6d65","hidden":false,"rssi":-48,"#
                + #""security":"wpa2","security_code":2,"channel":6}"#)
        let hidden = WiFiNetwork(ssid: "", rssi: -1, security: WiFiSecurity(rawValue: 9), channel: 0)
        #expect(
            WiFiJSON.network(hidden)
                == #"{"event":"network","ssid":null,"ssid_hex":"","hidden":true,"rssi":-1,"#
                + #""security":"unknown","security_code":9,"channel":0}"#)
        let odd = WiFiNetwork(ssid: WireText([0xFF, 0x41]), rssi: 0, security: .open, channel: 1)
        #expect(WiFiJSON.network(odd).contains(#""ssid":null,"ssid_hex":"ff41","hidden":false"#))
        #expect(
            WiFiJSON.end(WiFiNetworkList(networks: [home], count: 2, sequenceGaps: 1, duplicates: 3))
                == #"{"event":"end","count":2,"received":1,"sequence_gaps":1,"duplicates":3}"#)
        #expect(
            WiFiJSON.acknowledgment(.storageFailure, attempt: 2)
                == #"{"event":"ack","status":"storage_failure","attempt":2}"#)
        #expect(
            WiFiJSON.status(WiFiStatus(.connected, rssi: -56, address: 0xC0A8_0164, ssid: "Home"))
                == #"{"event":"status","state":"connected","rssi":-56,"ip":"192.168.1.100","ssid":"Home","#
                + #""ssid_hex":"486f6d65"}"#)
        #expect(
            WiFiJSON.error(WiFiErrorReport(.connectionTimeout, "late"))
                == #"{"event":"error","code":5,"name":"connection_timeout","message":"late"}"#)
    }

    @Test func theWordsAreThoseOfTheIssue() {
        let states = (0..<5).map { WiFiState(rawValue: $0).keyword.description }
        #expect(states == ["not_configured", "configured", "connecting", "connected", "failed"])
        let answers = (0..<4).map { WiFiAcknowledgment(rawValue: $0).keyword.description }
        #expect(answers == ["stored", "invalid_ssid_length", "invalid_password_length", "storage_failure"])
        let errors = (1..<7).map { WiFiErrorCode(rawValue: $0).keyword.description }
        #expect(
            errors == [
                "invalid_message", "scan_failed", "credential_write_failed", "storage_error",
                "connection_timeout", "unknown_message_type",
            ])
        let kinds = (0..<6).map { WiFiSecurity(rawValue: $0).keyword.description }
        #expect(kinds == ["open", "wep", "wpa2", "wpa2_enterprise", "wpa3", "unknown"])
    }

    // MARK: For people

    @Test func everySentenceIsOneOfItsOwnAndSaysWhatToDo() {
        let outcomes: [WiFiOutcome] =
            [
                .failed(nil), .notAcknowledged(nil), .noResult, .writeFailed(.timeout), .disconnected,
                .refused(.invalidSSIDLength), .refused(.invalidPasswordLength), .refused(.storageFailure),
                .refused(WiFiAcknowledgment(rawValue: 9)),
            ] + (1...7).map { .failed(WiFiErrorReport(WiFiErrorCode(rawValue: $0), "")) }
        let sentences = outcomes.map(WiFiText.sentence)
        #expect(Set(sentences).count == outcomes.count)
        for sentence in sentences { #expect(sentence.contains(": "), "what to do next: \(sentence)") }
        let states = (0..<6).map { WiFiText.sentence(WiFiStatus(WiFiState(rawValue: $0), ssid: "Home")) }
        #expect(Set(states).count == 6)
    }

    @Test func whatADeviceSaysOfAnErrorIsShownButDoesNotSteerTheTerminal() {
        let text = WiFiText.sentence(WiFiErrorReport(.storageError, "flash\u{1B}[2J"))
        #expect(text.contains("flash") && !text.contains("\u{1B}"))
    }

    @Test func theTableHasTheStrongestOfEachNameAndHiddenOnesLast() {
        let networks = WiFiNetwork.arranged([
            WiFiNetwork(ssid: "", rssi: -10, security: .wpa2, channel: 1),
            WiFiNetwork(ssid: "Far", rssi: -85, security: .wpa2, channel: 2),
            WiFiNetwork(ssid: "Home", rssi: -71, security: .wpa2, channel: 3),
            WiFiNetwork(ssid: "Home", rssi: -50, security: .wpa2, channel: 4),
            WiFiNetwork(ssid: "Free\u{1B}[2J", rssi: -60, security: .open, channel: 5),
        ])
        #expect(networks.map(\.channel) == [4, 5, 2, 1])
        let lines = WiFiText.table(networks, on: .plain(columns: 80), numbered: true)
        #expect(lines.count == 4)
        #expect(lines[0].contains("1  ▁▃▅▇  🔒  Home") && lines[1].contains("2  ▁▃▅       Free"))
        #expect(lines[3].contains("(hidden)"))
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test(arguments: [60, 80, 200])
    func theTableKeepsToTheTerminal(columns: Int) {
        let networks = [UInt8](0...5).map {
            WiFiNetwork(
                ssid: WireText([UInt8](repeating: 0x57, count: 32)), rssi: -128,
                security: WiFiSecurity(rawValue: $0), channel: 255)
        }
        for isNumbered in [true, false] {
            let lines = WiFiText.table(networks, on: .plain(columns: columns), numbered: isNumbered)
            for line in lines { #expect(TerminalText.width(line) <= max(columns, 76)) }
        }
    }

    @Test func onlyASmallMTUIsWorthANote() {
        #expect(WiFiText.note(onMTU: 128) == nil && WiFiText.note(onMTU: 517) == nil)
        #expect(WiFiText.note(onMTU: 127)?.contains("124") == true)
        #expect(WiFiText.note(onMTU: 23)?.contains("20 octets") == true)
    }

    @Test func aFlockFinderIsCalledOne() throws {
        let target = try #require(DeviceAddress(argument: address))
        let missing = [WiFiSetUUID.wifiList, WiFiSetUUID.status]
        let flock = WiFiSetClient.wrongDevice(
            target, missing: missing, having: [BluetoothUUID(0x2A00), FlockFinderUUID.detection])
        #expect(flock.contains("is a FlockFinder device") && flock.contains("flock watch"))
        let other = WiFiSetClient.wrongDevice(target, missing: missing, having: [BluetoothUUID(0x2A00)])
        #expect(other.contains("WiFi List") && other.contains("Status") && !other.contains("FlockFinder"))
    }

    @Test func whatHappensAtTheDeviceIsALineEachAndHoldsNoPassword() throws {
        let link = LinkID(rawValue: 1)
        let events: [WiFiSetDeviceEvent] = [
            .connected(link, Peer(device)), .listRequested(link), .listSent(link, count: 3), .scanFailed,
            .credentials(link, ssid: "Home\u{1B}", .stored), .statusRequested(link),
            .status(WiFiStatus(.connecting, ssid: "Home")), .joinFailed(ssid: "Home", .wrongPassword),
            .fault(link, .incomplete(held: 16, announced: 40)), .sequence(link, .repeated),
            .sequence(link, .gap(expected: 3, received: 7)), .disconnected(link),
        ]
        for isJSON in [true, false] {
            let text = TextOutput()
            let printer = WiFiDevicePrinter(output: text.output(.plain(columns: 120)), isJSON: isJSON)
            for event in events { try printer.show(.event(event), at: .noon) }
            #expect(text.lines.count == events.count)
            #expect(!text.text.contains("\u{1B}"))
            #expect(text.text.contains("16 of 40 octets"))
        }
        let status = WiFiDevicePrinter.json(.event(events[6]), at: .noon)
        #expect(status.hasPrefix(String(WiFiJSON.status(WiFiStatus(.connecting, ssid: "Home")).dropLast())))
    }
}

@Suite("A secret")
struct SecretTests {
    @Test func whoeverHoldsItHoldsNothingOnceItIsWiped() {
        let secret = Secret(Array("password".utf8))
        let other = secret
        #expect(other.octets == Array("password".utf8))
        secret.wipe()
        #expect(other.octets.isEmpty)
    }
}

@Suite("Questions to a person")
struct PromptTests {
    @Test func anAnswerComesBack() async {
        #expect(await Prompt().run { "yes" } == "yes")
    }

    @Test func aQuestionIsWithdrawnWhenWhatItIsAboutEnds() async {
        let prompt = Prompt()
        let (asked, continuation) = AsyncStream<Void>.makeStream()
        async let answer: String? = prompt.run {
            continuation.yield()
            return await neverAnswered()
        }
        for await _ in asked { break }
        prompt.end()
        #expect(await answer == nil)
        #expect(prompt.hasEnded)
    }

    @Test func afterTheEndNoQuestionWaits() async {
        let prompt = Prompt()
        prompt.end()
        #expect(await prompt.run { await neverAnswered() } == nil)
    }
}

/// Nobody answers: only a cancellation ends it.
private func neverAnswered() async -> String? {
    while !Task.isCancelled { await Task.yield() }
    return nil
}
