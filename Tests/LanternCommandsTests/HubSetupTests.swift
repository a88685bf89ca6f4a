// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BluetoothLE
import Companion
import CompanionHub
import Detections
import FlockFinder
import FlockFinderSimulated
import Foundation
import HubModel
import RadioChoosing
import Testing

@testable import CommandIO
@testable import LanternCommands

@Suite("What a hub is started with", .timeLimit(.minutes(5)))
struct HubSetupTests {
    private func file(_ text: String) throws -> String {
        let path = NSTemporaryDirectory() + "lantern-setup-\(UUID().uuidString)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func optionsGoBeforeTheEnvironmentAndThatBeforeTheFile() async throws {
        let path = try file(
            #"{"radio":"tcp:file:1","database":"/file","listen":"127.0.0.1:1","location":"1,2","names":"a, b"}"#
        )
        defer { try? FileManager.default.removeItem(atPath: path) }
        let setup = try await HubSetup(
            options: [.radio: "tcp:option:3"],
            environment: ["LANTERN_RADIO": "tcp:environment:2", "LANTERN_DATABASE": "/environment"],
            file: path)
        #expect(setup.radio == "tcp:option:3" && setup.database == "/environment")
        #expect(setup.listen == ListenAddress(host: "127.0.0.1", port: 1))
        #expect(setup.location?.description == "1.0,2.0" && setup.names == ["a", "b"])
        let plain = try await HubSetup(options: [:], environment: [:], file: nil)
        #expect(plain.listen == .usual && plain.radio == nil && plain.certificate == nil)
        #expect(plain.signatures == .builtIn)
        let table = try file(
            #"{"name":"t","version":"1","threshold":0.3,"signatures":[{"maker":"004c","type":"ring","weight":1}]}"#
        )
        defer { try? FileManager.default.removeItem(atPath: table) }
        let other = try await HubSetup(
            options: [:], environment: ["LANTERN_SIGNATURES": table], file: nil)
        #expect(other.signatures.title == "t 1")
        let encrypted = try await HubSetup(
            options: [:], environment: ["LANTERN_TLS_CERTIFICATE": "c", "LANTERN_TLS_KEY": "k"], file: nil)
        #expect(encrypted.certificate != nil)
    }

    @Test func whoSignsInAndWhichProxiesAreBelieved() async throws {
        let plain = try await HubSetup(options: [:], environment: [:], file: nil)
        #expect(!plain.requiresLogin)
        for text in [#"{"require_login":true,"trusted_proxies":"10.0.0.1"}"#, #"{"require_login":"yes"}"#] {
            let path = try file(text)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let setup = try await HubSetup(options: [:], environment: [:], file: path)
            #expect(setup.requiresLogin)
            #expect((setup.proxies != plain.proxies) == text.contains("trusted"))
            let other = try await HubSetup(
                options: [:], environment: ["LANTERN_REQUIRE_LOGIN": "false"], file: path)
            #expect(!other.requiresLogin)
        }
    }

    @Test(arguments: [
        (#"{"radios":"sim"}"#, "line 1, column 11"), (#"{"radio":1}"#, "\"radio\" must be text"),
        ("{", "line 1"), (#"{"location":"here"}"#, "does not say where we are"),
        (#"{"listen":"1:2:3"}"#, "address"),
        (#"{"tls_key":"k"}"#, "go together"), (#"{"alert_command":"/no/such/program"}"#, "no such file"),
        (#"{"alert_command":"/tmp"}"#, "it is a folder"),
        (#"{"signatures":"/no/such/table"}"#, "cannot be read"), (#"{"signatures":"/dev/null"}"#, "line 1"),
        (#"{"location":"999,999"}"#, "latitude comes first"),
        (#"{"location":"1,181"}"#, "between -180 and 180"), (#"{"location":"nan,1"}"#, "not a place"),
        (#"{"location":"52.5;13.4"}"#, "does not say where we are"),
        (#"{"location":"52.5N,13.4E"}"#, "not a place"),
        (#"{"location":"1e999,1"}"#, "not a place"), (#"{"location":"1,2,3"}"#, "not a place"),
        (#"{"location":"gpsd:"}"#, "write LAT,LON"), (#"{"location":""}"#, "does not say where we are"),
        (#"{"location":"gpx:/nowhere.gpx"}"#, "cannot be read"), (#"{"speed":"2"}"#, "needs a track to play"),
        (#"{"require_login":"maybe"}"#, "true or false"), (#"{"require_login":1}"#, "must be text"),
        (#"{"trusted_proxies":"proxy.example"}"#, "addresses or networks"),
        (#"{"radio":"a","radio":"b"}"#, "appears twice"), ("[]", "line 1"), ("", "line 1"),
    ])
    func aSlipInTheFileIsTold(text: String, words: String) async throws {
        let path = try file(text)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = await #expect(throws: CommandError.self) {
            try await HubSetup(options: [:], environment: [:], file: path)
        }
        #expect(error?.status == .wrongUsage)
        #expect(error?.sentence.contains(words) == true, "\(error?.sentence ?? "")")
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:80", "[::1]", 80), ("9000", "127.0.0.1", 9000),
        ("pi.local:0", "pi.local", 0),
    ])
    func anAddressIsRead(text: String, host: String, port: Int) throws {
        #expect(try ListenAddress(parsing: text) == ListenAddress(host: host, port: port))
    }

    @Test(arguments: ["", "host", "host:", ":80", "host:99999", "::1:80", "host:-1"])
    func whatIsNoAddressIsRefused(text: String) {
        #expect(throws: BadInput.self) { try ListenAddress(parsing: text) }
    }

    @Test func anAddressAsABrowserTakesIt() {
        #expect(ListenAddress.usual.url(port: 5, isEncrypted: false) == "http://127.0.0.1:5/")
        let all = ListenAddress(host: "0.0.0.0", port: 0)
        #expect(all.url(port: 5, isEncrypted: true) == "https://\(HubMachine.name):5/")
    }

    @Test func oneHubAtATimeWorksWithADatabase() throws {
        let path = NSTemporaryDirectory() + "lantern-lock-\(UUID().uuidString)"
        do {
            let first = try HubLock(database: path)
            let error = #expect(throws: CommandError.self) { try HubLock(database: path) }
            #expect(error?.status == .failed)
            #expect(error?.sentence.contains("(process \(getpid()))") == true)
            withExtendedLifetime(first) {}
        }
        #expect(!FileManager.default.fileExists(atPath: path + "-hub"))
        _ = try HubLock(database: path)
        #expect(throws: CommandError.self) { try HubLock(database: "/no/such/folder/x") }
    }

    @Test func theKeyOfBondsBelongsToTheFileAndNotToItsNames() throws {
        let folder = NSTemporaryDirectory() + "lantern-keys-\(UUID().uuidString)"
        let file = folder + "/hub.sqlite"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder + "/links", withIntermediateDirectories: true)
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        let key = HubProcess.bondKey(of: file)
        #expect(key == file + "-bond-key")
        for link in [folder + "/links/one.sqlite", folder + "/two.sqlite"] {
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
            #expect(HubProcess.bondKey(of: link) == key)
        }
        // Another name is as good as the first, and has the key that is there.
        let name = folder + "/three.sqlite"
        try FileManager.default.linkItem(atPath: file, toPath: name)
        #expect(HubProcess.bondKey(of: name) == name + "-bond-key")
        #expect(FileManager.default.createFile(atPath: key, contents: nil))
        #expect(HubProcess.bondKey(of: name) == key)
        #expect(HubProcess.bondKey(of: folder + "/none.sqlite") == folder + "/none.sqlite-bond-key")
    }

    #if os(Linux)
    @Test func aHubLocksTheFileThatHasTakenThePlaceOfItsOwn() throws {
        let path = NSTemporaryDirectory() + "lantern-lock-\(UUID().uuidString)"
        let (file, link) = (path + ".sqlite", path + "-link.sqlite")
        defer { for name in [file, link] { unlink(name) } }
        let first = try HubLock(database: file)
        #expect(FileManager.default.createFile(atPath: link, contents: nil))
        unlink(file)
        try FileManager.default.linkItem(atPath: link, toPath: file)
        // Nobody has noticed yet.
        do { _ = try HubLock(database: link) }
        try first.renew()
        try first.renew()
        #expect(throws: CommandError.self) { try HubLock(database: link) }

        let second = try HubLock(database: path + "-other.sqlite")
        unlink(path + "-other.sqlite")
        try FileManager.default.linkItem(atPath: file, toPath: path + "-other.sqlite")
        defer { unlink(path + "-other.sqlite") }
        #expect(throws: CommandError.self) { try second.renew() }
        withExtendedLifetime(first) {}
    }
    #endif

    @Test func systemdIsToldHowTheHubIs() async throws {
        let path = NSTemporaryDirectory() + "lantern-notify-\(UUID().uuidString.prefix(8))"
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer {
            close(descriptor)
            unlink(path)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        func received() -> String {
            var octets = [UInt8](repeating: 0, count: 100)
            let count = recv(descriptor, &octets, octets.count, Int32(MSG_DONTWAIT))
            return String(decoding: octets.prefix(max(0, count)), as: UTF8.self)
        }
        func next() async throws -> String {
            while true {
                let text = received()
                if !text.isEmpty { return text }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        let notifier = ServiceNotifier(["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000"])
        notifier.send("READY=1")
        #expect(received() == "READY=1")
        #expect(notifier.interval == .milliseconds(10))
        let alive = Task { await notifier.keepAlive {} }
        #expect(try await next() == "WATCHDOG=1")
        #expect(try await next() == "WATCHDOG=1")
        alive.cancel()
        await alive.value
        // Meant for another process, or for nobody.
        #expect(ServiceNotifier(["WATCHDOG_USEC": "20000", "WATCHDOG_PID": "1"]).interval == nil)
        ServiceNotifier([:]).send("READY=1")
    }

    @Test func aRadioThatCannotBeUsedIsSaidInPlainWords() throws {
        let missing = RadioError(
            .hci(.serial(path: "/no/such/port", baud: 115_200)), closed("no"))
        #expect(missing.condition == .missing && missing.title == "The radio is not plugged in")
        let path = try file("")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let busy = RadioError(
            .hci(.serial(path: path, baud: 115_200)),
            closed("\(path): \(String(cString: strerror(EBUSY)))"))
        #expect(busy.condition == .busy && busy.commands == ["fuser -v \(path)"])
        let tcp = RadioError(
            .hci(.tcp(host: "h", port: 5)),
            .radio(.radioUnavailable("nothing answers at h:5"), transport: nil))
        #expect(tcp.text.hasPrefix("Nothing answers at h:5. Start the controller"))
    }

    private func closed(_ why: String) -> RadioOpeningError {
        .radio(.radioUnavailable("other words"), transport: .cannotOpen(why))
    }

    @Test(arguments: [
        (AdapterError.noAdapter, HubRadioState.Condition.missing, [String]()),
        (.missing(3), .missing, ["lantern radios"]),
        (.notPermitted(program: "/a b/in use"), .forbidden, ["sudo setcap cap_net_admin=ep /a b/in use"]),
        (.inUseBySystem(1), .busy, ["sudo systemctl stop bluetooth", "sudo hciconfig hci1 down"]),
        (.inUseByProgram(1), .busy, []),
        (.notSetUp(1), .missing, []),
        (.blocked(0, isBySwitch: false), .missing, ["sudo rfkill unblock bluetooth"]),
        (.blocked(0, isBySwitch: true), .missing, []),
        (.failed(0, "the `chip` is in use"), .missing, []),
    ])
    func anAdapterThatCannotBeUsedIsSaidByWhatItIs(
        fault: AdapterError, condition: HubRadioState.Condition, commands: [String]
    ) {
        // The sentence may say anything: only the value counts.
        let trouble = RadioError(
            .hci(.adapter(nil)), .radio(.radioUnavailable("in use `rm`"), transport: .adapter(fault)))
        #expect(trouble.condition == condition && trouble.commands == commands)
        #expect(!trouble.text.contains("`") && trouble.text.hasSuffix("."))
        for command in commands { #expect(fault.words.contains("`\(command)`")) }
    }

    @Test func whyATransportCannotBeOpenedArrivesAsAValue() async throws {
        let choice = RadioChoice.hci(.serial(path: "/no/such/port", baud: 115_200))
        let error = await #expect(throws: RadioOpeningError.self) { try await choice.open { [] } }
        guard case .radio(.radioUnavailable, transport: .cannotOpen(let why)?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(why.contains("/no/such/port"))
    }

    @Test func withoutARadioTheHubStartsAndSaysWhatToDo() async throws {
        let none = try ChosenRadio(nil)
        let trouble = await #expect(throws: RadioError.self) { _ = try await none.open() }
        #expect(trouble?.title == "No radio was chosen" && trouble?.commands.isEmpty == false)
        #expect(throws: CommandError.self) { try ChosenRadio("toaster") }
        #expect(try ChosenRadio("sim").isSimulated)
    }

    @Test func bluezSaysThatNothingCanBeCaptured() throws {
        let path = NSTemporaryDirectory() + "lantern-capture-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let named = try ChosenRadio("bluez").captures
        let refused = #expect(throws: BadInput.self) { try named.start(path) }
        #expect(refused?.description.contains("--radio hci:0") == true)
        #expect(!FileManager.default.fileExists(atPath: path))

        // What the machine has is known when the radio is opened, and may change.
        let radio = try ChosenRadio(nil)
        try radio.captures.start(path)
        #expect(radio.captures.capture.file != nil && radio.captures.progress.failure == nil)
        radio.prepareCaptures(for: .bluez(nil))
        #expect(radio.captures.capture.file == nil)
        #expect(radio.captures.progress.failure == refused?.description)
        radio.prepareCaptures(for: .hci(.tcp(host: "127.0.0.1", port: 1)))
        try radio.captures.start(path)
        #expect(radio.captures.capture.file != nil && radio.captures.progress.failure == nil)
    }

    @Test func theRouteOfTheDemoIsDriven() {
        let route = DemoRoute(start: Timestamp(milliseconds: 0))
        let fix = route.fix(at: Timestamp(milliseconds: 0))
        // It begins in the east of the oval and goes north.
        #expect(fix?.source == .track && fix?.speed == 13.75)
        #expect(fix?.course == 0 || fix?.course == 360 || fix?.course == 359)
    }
}
