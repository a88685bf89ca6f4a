// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLESMP
import BluetoothLE

/// What a person is asked about a link, and who asks.
struct LinkPairing {
    /// Why a person is asked whether this side may begin.
    enum Reason {
        /// The device has asked for security.
        case device
        /// The device has refused a request.
        case request
    }

    /// Who answers, where this side has begun; otherwise the radio's agent does.
    var agent: PairingAgent?
    /// What is shown or asked now.
    var question: (number: Int, task: Task<Void, Never>)?
    /// Why, when nothing has begun yet.
    var reason: Reason?

    /// Nothing is shown or asked any more.
    mutating func forgetQuestion() { (question, reason) = (nil, nil) }
}

extension HostRadio {
    // MARK: Questions

    func ask(_ kind: PairingQuestion.Kind, _ link: LinkID) {
        guard let entry = links[link], let agent = entry.pairing.agent ?? agent else {
            stack.answer(.reject, pairingOn: link, at: loop.now)
            return
        }
        consentIsOver(link)
        endQuestion(link)
        lastNumber += 1
        let number = lastNumber
        let question = PairingQuestion(entry.connection.peer, kind)
        let task = Task(executorPreference: loop) { [weak self] in
            let answer = await agent.answer(question)
            await self?.take(answer, to: number, on: link)
        }
        links[link]?.pairing.question = (number, task)
    }

    /// Takes an answer, unless the question is over.
    private func take(_ answer: SMP.Answer, to number: Int, on link: LinkID) {
        guard links[link]?.pairing.question?.number == number else { return }
        stack.answer(answer, pairingOn: link, at: loop.now)
        drain()
    }

    // MARK: Before anything is begun

    /// Asks whether this side may begin to pair; who asks already for the same link waits for the same answer.
    ///
    /// - Returns: Whether it may.
    nonisolated func mayBegin(
        _ agent: PairingAgent, on connection: HostConnection
    ) async throws(BluetoothError) -> Bool {
        guard agent.configuration.asksConsent else { return true }
        let link = connection.link
        let arrived = try await wait { radio in
            guard radio.links[link] != nil else { return .over(.failure(connection.lost)) }
            // Somebody has begun, which is waited for.
            if radio.stack.isPairing(link) { return .over(.success(.consent(true))) }
            radio.askConsent(agent, link, to: .request)
            return .waiting(.consent(link))
        }
        guard case .consent(let mayPair) = arrived else { throw .badResponse }
        return mayPair
    }

    func askConsent(_ agent: PairingAgent, _ link: LinkID, to reason: LinkPairing.Reason) {
        guard let entry = links[link] else { return }
        guard entry.pairing.reason == nil else {
            // It is asked already; the device waits for what comes of it, too.
            if reason == .device { links[link]?.pairing.reason = reason }
            return
        }
        endQuestion(link)
        lastNumber += 1
        let number = lastNumber
        let question = PairingQuestion(
            entry.connection.peer, .consent(replacesBond: false), isAboutRequest: reason == .request)
        let task = Task(executorPreference: loop) { [weak self] in
            let answer = await agent.answer(question)
            await self?.begin(answer, to: number, on: link, agent)
        }
        links[link]?.pairing.question = (number, task)
        links[link]?.pairing.reason = reason
    }

    /// Begins to pair, or does not.
    private func begin(_ answer: SMP.Answer, to number: Int, on link: LinkID, _ agent: PairingAgent) {
        guard let pairing = links[link]?.pairing, pairing.question?.number == number else { return }
        links[link]?.pairing.forgetQuestion()
        let mayPair = answer == .accept
        if pairing.reason == .device {
            if mayPair { giveSecurity(link, agent) } else { refuseSecurity(link) }
        }
        waiters.resume(.consent(link), .success(.consent(mayPair)))
        drain()
    }

    /// Pairing has begun, or is over: nobody need be asked whether it may.
    func consentIsOver(_ link: LinkID, mayPair: Bool = true) {
        if links[link]?.pairing.reason != nil { endQuestion(link) }
        waiters.resume(.consent(link), .success(.consent(mayPair)))
    }

    /// What was shown or asked is over.
    func endQuestion(_ link: LinkID) {
        links[link]?.pairing.question?.task.cancel()
        links[link]?.pairing.forgetQuestion()
    }
}
