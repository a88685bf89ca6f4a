// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire
import Testing

@Suite struct CommandQueueTests {
    static func complete(_ opcode: HCI.Opcode, packets: UInt8 = 1, _ octets: [UInt8] = [0])
        -> HCI.CommandComplete
    {
        HCI.CommandComplete(commandPackets: packets, opcode: opcode, returnParameters: octets)
    }

    static func status(_ opcode: HCI.Opcode, packets: UInt8 = 1, _ status: HCI.Status = .success)
        -> HCI.CommandStatus
    {
        HCI.CommandStatus(status: status, commandPackets: packets, opcode: opcode)
    }

    @Test func oneCommandMayBeSentBeforeAnyAnswer() {
        var queue = HCI.CommandQueue<Int>()
        #expect(queue.isIdle == true)
        #expect(queue.nextCommand(at: .zero) == nil)
        #expect(queue.enqueue(HCI.Reset(), for: 0) == true)
        #expect(queue.enqueue(HCI.ReadBDADDR(), for: 0) == true)
        #expect(queue.nextCommand(at: .zero) == .command(.reset, []))
        #expect(queue.nextCommand(at: .zero) == nil)
        let first = queue.receive(Self.complete(.reset))
        #expect(first?.opcode == .reset)
        #expect(first?.answer == .complete([0]))
        #expect(queue.nextCommand(at: .zero) == .command(.readBDADDR, []))
        #expect(queue.isIdle == false)
        #expect(queue.receive(Self.complete(.readBDADDR)) != nil)
        #expect(queue.isIdle == true)
    }

    @Test func creditsBoundWhatIsOutstanding() {
        var queue = HCI.CommandQueue<Int>()
        #expect(queue.receive(Self.complete(.none, packets: 3, [])) == nil)
        for handle in 0..<5 as Range<UInt16> {
            #expect(queue.enqueue(HCI.ReadRSSI(handle: .init(rawValue: handle)), for: Int(handle)) == true)
        }
        for _ in 0..<3 { #expect(queue.nextCommand(at: .zero) != nil) }
        #expect(queue.nextCommand(at: .zero) == nil)
        // Two are still outstanding, so a number of 2 leaves room for none, 3 for one.
        #expect(queue.receive(Self.complete(.readRSSI, packets: 2))?.purpose == 0)
        #expect(queue.nextCommand(at: .zero) == nil)
        #expect(queue.receive(Self.complete(.readRSSI, packets: 2))?.purpose == 1)
        #expect(queue.nextCommand(at: .zero) == .command(.readRSSI, [3, 0]))
        #expect(queue.nextCommand(at: .zero) == nil)
    }

    @Test func anAnswerWithoutCreditsHoldsTheNextCommandBack() {
        var queue = HCI.CommandQueue<Int>()
        _ = queue.enqueue(HCI.Reset(), for: 0)
        _ = queue.enqueue(HCI.LERand(), for: 0)
        _ = queue.nextCommand(at: .zero)
        #expect(queue.receive(Self.complete(.reset, packets: 0)) != nil)
        #expect(queue.nextCommand(at: .zero) == nil)
        #expect(queue.receive(Self.status(.none, packets: 1)) == nil)
        #expect(queue.nextCommand(at: .zero) == .command(.leRand, []))
        #expect(queue.unexpectedAnswers == 0)
    }

    @Test func commandStatusAnswersToo() {
        var queue = HCI.CommandQueue<Int>()
        let command = HCI.Disconnect(handle: link, reason: .remoteUserTerminatedConnection)
        _ = queue.enqueue(command, for: 7)
        _ = queue.nextCommand(at: .zero)
        let completion = queue.receive(Self.status(.disconnect, .unknownConnectionIdentifier))
        #expect(completion?.answer == .status(.unknownConnectionIdentifier))
        #expect(completion?.purpose == 7)
        #expect(queue.isIdle == true)
    }

    @Test func anAnswerThatNobodyAskedForIsCounted() {
        var queue = HCI.CommandQueue<Int>()
        _ = queue.enqueue(HCI.Reset(), for: 0)
        _ = queue.nextCommand(at: .zero)
        #expect(queue.receive(Self.complete(.leRand)) == nil)
        #expect(queue.receive(Self.status(.disconnect)) == nil)
        #expect(queue.unexpectedAnswers == 2)
        #expect(queue.receive(Self.complete(.reset)) != nil)
        #expect(queue.receive(Self.complete(.reset)) == nil)
        #expect(queue.unexpectedAnswers == 3)
    }

    @Test func answersMayComeInAnotherOrder() {
        var queue = HCI.CommandQueue<Int>()
        _ = queue.receive(Self.complete(.none, packets: 2, []))
        _ = queue.enqueue(HCI.LERand(), for: 0)
        _ = queue.enqueue(HCI.ReadBDADDR(), for: 0)
        _ = queue.nextCommand(at: .zero)
        _ = queue.nextCommand(at: .zero)
        #expect(queue.receive(Self.complete(.readBDADDR))?.opcode == .readBDADDR)
        #expect(queue.receive(Self.complete(.leRand))?.opcode == .leRand)
    }

    @Test func aCommandExpiresAfterTwoSeconds() {
        var queue = HCI.CommandQueue<Int>()
        _ = queue.enqueue(HCI.LERand(), for: 3)
        _ = queue.enqueue(HCI.Reset(), for: 0)
        #expect(queue.nextDeadline == nil)
        _ = queue.nextCommand(at: HostInstant(microseconds: 500))
        #expect(queue.nextDeadline == HostInstant(microseconds: 2_000_500))
        #expect(queue.expire(at: HostInstant(microseconds: 2_000_499)) == nil)
        #expect(queue.expire(at: HostInstant(microseconds: 2_000_500)) == 3)
        #expect(queue.expire(at: HostInstant(microseconds: 2_000_500)) == nil)
        #expect(queue.nextDeadline == nil)
        // A controller that says nothing can still be reset; a late answer is nobody's.
        #expect(queue.nextCommand(at: HostInstant(microseconds: 2_000_500)) == .command(.reset, []))
        #expect(queue.receive(Self.complete(.leRand)) == nil)
        #expect(queue.unexpectedAnswers == 1)
    }

    @Test func aControllerThatTellsMuchIsNotSilent() {
        var queue = HCI.CommandQueue<Int>()
        // Before anything is asked it counts for nothing.
        queue.controllerHeard(at: HostInstant(microseconds: 0))
        _ = queue.enqueue(HCI.LERand(), for: 3)
        _ = queue.nextCommand(at: HostInstant(microseconds: 0))
        #expect(queue.nextDeadline == HostInstant(microseconds: 2_000_000))
        for second in 1...27 {
            let now = HostInstant(microseconds: UInt64(second) * 1_000_000)
            queue.controllerHeard(at: now)
            #expect(queue.expire(at: now) == nil)
            #expect(queue.nextDeadline == now.advanced(byMicroseconds: 2_000_000))
        }
        // But it has to answer one day.
        for second in 28...29 {
            let now = HostInstant(microseconds: UInt64(second) * 1_000_000)
            queue.controllerHeard(at: now)
            #expect(queue.expire(at: now) == nil)
            #expect(queue.nextDeadline == HostInstant(microseconds: 30_000_000))
        }
        queue.controllerHeard(at: HostInstant(microseconds: 30_000_000))
        #expect(queue.expire(at: HostInstant(microseconds: 30_000_000)) == 3)
    }

    @Test func aFullQueueTakesNoMore() {
        var queue = HCI.CommandQueue<Int>(capacity: 2)
        #expect(queue.enqueue(HCI.LERand(), for: 0) == true)
        #expect(queue.enqueue(HCI.LERand(), for: 0) == true)
        #expect(queue.enqueue(HCI.LERand(), for: 0) == false)
        _ = queue.nextCommand(at: .zero)
        #expect(queue.enqueue(HCI.LERand(), for: 0) == true)
    }

    @Test func removingAllForgetsWhatIsOutstanding() {
        var queue = HCI.CommandQueue<Int>()
        _ = queue.enqueue(HCI.LERand(), for: 0)
        _ = queue.enqueue(HCI.ReadBDADDR(), for: 0)
        _ = queue.nextCommand(at: .zero)
        queue.removeAll()
        #expect(queue.isIdle == true)
        #expect(queue.nextDeadline == nil)
        _ = queue.enqueue(HCI.Reset(), for: 0)
        #expect(queue.nextCommand(at: .zero) == .command(.reset, []))
    }
}
