// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire
import Testing

@testable import BLESimulation

@Suite("What is in the schedule")
struct ScheduleTests {
    @Test func endsFarAwayThatNoLongerCountAreForgotten() {
        let bench = Bench(.init(), .extended)
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.accept(Bench.set(1), advertiser)
        for _ in 0..<5000 {
            bench.accept(Bench.enable(1, duration: 0xFFFF), advertiser)
            bench.accept(
                HCI.LESetExtendedScanEnable(enable: true, duplicates: .off, duration: 0xFFFF, period: 0),
                scanner)
        }
        #expect(bench.air.schedule.count <= 1024)
        // What counts is still there.
        bench.run(milliseconds: 655_350)
        #expect(bench.receiveTerminated(advertiser)?.event.status == .advertisingTimeout)
        let end = bench.receive(scanner) { event -> Bool? in
            if case .scanTimeout = event { true } else { nil }
        }
        #expect(end != nil && bench.air.nextDeadline == nil)
    }

    @Test func aPeerThatAsksWithoutEndCostsNoMemory() throws {
        let bench = Bench(.init(seed: 1), .extended)
        let link = try bench.connectExtended(bench.add(1), bench.add(2), number: 2)
        bench.air.loss = 0.5
        var longest = 0
        for _ in 0..<3000 {
            _ = bench.status(HCI.LEReadRemoteFeatures(handle: link.centralHandle), link.central)
            bench.run(milliseconds: 10)
            bench.forget(link.central)
            let side = bench.air.controller(link.peripheral)?.sides.first
            longest = max(longest, side?.control.count ?? 0)
        }
        #expect(longest <= 32)
    }
}
