// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import CompanionCore
import CompanionDevices
import HubModel
import Testing

@testable import CompanionHub

@Suite("Pairings that follow each other", .timeLimit(.minutes(5)))
struct PairingOrderTests {
    private let peer = Peer(BluetoothAddress(0xC1AA_0000_0001, kind: .random))

    /// The question that is asked now, once it is another than the one before.
    private func asked(_ pairings: PairingCoordinator, after id: Int64?) async throws -> HubPairing {
        var found: HubPairing?
        try await eventually {
            found = await pairings.list().map(\.pairing).first { $0.phase == .asking && $0.id != id }
            return found != nil
        }
        return try #require(found)
    }

    /// What a radio tells of the first is told by a task that others overtake, as on a busy machine.
    @Test func theEndOfOneDoesNotCloseTheQuestionOfTheNext() async throws {
        let pairings = PairingCoordinator(
            DeviceRegistry(), feed: EventFeed(startedAt: .now()), clock: .system)
        let agent = await pairings.agent(begunBy: .person, on: Radio(ScriptedRadio(refusal: nil)))
        let question = PairingQuestion(peer, .consent(replacesBond: false))
        var last: Int64?
        for _ in 0..<10 {
            let first = Task { await agent.answer(question) }
            let pairing = try await asked(pairings, after: last)
            first.cancel()
            await Task(priority: .background) { [peer] in
                agent.ended?(peer, .failure(.pairing(.refusedByPeer(.confirmValueFailed))))
            }.value
            let second = Task(priority: .high) { await agent.answer(question) }
            #expect(await first.value == .reject)
            let next = try await asked(pairings, after: pairing.id)
            _ = try await pairings.answer(next.id, question: 1, .accept(true))
            #expect(await second.value == .accept)
            agent.ended?(peer, .success(LinkSecurity(level: .authenticated, keySize: 16, isBonded: false)))
            #expect(await pairings.list().isEmpty)
            last = next.id
        }
    }
}
