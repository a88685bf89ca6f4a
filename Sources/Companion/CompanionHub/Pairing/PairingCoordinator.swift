// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion
package import CompanionCore
import CompanionDevices
package import HubModel
import Synchronization

/// Asks on a hub's pages while devices pair: carries on `Pairings` of CompanionCore, and keeps those who wait for an answer.
package actor PairingCoordinator {
    private let feed: EventFeed
    private let clock: HubClock
    private nonisolated let board: DeviceRegistry
    private nonisolated let bonds: (any HubBondStore)?
    /// What pairings have come to, in the order in which radios have told it.
    ///
    /// A task for each would be in no order with the questions: the end of one pairing could close the question of the next. One is
    /// in it from when a radio tells it until the next turn here, so there are no more than pairings that may go on.
    private nonisolated let ends = Mutex<[(peer: Peer, result: Result<LinkSecurity, BluetoothError>)]>([])
    private var pairings: Pairings
    private var alarm = DeadlineAlarm()
    /// Who waits for an answer.
    ///
    /// Each is resumed by the machine's answer to its question. That comes when a page answers, when the time is up or no page is open
    /// (the alarm), when another question takes its place, when pairing ends, and when the hub does (``close()``). The radio cancels the
    /// task of who waits when the peer has gone, when it goes off and when pairing is over: a no (``ask(_:_:)``).
    private var waiting: [Pairings.Question: CheckedContinuation<SMP.Answer, Never>] = [:]

    /// Makes one that has nothing to ask.
    ///
    /// - Parameters:
    ///   - board: Knows the devices.
    ///   - bonds: Keeps bonds; `nil` when the radio does.
    ///   - feed: Gets what happens.
    ///   - clock: The time.
    package init(_ board: DeviceRegistry, bonds: (any HubBondStore)? = nil, feed: EventFeed, clock: HubClock)
    {
        self.board = board
        self.bonds = bonds
        self.feed = feed
        self.clock = clock
        pairings = Pairings(at: clock.now())
    }

    /// Who answers here for a radio or a link.
    ///
    /// - Parameters:
    ///   - beginner: Who begins what it answers for.
    ///   - radio: The radio.
    /// - Returns: The agent.
    package nonisolated func agent(
        begunBy beginner: HubPairing.Beginner, on radio: Radio
    ) async -> PairingAgent {
        var configuration = SMP.Configuration()
        configuration.ioCapability = .keyboardDisplay
        configuration.wantsAuthentication = true
        configuration.asksConsent = true
        // BlueZ, which lacks this, keeps bonds of its own.
        if await radio.capabilities.contains(.chosenPasskey), bonds?.fault != nil {
            configuration.bonds = false
        }
        var agent = PairingAgent(configuration) { [weak self] question in
            await self?.ask(question, beginner) ?? .reject
        }
        agent.ended = { [weak self] peer, result in self?.note(peer, result) }
        return agent
    }

    /// Handles that a radio tells what a pairing has come to, which waits for nobody.
    private nonisolated func note(_ peer: Peer, _ result: Result<LinkSecurity, BluetoothError>) {
        ends.withLock { $0.append((peer, result)) }
        // Nobody waits for it: whoever asks or looks next does what it has not done yet.
        Task { [weak self] in await self?.takeEnds() }
    }

    /// Takes in what has ended, before anything that is asked or said later.
    private func takeEnds() {
        let told = ends.withLock { ends in
            defer { ends = [] }
            return ends
        }
        for (peer, result) in told { ended(peer, result) }
    }

    /// Everything that can be read is read of a device: what it refuses is no reason to ask.
    func beginSweep(of peer: Peer) { pairings.beginSweep(of: peer) }

    func endSweep(of peer: Peer) { pairings.endSweep(of: peer) }

    /// A person has a device paired, whatever was said of it before.
    func personBegins(_ peer: Peer) { pairings.personBegins(peer) }

    // MARK: What pages see and say

    /// What goes on, the oldest first, with the digits that are shown.
    package func list() -> [(pairing: HubPairing, digits: String?)] {
        takeEnds()
        return pairings.look(at: clock.moment)
    }

    /// Takes an answer; the first one counts.
    ///
    /// - Parameters:
    ///   - id: The pairing.
    ///   - question: Which question is answered.
    ///   - answer: What a person says.
    /// - Returns: How it is.
    /// - Throws: ``HubError`` when it is over, answered already, or needs another kind of answer.
    package func answer(
        _ id: Int64, question: Int, _ answer: Pairings.Answer
    ) throws(HubError) -> HubPairing {
        takeEnds()
        defer { follow() }
        return try pairings.answer(id, question: question, answer, at: clock.moment)
    }

    /// Answers no to everything, now and from now on: the hub ends.
    func close() {
        pairings.close(at: clock.moment)
        follow()
    }

    // MARK: Questions and ends

    func ask(_ question: PairingQuestion, _ beginner: HubPairing.Beginner) async -> SMP.Answer {
        takeEnds()
        guard !Task.isCancelled else { return .reject }
        var replacesBond: Bool?
        if case .consent(let replaces) = question.kind { replacesBond = replaces }
        let asked = pairings.ask(
            PairingAsked(question), replacesBond: replacesBond, isAboutRequest: question.isAboutRequest,
            begunBy: beginner, device: board.device(of: question.peer), at: clock.moment)
        follow()
        guard let asked else { return .reject }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled, pairings.isOpen(asked) else {
                    return continuation.resume(returning: .reject)
                }
                waiting[asked] = continuation
            }
        } onCancel: {
            Task { await self.withdraw(asked) }
        }
    }

    /// The other side, or the radio, has done with a question.
    private func withdraw(_ question: Pairings.Question) {
        pairings.withdraw(question, at: clock.moment)
        follow()
    }

    /// Handles what a pairing has come to.
    func ended(_ peer: Peer, _ result: Result<LinkSecurity, BluetoothError>) {
        switch result {
        case .success(let security): pairings.paired(peer, ProtectionJSON(security))
        case .failure(let error): pairings.failed(peer, "\(error)")
        }
        follow()
    }

    // MARK: What comes of it

    private func follow() {
        while let output = pairings.nextOutput() {
            switch output {
            case .answered(let question, let answer):
                waiting.removeValue(forKey: question)?.resume(returning: answer)
            case .changed(let event): feed.publish(event, at: clock.now())
            case .bonded(let event): feed.publish(event, at: clock.now())
            }
        }
        alarm.set(pairings.nextDeadline, by: clock) { [weak self] in await self?.rang($0) }
    }

    private func rang(_ deadline: HostInstant) {
        guard alarm.rang(deadline) else { return }
        pairings.deadlineReached(isWatched: feed.subscriptions > 0, at: clock.moment)
        follow()
    }
}
