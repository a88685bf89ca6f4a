// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BLEWire
import BluetoothLE
import DBus
import Synchronization
import Testing

@testable import BLEBlueZ

/// What is known and done with pairing: bonds, requests that want it, and devices that do.
@Suite(
    "Security through BlueZ", .enabled(if: PrivateBus.isThere, "there is no /usr/bin/dbus-daemon"),
    .timeLimit(.minutes(5)))
struct BlueZSecurityTests {
    private typealias Bench = PairingBench
    private static let peer = PairingBench.peer
    private static let passkey = PairingBench.passkey

    @Test func whatIsPairedIsNotPairedAnew() async throws {
        let bench = try await Bench()
        bench.blueZ.known.withLock { $0.pairing.refusal = "AlreadyExists" }
        bench.blueZ.endPairing()
        while await bench.link.security == nil { await Task.yield() }
        #expect(try await bench.link.pair().level == .encrypted)
        // How well it was paired nobody knows.
        var configuration = SMP.Configuration()
        configuration.minimumLevel = .authenticated
        await #expect(throws: BluetoothError.self) {
            try await bench.link.pair(PairingAgent(configuration) { _ in .accept })
        }
        #expect(bench.blueZ.pairing.removed == [])
        await bench.end()
    }

    @Test func whatDoesNotProtectAsItShouldIsUndone() async throws {
        let bench = try await Bench()
        var configuration = SMP.Configuration()
        configuration.minimumLevel = .authenticated
        let task = await bench.pairing(PairingAgent(configuration) { _ in .accept })
        bench.blueZ.endPairing()
        await #expect(throws: BluetoothError.pairing(.refused(.authenticationRequirements))) {
            try await task.value
        }
        #expect(bench.blueZ.pairing.removed == [FakeBlueZ.device])
        await bench.end()
    }

    @Test func bondsAreTheDevicesThatBlueZHasPaired() async throws {
        let bench = try await Bench()
        let radio = bench.radio.radio
        #expect(await radio.capabilities.contains(.pairing))
        #expect(await !radio.capabilities.contains(.chosenPasskey))
        // What a hub's explorer says that this radio does not tell.
        #expect(
            await radio.capabilities.isDisjoint(
                with: [.advertisedOctets, .phy, .connectionParameters, .readRSSI]))
        #expect(try await radio.bonds() == [])
        #expect(try await !radio.removeBond(of: Self.peer))
        bench.blueZ.endPairing()
        while try await radio.bonds().isEmpty { await Task.yield() }
        #expect(
            try await radio.bonds() == [
                BondedPeer(
                    Self.peer, LinkSecurity(level: .encrypted, keySize: nil, isBonded: true),
                    hasChangingAddress: nil, adapter: nil)
            ])
        #expect(try await !radio.removeBond(of: Peer(BluetoothAddress(5, kind: .public))))
        #expect(try await radio.removeBond(of: Self.peer))
        #expect(bench.blueZ.pairing.removed == [FakeBlueZ.device])
        #expect(try await radio.bonds() == [])
        await bench.end()
    }

    @Test func aRefusedRequestIsMadeOnceMoreWhenTheLinkIsPaired() async throws {
        let bench = try await Bench()
        let (link, secret) = (bench.link, bench.secret)
        bench.blueZ.known.withLock { $0.pairing.wantsPairing = true }
        await #expect(throws: BluetoothError.refused(.insufficientAuthentication)) {
            try await link.read(secret)
        }
        #expect(bench.blueZ.pairing.agents.isEmpty)
        try await bench.radio.radio.pairWhenAsked(Bench.agent(.keyboardDisplay))
        // BlueZ, which pairs by itself, knows whom to ask; but nobody is robbed of what they answer for.
        #expect(bench.blueZ.pairing.agents.map(\.ability) == ["KeyboardDisplay"])
        #expect(bench.blueZ.pairing.defaults.isEmpty)
        let read = Task { try await link.read(secret) }
        await bench.until { !$0.pairs.isEmpty }
        bench.blueZ.endPairing()
        #expect(try await read.value == [42])
        // Who is paired asks nothing more.
        await bench.until { $0.agents.isEmpty }
        // BlueZ would not pair again.
        bench.blueZ.known.withLock { $0.pairing.wantsPairing = true }
        await #expect(throws: BluetoothError.refused(.insufficientAuthentication)) {
            try await link.read(secret)
        }
        #expect(bench.blueZ.pairing.pairCount == 1)
        await bench.end()
    }

    @Test func aDeviceThatWantsPairingIsAskedWhateverOthersBegin() async throws {
        let bench = try await Bench()
        await bench.link.disconnect()
        let asked = Asked()
        var configuration = SMP.Configuration()
        configuration.ioCapability = .displayYesNo
        configuration.asksConsent = true
        var agent = PairingAgent(configuration) { question in
            asked.add(question)
            return .accept
        }
        agent.serverProtection = .authenticated
        let ends = Mutex<[Result<LinkSecurity, BluetoothError>]>([])
        agent.ended = { peer, result in
            #expect(peer == Self.peer)
            ends.withLock { $0.append(result) }
        }
        try await bench.radio.radio.pairWhenAsked(agent)
        #expect(bench.blueZ.pairing.agents.isEmpty)
        let service = GATT.ServiceDefinition(
            BluetoothUUID(0xA000),
            characteristics: [
                GATT.CharacteristicDefinition(
                    BluetoothUUID(0xA001), [.read, .write, .notify, .indicate], value: .stored([1]))
            ])
        let server = try await bench.radio.radio.serve(ServerDescription(name: "Lamp", services: [service]))
        var events = server.events().makeAsyncIterator()
        let known = bench.blueZ.known.withLock { $0 }
        #expect(known.pairing.agents.map(\.ability) == ["DisplayYesNo"])
        #expect(known.pairing.defaults == known.pairing.agents.map(\.owner))
        #expect(
            known.application?.objects.all(BlueZ.characteristic).first?.properties["Flags"]?.strings == [
                "read", "encrypt-authenticated-read", "write", "encrypt-authenticated-write", "notify",
                "encrypt-authenticated-notify", "indicate", "encrypt-authenticated-indicate",
            ])
        // Not a client of ours yet.
        await #expect(throws: DBusError.self) { try await bench.blueZ.askAgent("RequestAuthorization") }
        bench.blueZ.connect(true)
        guard case .connected(let client)? = try await events.next() else {
            Issue.record("nobody has come")
            return
        }
        #expect(try await bench.blueZ.askAgent("RequestAuthorization") == [])
        #expect(try await bench.blueZ.askAgent("RequestConfirmation", [.uint32(12345)]) == [])
        let passkey = try #require(Self.passkey)
        #expect(asked.all.map(\.kind) == [.consent(replacesBond: false), .compare(passkey)])
        bench.blueZ.endPairing()
        let expected = LinkSecurity(level: .authenticated, keySize: nil, isBonded: true)
        guard case .secured(client, expected)? = try await events.next() else {
            Issue.record("it is not told")
            return
        }
        while ends.withLock({ $0.isEmpty }) { await Task.yield() }
        #expect(ends.withLock { $0 } == [.success(expected)])
        // A new bluetoothd is told whom to ask.
        try await bench.blueZ.leave()
        try await bench.blueZ.begin()
        while true { if case .advertisingResumed? = try await events.next() { break } }
        #expect(bench.blueZ.pairing.defaults.count == 1)
        await server.stop()
        await bench.until { $0.agents.isEmpty && $0.defaults.isEmpty }
        await bench.end()
    }

    @Test(
        "what BlueZ says of a pairing that came to nothing",
        arguments: [
            ("AuthenticationFailed", .pairing(.refusedByPeer(.unspecifiedReason))),
            ("AuthenticationRejected", .pairing(.refusedByPeer(.pairingNotSupported))),
            ("AuthenticationCanceled", .pairing(.disconnected)),
            ("AuthenticationTimeout", .pairing(.timeout)),
            ("ConnectionAttemptFailed", .connectFailed(.connectTimeout)),
            ("InProgress", .pairing(.busy)),
        ] as [(String, BluetoothError)])
    func errors(name: String, expected: BluetoothError) async throws {
        let bench = try await Bench()
        bench.blueZ.known.withLock { $0.pairing.refusal = name }
        let ends = Mutex<[Result<LinkSecurity, BluetoothError>]>([])
        var agent = PairingAgent.justWorks
        agent.ended = { _, result in ends.withLock { $0.append(result) } }
        let told = agent
        await #expect(throws: expected) { try await bench.link.pair(told) }
        #expect(ends.withLock { $0 } == [.failure(expected)])
        await bench.until { $0.agents.isEmpty }
        await bench.end()
    }

    @Test("what BlueZ cannot do is said before anything is done")
    func obstacles() {
        func error(_ change: (inout SMP.Configuration) -> Void) -> BluetoothError? {
            var configuration = SMP.Configuration()
            change(&configuration)
            do throws(BluetoothError) { try BlueZ.check(configuration) } catch { return error }
            return nil
        }
        #expect(error { _ in } == nil)
        #expect(error { $0.passkey = Self.passkey } == .unsupported(.chosenPasskey))
        for change in [
            { $0.bonds = false }, { $0.secureConnections = .off }, { $0.secureConnections = .required },
            { $0.outOfBand.temporaryKey = SMP.Secret(1) },
        ] as [(inout SMP.Configuration) -> Void] {
            guard case .invalidArgument? = error(change) else {
                Issue.record("it is not said")
                return
            }
        }
    }
}
