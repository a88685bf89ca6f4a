// SPDX-License-Identifier: Apache-2.0

import BLESMP
import BLEWire
import Companion
import CompanionCore
import HubModel
import Testing

@Suite("What people are asked while devices pair")
struct PairingsTests {
    private static let peer = Peer(BluetoothAddress(0xC1AA_0000_0001, kind: .random))
    private static let other = Peer(BluetoothAddress(0xC1AA_0000_0002, kind: .random))
    private static let noAnswer = "Nobody answered in time. Try again, and keep the device at hand."
    private static let noPage = "No page of the hub was open to answer. Open one, then try again."
    private static let gone = "The device has gone or has given up. Bring it near and try again."

    /// Pairings, a clock that a test moves, and what has come of them.
    private final class Bench {
        var pairings = Pairings(at: Moment.beginning.time)
        /// Seconds since the beginning.
        var seconds: UInt64 = 0
        /// Whether a page is open.
        var isWatched = true
        private(set) var answers: [Pairings.Question: SMP.Answer] = [:]
        private(set) var told: [HubPairing] = []
        private(set) var bonds = 0

        var moment: Moment {
            let time = Moment.beginning.time.milliseconds + Int64(seconds) * 1000
            return Moment(Moment.beginning.now.advanced(bySeconds: seconds), Timestamp(milliseconds: time))
        }

        func ask(
            _ kind: PairingAsked.Kind, _ digits: String? = nil, of peer: Peer = PairingsTests.peer,
            by beginner: HubPairing.Beginner = .device, isAboutRequest: Bool = false, replaces: Bool? = nil,
            device: HubDevice? = nil
        ) -> Pairings.Question? {
            let question = pairings.ask(
                PairingAsked(peer, kind, digits: digits), replacesBond: replaces,
                isAboutRequest: isAboutRequest, begunBy: beginner, device: device, at: moment)
            drain()
            return question
        }

        func answer(_ answer: Pairings.Answer, to number: Int = 1) throws(HubError) -> HubPairing {
            defer { drain() }
            return try pairings.answer(told.last?.id ?? 0, question: number, answer, at: moment)
        }

        func withdraw(_ question: Pairings.Question) {
            pairings.withdraw(question, at: moment)
            drain()
        }

        func paired(isBonded: Bool = true) {
            pairings.paired(
                PairingsTests.peer, ProtectionJSON(.secureConnections, keySize: 16, isBonded: isBonded))
            drain()
        }

        func failed(_ reason: String) {
            pairings.failed(PairingsTests.peer, reason)
            drain()
        }

        func close() {
            pairings.close(at: moment)
            drain()
        }

        /// What goes on, as pages see it.
        func look() -> [String] {
            pairings.look(at: moment).map { "\($0.pairing.phase) \($0.pairing.question) \($0.digits ?? "-")" }
        }

        /// Lets time go by; every deadline is met.
        func wait(_ length: UInt64) {
            let end = seconds + length
            while let due = pairings.nextDeadline, due <= Moment.beginning.now.advanced(bySeconds: end) {
                seconds = max(seconds, due.microseconds(since: Moment.beginning.now) / 1_000_000)
                pairings.deadlineReached(isWatched: isWatched, at: moment)
                drain()
            }
            seconds = end
        }

        private func drain() {
            while let output = pairings.nextOutput() {
                switch output {
                case .answered(let question, let answer):
                    // Whoever waits is answered once.
                    #expect(answers.updateValue(answer, forKey: question) == nil)
                case .changed(let event): told.append(event.pairing)
                case .bonded: bonds += 1
                }
            }
        }
    }

    private let bench = Bench()

    private var phases: [HubPairing.Phase] { bench.told.map { $0.phase } }

    // MARK: Answers

    @Test func theFirstAnswerCounts() throws {
        let question = try #require(bench.ask(.compare, "042917"))
        let pairing = try #require(bench.told.last)
        #expect(pairing.phase == .asking && pairing.kind == .compare && pairing.beginner == .device)
        #expect(pairing.deadline.milliseconds - bench.moment.time.milliseconds == 28_000)
        #expect(bench.look() == ["asking 1 042917"] && bench.pairings.isOpen(question))
        #expect(try bench.answer(.accept(true)).phase == .working)
        #expect(bench.answers == [question: .accept] && !bench.pairings.isOpen(question))
        for isYes in [true, false] {
            #expect(throws: HubError.notNow("That was answered already, or is over.")) {
                try bench.answer(.accept(isYes))
            }
        }
        // The digits are gone with the question.
        #expect(bench.look() == ["working 1 -"])
        bench.paired()
        #expect(bench.look().isEmpty && phases == [.asking, .working, .paired] && bench.bonds == 1)
        #expect(bench.told.last?.protection?.level == .secureConnections)
        #expect(throws: HubError.notFound("This pairing is over.")) { try bench.answer(.accept(true)) }
        #expect(bench.pairings.nextDeadline == nil)
    }

    @Test func digitsAreTypedAndNothingElseWillDo() throws {
        let passkey = try #require(SMP.Passkey(42_917))
        let question = try #require(bench.ask(.enter))
        #expect(throws: HubError.badValue("The six digits that the device shows are needed.")) {
            try bench.answer(.accept(true))
        }
        _ = try bench.answer(.digits(passkey))
        #expect(bench.answers == [question: .passkey(passkey)])
        bench.failed("the digits are wrong")
        #expect(bench.told.last?.reason == "the digits are wrong")
        // A failure that nobody here has wanted is no reason to be silent about the next try.
        let first = bench.told.last?.id
        #expect(bench.ask(.enter) != nil)
        #expect(try #require(bench.told.last).id > #require(first))
    }

    @Test(arguments: [PairingAsked.Kind.show, .consent, .compare]) func digitsAreTypedNowhereElse(
        kind: PairingAsked.Kind
    ) throws {
        let question = try #require(bench.ask(kind, "042917"))
        let passkey = try #require(SMP.Passkey(1))
        let onlyNo = HubError.badValue("Here only a no can be said: the device has to go on.")
        #expect(throws: onlyNo) { try bench.answer(.digits(passkey)) }
        if kind == .show { #expect(throws: onlyNo) { try bench.answer(.accept(true)) } }
        #expect(bench.answers.isEmpty && bench.pairings.isOpen(question))
    }

    @Test(arguments: PairingAsked.Kind.allCases) func aNoEndsItAndTheDeviceIsLeftInPeaceForAMinute(
        kind: PairingAsked.Kind
    ) throws {
        let question = try #require(bench.ask(kind))
        let refused = try bench.answer(.accept(false))
        #expect(refused.phase == .failed && bench.answers == [question: .reject] && bench.look().isEmpty)
        #expect(refused.reason?.contains(kind == .compare ? "not the same" : "refused at the hub") == true)
        // The other pages close: it was answered.
        #expect(phases == [.asking, .working, .failed])
        bench.seconds += 59
        #expect(bench.ask(.consent) == nil && bench.look().isEmpty)
        bench.seconds += 1
        #expect(bench.ask(.consent) != nil)
    }

    @Test func aPersonMayBeginWhatWasRefused() throws {
        _ = bench.ask(.consent)
        _ = try bench.answer(.accept(false))
        #expect(bench.ask(.consent) == nil)
        #expect(bench.ask(.enter, by: .person) != nil)
        #expect(bench.told.last?.beginner == .person)
        _ = try bench.answer(.accept(false))
        bench.pairings.personBegins(Self.peer)
        #expect(bench.ask(.consent) != nil)
    }

    @Test func whatIsPairedIsRefusedNoMore() throws {
        _ = bench.ask(.consent)
        _ = try bench.answer(.accept(false))
        bench.paired(isBonded: false)
        #expect(bench.ask(.consent) != nil && bench.bonds == 0)
    }

    // MARK: One after the other

    @Test func oneQuestionFollowsTheOther() throws {
        let device = HubDevice(id: 7, peer: Self.peer)
        let first = try #require(bench.ask(.consent, replaces: true, device: device))
        _ = try bench.answer(.accept(true))
        let second = try #require(bench.ask(.enter))
        let next = try #require(bench.told.last)
        #expect(next.id == bench.told.first?.id && next.question == 2 && next.kind == .enter)
        #expect(next.device == 7 && next.replacesBond)
        // What was answered late answers nothing newer.
        for isYes in [true, false] {
            #expect(throws: HubError.notNow("That was answered already, or is over.")) {
                try bench.answer(.accept(isYes), to: 1)
            }
        }
        bench.withdraw(first)
        #expect(bench.pairings.isOpen(second) && bench.answers == [first: .accept])
    }

    @Test func aQuestionTakesThePlaceOfOneThatIsOpen() throws {
        let first = try #require(bench.ask(.show, "042917"))
        bench.seconds = 20
        let second = try #require(bench.ask(.consent))
        #expect(bench.answers == [first: .reject] && bench.look() == ["asking 2 -"])
        bench.wait(27)
        #expect(bench.pairings.isOpen(second))
        bench.wait(1)
        #expect(bench.answers == [first: .reject, second: .reject])
    }

    @Test func severalPairAtOnceAndTheOldestIsTheFirst() throws {
        let first = try #require(bench.ask(.consent))
        let second = try #require(bench.ask(.enter, of: Self.other))
        #expect(bench.pairings.look(at: bench.moment).map { $0.pairing.peer } == [Self.peer, Self.other])
        bench.failed("over")
        #expect(bench.answers == [first: .reject] && bench.pairings.isOpen(second))
    }

    @Test func noMoreThanSixteenPairAtOnce() {
        func peer(_ number: UInt64) -> Peer { Peer(BluetoothAddress(number, kind: .random)) }
        for number in 1...16 as ClosedRange<UInt64> { #expect(bench.ask(.consent, of: peer(number)) != nil) }
        #expect(bench.ask(.consent, of: peer(17)) == nil && bench.ask(.enter, of: peer(16)) != nil)
    }

    // MARK: Nobody answers

    @Test func theTimeIsUp() throws {
        let question = try #require(bench.ask(.consent))
        bench.wait(27)
        #expect(bench.pairings.isOpen(question))
        bench.wait(1)
        #expect(bench.answers == [question: .reject] && bench.told.last?.reason == Self.noAnswer)
        // It is left in peace for a while.
        #expect(bench.ask(.consent) == nil)
    }

    @Test func noPageIsOpen() throws {
        bench.isWatched = false
        let question = try #require(bench.ask(.consent))
        bench.wait(4)
        #expect(bench.pairings.isOpen(question))
        bench.wait(1)
        #expect(bench.answers == [question: .reject] && bench.told.last?.reason == Self.noPage)
    }

    @Test func theLastPageIsClosedOrLoadedAnewWhileItAsks() throws {
        let question = try #require(bench.ask(.consent))
        bench.wait(10)
        bench.isWatched = false
        bench.wait(4)
        bench.isWatched = true
        bench.wait(4)
        #expect(bench.pairings.isOpen(question))
        bench.isWatched = false
        bench.wait(5)
        #expect(bench.told.last?.reason == Self.noPage)
    }

    @Test func whoeverLooksIsThereWithoutFollowing() throws {
        bench.isWatched = false
        let question = try #require(bench.ask(.consent))
        for _ in 1...6 {
            bench.wait(4)
            #expect(!bench.look().isEmpty && bench.pairings.isOpen(question))
        }
        bench.wait(4)
        #expect(bench.told.last?.reason == Self.noAnswer)
    }

    // MARK: Ends

    @Test func theRadioHasDoneWithAQuestion() throws {
        let question = try #require(bench.ask(.show, "042917"))
        bench.withdraw(question)
        #expect(bench.answers == [question: .reject] && bench.look() == ["working 1 -"])
        bench.paired()
        #expect(phases == [.asking, .working, .paired])
        bench.withdraw(question)
        #expect(bench.told.count == 3)
    }

    @Test func theLinkDropsBeforeAnythingHasBegun() throws {
        let question = try #require(bench.ask(.consent))
        bench.withdraw(question)
        bench.wait(1)
        #expect(bench.look().isEmpty && bench.told.last?.reason == Self.gone)
        // That was no refusal of anybody's.
        #expect(bench.ask(.consent) != nil)
    }

    @Test func whatIsAnsweredAndComesToNothingEndsByItself() throws {
        _ = bench.ask(.consent)
        _ = try bench.answer(.accept(true))
        bench.wait(39)
        #expect(bench.look() == ["working 1 -"])
        bench.wait(1)
        #expect(bench.look().isEmpty && bench.told.last?.reason == Self.gone)
    }

    @Test func theHostEnds() throws {
        let first = try #require(bench.ask(.enter))
        let second = try #require(bench.ask(.consent, of: Self.other))
        bench.close()
        #expect(bench.answers == [first: .reject, second: .reject])
        #expect(bench.told.suffix(2).map { $0.reason } == ["The hub was stopped.", "The hub was stopped."])
        #expect(bench.ask(.enter, by: .person) == nil && bench.pairings.nextDeadline == nil)
    }

    @Test func whatEndsThatNobodyWasAskedOfIsNotTold() {
        bench.failed("no")
        bench.paired()
        #expect(bench.told.isEmpty && bench.bonds == 1)
    }

    @Test func readingEverythingAsksNobody() throws {
        bench.pairings.beginSweep(of: Self.peer)
        bench.pairings.beginSweep(of: Self.peer)
        bench.pairings.endSweep(of: Self.peer)
        #expect(bench.ask(.consent, isAboutRequest: true) == nil)
        #expect(bench.ask(.consent, of: Self.other, isAboutRequest: true) != nil)
        // The device itself may ask meanwhile, and a person.
        let question = try #require(bench.ask(.consent))
        bench.withdraw(question)
        bench.wait(1)
        #expect(bench.ask(.enter, by: .person, isAboutRequest: true) != nil)
        bench.failed("over")
        bench.pairings.endSweep(of: Self.peer)
        #expect(bench.ask(.consent, isAboutRequest: true) != nil)
    }
}
