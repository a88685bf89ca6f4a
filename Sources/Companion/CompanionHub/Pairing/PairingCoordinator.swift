// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion
import CompanionDevices
package import HubModel
import Synchronization

/// Asks on a hub's pages while devices pair, and takes the first answer.
///
/// ```
/// asking ─► working ─► asking (the next question) … ─► paired or failed
/// ```
///
/// Whoever waits for an answer here gets one: from a page, or a no when the time is up, when no page is open any more, when the
/// pairing is over, or when the hub ends. Digits are told to who asks for them while they are shown, and stand nowhere else.
package actor PairingCoordinator {
    /// How long it waits for what.
    package struct Patience: Hashable, Sendable {
        /// For an answer: a little less than the other side does, so that it hears a no and may try again on the same link.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 3.4: 30 s, and none on that link from then on.
        package var answer = Duration.seconds(28)
        /// For a page to come back, such as one that is loaded anew.
        package var absence = Duration.seconds(5)
        /// Until a device that was refused is asked about again.
        package var quiet = Duration.seconds(60)
        /// Until what has been answered is known to have come to something.
        package var end = Duration.seconds(40)

        /// Makes the usual patience.
        package init() {}
    }

    /// What a person has said.
    package enum Answer: Hashable, Sendable {
        /// Yes, or no.
        case accept(Bool)
        /// The six digits.
        case digits(SMP.Passkey)
    }

    private struct Going {
        var pairing: HubPairing
        /// Shown while the question is open.
        var digits: String?
        var continuation: CheckedContinuation<SMP.Answer, Never>?
        /// Looks after what is open.
        var watch: Task<Void, Never>?
        /// Why it was given up, when the other side cannot know that.
        var reason: String?

        /// Which question is open, or was last.
        var asked: Asked { Asked(pairing) }
    }

    /// One question of one pairing: numbers of questions begin anew with each pairing, so that what ends late must know both.
    private struct Asked: Hashable {
        let pairing: Int64
        let question: Int

        init(_ pairing: HubPairing) { (self.pairing, question) = (pairing.id, pairing.question) }
    }

    /// Pairings that may go on at once; a radio has fewer links.
    private static let limit = 16

    private let feed: EventFeed
    private let clock: HubClock
    private let patience: Patience
    private nonisolated let board: DeviceRegistry
    private nonisolated let bonds: (any HubBondStore)?
    /// What pairings have come to, in the order in which radios have told it.
    ///
    /// A task for each would be in no order with the questions: the end of one pairing could close the question of the next. One is
    /// in it from when a radio tells it until the next turn here, so there are no more than pairings that may go on.
    private nonisolated let ends = Mutex<[(peer: Peer, result: Result<LinkSecurity, BluetoothError>)]>([])
    private var going: [Peer: Going] = [:]
    /// Until when a device is not asked about, by a clock that nobody sets.
    private var quiet: [Peer: Duration] = [:]
    /// Devices of which everything is read that can be: what they refuse then is no reason to ask.
    private var swept: [Peer: Int] = [:]
    private var lastID: Int64
    private var lastLook: Duration?
    private var isOver = false

    /// Makes one that has nothing to ask.
    ///
    /// - Parameters:
    ///   - board: Knows the devices.
    ///   - bonds: Keeps bonds; `nil` when the radio does.
    ///   - feed: Gets what happens.
    ///   - clock: The time.
    ///   - patience: How long it waits.
    package init(
        _ board: DeviceRegistry, bonds: (any HubBondStore)? = nil, feed: EventFeed, clock: HubClock,
        patience: Patience = Patience()
    ) {
        self.board = board
        self.bonds = bonds
        self.feed = feed
        self.clock = clock
        self.patience = patience
        lastID = min(max(0, clock.now().milliseconds), 1 << 42) * 1000
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
    func beginSweep(of peer: Peer) { swept[peer, default: 0] += 1 }

    func endSweep(of peer: Peer) {
        let left = (swept[peer] ?? 1) - 1
        swept[peer] = left > 0 ? left : nil
    }

    /// A person has a device paired, whatever was said of it before.
    func personBegins(_ peer: Peer) { quiet[peer] = nil }

    // MARK: What pages see and say

    /// What goes on, the oldest first, with the digits that are shown.
    package func list() -> [(pairing: HubPairing, digits: String?)] {
        lastLook = clock.elapsed()
        takeEnds()
        return going.values.map { ($0.pairing, $0.digits) }.sorted { $0.0.id < $1.0.id }
    }

    /// Takes an answer; the first one counts.
    ///
    /// - Parameters:
    ///   - id: The pairing.
    ///   - question: Which question is answered.
    ///   - answer: What a person says.
    /// - Returns: How it is.
    /// - Throws: ``HubError`` when it is over, answered already, or needs another kind of answer.
    package func answer(_ id: Int64, question: Int, _ answer: Answer) throws(HubError) -> HubPairing {
        lastLook = clock.elapsed()
        takeEnds()
        guard let one = going.values.first(where: { $0.pairing.id == id }) else {
            throw .notFound("This pairing is over.")
        }
        let pairing = one.pairing
        guard pairing.phase == .asking, pairing.question == question, one.continuation != nil else {
            throw .notNow("That was answered already, or is over.")
        }
        switch (pairing.kind, answer) {
        case (_, .accept(false)):
            let reason =
                pairing.kind == .compare
                ? "The digits were not the same: somebody may be in between. Try again, and compare once more."
                : "It was refused at the hub."
            // The other pages close: it was answered.
            var answered = pairing
            answered.phase = .working
            publish(answered)
            return refuse(pairing.peer, reason) ?? pairing
        case (.consent, .accept), (.compare, .accept): give(pairing.peer, .accept)
        case (.enter, .digits(let passkey)): give(pairing.peer, .passkey(passkey))
        case (.enter, .accept): throw .badValue("The six digits that the device shows are needed.")
        case (.show, _), (_, .digits): throw .badValue("Here only a no can be said: the device has to go on.")
        }
        return going[pairing.peer]?.pairing ?? pairing
    }

    /// Answers no to everything, now and from now on: the hub ends.
    func close() {
        isOver = true
        for peer in going.keys { refuse(peer, "The hub was stopped.") }
    }

    // MARK: Questions

    func ask(_ question: PairingQuestion, _ beginner: HubPairing.Beginner) async -> SMP.Answer {
        takeEnds()
        let peer = question.peer
        guard !isOver, !Task.isCancelled, going[peer] != nil || going.count < Self.limit else {
            return .reject
        }
        if beginner == .device, going[peer] == nil {
            if question.isAboutRequest, swept[peer] != nil { return .reject }
            if let end = quiet[peer] {
                guard end <= clock.elapsed() else { return .reject }
                quiet[peer] = nil
            }
        }
        let asked = open(question, beginner)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled || going[peer]?.asked != asked {
                    continuation.resume(returning: .reject)
                } else {
                    going[peer]?.continuation = continuation
                }
            }
        } onCancel: {
            Task { await self.questionIsOver(peer, asked) }
        }
    }

    /// - Returns: Which question it is.
    private func open(_ question: PairingQuestion, _ beginner: HubPairing.Beginner) -> Asked {
        let (peer, asked) = (question.peer, PairingAsked(question))
        let deadline = Timestamp(
            milliseconds: clock.now().milliseconds + Int64(patience.answer / .milliseconds(1)))
        var pairing: HubPairing
        if let one = going[peer] {
            one.continuation?.resume(returning: .reject)
            one.watch?.cancel()
            pairing = one.pairing
            (pairing.phase, pairing.kind, pairing.deadline) = (.asking, asked.kind, deadline)
            pairing.question += 1
        } else {
            lastID += 1
            let device = board.device(of: peer)
            pairing = HubPairing(
                id: lastID, device: device?.id, peer, name: device?.ownName ?? device?.name,
                begunBy: beginner, asked.kind, until: deadline)
        }
        if case .consent(let replaces) = question.kind { pairing.replacesBond = replaces }
        let one = Asked(pairing)
        let watch = Task { await self.watch(peer, one) }
        going[peer] = Going(pairing: pairing, digits: asked.digits, watch: watch)
        publish(pairing)
        return one
    }

    /// Says no when the time is up, or nobody is there any more.
    private func watch(_ peer: Peer, _ asked: Asked) async {
        let end = clock.elapsed() + patience.answer
        var absence = Duration.zero
        while true {
            do { try await clock.sleep(.seconds(1)) } catch { return }
            guard let one = going[peer], one.asked == asked, one.pairing.phase == .asking else { return }
            if clock.elapsed() >= end {
                refuse(peer, "Nobody answered in time. Try again, and keep the device at hand.")
                return
            }
            absence = isAnybodyThere ? .zero : absence + .seconds(1)
            if absence >= patience.absence {
                refuse(peer, "No page of the hub was open to answer. Open one, then try again.")
                return
            }
        }
    }

    /// Whether a page, or another program, would see a question.
    private var isAnybodyThere: Bool {
        feed.subscriptions > 0 || lastLook.map { clock.elapsed() - $0 < patience.absence } ?? false
    }

    /// Gives an answer, after which the devices go on.
    private func give(_ peer: Peer, _ answer: SMP.Answer) {
        guard var one = going[peer] else { return }
        one.watch?.cancel()
        one.continuation?.resume(returning: answer)
        one.pairing.phase = .working
        (one.continuation, one.digits) = (nil, nil)
        one.watch = settle(peer, one.asked, within: patience.end)
        going[peer] = one
        publish(one.pairing)
    }

    @discardableResult
    private func refuse(_ peer: Peer, _ reason: String) -> HubPairing? {
        quiet[peer] = clock.elapsed() + patience.quiet
        if quiet.count > 1024 { quiet = quiet.filter { $0.value > clock.elapsed() } }
        let continuation = going[peer]?.continuation
        going[peer]?.continuation = nil
        continuation?.resume(returning: .reject)
        return finish(peer, .failed, reason)
    }

    /// The other side, or the radio, has done with a question.
    private func questionIsOver(_ peer: Peer, _ asked: Asked) {
        guard var one = going[peer], one.asked == asked, one.pairing.phase == .asking else { return }
        one.watch?.cancel()
        one.continuation?.resume(returning: .reject)
        one.pairing.phase = .working
        (one.continuation, one.digits) = (nil, nil)
        // What it came to is told in a moment, unless nothing had begun.
        one.watch = settle(peer, asked, within: .seconds(1))
        going[peer] = one
        publish(one.pairing)
    }

    private func settle(_ peer: Peer, _ asked: Asked, within time: Duration) -> Task<Void, Never> {
        Task {
            do { try await clock.sleep(time) } catch { return }
            guard let one = self.going[peer], one.asked == asked, one.pairing.phase == .working else {
                return
            }
            self.finish(peer, .failed, "The device has gone or has given up. Bring it near and try again.")
        }
    }

    // MARK: Ends

    /// Handles what a pairing has come to.
    func ended(_ peer: Peer, _ result: Result<LinkSecurity, BluetoothError>) {
        switch result {
        case .success(let security):
            quiet[peer] = nil
            finish(peer, .paired, nil, ProtectionJSON(security))
            if security.isBonded { feed.publish(BondsChanged(), at: clock.now()) }
        case .failure(let error): finish(peer, .failed, "\(error)")
        }
    }

    @discardableResult
    private func finish(
        _ peer: Peer, _ phase: HubPairing.Phase, _ reason: String?, _ protection: ProtectionJSON? = nil
    ) -> HubPairing? {
        guard var one = going.removeValue(forKey: peer) else { return nil }
        one.watch?.cancel()
        one.continuation?.resume(returning: .reject)
        (one.pairing.phase, one.pairing.reason, one.pairing.protection) = (phase, reason, protection)
        publish(one.pairing)
        return one.pairing
    }

    private func publish(_ pairing: HubPairing) {
        feed.publish(PairingChanged(pairing), at: clock.now())
    }
}
