// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEHostDriver
import BLEVirtualRadio
import Synchronization
import Testing

/// Who is asked before this side begins to pair, and who is resumed by what.
@Suite("Consent before pairing begins", .manualTime, .timeLimit(.minutes(5)))
struct ConsentRadioTests {
    private typealias Pair = PairingRadioTests.Pair

    /// A person who is asked, and what pairings came to.
    private final class Person: Sendable {
        private let state = Mutex<([PairingQuestion], [String], Bool)>(([], [], false))

        var questions: [PairingQuestion] { state.withLock { $0.0 } }
        var ends: [String] { state.withLock { $0.1 } }
        var wasCancelled: Bool { state.withLock { $0.2 } }

        /// Who answers for them; without an answer nothing is said.
        func agent(_ answer: SMP.Answer?) -> PairingAgent {
            let loop = ManualTime.loop
            var agent = PairingRadioTests.agent(.noInputNoOutput) { [self] question in
                state.withLock { $0.0.append(question) }
                if let answer { return answer }
                _ = try? await loop.sleep(until: HostInstant(microseconds: .max))
                state.withLock { $0.2 = Task.isCancelled }
                return .reject
            }
            agent.configuration.asksConsent = true
            agent.ended = { [self] _, result in
                let text = if case .failure(let error) = result { "\(error)" } else { "paired" }
                state.withLock { $0.1.append(text) }
            }
            return agent
        }

        func untilAsked() async throws {
            while questions.isEmpty { try await ManualTime.pass(milliseconds: 10) }
        }
    }

    @Test(arguments: [true, false]) func aRequestIsRefusedUntilSomebodyAgrees(_ agrees: Bool) async throws {
        let pair = try await Pair(), person = Person()
        try await pair.server.radio.pairWhenAsked(.justWorks)
        try await pair.client.radio.pairWhenAsked(person.agent(agrees ? .accept : .reject))
        let link = try await pair.connect()
        let value = try await PairingRadioTests.characteristic(PairingRadioTests.secret, of: link)
        if agrees {
            // Two who ask at once are asked about once.
            async let first = link.read(value)
            async let second = link.read(value)
            #expect(try await first == [42])
            #expect(try await second == [42])
            #expect(person.questions.count == 1 && person.ends == ["paired"])
        } else {
            #expect(
                await failure { () async throws(BluetoothError) in _ = try await link.read(value) }
                    == .refused(.insufficientAuthentication))
            #expect(await link.security == nil && person.ends.isEmpty)
        }
        #expect(person.questions.first?.kind == .consent(replacesBond: false))
        #expect(person.questions.first?.isAboutRequest == true)
        await pair.close()
    }

    @Test(arguments: [true, false]) func aDeviceAsksAndSomebodyAnswers(_ agrees: Bool) async throws {
        let pair = try await Pair(), person = Person()
        try await pair.client.radio.pairWhenAsked(person.agent(agrees ? .accept : .reject))
        let link = try await pair.connect()
        let toClient = try await pair.running.connection(to: try #require(pair.running.clients.first))
        let asked = begin {
            await failure { () async throws(BluetoothError) in _ = try await toClient.pair(.justWorks) }
        }
        #expect(await asked.value == (agrees ? nil : .pairing(.refusedByPeer(.pairingNotSupported))))
        #expect(person.questions.map(\.isAboutRequest) == [false])
        #expect((await link.security != nil) == agrees)
        #expect(person.ends == (agrees ? ["paired"] : []))
        await pair.close()
    }

    @Test(arguments: ["link", "radio", "task", "agreement"])
    func whoWaitsForAnAnswerIsResumed(by what: String) async throws {
        let pair = try await Pair(), person = Person()
        try await pair.server.radio.pairWhenAsked(.justWorks)
        try await pair.client.radio.pairWhenAsked(person.agent(nil))
        let link = try await pair.connect()
        let value = try await PairingRadioTests.characteristic(PairingRadioTests.secret, of: link)
        let reading = begin {
            await failure { () async throws(BluetoothError) in _ = try await link.read(value) }
        }
        try await person.untilAsked()
        switch what {
        case "link":
            await link.disconnect()
            #expect(await reading.value == .disconnected(.closedByUs))
        case "radio":
            await pair.client.radio.close()
            #expect(await reading.value != nil)
        case "task":
            reading.cancel()
            #expect(await reading.value == .cancelled)
            // The question stays: another one may wait for it.
            #expect(!person.wasCancelled)
            await link.disconnect()
        default:
            // A person has it paired meanwhile: the request goes on by itself.
            _ = try await link.pair(.justWorks)
            #expect(await reading.value == nil)
        }
        try await ManualTime.pass(milliseconds: 100)
        #expect(person.wasCancelled)
        await pair.close()
    }

    @Test func whatAPairingHasComeToIsToldToWhoAnswersForIt() async throws {
        let pair = try await Pair(), person = Person()
        try await pair.server.radio.pairWhenAsked(person.agent(.reject))
        let link = try await pair.connect()
        #expect(
            await failure { () async throws(BluetoothError) in try await link.pair() }
                == .pairing(.refusedByPeer(.pairingNotSupported)))
        #expect(person.ends == ["\(BluetoothError.pairing(.cancelled))"])
        await pair.close()
    }

    /// Another program has removed a bond: who runs forgets it with the next link.
    @Test func aBondThatAnotherProgramRemovesIsForgottenWithTheNextLink() async throws {
        let pair = try await Pair()
        try await pair.server.radio.pairWhenAsked(.justWorks)
        var link = try await pair.connect()
        try await link.pair()
        await link.disconnect()
        let (server, client) = (try await pair.server.peer, try await pair.client.peer)
        #expect(
            await pair.stores.client.remove(try #require(server.address), of: try #require(client.address)))
        link = try await pair.connect()
        #expect(
            await failure { () async throws(BluetoothError) in _ = try await link.encrypt() }
                == .pairing(.notBonded))
        #expect(try await pair.client.radio.bonds().isEmpty)
        await pair.close()
    }

    /// Another program has paired anew with the same device: who runs uses the new keys with the next link already.
    @Test func keysThatAnotherProgramHasMadeAnewAreTakenUp() async throws {
        var pair = try await Pair()
        try await pair.server.radio.pairWhenAsked(.justWorks)
        var link = try await pair.connect()
        try await link.pair()
        await link.disconnect()
        let (server, client) = (
            try #require(try await pair.server.peer.address), try #require(try await pair.client.peer.address)
        )
        for (store, own) in [(pair.stores.client, client), (pair.stores.server, server)] {
            var kept = try #require(await store.bonds(of: own).first)
            let key = SMP.LongTermKey(key: SMP.Secret(UInt128(0xA1E3)))
            kept.bond = SMP.Bond(
                security: kept.bond.security, keyAsCentral: key, keyAsPeripheral: key,
                identity: kept.bond.identity)
            await store.keep(kept, of: own)
        }
        // The server begins anew with them; the client goes on.
        try await pair.restartServer()
        link = try await pair.connect()
        #expect(await link.security?.isBonded == true)
        await pair.close()
    }
}
