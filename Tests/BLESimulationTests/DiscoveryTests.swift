// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

@Suite struct DiscoveryTests {
    @Test(arguments: [20, 100, 1000] as [UInt32])
    func advertisementsComeAtTheirIntervalWithARandomDelay(milliseconds: UInt32) {
        let bench = Bench()
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.scan(scanner)
        bench.advertise(advertiser, milliseconds: milliseconds)
        bench.run(milliseconds: UInt64(milliseconds) * 200)
        let moments = bench.receiveReports(scanner).map(\.moment)
        let gaps = zip(moments.dropFirst(), moments).map { $0.microseconds(since: $1) }
        let interval = UInt64(milliseconds) * 1000
        #expect(gaps.count > 120)
        #expect(gaps.allSatisfy { (interval...interval + 10_000).contains($0) })
        #expect(Set(gaps).count > 100)
    }

    @Test func aPassiveScannerGetsTheAdvertisementOnly() throws {
        let bench = Bench()
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.scan(scanner)
        bench.advertise(advertiser)
        bench.run(milliseconds: 150)
        let report = try #require(bench.receiveReports(scanner).first).report
        #expect(
            report
                == HCI.AdvertisingReport(
                    eventType: .connectableUndirected, address: address(1), data: [2, 1, 6], rssi: -40))
        #expect(!bench.receiveReports(scanner).contains { $0.report.eventType == .scanResponse })
    }

    @Test(arguments: [HCI.AdvertisingType.connectableUndirected, .scannableUndirected])
    func anActiveScannerGetsTheScanResponseRightAfter(type: HCI.AdvertisingType) {
        let bench = Bench()
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.scan(scanner, .active)
        bench.advertise(advertiser, type: type)
        bench.run(milliseconds: 1000)
        let reports = bench.receiveReports(scanner)
        #expect(reports.count >= 16 && reports.count.isMultiple(of: 2))
        for index in stride(from: 0, to: reports.count, by: 2) {
            #expect(reports[index].report.eventType != .scanResponse)
            #expect(reports[index + 1].report.eventType == .scanResponse)
            #expect(reports[index + 1].report.data == [3, 9, 0x4C, 0x54])
            #expect(reports[index].moment == reports[index + 1].moment)
        }
    }

    @Test func nobodyAnswersForANonConnectableAdvertiser() {
        let bench = Bench()
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.scan(scanner, .active)
        bench.advertise(advertiser, type: .nonConnectableUndirected)
        bench.accept(Bench.connection(to: address(1)), scanner)
        bench.run(milliseconds: 1000)
        #expect(Set(bench.receiveReports(scanner).map(\.report.eventType)) == [.nonConnectableUndirected])
        #expect(bench.receiveConnection(scanner) == nil)
    }

    @Test func halfAWindowHearsHalfTheAdvertisements() {
        let bench = Bench()
        let (advertiser, half, never) = (bench.add(1), bench.add(2), bench.add(3))
        bench.scan(half, interval: 100, window: 50)
        _ = never
        bench.advertise(advertiser, milliseconds: 20)
        bench.run(milliseconds: 20_000)
        let count = bench.receiveReports(half).count
        #expect((300...500).contains(count))
        #expect(bench.receiveReports(never).isEmpty)
    }

    @Test func duplicatesAreReportedOnceForEachEnable() {
        let bench = Bench()
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.scan(scanner, .active, filterDuplicates: true)
        bench.advertise(advertiser)
        bench.run(milliseconds: 1000)
        #expect(
            bench.receiveReports(scanner).map(\.report.eventType) == [.connectableUndirected, .scanResponse])
        bench.accept(HCI.LESetScanEnable(enable: false, filterDuplicates: false), scanner)
        bench.run(milliseconds: 500)
        #expect(bench.receiveReports(scanner).isEmpty)
        bench.accept(HCI.LESetScanEnable(enable: true, filterDuplicates: true), scanner)
        bench.run(milliseconds: 1000)
        #expect(bench.receiveReports(scanner).count == 2)
    }

    @Test func aScannerWithAListReportsOnlyThoseOnIt() {
        let bench = Bench()
        let (first, second, scanner) = (bench.add(1), bench.add(2), bench.add(3))
        bench.accept(HCI.LEAddDeviceToFilterAcceptList(address: address(2)), scanner)
        bench.scan(scanner, filter: .acceptList)
        bench.advertise(first)
        bench.advertise(second)
        bench.run(milliseconds: 1000)
        #expect(Set(bench.receiveReports(scanner).map(\.report.address)) == [address(2)])
    }

    @Test func anAdvertiserWithAListAnswersOnlyThoseOnIt() {
        let bench = Bench()
        let (advertiser, friend, stranger) = (bench.add(1), bench.add(2), bench.add(3))
        bench.accept(HCI.LEAddDeviceToFilterAcceptList(address: address(2)), advertiser)
        bench.scan(friend, .active)
        bench.scan(stranger, .active)
        bench.advertise(advertiser, filter: .filterBoth)
        bench.run(milliseconds: 500)
        #expect(bench.receiveReports(friend).contains { $0.report.eventType == .scanResponse })
        #expect(!bench.receiveReports(stranger).contains { $0.report.eventType == .scanResponse })
        // The stranger believes that it is connected until nothing is heard.
        bench.accept(Bench.connection(to: address(1)), stranger)
        bench.run(milliseconds: 1000)
        #expect(bench.receiveConnection(stranger)?.status == .success)
        #expect(bench.receiveDisconnection(stranger)?.event.reason == .connectionFailedToBeEstablished)
        #expect(bench.receiveConnection(advertiser) == nil)
    }

    @Test func directedAdvertisingReachesOnlyItsPeer() {
        let bench = Bench()
        let (advertiser, peer, other) = (bench.add(1), bench.add(2), bench.add(3))
        bench.scan(peer)
        bench.scan(other)
        bench.advertise(advertiser, type: .connectableDirectedLowDuty, peer: address(2))
        bench.run(milliseconds: 500)
        let reports = bench.receiveReports(peer)
        #expect(!reports.isEmpty)
        #expect(reports.allSatisfy { $0.report.eventType == .connectableDirected && $0.report.data.isEmpty })
        #expect(bench.receiveReports(other).isEmpty)
    }

    @Test func highDutyAdvertisingEndsByItself() throws {
        let bench = Bench()
        let (advertiser, peer) = (bench.add(1), bench.add(2))
        bench.scan(peer)
        let start = bench.now
        bench.advertise(advertiser, type: .connectableDirectedHighDuty, peer: address(2))
        bench.run(milliseconds: 3000)
        let reports = bench.receiveReports(peer)
        #expect((335...345).contains(reports.count))
        let end = bench.receive(advertiser) { event -> HCI.Status? in
            guard case .connectionComplete(let event) = event else { return nil }
            return event.status
        }
        #expect(end?.value == .advertisingTimeout)
        #expect(end?.moment == start.advanced(byMilliseconds: 1280))
        #expect(bench.air.nextDeadline == nil)
    }

    @Test func strengthFallsWithDistanceUntilNothingIsHeard() throws {
        let bench = Bench()
        let advertiser = bench.add(1)
        let near = bench.add(2) { $0.position = .init(x: 3, y: 4) }
        let far = bench.add(3) { $0.position = .init(x: 100) }
        let gone = bench.add(4) { $0.position = .init(x: 2000) }
        for id in [near, far, gone] { bench.scan(id) }
        bench.advertise(advertiser)
        bench.run(milliseconds: 150)
        #expect(try #require(bench.receiveReports(near).first).report.rssi == -54)
        #expect(try #require(bench.receiveReports(far).first).report.rssi == -80)
        #expect(bench.receiveReports(gone).isEmpty)
        bench.air.move(gone, to: .init(x: 10))
        bench.run(milliseconds: 150)
        #expect(try #require(bench.receiveReports(gone).first).report.rssi == -60)
    }

    @Test func aHostThatDoesNotReadLosesReportsButNotMemory() {
        let bench = Bench()
        let advertiser = bench.add(1)
        let scanner = bench.add(2) { $0.maximumPendingOutputs = 10 }
        bench.scan(scanner)
        bench.advertise(advertiser, milliseconds: 20)
        bench.isNobodyReading = true
        bench.run(milliseconds: 10_000)
        bench.isNobodyReading = false
        bench.drain()
        #expect(bench.receiveReports(scanner).count == 10)
        #expect((bench.air.statistics(of: scanner)?.droppedReports ?? 0) > 300)
    }
}
