// SPDX-License-Identifier: Apache-2.0

import BLESMP
import BLEWire
import FuzzTargets
import Fuzzing
import Testing

/// What the air, or somebody on it, does to whole conversations.
@Suite struct ChaosTests {
    /// A conversation with something done to its PDUs, which are counted from 0.
    private func run(_ conversation: Conversation, _ change: @escaping (Int, [UInt8]) -> [[UInt8]]) -> Duo {
        var duo = conversation.fresh()
        var number = 0
        duo.onAir = { _, octets in
            defer { number += 1 }
            return change(number, octets)
        }
        duo.pair()
        return duo
    }

    @Test(arguments: Conversation.all) func `a PDU that is lost ends pairing by time, or with the next key`(
        _ conversation: Conversation
    ) {
        let trace = conversation.trace
        for lost in trace.indices {
            var duo = run(conversation) { $0 == lost ? [] : [$1] }
            // What comes next without waiting for it: not the keys, which wait for encryption.
            let isFollowed =
                trace[lost].code != 0x04 && trace[lost].code != 0x0D
                && trace.dropFirst(lost + 1).first?.role == trace[lost].role
            #expect((duo.initiator.isPairing || duo.responder.isPairing) == !isFollowed, "\(lost)")
            duo.wait(seconds: 29)
            #expect((duo.initiator.isPairing || duo.responder.isPairing) == !isFollowed, "\(lost)")
            duo.wait(seconds: 1)
            #expect(!duo.initiator.isPairing && !duo.responder.isPairing, "\(lost)")
            for said in [duo.saidByInitiator, duo.saidByResponder] {
                let expected: [SMP.Failure] =
                    isFollowed
                    ? [.refused(.unspecifiedReason), .refusedByPeer(.unspecifiedReason)] : [.timeout]
                let isUntouched = lost == 0 && said.sent.isEmpty && said.failures.isEmpty
                #expect(said.paired.isEmpty != said.failures.isEmpty || isUntouched, "\(lost)")
                #expect(said.failures.allSatisfy(expected.contains), "\(lost) \(said.failures)")
            }
            let isBoth = !duo.saidByInitiator.paired.isEmpty && !duo.saidByResponder.paired.isEmpty
            #expect(!isBoth, "\(lost)")
        }
    }

    @Test(arguments: Conversation.all) func `a PDU that comes twice ends pairing, or comes too late`(
        _ conversation: Conversation
    ) {
        let trace = conversation.trace
        for (twice, arriving) in trace.enumerated() {
            var duo = run(conversation) { $0 == twice ? [$1, $1] : [$1] }
            duo.wait(seconds: 30)
            let isPaired = !duo.saidByInitiator.paired.isEmpty && !duo.saidByResponder.paired.isEmpty
            // Only the last key that a side gets: then it is done, and the repetition is passed over.
            let isLast = !trace.dropFirst(twice + 1).contains { $0.role == arriving.role }
            #expect(isPaired == isLast, "\(twice)")
            let reason = (arriving.role == .initiator ? duo.saidByInitiator : duo.saidByResponder).reason
            #expect(reason == (isLast ? nil : .unspecifiedReason), "\(twice)")
            if isLast { #expect(duo.initiator.ignored + duo.responder.ignored == 1) }
        }
    }

    @Test(arguments: Conversation.all) func `keys that come in another order are refused`(
        _ conversation: Conversation
    ) {
        let length = conversation.length
        var refused = 0
        for first in 0..<(length - 1) {
            var held: [UInt8]?
            let duo = run(conversation) { number, octets in
                if number == first {
                    held = octets
                    return []
                }
                guard let late = held else { return [octets] }
                held = nil
                return [octets, late]
            }
            // Two PDUs of one side, one after the other, are keys; otherwise the other side waits.
            let sides = [duo.saidByInitiator, duo.saidByResponder]
            if sides.contains(where: { $0.failures == [.refused(.unspecifiedReason)] }) { refused += 1 }
            #expect(!sides.allSatisfy { !$0.paired.isEmpty }, "\(first)")
        }
        #expect(refused >= 2)
    }

    @Test(arguments: Conversation.all)
    func `octets that change on the way never give two sides different keys`(
        _ conversation: Conversation
    ) {
        var random = SplitMix64(seed: 18)
        let length = conversation.length
        var paired = 0
        for _ in 0..<400 {
            let number = random.below(length)
            let (place, bits) = (random.below(65), UInt8(1 + random.below(255)))
            var duo = run(conversation) { index, octets in
                guard index == number else { return [octets] }
                var octets = octets
                octets[place % octets.count] ^= bits
                return [octets]
            }
            duo.wait(seconds: 30)
            #expect(!duo.initiator.isPairing && !duo.responder.isPairing)
            guard let one = duo.saidByInitiator.paired.first, let other = duo.saidByResponder.paired.first
            else {
                continue
            }
            paired += 1
            #expect(one.level == other.level && one.keySize == other.keySize)
            let isSame = duo.saidByInitiator.key.flatMap { key in
                duo.saidByResponder.key.map { $0.key.isSame(as: key.key) }
            }
            #expect(isSame == true)
        }
        // An identity may change, or a bit that is reserved; nothing else.
        #expect(paired < 300)
    }

    @Test func `whatever an input says, promises hold`() throws {
        let target = try #require(FuzzTarget.all.first { $0.name == "smp" })
        var random = SplitMix64(seed: 18)
        for _ in 0..<3000 {
            // Mostly PDUs that arrive, so that pairing comes far.
            var input = random.octets(4) + [0x08]
            for _ in 0..<random.below(60) {
                input.append(
                    random.below(3) == 0 ? UInt8(random.below(256)) : random.below(2) == 0 ? 0xF0 : 0xE0)
                if random.below(6) == 0 { input += [0x09, 0x19, 0x0A, 5, 0x1A, 5, 0x1B, 0x0C] }
            }
            do throws(Broken) {
                try target.run(input)
            } catch {
                Issue.record("\(input): \(error.promise)")
            }
        }
    }
}
