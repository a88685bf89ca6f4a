// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Companion
import CompanionCore
import CompanionText
import SessionTesting
import Testing

@Suite("A device that a page explores")
struct ExplorerJobTests {
    @Test func everythingThatCanBeReadIsReadOnce() throws {
        let bench = ExplorerBench()
        let explorer = bench.explorer
        #expect(explorer.step == .ready && explorer.job == bench.job.job && bench.phases == [.open])
        #expect(explorer.mtu == 247 && explorer.trouble == nil && explorer.values == 0)
        #expect(explorer.progress.read == explorer.progress.all && !bench.isUnderWay)
        #expect(bench.reads.count == explorer.progress.all && Set(bench.reads).count == bench.reads.count)
        let tree = try #require(bench.tree)
        #expect(tree[bench.handle(Gadget.place)].octets == [1])
        #expect(tree[bench.handle(Gadget.level)].octets == [82])
        #expect(tree[bench.handle(Gadget.control)] == .notReadable)
        // What the device refuses says why, and the rest is read all the same.
        #expect(
            tree[bench.handle(Gadget.secret)]
                == .refused("the link must be encrypted first", .insufficientEncryption))
        #expect(bench.writes.isEmpty)
    }

    @Test func howFarItIsIsTold() {
        let bench = ExplorerBench(isStarted: false)
        bench.pair.discoveryMilliseconds = 1000
        bench.slowReads(milliseconds: 500)
        #expect(bench.explorer.step == .connecting)
        bench.start()
        #expect(bench.phase == .open && bench.explorer.step == .discovering && bench.tree == nil)
        bench.run(milliseconds: 1000)
        #expect(bench.explorer.step == .reading && bench.tree != nil)
        #expect(bench.explorer.progress.read == 0 && bench.explorer.progress.all > 1)
        let revision = bench.explorer.treeRevision
        bench.run(milliseconds: 500)
        #expect(bench.explorer.progress.read == 1)
        bench.run(seconds: 10)
        #expect(bench.explorer.step == .ready && bench.explorer.treeRevision == revision + 1)
    }

    @Test func aDeviceThatDoesNotSayWhatItHasIsGoodForOtherThings() throws {
        let bench = ExplorerBench(isStarted: false)
        bench.pair.discoveryMilliseconds = 60_000
        bench.start()
        bench.update { job, moment in job.receive(.discoveryFailed(.badResponse), at: moment) }
        #expect(bench.explorer.step == .ready && bench.tree == nil && bench.phase == .open)
        #expect(bench.explorer.trouble?.hasPrefix("What the device has could not be found: ") == true)
        try bench.read(bench.handle(Gadget.place), as: 1)
        #expect(bench.value(1)?.octets == [1] && bench.explorer.trouble == nil)
    }

    // MARK: Services that change

    @Test func whatChangesWhileItIsFoundIsFoundOnceMore() throws {
        let bench = ExplorerBench(isStarted: false)
        var discoveries = 0
        bench.pair.services = { services in
            discoveries += 1
            return services
        }
        bench.pair.discoveryMilliseconds = 100
        bench.start()
        bench.run(milliseconds: 50)
        bench.pair.changeServices()
        bench.pair.changeServices()
        // Never two at once.
        #expect(discoveries == 1)
        bench.run(milliseconds: 50)
        #expect(discoveries == 2 && bench.tree == nil && bench.reads.isEmpty)
        bench.run(seconds: 1)
        #expect(discoveries == 2 && bench.explorer.step == .ready)
        let tree = try #require(bench.tree)
        #expect(tree[bench.handle(Gadget.place)].octets == [1])
        #expect(bench.reads.count == bench.explorer.progress.all)
        #expect(bench.explorer.changes.map(\.text).contains("Its services have changed"))
    }

    @Test func whatCannotBeFoundAndHasChangedIsFoundOnceMore() {
        let bench = ExplorerBench(isStarted: false)
        var discoveries = 0
        bench.pair.services = { services in
            discoveries += 1
            return services
        }
        bench.pair.discoveryMilliseconds = 60_000
        bench.start()
        bench.pair.changeServices()
        bench.pair.discoveryMilliseconds = 0
        bench.update { job, moment in job.receive(.discoveryFailed(.badResponse), at: moment) }
        #expect(discoveries == 2 && bench.explorer.step == .ready && bench.explorer.trouble == nil)
    }

    @Test func whatChangesWhileItIsReadIsReadAnew() throws {
        let bench = ExplorerBench(isStarted: false)
        bench.slowReads(milliseconds: 30)
        bench.start()
        bench.pair.discoveryMilliseconds = 100
        bench.run(milliseconds: 45)
        let before = bench.reads
        #expect(before.count == 2)
        bench.pair.changeServices()
        #expect(bench.explorer.step == .discovering)
        bench.run(seconds: 2)
        #expect(bench.explorer.step == .ready && bench.explorer.progress.read == bench.explorer.progress.all)
        // What was left of the first round was not there any more.
        let after = bench.reads.dropFirst(before.count)
        #expect(after.count == bench.explorer.progress.all && Set(after).count == after.count)
        let tree = try #require(bench.tree)
        #expect(tree[bench.handle(Gadget.place)].octets == [1])
    }

    @Test func whatIsFoundAnewBeforeAnAnswerIsThereIsReadOnce() throws {
        let bench = ExplorerBench(isStarted: false)
        bench.slowReads(milliseconds: 30)
        bench.start()
        bench.run(milliseconds: 45)
        let before = bench.reads.count
        // The services are there before the value that was asked for.
        try bench.refresh()
        #expect(bench.explorer.step == .reading && bench.reads.count == before)
        bench.run(seconds: 2)
        #expect(bench.explorer.step == .ready && bench.explorer.progress.read == bench.explorer.progress.all)
        #expect(bench.reads.count - before == bench.explorer.progress.all)
    }

    @Test func whatIsReadyIsReadOnceMoreWhenAPageWantsThat() throws {
        let bench = ExplorerBench()
        let (revision, count) = (bench.explorer.treeRevision, bench.reads.count)
        try bench.refresh()
        #expect(bench.explorer.step == .ready && bench.reads.count == 2 * count)
        #expect(bench.explorer.treeRevision > revision)
    }

    @Test func whatChangesIsNotSubscribedToAnyMore() throws {
        let bench = ExplorerBench()
        try bench.watch(bench.handle(Gadget.rate), as: 1)
        #expect(bench.explorer.watched == [bench.number(Gadget.rate)] && bench.isWatching)
        bench.pair.changeServices()
        #expect(bench.explorer.watched.isEmpty && !bench.isWatching && bench.explorer.step == .ready)
        try bench.watch(bench.handle(Gadget.rate), as: 2)
        #expect(bench.explorer.watched == [bench.number(Gadget.rate)])
    }

    @Test func theLongestPacketMayChange() {
        let bench = ExplorerBench()
        bench.pair.changeMTU(to: 100)
        #expect(bench.explorer.mtu == 100 && bench.tree?.mtu == 100)
        #expect(bench.explorer.changes.map(\.text) == ["MTU 100"])
    }

    // MARK: The end

    @Test func oneThatIsNotThereIsSaidToBeSo() {
        let bench = ExplorerBench(isStarted: false)
        bench.pair.isThere = false
        bench.start()
        bench.pair.run(milliseconds: 14_999)
        #expect(bench.phase == .connecting)
        bench.pair.run(milliseconds: 1)
        #expect(bench.phases == [.ended] && bench.explorer.step == .connecting && bench.tree == nil)
        #expect(
            bench.reason
                == "The device did not answer within 15 seconds. Check that it is near, switched on and not connected to something else."
        )
    }

    @Test func aLinkThatCannotBeOpenedSaysWhatWasWrong() {
        let bench = ExplorerBench(isStarted: false)
        bench.pair.connectFailure = .connectTimeout
        bench.start()
        #expect(bench.phases == [.ended])
        #expect(bench.reason == JobText.failed(.connectFailed(.connectTimeout)))
    }

    @Test func whoeverEndsItNeedsNoReasonAndWhatIsKnownStays() throws {
        let bench = ExplorerBench()
        bench.end()
        #expect(bench.phases == [.open, .ended] && bench.reason == nil && !bench.pair.isConnected)
        #expect(bench.tree != nil && bench.explorer.job.phase == .ended)
        let gone = HubError.notNow(
            "The device is not connected. Wait a moment, or connect to it again.")
        #expect(throws: gone) { try bench.read(3, as: 1) }
        #expect(throws: gone) { try bench.refresh() }
    }

    @Test func endedBeforeItHasBegunItIsOverAtOnce() {
        let bench = ExplorerBench(isStarted: false)
        bench.end("The page was closed.")
        #expect(bench.phases == [.ended] && bench.reason == "The page was closed.")
    }

    @Test func aRadioThatStopsEndsIt() {
        let bench = ExplorerBench()
        bench.pair.setRadio(.off)
        #expect(bench.phases == [.open, .ended] && bench.reason?.hasPrefix("The link to the device") == true)
    }

    @Test func aPageThatIsGoneEndsItAndWhatIsKnownStays() throws {
        let bench = ExplorerBench()
        try bench.watch(bench.handle(Gadget.rate), as: 1)
        bench.pair.send([0x16, 72], from: Gadget.rate)
        bench.pair.run(seconds: 30)
        #expect(bench.phase == .ended && bench.reason == JobText.pageGone)
        #expect(bench.explorer.watched.isEmpty && bench.explorer.values == 1 && bench.logged() == [1])
    }

    @Test func whoLooksAtWhatItSendsIsNotIdle() throws {
        let bench = ExplorerBench()
        try bench.watch(bench.handle(Gadget.rate), as: 1)
        bench.run(seconds: 1000)
        #expect(bench.phase == .open)
        try bench.watch(bench.handle(Gadget.rate), isOn: false, as: 2)
        bench.run(seconds: 901)
        #expect(bench.phase == .ended && bench.reason == JobText.idle(minutes: 15))
    }

    @Test func thatItMayBeWrittenToIsConfirmedOnce() throws {
        let bench = ExplorerBench()
        #expect(!bench.explorer.mayWrite)
        bench.run(seconds: 1)
        try bench.ask { machine, _ throws(HubError) in machine.confirmWriting() }
        let revision = bench.explorer.revision
        #expect(bench.explorer.mayWrite)
        try bench.ask { machine, _ throws(HubError) in machine.confirmWriting() }
        #expect(bench.explorer.revision == revision)
    }
}
