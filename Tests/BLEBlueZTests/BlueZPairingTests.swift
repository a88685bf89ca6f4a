// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BLEWire
import BluetoothLE
import DBus
import Synchronization
import Testing

@testable import BLEBlueZ

/// Who pairs through BlueZ, whom it asks, and who is resumed by what.
@Suite(
    "Pairing through BlueZ", .enabled(if: PrivateBus.isThere, "there is no /usr/bin/dbus-daemon"),
    .timeLimit(.minutes(5)))
struct BlueZPairingTests {
    private typealias Bench = PairingBench
    private static let peer = PairingBench.peer
    private static let passkey = PairingBench.passkey

    @Test(
        "what BlueZ asks is asked here, and protects from somebody in the middle",
        arguments: [
            (.keyboardOnly, "KeyboardOnly", "RequestPasskey", SMP.Passkey(12345).map { .passkey($0) }),
            (.displayYesNo, "DisplayYesNo", "RequestConfirmation", .accept),
            (.displayOnly, "DisplayOnly", "DisplayPasskey", .accept),
            (.keyboardDisplay, "KeyboardDisplay", "DisplayPasskey", .accept),
            (.noInputNoOutput, "NoInputNoOutput", nil, .accept),
        ] as [(SMP.IOCapability, String, String?, SMP.Answer?)])
    func questions(
        ability: SMP.IOCapability, word: String, method: String?, answer: SMP.Answer?
    ) async throws {
        let bench = try await Bench()
        #expect(await bench.link.security == nil)
        let asked = Asked()
        var configuration = SMP.Configuration()
        configuration.ioCapability = ability
        let agent = PairingAgent(configuration) { question in
            asked.add(question)
            return answer ?? .reject
        }
        let task = await bench.pairing(agent)
        #expect(bench.blueZ.pairing.agents.map(\.ability) == [word])
        #expect(bench.blueZ.pairing.defaults == [])
        switch method {
        case "RequestPasskey": #expect(try await bench.blueZ.askAgent("RequestPasskey") == [.uint32(12345)])
        case "DisplayPasskey":
            for typed in [UInt16(0), 1, 2] {
                _ = try await bench.blueZ.askAgent("DisplayPasskey", [.uint32(12345), .uint16(typed)])
            }
        case let method?: #expect(try await bench.blueZ.askAgent(method, [.uint32(12345)]) == [])
        case nil: break
        }
        bench.blueZ.endPairing()
        let level: SecurityLevel = method == nil ? .encrypted : .authenticated
        let expected = LinkSecurity(level: level, keySize: nil, isBonded: true)
        #expect(try await task.value == expected)
        #expect(await bench.link.security == expected)
        #expect(try await bench.link.encrypt() == expected)
        let passkey = try #require(Self.passkey)
        let kinds: [PairingQuestion.Kind] =
            switch method {
            case "RequestPasskey": [.enter]
            case "RequestConfirmation": [.compare(passkey)]
            case nil: []
            default: [.show(passkey)]
            }
        #expect(asked.all.map(\.kind) == kinds && asked.all.allSatisfy { $0.peer == Self.peer })
        // BlueZ knows nobody of ours any more.
        await bench.until { $0.agents.isEmpty }
        await bench.end()
    }

    @Test(
        "a no ends it, and is the reason",
        arguments: [
            ("RequestPasskey", SMP.Failure.refused(.passkeyEntryFailed)),
            ("RequestConfirmation", .refused(.numericComparisonFailed)),
        ])
    func no(method: String, failure: SMP.Failure) async throws {
        let bench = try await Bench()
        let changes = bench.link.changes()
        let task = await bench.pairing(Bench.agent(.keyboardDisplay, .reject))
        let arguments: [DBusValue] = method == "RequestPasskey" ? [] : [.uint32(1)]
        await #expect(
            throws: DBusError.refused(
                name: "org.bluez.Error.Rejected", message: "this program does not say yes to that")
        ) { try await bench.blueZ.askAgent(method, arguments) }
        bench.blueZ.endPairing("AuthenticationFailed")
        await #expect(throws: BluetoothError.pairing(failure)) { try await task.value }
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() == .pairingFailed(failure))
        await bench.end()
    }

    @Test func aNoToWhatIsShownGivesPairingUp() async throws {
        let bench = try await Bench()
        let task = await bench.pairing(Bench.agent(.displayOnly, .reject))
        _ = try await bench.blueZ.askAgent("DisplayPasskey", [.uint32(7), .uint16(0)])
        await #expect(throws: BluetoothError.pairing(.cancelled)) { try await task.value }
        #expect(bench.blueZ.pairing.cancelCount == 1)
        await bench.end()
    }

    @Test func whatIsNoneOfOursIsRefused() async throws {
        let bench = try await Bench()
        let asked = Asked()
        let task = await bench.pairing(
            PairingAgent { question in
                asked.add(question)
                return .accept
            })
        let other = FakeBlueZ.device.replacing("01", with: "02")
        for (method, arguments, device) in [
            ("RequestPinCode", [], FakeBlueZ.device),
            ("DisplayPinCode", [.string("0000")], FakeBlueZ.device),
            ("AuthorizeService", [.string("1812")], FakeBlueZ.device),
            ("RequestConfirmation", [.uint32(1)], other),
            ("RequestConfirmation", [.uint32(1_000_000)], FakeBlueZ.device),
            ("RequestPasskey", [], other), ("RequestAuthorization", [], other),
            ("RequestConfirmation", [.string("1")], FakeBlueZ.device),
        ] as [(String, [DBusValue], String)] {
            await #expect(throws: DBusError.self, "\(method)") {
                try await bench.blueZ.askAgent(method, arguments, of: device)
            }
        }
        // Nobody but bluetoothd may ask.
        let stranger = try DBusConnection.open(bench.bus.address, on: bench.loop)
        let agent = try #require(bench.blueZ.pairing.agents.last)
        let error = await #expect(throws: DBusError.self) {
            try await stranger.call(
                DBusCall(
                    agent.owner, agent.path, BlueZ.agent, "RequestConfirmation",
                    [.path(FakeBlueZ.device), .uint32(1)]))
        }
        guard case .refused("org.freedesktop.DBus.Error.AccessDenied", _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        stranger.close()
        #expect(asked.all.isEmpty)
        // Who has begun need not be asked whether it may.
        #expect(try await bench.blueZ.askAgent("RequestAuthorization") == [])
        bench.blueZ.endPairing()
        #expect(try await task.value.level == .encrypted)
        await bench.end()
    }

    @Test func whoIsPairedAlreadyDoesNotReplaceItsBondUnasked() async throws {
        let bench = try await Bench()
        let asked = Asked()
        let task = await bench.pairing(
            PairingAgent { question in
                asked.add(question)
                return .accept
            })
        #expect(try await bench.blueZ.askAgent("RequestAuthorization") == [])
        #expect(asked.all.isEmpty)
        bench.blueZ.change(["Paired": .bool(true)], of: FakeBlueZ.device, BlueZ.device)
        // That it is paired now comes another way than what is asked.
        for _ in 0..<1000 where asked.all.isEmpty {
            #expect(try await bench.blueZ.askAgent("RequestAuthorization") == [])
        }
        #expect(asked.all.map(\.kind) == [.consent(replacesBond: true)])
        bench.blueZ.endPairing()
        _ = try await task.value
        await bench.end()
    }

    @Test func whoIsAskedWhenItIsOverIsCancelled() async throws {
        let bench = try await Bench()
        let (asked, told) = (Asked(), Ending<Void>())
        let task = await bench.pairing(
            PairingAgent { question in
                asked.add(question)
                // A person who never answers, and is told when it is over.
                _ = try? await Ending<Void>().wait()
                told.end(())
                return .accept
            })
        let blueZ = bench.blueZ
        let question = Task { try await blueZ.askAgent("RequestPasskey") }
        while asked.all.isEmpty { await Task.yield() }
        _ = try await blueZ.askAgent("Cancel", of: nil)
        await #expect(
            throws: DBusError.refused(name: "org.bluez.Error.Canceled", message: "it is over")
        ) { try await question.value }
        try await told.wait()
        blueZ.endPairing("AuthenticationTimeout")
        await #expect(throws: BluetoothError.pairing(.timeout)) { try await task.value }
        await bench.end()
    }

    /// What ends a pairing that nobody answers.
    enum Event: CaseIterable {
        case cancelled, busGoes, bluetoothdGoes, adapterGoes, vanishes, linkGoes, closed
    }

    @Test("whoever waits for a pairing is resumed", arguments: Event.allCases)
    func resumed(_ event: Event) async throws {
        let bench = try await Bench()
        let link = bench.link
        let task = await bench.pairing(.justWorks)
        // Another one who waits for the same pairing.
        let second = Task(executorPreference: bench.loop) { try await link.pair(.justWorks) }
        for _ in 0..<10 { await bench.turn() }
        switch event {
        case .cancelled: task.cancel()
        case .busGoes: bench.bus.end()
        case .bluetoothdGoes: try await bench.blueZ.leave()
        case .adapterGoes: bench.blueZ.plug(false)
        case .vanishes: bench.blueZ.vanish(FakeBlueZ.device)
        case .linkGoes: bench.blueZ.disconnect("Timeout", isFirst: true)
        case .closed: await bench.radio.close()
        }
        let ends = [await task.result, await second.result].map { $0.failure as? BluetoothError }
        #expect(bench.blueZ.pairing.pairCount <= 1)
        switch event {
        case .cancelled:
            #expect(ends == [.cancelled, .pairing(.cancelled)])
            await bench.until { $0.cancelCount == 1 && $0.agents.isEmpty }
            // The link goes on.
            #expect(try await link.read(bench.secret) == [42])
        case .linkGoes:
            #expect(ends == [.disconnected(.supervisionTimeout), .disconnected(.supervisionTimeout)])
        case .vanishes: #expect(ends == [.disconnected(.closedByPeer), .disconnected(.closedByPeer)])
        default:
            for end in ends {
                switch end {
                case .disconnected?, .radioUnavailable?: break
                default: Issue.record("\(String(describing: end))")
                }
            }
        }
        await bench.end()
    }
}
