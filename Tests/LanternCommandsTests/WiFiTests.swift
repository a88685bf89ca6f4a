// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import Companion
import CompanionText
import FlockFinder
import Improv
import ImprovCompanion
import Testing
import WiFiSet
import WiFiSetCompanion

@testable import CommandIO
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
            (" secret 12 \n", " secret 12 "), ("", ""), ("\n", ""),
        ] {
            let file = try TemporaryFile(content)
            let options = try PasswordOptions.parse(["--password-file", file.path])
            #expect(try options.read() == Array(password.utf8))
        }
    }

    @Test func aByteOrderMarkIsNotPartOfAPassword() throws {
        let text = "häuschen1\r\n"
        let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for octets: [UInt8] in [
            [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + little, [0xFE, 0xFF] + big,
        ] {
            let file = try TemporaryFile(octets)
            let options = try PasswordOptions.parse(["--password-file", file.path])
            #expect(try options.read() == Array("häuschen1".utf8))
        }
    }

    @Test(arguments: ["secret12\nsecond\n", "secret12\r\nsecond", "secret12\n\n", "\nsecret12", "a\rb"])
    func aPasswordHasOneLine(content: String) throws {
        let file = try TemporaryFile(content)
        let options = try PasswordOptions.parse(["--password-file", file.path])
        let error = #expect(throws: CommandError.self) { _ = try options.read() }
        #expect(error?.status == .wrongUsage && error?.sentence.contains("more than one line") == true)
        #expect(error?.sentence.contains("secret12") == false)
    }

    @Test func aPasswordHoldsNoNUL() throws {
        let wide: [UInt8] = Array("secret12".utf8).flatMap { [$0, 0] }
        for octets: [UInt8] in [Array("secret12\0".utf8), wide] {
            let file = try TemporaryFile(octets)
            let options = try PasswordOptions.parse(["--password-file", file.path])
            let error = #expect(throws: CommandError.self) { _ = try options.read() }
            #expect(error?.status == .wrongUsage && error?.sentence.contains("UTF-8") == true)
            #expect(error?.sentence.contains("secret12") == false)
        }
    }

    @Test func aPasswordFileThatIsNotThereIsWrongUsage() throws {
        let options = try PasswordOptions.parse(["--password-file", "/no/such/file"])
        let error = #expect(throws: CommandError.self) { _ = try options.read() }
        #expect(error?.status == .wrongUsage && error?.sentence.contains("/no/such/file") == true)
    }

    // MARK: For people

    @Test func everySentenceIsOneOfItsOwnAndSaysWhatToDo() {
        let failures: [WiFiError] =
            [
                .couldNotJoin, .notAcknowledged, .noResult, .notAuthorized, .stopped, .noAnswer, .unsupported,
                .listTimeout(received: 2), .request(.timeout), .unusable("x"), .linkLost,
                .refused(.invalidSSIDLength, code: 1), .refused(.invalidPasswordLength, code: 2),
                .refused(.storageFailure, code: 3), .refused(.unknown, code: 9),
            ] + ReportedWiFiError.Word.allCases.map { .reported(ReportedWiFiError($0, code: 7)) }
        let sentences = failures.map { WiFiText.sentence($0) }
        #expect(Set(sentences).count == failures.count)
        for sentence in sentences { #expect(sentence.contains(": "), "what to do next: \(sentence)") }
        let states = WiFiDeviceState.Word.allCases.map {
            WiFiText.sentence(WiFiDeviceState($0, code: 9, ssid: "Home"))
        }
        #expect(Set(states).count == states.count)
    }

    @Test func withoutAPasswordNoPasswordIsBlamed() {
        for failure in [WiFiError.couldNotJoin, .reported(ReportedWiFiError(.unableToConnect, code: 3))] {
            #expect(WiFiText.sentence(failure).contains("check the password"))
            let open = WiFiText.sentence(failure, password: .empty)
            #expect(open.contains("without a password") && !open.contains("check the password"))
        }
    }

    @Test func aTypographicPasswordIsSaidWhereThePasswordIsBlamed() {
        for failure in [WiFiError.couldNotJoin, .reported(ReportedWiFiError(.unableToConnect, code: 3))] {
            for isKnown in [true, false] {
                let plain = WiFiText.sentence(failure, isSecurityKnown: isKnown)
                let told = WiFiText.sentence(failure, password: .typographic, isSecurityKnown: isKnown)
                #expect(told.hasPrefix(plain) && told.contains("typographic apostrophe"))
            }
        }
        #expect(WiFiText.sentence(.noResult, password: .typographic) == WiFiText.sentence(.noResult))
    }

    @Test func whatADeviceSaysOfAnErrorIsShownButDoesNotSteerTheTerminal() {
        let error = WiFiOptions.error(
            .reported(ReportedWiFiError(.storageError, code: 4, message: "flash\u{1B}[2J")))
        #expect(error.sentence.contains("flash") && !error.sentence.contains("\u{1B}"))
    }

    @Test func theTableHasTheStrongestOfEachNameAndHiddenOnesLast() {
        let networks = HeardNetwork.arranged([
            HeardNetwork(ssid: "", rssi: -10, security: .wpa2, channel: 1),
            HeardNetwork(ssid: "Far", rssi: -85, security: .wpa2, channel: 2),
            HeardNetwork(ssid: "Home", rssi: -71, security: .wpa2, channel: 3),
            HeardNetwork(ssid: "Home", rssi: -50, security: .wpa2, channel: 4),
            HeardNetwork(ssid: "Free\u{1B}[2J", rssi: -60, security: .open, channel: 5),
        ])
        #expect(networks.map(\.channel) == [4, 5, 2, 1])
        let lines = Terminal.plain(columns: 80).drawn(TextTable(networks, isNumbered: true))
        #expect(lines.count == 4)
        #expect(lines[0].contains("1  ▁▃▅▇  🔒  Home") && lines[1].contains("2  ▁▃▅       Free"))
        #expect(lines[3].contains("(hidden)"))
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test func anUnknownSecurityIsShownAsTheDeviceNamesIt() {
        #expect(HeardNetwork(ssid: "A", securityName: "SAE").securityWords == "unknown (SAE)")
        #expect(HeardNetwork(ssid: "A", securityCode: 9).securityWords == "unknown (9)")
        #expect(HeardNetwork(ssid: "A").securityWords == "unknown")
    }

    @Test(arguments: [60, 80, 200])
    func theTableKeepsToTheTerminal(columns: Int) {
        let networks = NetworkSecurity.allCases.map {
            HeardNetwork(
                ssid: WireText([UInt8](repeating: 0x57, count: 32)), rssi: -128, security: $0,
                securityCode: 255, channel: 255)
        }
        for isNumbered in [true, false] {
            let lines = TextTable(networks, isNumbered: isNumbered).lines(columns: columns).map(\.plain)
            for line in lines { #expect(FixedWidthText.width(line) <= columns) }
        }
    }

    @Test func onlyASmallMTUIsWorthANote() {
        func note(_ mtu: Int) -> String? {
            WiFiText.note(onMTUOf: WiFiDevice(Peer(device), name: nil, mtu: mtu, kind: .wifiSet))
        }
        #expect(note(128) == nil && note(517) == nil)
        #expect(note(127)?.contains("124") == true && note(23)?.contains("20 octets") == true)
    }

    @Test func aDeviceOfAnotherKindIsCalledWhatItIs() {
        let missing = [WiFiSetUUID.wifiList, WiFiSetUUID.status]
        let flock = WiFiClientKinds.wrongDevice(
            address, missing: missing, having: [BluetoothUUID(0x2A00), FlockFinderUUID.detection])
        #expect(flock.contains("is a FlockFinder device") && flock.contains("flock watch"))
        let other = WiFiClientKinds.wrongDevice(address, missing: missing, having: [BluetoothUUID(0x2A00)])
        #expect(other.contains("it is neither WiFiSet nor Improv. Nothing was written to it"))
        let old = WiFiClientKinds.wrongDevice(address, missing: missing, having: [WiFiSetUUID.status])
        #expect(
            old.contains("it lacks WiFi List (") && old.contains("its Status (")
                && !old.contains("FlockFinder"))
        let improv = WiFiClientKinds.wrongDevice(address, missing: missing, having: [ImprovUUID.state])
        #expect(improv.contains("Improv") && improv.contains("RPC Command"))
    }

    @Test func aCharacteristicThatCannotBeUsedIsNamed() {
        let having = WiFiProtocol.improv.characteristics.map(\.uuid)
        let sentence = WiFiClientKinds.wrongDevice(
            address, missing: [ImprovUUID.state, ImprovUUID.command], having: having)
        #expect(
            sentence.contains(
                "is not an Improv device that can be used: its Current State (\(ImprovUUID.state)) does not notify, "
                    + "its RPC Command (\(ImprovUUID.command)) cannot be written. Nothing was written"))
        #expect(!sentence.contains("it lacks"))
    }

    // MARK: Devices that this program is

    @Test func whatHappensAtADeviceIsALineEachAndHoldsNoPassword() throws {
        let link = LinkID(rawValue: 1)
        let wifiSet: [WiFiSetDeviceEvent] = [
            .connected(link, Peer(device)), .listRequested(link), .listSent(link, count: 3), .scanFailed,
            .credentials(link, ssid: "Home\u{1B}", .stored), .statusRequested(link),
            .status(WiFiStatus(.connecting, ssid: "Home")), .joinFailed(ssid: "Home", .wrongPassword),
            .fault(link, .incomplete(held: 16, announced: 40)), .sequence(link, .repeated),
            .sequence(link, .gap(expected: 3, received: 7)), .disconnected(link),
        ]
        let improv: [ImprovDeviceEvent] = [
            .connected(link, Peer(device)), .changed(.authorizationRequired), .changed(.provisioned),
            .identify(link), .infoRequested(link), .scanRequested(link), .networksSent(link, count: 3),
            .scanFailed, .settings(link, ssid: "Home\u{1B}", .notAuthorized), .joinFailed(ssid: "Home"),
            .fault(link, .incomplete(held: 16, announced: 40)), .disconnected(link),
        ]
        for events in [wifiSet.map(\.event), improv.map(\.event)] {
            for isJSON in [true, false] {
                let text = TextOutput()
                let printer = EventPrinter(to: text.output(.plain(columns: 120)), isJSON: isJSON)
                for event in events { try printer.show(event, at: .noon) }
                #expect(text.lines.count == events.count)
                #expect(!text.text.contains("\u{1B}"))
                #expect(text.text.contains("16 of 40 octets"))
            }
        }
    }
}

@Suite("A secret")
struct SecretTests {
    @Test func whoTakesItIsItsOnlyHolder() {
        let secret = Secret(Array("password".utf8))
        #expect(secret.consume() == Array("password".utf8))
        #expect(secret.consume() == nil)
    }

    @Test func nobodyHoldsItOnceItIsWiped() {
        let secret = Secret(Array("password".utf8))
        secret.wipe()
        #expect(secret.consume() == nil)
    }
}
