// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionCore
import CompanionText
import LEDBulb
import Nightlight
import SessionTesting
import Testing

@Suite("Why a job on a device ends")
struct JobReasonTests {
    private let bench: JobBench<LampJob, NightlightDevice>

    init() {
        var table = JobTable.fresh
        let job = table.beginLamp(.tested, clock: LocalClock(), at: .beginning)
        bench = JobBench(job, NightlightDevice())
    }

    @Test func aDeviceThatIsNotHeardIsLookedForTenSeconds() {
        bench.pair.isThere = false
        bench.start()
        bench.pair.run(milliseconds: 9999)
        #expect(bench.phase == .connecting && bench.pair.isScanning)
        bench.pair.run(milliseconds: 1)
        #expect(bench.phases == [.ended] && bench.reason == JobText.notHeard)
        #expect(!bench.pair.isScanning && bench.pair.isFinished)
    }

    @Test func aDeviceThatIsHeardButDoesNotAnswerIsNotWaitedForLonger() {
        bench.pair.isThere = false
        bench.start()
        bench.pair.run(seconds: 5)
        bench.pair.isThere = true
        bench.pair.advertisement = { [unowned pair = bench.pair] heard in
            // It goes away when it has just been heard.
            pair.isThere = false
            return heard
        }
        bench.pair.run(milliseconds: 4999)
        #expect(bench.phase == .connecting && !bench.pair.isScanning)
        bench.pair.run(milliseconds: 1)
        #expect(bench.phases == [.ended] && bench.reason == JobText.notHeard)
    }

    @Test func aDeviceThatComesInTimeIsFound() {
        bench.pair.isThere = false
        bench.start()
        bench.pair.run(seconds: 9)
        bench.pair.isThere = true
        bench.pair.run(seconds: 1)
        #expect(bench.phases == [.open])
        // Finding out what it has may take as long as it likes.
        bench.pair.run(seconds: 15)
        #expect(bench.phase == .open)
    }

    @Test func aDeviceThatIsSlowIsNotGivenUp() {
        bench.pair.discoveryMilliseconds = 12_000
        bench.start()
        bench.run(seconds: 11)
        #expect(bench.phase == .connecting)
        bench.run(seconds: 2)
        #expect(bench.phase == .open)
    }

    @Test func aDeviceOfAnotherKindIsNotWrittenTo() {
        var table = JobTable.fresh
        let job = table.beginLamp(.tested, clock: LocalClock(), at: .beginning)
        let bench = JobBench(job, LEDBulbDevice(.triones))
        bench.start()
        #expect(bench.phases == [.ended] && bench.reason == JobText.wrongDevice)
        #expect(bench.writes.isEmpty)
    }

    @Test func aLinkThatCannotBeOpenedSaysWhatWasWrong() {
        bench.pair.connectFailure = .connectTimeout
        bench.start()
        #expect(bench.phases == [.ended])
        #expect(bench.reason == JobText.failed(.connectFailed(.connectTimeout)))
        #expect(bench.reason?.hasPrefix("It did not work: ") == true)
    }

    @Test(arguments: [LinkError.supervisionTimeout, .closedByPeer])
    func aLinkThatIsLostIsSaidToBeLost(_ failure: LinkError) {
        bench.start()
        bench.pair.loseLink(failure)
        #expect(bench.phases == [.open, .ended])
        #expect(bench.reason == "The link to the device was lost. Bring it near and try again.")
    }

    @Test func whoeverEndsItNeedsNoReason() {
        bench.start()
        bench.end()
        #expect(bench.phases == [.open, .ended] && bench.reason == nil && !bench.pair.isConnected)
    }

    @Test func itCanBeEndedWhileItIsLookedFor() {
        bench.pair.isThere = false
        bench.start()
        bench.end("The lid was closed.")
        #expect(bench.phases == [.ended] && bench.reason == "The lid was closed.")
    }

    @Test func itCanBeEndedWhileItConnects() {
        bench.pair.discoveryMilliseconds = 1000
        bench.start()
        #expect(bench.pair.isConnected)
        bench.end()
        #expect(bench.phases == [.ended] && bench.reason == nil && !bench.pair.isConnected)
    }

    @Test func itEndsBeforeItHasBegun() {
        bench.end("The lid was closed.")
        #expect(bench.phases == [.ended] && bench.reason == "The lid was closed.")
    }

    @Test func aRadioThatDoesNotSayThatALinkIsGoneIsNotWaitedForForEver() {
        bench.pair.confirmsDisconnection = false
        bench.start()
        bench.end()
        #expect(bench.phase == .open)
        bench.pair.run(seconds: 60)
        #expect(bench.phases == [.open, .ended] && bench.reason == nil)
    }
}
