// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

@Suite("Extended scanning")
struct ExtendedScanningTests {
    private static func isTimeout(_ event: HCI.Event) -> Bool? {
        if case .scanTimeout = event { true } else { nil }
    }

    @Test func scanningEndsAfterItsTime() throws {
        let bench = Bench(.init(), .extended)
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.accept(Bench.set(1), advertiser)
        bench.accept(Bench.enable(1), advertiser)
        let start = bench.now
        bench.scanExtended(scanner, duration: 100)
        bench.run(milliseconds: 3000)
        let end = try #require(bench.receive(scanner, Self.isTimeout))
        #expect(end.moment == start.advanced(byMilliseconds: 1000))
        let reports = bench.receiveExtendedReports(scanner)
        #expect((9...10).contains(reports.count) && reports.allSatisfy { $0.moment <= end.moment })
        // Stopping it ends it without a word.
        bench.scanExtended(scanner, duration: 100)
        bench.accept(
            HCI.LESetExtendedScanEnable(enable: false, duplicates: .off, duration: 0, period: 0), scanner)
        bench.run(milliseconds: 2000)
        #expect(
            bench.receive(scanner, Self.isTimeout) == nil && bench.receiveExtendedReports(scanner).isEmpty)
    }

    @Test func scanningInPeriodsRestsBetweenThem() {
        let bench = Bench(.init(), .extended)
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.accept(Bench.set(1, milliseconds: 20), advertiser)
        bench.accept(Bench.enable(1), advertiser)
        let start = bench.now
        // 320 ms of each 2 560.
        bench.scanExtended(scanner, duration: 32, period: 2)
        bench.run(milliseconds: 10_240)
        let moments = bench.receiveExtendedReports(scanner).map {
            $0.moment.microseconds(since: start) % 2_560_000
        }
        #expect(moments.count > 40 && moments.allSatisfy { $0 < 320_000 })
        #expect(bench.receive(scanner, Self.isTimeout) == nil)
    }

    @Test func duplicatesAreReportedAgainInANewPeriodOrWithNewData() throws {
        let bench = Bench(.init(), .extended)
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.accept(Bench.set(1, milliseconds: 20), advertiser)
        bench.accept(Bench.enable(1), advertiser)
        bench.scanExtended(scanner, duplicates: .eachPeriod, duration: 64, period: 1)
        bench.run(milliseconds: 12_800)
        #expect(bench.receiveExtendedReports(scanner).count == 10)
        bench.accept(
            HCI.LESetExtendedScanEnable(enable: true, duplicates: .on, duration: 0, period: 0), scanner)
        bench.run(milliseconds: 1000)
        #expect(bench.receiveExtendedReports(scanner).count == 1)
        bench.accept(try Bench.data(1, .complete, [1, 9]), advertiser)
        bench.run(milliseconds: 1000)
        #expect(bench.receiveExtendedReports(scanner).map(\.report.data) == [[1, 9]])
        bench.accept(try Bench.data(1, .unchanged, []), advertiser)
        bench.run(milliseconds: 1000)
        #expect(bench.receiveExtendedReports(scanner).count == 1)
    }

    @Test(
        arguments: [
            // Duplicates, duration, period.
            (2, 0, 0, false), (2, 1, 0, false), (2, 0, 1, false), (2, 1, 1, true), (0, 128, 1, false),
            (0, 127, 1, true), (1, 0xFFFF, 0, true), (1, 0, 0xFFFF, true), (0, 0xFFFF, 0xFFFF, true),
        ] as [(UInt8, UInt16, UInt16, Bool)])
    func timesMustFit(duplicates: UInt8, duration: UInt16, period: UInt16, isLawful: Bool) throws {
        let bench = Bench(.init(), .extended)
        let filter = try #require(HCI.DuplicateFilter(rawValue: duplicates))
        let command = HCI.LESetExtendedScanEnable(
            enable: true, duplicates: filter, duration: duration, period: period)
        #expect(bench.status(command, bench.add(1)) == (isLawful ? .success : .invalidHCICommandParameters))
    }

    @Test func eachPHYIsScannedByItself() {
        let bench = Bench(.init(), .extended)
        let (advertiser, plain, coded) = (bench.add(1), bench.add(2), bench.add(3))
        bench.accept(Bench.set(1), advertiser)
        bench.accept(Bench.set(2, primary: .leCoded, secondary: .leCoded), advertiser)
        for handle in [1, 2] as [HCI.AdvertisingHandle] { bench.accept(Bench.enable(handle), advertiser) }
        bench.scanExtended(plain)
        bench.scanExtended(coded, coded: true)
        bench.run(milliseconds: 500)
        let (heard, far) = (bench.receiveExtendedReports(plain), bench.receiveExtendedReports(coded))
        #expect(!heard.isEmpty && heard.allSatisfy { $0.report.advertisingSet == 1 })
        #expect(
            !far.isEmpty
                && far.allSatisfy { $0.report.primaryPHY == .leCoded && $0.report.advertisingSet == 2 })
    }

    @Test func familiesOfCommandsAreNotMixed() throws {
        let legacy: [any HCI.Command] = [
            HCI.LESetAdvertisingEnable(enable: false),
            HCI.LESetScanEnable(enable: false, filterDuplicates: false),
            HCI.LEReadAdvertisingPhysicalChannelTxPower(), try #require(HCI.LESetAdvertisingData(data: [])),
            try #require(HCI.LESetScanResponseData(data: [])),
        ]
        let extended: [any HCI.Command] = [
            Bench.disable, HCI.LEClearAdvertisingSets(), HCI.LEReadMaximumAdvertisingDataLength(),
            HCI.LEReadNumberOfSupportedAdvertisingSets(),
            HCI.LESetExtendedScanEnable(enable: false, duplicates: .off, duration: 0, period: 0),
        ]
        let bench = Bench(.init(), .extended)
        let id = bench.add(1)
        for first in legacy {
            bench.accept(HCI.Reset(), id)
            bench.accept(first, id)
            for command in extended { #expect(bench.status(command, id) == .commandDisallowed) }
            for command in legacy { bench.accept(command, id) }
            #expect(bench.status(Bench.extendedConnection(to: address(2)), id) == .commandDisallowed)
        }
        for first in extended {
            bench.accept(HCI.Reset(), id)
            bench.accept(first, id)
            for command in legacy { #expect(bench.status(command, id) == .commandDisallowed) }
            for command in extended { bench.accept(command, id) }
            #expect(bench.status(Bench.connection(to: address(2)), id) == .commandDisallowed)
            // These belong to both.
            bench.accept(HCI.LESetRandomAddress(address: BluetoothAddress(0xC1, kind: .random)), id)
            #expect(
                bench.status(HCI.LECreateConnectionCancel(), id) == .commandDisallowed, "nothing to cancel")
        }
    }
}
