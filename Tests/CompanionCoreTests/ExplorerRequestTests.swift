// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Companion
import CompanionCore
import CompanionText
import SessionTesting
import Testing

@Suite("What a page asks of a device that it explores")
struct ExplorerRequestTests {
    // MARK: Reading and writing

    @Test func valuesAreReadWrittenAndRefusedInWords() throws {
        let bench = ExplorerBench()
        try bench.read(bench.handle(Gadget.place), as: 1)
        let place = try #require(bench.value(1))
        #expect(place.octets == [1] && place.kind == .read && place.number == 1 && place.error == nil)
        try bench.write([1], to: Gadget.control, as: 2)
        #expect(bench.value(2)?.error == nil && bench.value(2)?.kind == .write)
        #expect(bench.deviceWritten == [[1]] && bench.explorer.trouble == nil)

        try bench.write([2], to: Gadget.control, as: 3)
        let refused = try #require(bench.value(3))
        #expect(refused.error == "application error 0x80" && refused.errorCode?.rawValue == 0x80)
        #expect(bench.explorer.trouble == "Writing was refused: application error 0x80.")
        try bench.read(bench.handle(Gadget.control), as: 4)
        let unreadable = try #require(bench.value(4))
        #expect(unreadable.octets == nil && unreadable.error == "reading is not permitted")
        #expect(bench.explorer.trouble == "Reading was refused: reading is not permitted.")
        try bench.read(60_000, as: 5)
        #expect(bench.value(5)?.error == "there is nothing with this handle")
        try bench.read(bench.handle(Gadget.place), as: 6)
        #expect(bench.explorer.trouble == nil)

        #expect(bench.completed.map(\.id) == [1, 2, 3, 4, 5, 6])
        #expect(bench.logged() == [6, 5, 4, 3, 2, 1] && bench.explorer.values == 6)
        #expect(bench.logged(of: bench.number(Gadget.control), before: 4, limit: 2) == [3, 2])
        #expect(bench.tree?[bench.handle(Gadget.control)].error == "reading is not permitted")
    }

    @Test func aWriteNeedNotBeAnswered() throws {
        let bench = ExplorerBench()
        try bench.write([7], to: Gadget.dial, isAnswered: false, as: 1)
        #expect(bench.value(1)?.kind == .writeWithoutResponse && bench.value(1)?.octets == [7])
        #expect(bench.deviceWritten == [[7]])
        // Where that is all that it takes, a refusal says so.
        try bench.write([8], to: Gadget.dial, as: 2)
        #expect(
            bench.value(2)?.error == "writing is not permitted; it takes writes without response only")
        #expect(bench.deviceWritten == [[7]])
    }

    @Test func whatIsNoAnswerOfTheDeviceIsAFault() throws {
        let bench = ExplorerBench()
        bench.pair.fate = { _ in .answered(.failure(.queueFull)) }
        try bench.read(bench.handle(Gadget.place), as: 1)
        try bench.write([1], to: Gadget.control, as: 2)
        try bench.watch(bench.handle(Gadget.rate), as: 3)
        for id in 1...3 as ClosedRange<Int64> {
            #expect(bench.fault(id)?.description.hasPrefix("It did not work: ") == true)
        }
        #expect(bench.logged().isEmpty && bench.explorer.watched.isEmpty)
        bench.pair.fate = { _ in .answered(.failure(.badResponse)) }
        try bench.read(bench.handle(Gadget.place), as: 4)
        #expect(bench.value(4)?.error == "the answer makes no sense")
    }

    // MARK: One after the other

    @Test func aPageNeedNotWaitUntilEverythingIsRead() throws {
        let bench = ExplorerBench(isStarted: false)
        bench.slowReads(milliseconds: 100)
        bench.start()
        #expect(bench.pair.requests.count == 1)
        try bench.write([1], to: Gadget.control, as: 1)
        #expect(bench.pair.requests.count == 1 && bench.isUnderWay)
        bench.run(milliseconds: 100)
        // It comes before what is still to be read.
        #expect(bench.completed.map(\.id) == [1] && bench.deviceWritten == [[1]])
        #expect(bench.explorer.step == .reading && bench.explorer.progress.read == 1)
        bench.run(seconds: 5)
        #expect(bench.explorer.step == .ready && bench.explorer.progress.read == bench.explorer.progress.all)
    }

    @Test func onlySoManyRequestsWait() throws {
        let bench = ExplorerBench()
        bench.slowReads(milliseconds: 100)
        let place = bench.handle(Gadget.place)
        for id in 1...8 as ClosedRange<Int64> { try bench.read(place, as: id) }
        let full = HubError.notNow("The device has not answered what was asked before. Wait a moment.")
        #expect(throws: full) { try bench.read(place, as: 9) }
        bench.run(milliseconds: 100)
        try bench.read(place, as: 10)
        #expect(throws: full) { try bench.read(place, as: 11) }
        bench.run(seconds: 2)
        #expect(bench.completed.map(\.id) == [1, 2, 3, 4, 5, 6, 7, 8, 10] && !bench.isUnderWay)
    }

    @Test func aDeviceThatDoesNotAnswerIsLetGo() throws {
        let bench = ExplorerBench()
        bench.pair.fate = { _ in .unanswered }
        try bench.read(bench.handle(Gadget.place), as: 1)
        try bench.write([1], to: Gadget.control, as: 2)
        try bench.watch(bench.handle(Gadget.rate), as: 3)
        bench.run(milliseconds: 34_999)
        #expect(bench.phase == .open && bench.completed.isEmpty)
        bench.run(milliseconds: 1)
        #expect(bench.phase == .ended && !bench.pair.isConnected && !bench.isUnderWay)
        #expect(bench.reason == "The device did not answer what it was asked. Connect to it again.")
        #expect(bench.completed.map(\.id) == [1, 2, 3])
        for id in 1...3 as ClosedRange<Int64> { #expect(bench.fault(id) == .notNow(JobText.linkLost)) }
    }

    @Test func eachAnswerIsWaitedForAnew() throws {
        let bench = ExplorerBench()
        bench.slowReads(milliseconds: 20_000)
        for id in 1...3 as ClosedRange<Int64> { try bench.read(bench.handle(Gadget.place), as: id) }
        bench.run(seconds: 61)
        #expect(bench.phase == .open && bench.completed.map(\.id) == [1, 2, 3])
        // And nothing is waited for when nothing was asked.
        bench.run(seconds: 60)
        #expect(bench.phase == .open)
    }

    @Test func whoWaitsWhenTheLinkIsLostIsTold() throws {
        let bench = ExplorerBench()
        bench.slowReads(milliseconds: 1000)
        for id in 1...3 as ClosedRange<Int64> { try bench.read(bench.handle(Gadget.place), as: id) }
        bench.run(milliseconds: 1500)
        bench.pair.loseLink()
        #expect(bench.reason == "The link to the device was lost. Bring it near and try again.")
        #expect(bench.completed.map(\.id) == [1, 2, 3] && bench.value(1)?.octets == [1])
        #expect(bench.fault(2) == .notNow(JobText.linkLost) && bench.fault(3) == bench.fault(2))
        #expect(!bench.isUnderWay)
        // The end comes after all answers.
        guard case .changed(let last) = try #require(bench.pair.events.last) else {
            Issue.record("something came after the end")
            return
        }
        #expect(last.phase == .ended)
    }

    @Test func whoWaitsWhenSomebodyEndsItIsTold() throws {
        let bench = ExplorerBench()
        bench.slowReads(milliseconds: 1000)
        for id in 1...2 as ClosedRange<Int64> { try bench.read(bench.handle(Gadget.place), as: id) }
        bench.end()
        #expect(bench.phase == .ended && bench.reason == nil && bench.completed.map(\.id) == [1, 2])
        #expect(bench.fault(1) == .notNow(JobText.linkLost) && bench.fault(2) == bench.fault(1))
    }

    // MARK: What the device sends by itself

    @Test func whatIsSubscribedToIsShown() throws {
        let bench = ExplorerBench()
        let rate = bench.handle(Gadget.rate)
        try bench.watch(rate, as: 1)
        try bench.watch(rate, as: 2)
        #expect(bench.explorer.watched == [bench.number(Gadget.rate)] && bench.isWatching)
        guard case .success(.done)? = bench.completed.first?.result else {
            Issue.record("it was not answered")
            return
        }
        bench.pair.send([0x16, 72], from: Gadget.rate)
        let value = try #require(bench.valueEvents.last?.values.last)
        #expect(value.kind == .notify && value.octets == [0x16, 72] && value.number == 1)
        #expect(bench.tree?[rate].octets == [0x16, 72] && bench.explorer.values == 1)
        try bench.watch(rate, isOn: false, as: 3)
        #expect(bench.explorer.watched.isEmpty && !bench.isWatching)
        #expect(bench.completed.map(\.id) == [1, 2, 3])
    }

    @Test func whatCannotBeSubscribedToIsNotAskedFor() throws {
        let bench = ExplorerBench()
        let count = bench.pair.requests.count
        #expect(throws: HubError.badValue("Only the value of a characteristic can be subscribed to.")) {
            try bench.watch(1, as: 1)
        }
        #expect(throws: HubError.notNow("This value is not sent by itself. Read it instead.")) {
            try bench.watch(bench.handle(Gadget.place), as: 2)
        }
        #expect(bench.pair.requests.count == count && !bench.isUnderWay)
        bench.pair.fate = { _ in .answered(.failure(.refused(.insufficientEncryption))) }
        try bench.watch(bench.handle(Gadget.rate), as: 3)
        let words = "The device has refused it: "
        #expect(bench.fault(3)?.description.hasPrefix(words) == true)
        #expect(bench.explorer.trouble?.hasPrefix(words) == true && bench.explorer.watched.isEmpty)
    }

    @Test func aDeviceThatTalksWithoutEndIsToldFiveTimesASecond() throws {
        let bench = ExplorerBench()
        bench.run(seconds: 1)
        try bench.watch(bench.handle(Gadget.rate), as: 1)
        bench.run(seconds: 1)
        let before = bench.pair.events.count
        for number in 0..<1000 {
            bench.pair.send([0x16, UInt8(number % 200)], from: Gadget.rate)
            bench.pair.run(milliseconds: 1)
        }
        #expect((5...6).contains(bench.valueEvents.count))
        bench.run(seconds: 1)
        // What came last is told, too, and what is left out is counted.
        let events = bench.valueEvents
        #expect(events.count <= 7 && events.allSatisfy { $0.values.count <= 20 })
        #expect(events.map { $0.values.count + $0.leftOut }.reduce(0, +) == 1000)
        #expect(events.last?.total == 1000 && events.last?.values.last?.number == 1000)
        #expect(bench.explorer.values == 1000 && bench.explorer.logged == 1000 && bench.explorer.dropped == 0)
        // Nothing else was told for them.
        #expect(bench.pair.events.count - before == events.count)
    }

    @Test func whatWasNotToldYetIsToldBeforeTheEnd() throws {
        let bench = ExplorerBench()
        for number in 1...3 as ClosedRange<UInt8> { bench.pair.send([number], from: Gadget.rate) }
        #expect(bench.valueEvents.flatMap(\.values).map(\.number) == [1])
        bench.pair.loseLink()
        #expect(bench.valueEvents.flatMap(\.values).map(\.number) == [1, 2, 3])
        #expect(bench.phase == .ended)
    }
}
