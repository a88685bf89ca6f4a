// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

@Suite("A host that is said to be busy")
struct BusyHostTests {
    @Test func holdsDataBackAndGetsItAllLater() throws {
        let bench = Bench()
        let link = try bench.pair(interval: 10)
        bench.air.setHostBusy(link.central, true)
        for number in 0..<8 as Range<UInt8> {
            bench.sendData(link.peripheral, link.peripheralHandle, [number])
        }
        bench.run(milliseconds: 5000)
        #expect(bench.receiveData(link.central).isEmpty)
        #expect(bench.receiveCompleted(link.peripheral).isEmpty)
        bench.air.setHostBusy(link.central, false)
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(link.central).map(\.data.payload) == (0..<8).map { [$0] })
        #expect(bench.receiveCompleted(link.peripheral).count == 8)
        #expect(bench.receiveDisconnection(link.central) == nil)
    }

    @Test func hearsNoAdvertisements() {
        let bench = Bench()
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.scan(scanner)
        bench.advertise(advertiser, milliseconds: 20)
        bench.air.setHostBusy(scanner, true)
        bench.run(milliseconds: 1000)
        #expect(bench.receiveReports(scanner).isEmpty)
        #expect((bench.air.statistics(of: scanner)?.droppedReports ?? 0) > 30)
        bench.air.setHostBusy(scanner, false)
        bench.run(milliseconds: 1000)
        #expect(bench.receiveReports(scanner).count > 30)
    }

    @Test func isForgottenWithTheHost() {
        let bench = Bench()
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.air.setHostBusy(scanner, true)
        bench.air.hostDetached(scanner)
        bench.start(scanner)
        bench.scan(scanner)
        bench.advertise(advertiser, milliseconds: 20)
        bench.run(milliseconds: 1000)
        #expect(bench.receiveReports(scanner).count > 30)
    }
}
