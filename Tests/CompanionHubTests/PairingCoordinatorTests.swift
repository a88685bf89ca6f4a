// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Companion
import CompanionCore
import CompanionDevices
import HubModel
import Testing

@testable import CompanionHub

/// Who resumes whoever waits for an answer; what is asked and told is the machine's (`PairingsTests`).
@Suite("Questions on pages while devices pair", .manualTime, .timeLimit(.minutes(5)))
struct PairingCoordinatorTests {
    private static let peer = Peer(BluetoothAddress(0xC1AA_0000_0001, kind: .random))
    private static let passkey = SMP.Passkey(digits: "042917")

    /// A pairings and a page.
    private struct Bench {
        let clock = HubClock.manual
        let feed: EventFeed
        let pairings: PairingCoordinator
        var page: EventFeed.Subscription?

        init() {
            feed = EventFeed(startedAt: clock.now())
            page = feed.subscribe()
            pairings = PairingCoordinator(DeviceRegistry(), feed: feed, clock: clock)
        }

        func ask(
            _ kind: PairingQuestion.Kind, _ beginner: HubPairing.Beginner = .device
        ) -> Task<SMP.Answer, Never> {
            begin { [pairings] in
                await pairings.ask(PairingQuestion(PairingCoordinatorTests.peer, kind), beginner)
            }
        }

        /// What pages see, once somebody is asked.
        func asked() async throws -> (pairing: HubPairing, digits: String?) {
            while true {
                if let one = await pairings.list().first(where: { $0.pairing.phase == .asking }) {
                    return one
                }
                try await ManualTime.pass(milliseconds: 1)
            }
        }

        /// The events so far, as JSON; no more are told then.
        func told() async -> [String] {
            feed.finish()
            var texts: [String] = []
            while let items = await page?.next() {
                texts += items.map { String(decoding: $0.json, as: UTF8.self) }
            }
            return texts
        }

        /// Waits until nothing goes on; on a busy machine what ends it may begin to wait late.
        func over() async throws {
            for _ in 0..<600 where await !pairings.list().isEmpty {
                try await ManualTime.pass(milliseconds: 1000)
            }
            #expect(await pairings.list().isEmpty)
        }
    }

    @Test func theFirstAnswerCountsAndNoDigitsAreTold() async throws {
        let bench = Bench(), passkey = try #require(Self.passkey)
        let waiting = bench.ask(.compare(passkey))
        let (pairing, digits) = try await bench.asked()
        #expect(digits == "042917" && pairing.kind == .compare && pairing.beginner == .device)
        #expect(pairing.deadline.milliseconds - bench.clock.now().milliseconds > 27_000)
        let given = try await bench.pairings.answer(pairing.id, question: 1, .accept(true))
        #expect(given.phase == .working)
        #expect(await waiting.value == .accept)
        await #expect(throws: HubError.notNow("That was answered already, or is over.")) {
            try await bench.pairings.answer(pairing.id, question: 1, .accept(false))
        }
        // They are gone with the question.
        #expect(await bench.pairings.list().map(\.digits) == [nil])
        let security = LinkSecurity(level: .secureConnections, keySize: 16, isBonded: true)
        await bench.pairings.ended(Self.peer, .success(security))
        #expect(await bench.pairings.list().isEmpty)
        await #expect(throws: HubError.notFound("This pairing is over.")) {
            try await bench.pairings.answer(pairing.id, question: 1, .accept(true))
        }
        let told = await bench.told()
        #expect(
            told.count == 4 && told[2].contains("\"phase\":\"paired\"") && told[3].contains("bonds_changed"))
        #expect(!told.joined().contains("042917") && !told.joined().contains("42917"))
    }

    @Test func whatIsShownStaysUntilItIsOverOrGivenUp() async throws {
        let bench = Bench(), passkey = try #require(Self.passkey)
        let waiting = bench.ask(.show(passkey))
        let pairing = try await bench.asked().pairing
        await #expect(throws: HubError.self) {
            try await bench.pairings.answer(pairing.id, question: 1, .accept(true))
        }
        // The radio has done with it: paired.
        waiting.cancel()
        await bench.pairings.ended(
            Self.peer, .success(LinkSecurity(level: .authenticated, keySize: 16, isBonded: false)))
        #expect(await waiting.value == .reject)
        #expect(await bench.pairings.list().isEmpty)
        #expect(await bench.told().last?.contains("\"phase\":\"paired\"") == true)
        let other = bench.ask(.show(passkey))
        let next = try await bench.asked().pairing
        _ = try await bench.pairings.answer(next.id, question: next.question, .accept(false))
        #expect(await other.value == .reject)
        #expect(await bench.pairings.list().isEmpty)
    }

    @Test func nobodyAnswers() async throws {
        let bench = Bench()
        let start = bench.clock.elapsed()
        let waiting = bench.ask(.consent(replacesBond: false))
        #expect(await waiting.value == .reject)
        let waited = bench.clock.elapsed() - start
        #expect(waited >= .seconds(28) && waited < .seconds(30))
        #expect(await bench.told().last?.contains("Nobody answered in time") == true)
    }

    @Test func theLinkDropsBeforeAnythingHasBegun() async throws {
        let bench = Bench()
        let waiting = bench.ask(.consent(replacesBond: false))
        let pairing = try await bench.asked().pairing
        waiting.cancel()
        #expect(await waiting.value == .reject)
        try await bench.over()
        let told = await bench.told()
        #expect(told.last?.contains("The device has gone") == true)
        await #expect(throws: HubError.self) {
            try await bench.pairings.answer(pairing.id, question: 1, .accept(true))
        }
    }

    @Test func theHubEnds() async throws {
        let bench = Bench()
        let waiting = bench.ask(.enter)
        _ = try await bench.asked()
        await bench.pairings.close()
        #expect(await waiting.value == .reject)
        #expect(await bench.ask(.enter, .person).value == .reject)
        #expect(await bench.told().last?.contains("The hub was stopped.") == true)
    }
}
