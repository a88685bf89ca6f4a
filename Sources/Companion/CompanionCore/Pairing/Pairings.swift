// SPDX-License-Identifier: Apache-2.0

package import BLESMP
package import BLEWire
package import Companion
package import HubModel

/// What people are shown or asked while devices pair; the first answer counts.
///
/// ```
///  asked ─► asking ── an answer ─────────────► working ── asked ─► asking (the next question) …
///             │ ├──── the radio has done ────►    │
///             │ └──── paired, failed ─► over ◄────┤
///             └────── a no, nobody there, late ─► over: failed
/// ```
///
/// Each question is answered once: by a page, or with a no when the time is up, when no page is open any more, when the radio has
/// done with it, when pairing is over, when another question takes its place, or when the host ends. Digits are in no output: they are
/// told to who asks for them while they are shown.
package struct Pairings: Sendable {
    /// What comes of it.
    package enum Output: Sendable {
        /// Whoever waits for the answer to a question gets this one.
        case answered(Question, SMP.Answer)
        /// To tell: how a pairing is now.
        case changed(PairingChanged)
        /// To tell: there are other bonds.
        case bonded(BondsChanged)
    }

    /// One question of one pairing: numbers of questions begin anew with each pairing.
    package struct Question: Hashable, Sendable {
        fileprivate let pairing: Int64
        fileprivate let number: Int
        fileprivate let peer: Peer
    }

    /// What a person has said.
    package enum Answer: Hashable, Sendable {
        /// Yes, or no.
        case accept(Bool)
        /// The six digits.
        case digits(SMP.Passkey)
    }

    private enum State: Sendable {
        /// Somebody waits for an answer.
        case asking(Open)
        /// Nobody waits; what has been answered is known to have come to something until then.
        case working(until: HostInstant)
    }

    private struct Open: Sendable {
        /// Shown as long as it is open.
        let digits: String?
        let until: HostInstant
        /// When is looked next whether somebody is there to answer.
        var check: HostInstant
        /// How often in a row nobody was: on a busy machine one look may be late, and with it what pages ask.
        var absences = 0
    }

    private struct Going: Sendable {
        var pairing: HubPairing
        var state: State

        var question: Question {
            Question(pairing: pairing.id, number: pairing.question, peer: pairing.peer)
        }

        var digits: String? { if case .asking(let open) = state { open.digits } else { nil } }
    }

    /// Pairings that may go on at once; a radio has fewer links.
    private static var limit: Int { 16 }
    /// So long an answer is waited for, in seconds: a little less than the other side does, so that it hears a no and may try again
    /// on the same link.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.4: 30 s, and none on that link from then on.
    private static var patience: UInt64 { 28 }
    /// So long a page may be away, such as one that is loaded anew, in seconds.
    private static var absence: Int { 5 }
    /// So long a device that was refused is not asked about, in seconds.
    private static var quiet: UInt64 { 60 }
    /// So long after an answer pairing may take to come to something, in seconds.
    private static var end: UInt64 { 40 }
    /// Devices of which is known that they were refused.
    private static var quietLimit: Int { 1024 }

    private var going: [Peer: Going] = [:]
    /// Until when a device is not asked about.
    private var quiet: [Peer: HostInstant] = [:]
    /// Devices of which everything is read that can be: what they refuse then is no reason to ask.
    private var swept: [Peer: Int] = [:]
    private var lastID: Int64
    /// When somebody has looked last.
    private var lastLook: HostInstant?
    private var isOver = false
    private var told = FIFO<Output>()

    /// Makes one that has nothing to ask.
    ///
    /// - Parameter time: The time; numbers begin with it, so that those of an earlier run are known for what they are.
    package init(at time: Timestamp) { lastID = min(max(0, time.milliseconds), 1 << 42) * 1000 }

    /// When to call ``deadlineReached(isWatched:at:)`` at the latest.
    package var nextDeadline: HostInstant? {
        var deadline: HostInstant?
        for one in going.values {
            switch one.state {
            case .asking(let open): deadline = HostInstant.earliest(deadline, min(open.until, open.check))
            case .working(let until): deadline = HostInstant.earliest(deadline, until)
            }
        }
        return deadline
    }

    /// The next thing that comes of it.
    package mutating func nextOutput() -> Output? { told.popFirst() }

    /// Whether a question waits for its answer.
    package func isOpen(_ question: Question) -> Bool {
        guard let one = going[question.peer], one.question == question else { return false }
        return one.pairing.phase == .asking
    }

    // MARK: What pages see and say

    /// What goes on, the oldest first, with the digits that are shown.
    package mutating func look(at moment: Moment) -> [(pairing: HubPairing, digits: String?)] {
        lastLook = moment.now
        return going.values.map { ($0.pairing, $0.digits) }.ordered { $0.0.id < $1.0.id }
    }

    /// Takes an answer; the first one counts.
    ///
    /// - Parameters:
    ///   - id: The pairing.
    ///   - number: Which question is answered.
    ///   - answer: What a person says.
    ///   - moment: The moment.
    /// - Returns: How it is.
    /// - Throws: ``HubError`` when it is over, answered already, or needs another kind of answer.
    package mutating func answer(
        _ id: Int64, question number: Int, _ answer: Answer, at moment: Moment
    ) throws(HubError) -> HubPairing {
        lastLook = moment.now
        guard let one = going.values.first(where: { $0.pairing.id == id }) else {
            throw .notFound("This pairing is over.")
        }
        let pairing = one.pairing
        guard pairing.phase == .asking, pairing.question == number else {
            throw .notNow("That was answered already, or is over.")
        }
        switch (pairing.kind, answer) {
        case (_, .accept(false)):
            let reason =
                pairing.kind == .compare
                ? "The digits were not the same: somebody may be in between. Try again, and compare once more."
                : "It was refused at the hub."
            // The other pages close: it was answered.
            settle(one, .reject, within: Self.end, at: moment)
            return refuse(pairing.peer, reason, at: moment) ?? pairing
        case (.consent, .accept), (.compare, .accept): settle(one, .accept, within: Self.end, at: moment)
        case (.enter, .digits(let passkey)): settle(one, .passkey(passkey), within: Self.end, at: moment)
        case (.enter, .accept): throw .badValue("The six digits that the device shows are needed.")
        case (.show, _), (_, .digits): throw .badValue("Here only a no can be said: the device has to go on.")
        }
        return going[pairing.peer]?.pairing ?? pairing
    }

    /// A person has a device paired, whatever was said of it before.
    package mutating func personBegins(_ peer: Peer) { quiet[peer] = nil }

    // MARK: Questions

    /// Shows or asks something.
    ///
    /// - Parameters:
    ///   - asked: What.
    ///   - replacesBond: Whether the device takes the place of one that is known already; `nil` where that is not said.
    ///   - isAboutRequest: Whether it is asked because the device has refused a request.
    ///   - beginner: Who has begun.
    ///   - device: The device, if it is listed.
    ///   - moment: The moment.
    /// - Returns: The question, whose answer is an output; `nil` when the answer is no at once.
    package mutating func ask(
        _ asked: PairingAsked, replacesBond: Bool? = nil, isAboutRequest: Bool = false,
        begunBy beginner: HubPairing.Beginner, device: HubDevice?, at moment: Moment
    ) -> Question? {
        let (peer, known) = (asked.peer, going[asked.peer])
        guard !isOver, known != nil || going.count < Self.limit else { return nil }
        if beginner == .device, known == nil {
            if isAboutRequest, swept[peer] != nil { return nil }
            if let end = quiet[peer] {
                guard end <= moment.now else { return nil }
                quiet[peer] = nil
            }
        }
        let deadline = Timestamp(milliseconds: moment.time.milliseconds + Int64(Self.patience) * 1000)
        var pairing: HubPairing
        if let known {
            close(known, .reject)
            pairing = known.pairing
            (pairing.phase, pairing.kind, pairing.deadline) = (.asking, asked.kind, deadline)
            pairing.question += 1
        } else {
            lastID += 1
            pairing = HubPairing(
                id: lastID, device: device?.id, peer, name: device?.ownName ?? device?.name,
                begunBy: beginner, asked.kind, until: deadline)
        }
        if let replacesBond { pairing.replacesBond = replacesBond }
        let open = Open(
            digits: asked.digits, until: moment.now.advanced(bySeconds: Self.patience),
            check: moment.now.advanced(bySeconds: 1))
        let one = Going(pairing: pairing, state: .asking(open))
        going[peer] = one
        tell(pairing)
        return one.question
    }

    /// Handles that the radio has done with a question: pairing is over, or the link has gone.
    package mutating func withdraw(_ question: Question, at moment: Moment) {
        guard isOpen(question), let one = going[question.peer] else { return }
        // What it came to is told in a moment, unless nothing had begun.
        settle(one, .reject, within: 1, at: moment)
    }

    /// Everything that can be read is read of a device: what it refuses is no reason to ask.
    package mutating func beginSweep(of peer: Peer) { swept[peer, default: 0] += 1 }

    /// That is done.
    package mutating func endSweep(of peer: Peer) {
        let left = (swept[peer] ?? 1) - 1
        swept[peer] = left > 0 ? left : nil
    }

    /// Says no when the time is up, or nobody is there any more, and ends what has come to nothing.
    ///
    /// - Parameters:
    ///   - isWatched: Whether a page, or another program, would see a question.
    ///   - moment: The moment.
    package mutating func deadlineReached(isWatched: Bool, at moment: Moment) {
        let now = moment.now
        let isThere =
            isWatched || lastLook.map { now < $0.advanced(bySeconds: UInt64(Self.absence)) } ?? false
        for one in going.values.ordered(by: { $0.pairing.id < $1.pairing.id }) {
            let peer = one.pairing.peer
            switch one.state {
            case .asking(var open):
                open.absences = isThere ? 0 : open.absences + 1
                open.check = now.advanced(bySeconds: 1)
                going[peer]?.state = .asking(open)
                if open.until <= now {
                    refuse(
                        peer, "Nobody answered in time. Try again, and keep the device at hand.", at: moment)
                } else if open.absences >= Self.absence {
                    refuse(
                        peer, "No page of the hub was open to answer. Open one, then try again.", at: moment)
                }
            case .working(let until):
                guard until <= now else { continue }
                finish(
                    peer, .failed, "The device has gone or has given up. Bring it near and try again.")
            }
        }
    }

    // MARK: Ends

    /// Handles that a device is paired.
    package mutating func paired(_ peer: Peer, _ protection: ProtectionJSON) {
        quiet[peer] = nil
        finish(peer, .paired, nil, protection)
        if protection.isBonded { told.append(.bonded(BondsChanged())) }
    }

    /// Handles that a pairing has come to nothing.
    package mutating func failed(_ peer: Peer, _ reason: String) { finish(peer, .failed, reason) }

    /// Answers no to everything, now and from now on: the host ends.
    package mutating func close(at moment: Moment) {
        isOver = true
        for one in going.values.ordered(by: { $0.pairing.id < $1.pairing.id }) {
            refuse(one.pairing.peer, "The hub was stopped.", at: moment)
        }
    }

    // MARK: Parts

    /// Answers a question, if it is open; the digits are gone with it.
    private mutating func close(_ one: Going, _ answer: SMP.Answer) {
        guard case .asking = one.state else { return }
        told.append(.answered(one.question, answer))
    }

    /// Answers a question, after which the devices go on.
    private mutating func settle(
        _ one: Going, _ answer: SMP.Answer, within seconds: UInt64, at moment: Moment
    ) {
        close(one, answer)
        var next = one
        next.pairing.phase = .working
        next.state = .working(until: moment.now.advanced(bySeconds: seconds))
        going[one.pairing.peer] = next
        tell(next.pairing)
    }

    @discardableResult
    private mutating func refuse(_ peer: Peer, _ reason: String, at moment: Moment) -> HubPairing? {
        quiet[peer] = moment.now.advanced(bySeconds: Self.quiet)
        if quiet.count > Self.quietLimit { quiet = quiet.filter { $0.value > moment.now } }
        return finish(peer, .failed, reason)
    }

    @discardableResult
    private mutating func finish(
        _ peer: Peer, _ phase: HubPairing.Phase, _ reason: String?, _ protection: ProtectionJSON? = nil
    ) -> HubPairing? {
        guard var one = going.removeValue(forKey: peer) else { return nil }
        close(one, .reject)
        (one.pairing.phase, one.pairing.reason, one.pairing.protection) = (phase, reason, protection)
        tell(one.pairing)
        return one.pairing
    }

    private mutating func tell(_ pairing: HubPairing) { told.append(.changed(PairingChanged(pairing))) }
}
