// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

@Suite("Advertising sets")
struct ExtendedAdvertisingTests {
    @Test(arguments: [0, 1, 228, 229, 230, 458, 459, 1000, 1650])
    func dataOfAnyLengthIsReportedInPieces(count: Int) throws {
        let bench = Bench(.init(), .extended)
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        let data = (0..<count).map { UInt8($0 % 251) }
        bench.accept(Bench.set(7, []), advertiser)
        try bench.fill(advertiser, 7, data)
        bench.accept(Bench.enable(7), advertiser)
        bench.scanExtended(scanner)
        bench.run(milliseconds: 15)
        let reports = bench.receiveExtendedReports(scanner).map(\.report)
        #expect(
            reports.map(\.data.count) == Array(repeating: 229, count: max(0, count - 1) / 229) + [
                count == 0 ? 0 : (count - 1) % 229 + 1
            ])
        #expect(reports.flatMap(\.data) == data)
        #expect(reports.dropLast().allSatisfy { $0.type == .moreToCome })
        #expect(reports.last?.type == [])
        #expect(reports.allSatisfy { $0.advertisingSet == 7 && $0.address == address(1) })
    }

    @Test func whatIsLostOfAChainIsCutOff() throws {
        let bench = Bench(.init(seed: 3, loss: 0.2), .extended)
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.accept(Bench.set(7, []), advertiser)
        try bench.fill(advertiser, 7, [UInt8](repeating: 1, count: 1650))
        bench.accept(Bench.enable(7), advertiser)
        bench.scanExtended(scanner)
        bench.run(milliseconds: 30_000)
        let ends = bench.receiveExtendedReports(scanner).map(\.report.type).filter {
            !$0.contains(.moreToCome)
        }
        #expect(ends.contains([]) && ends.contains(.truncated))
        #expect(Set(ends.map(\.rawValue)).count == 2)
    }

    @Test func setsAreAdvertisedSideBySideEachWithItsAddress() throws {
        let bench = Bench(.init(), .extended)
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        let addresses = (1...3 as ClosedRange<UInt64>).map {
            BluetoothAddress(0xC0_0000_0000_00 + $0, kind: .random)
        }
        for (index, own) in addresses.enumerated() {
            let handle = HCI.AdvertisingHandle(rawValue: UInt8(index))
            bench.accept(Bench.set(handle, [.legacy, .connectable, .scannable], own: .random), advertiser)
            #expect(bench.status(Bench.enable(handle), advertiser) == .invalidHCICommandParameters)
            bench.accept(
                HCI.LESetAdvertisingSetRandomAddress(advertisingHandle: handle, address: own), advertiser)
            bench.accept(try Bench.data(handle, .complete, [2, 1, UInt8(index)]), advertiser)
            bench.accept(try Bench.response(handle, .complete, [2, 0x0A, UInt8(index)]), advertiser)
            bench.accept(Bench.enable(handle), advertiser)
        }
        bench.scanExtended(scanner, .active, duplicates: .on)
        bench.run(milliseconds: 500)
        let reports = bench.receiveExtendedReports(scanner).map(\.report)
        #expect(reports.count == 6)
        for (index, own) in addresses.enumerated() {
            let own = reports.filter { $0.address == own }
            #expect(own.map(\.type.rawValue) == [0x13, 0x1B])
            #expect(own.map(\.data) == [[2, 1, UInt8(index)], [2, 0x0A, UInt8(index)]])
            #expect(own.allSatisfy { $0.advertisingSet == 0xFF && $0.secondaryPHY.rawValue == 0 })
        }
    }

    @Test func aLegacyScannerHearsLegacyPacketsOnly() throws {
        let bench = Bench(.init(), .extended)
        let advertiser = bench.add(1)
        bench.generation = .legacy
        let scanner = bench.add(2)
        bench.accept(Bench.set(1, [.legacy, .scannable]), advertiser)
        bench.accept(Bench.set(2, []), advertiser)
        for handle in [1, 2] as [HCI.AdvertisingHandle] { bench.accept(Bench.enable(handle), advertiser) }
        bench.scan(scanner, .active)
        bench.run(milliseconds: 1000)
        let reports = bench.receiveReports(scanner).map(\.report)
        #expect(Set(reports.map(\.eventType)) == [.scannableUndirected, .scanResponse])
        // And an extended scanner hears a legacy advertiser.
        bench.generation = .extended
        let extended = bench.add(3)
        bench.accept(HCI.LESetScanEnable(enable: false, filterDuplicates: false), scanner)
        bench.accept(Bench.disable, advertiser)
        bench.advertise(scanner)
        bench.scanExtended(extended)
        bench.run(milliseconds: 500)
        let heard = bench.receiveExtendedReports(extended).map(\.report)
        #expect(!heard.isEmpty && heard.allSatisfy { $0.type.rawValue == 0x13 && $0.address == address(2) })
    }

    @Test(
        arguments: [
            (0x13, true, true), (0x15, true, true), (0x1D, true, true), (0x12, true, true),
            (0x10, true, true),
            (0x11, false, false), (0x14, false, false), (0x1F, false, false), (0x30, false, false),
            (0x00, true, false), (0x01, true, false), (0x02, true, false), (0x04, true, false),
            (0x05, true, false),
            (0x20, true, false), (0x40, true, false), (0x45, true, false), (0x03, false, false),
            (0x08, false, false),
            (0x21, false, false), (0x22, false, false), (0x80, false, false), (0xFFFF, false, false),
        ] as [(UInt16, Bool, Bool)])
    func onlySomePropertiesGoTogether(raw: UInt16, isLawful: Bool, isLegacy: Bool) {
        let bench = Bench(.init(), .extended)
        let id = bench.add(1)
        let command = Bench.set(1, HCI.AdvertisingEventProperties(rawValue: raw))
        #expect(bench.status(command, id) == (isLawful ? .success : .invalidHCICommandParameters))
        #expect((raw & 0x10 != 0 && isLawful) == isLegacy)
    }

    @Test func parametersOutOfRangeAreRefused() {
        let bench = Bench(.init(), .extended)
        let id = bench.add(1)
        for change in [
            { $0.advertisingHandle = 0xF0 }, { $0.primaryIntervalMin = 0x1F },
            { $0.primaryIntervalMin = $0.primaryIntervalMax + 1 }, { $0.channelMap = [] },
            { $0.channelMap = .init(rawValue: 8) }, { $0.setID = 16 }, { $0.primaryPHY = .le2M },
            { $0.primaryPHY = .init(rawValue: 0) }, { $0.secondaryPHY = .init(rawValue: 4) },
        ] as [(inout HCI.LESetExtendedAdvertisingParameters) -> Void] {
            var command = Bench.set(1)
            change(&command)
            #expect(bench.status(command, id) == .invalidHCICommandParameters)
        }
        var legacy = Bench.set(1, [.legacy, .connectable, .scannable])
        legacy.primaryPHY = .leCoded
        #expect(bench.status(legacy, id) == .invalidHCICommandParameters)
    }

    @Test func setsHaveALimitAndCanBeRemoved() {
        let bench = Bench(.init(), .extended)
        let id = bench.add(1)
        for handle in 0..<16 as Range<UInt8> { bench.accept(Bench.set(.init(rawValue: handle)), id) }
        #expect(bench.status(Bench.set(0x20), id) == .memoryCapacityExceeded)
        bench.accept(Bench.enable(3), id)
        let remove = HCI.LERemoveAdvertisingSet(advertisingHandle: 3)
        #expect(bench.status(remove, id) == .commandDisallowed)
        #expect(bench.status(HCI.LEClearAdvertisingSets(), id) == .commandDisallowed)
        #expect(bench.status(Bench.set(3), id) == .commandDisallowed)
        bench.accept(Bench.disable, id)
        bench.accept(remove, id)
        #expect(bench.status(remove, id) == .unknownAdvertisingIdentifier)
        bench.accept(Bench.set(0x20), id)
        bench.accept(HCI.LEClearAdvertisingSets(), id)
        #expect(bench.status(Bench.enable(1), id) == .unknownAdvertisingIdentifier)
    }

    @Test func dataFollowsTheRules() throws {
        let bench = Bench(.init(), .extended)
        let id = bench.add(1)
        bench.accept(Bench.set(1, []), id)
        for (operation, data, status) in [
            (.first, [], .invalidHCICommandParameters), (.last, [1], .commandDisallowed),
            (.unchanged, [], .invalidHCICommandParameters), (.first, [1], .success),
            (.intermediate, [], .invalidHCICommandParameters), (.intermediate, [2], .success),
        ] as [(HCI.AdvertisingDataOperation, [UInt8], HCI.Status)] {
            #expect(bench.status(try Bench.data(1, operation, data), id) == status, "\(operation)")
        }
        #expect(bench.status(Bench.enable(1), id) == .commandDisallowed, "a piece is missing")
        bench.accept(try Bench.data(1, .last, [3]), id)
        bench.accept(Bench.enable(1), id)
        #expect(bench.status(try Bench.data(1, .first, [1]), id) == .commandDisallowed)
        bench.accept(try Bench.data(1, .unchanged, []), id)
        bench.accept(try Bench.data(1, .complete, [9]), id)
        bench.accept(Bench.disable, id)
        // 1 651 octets.
        let piece = [UInt8](repeating: 0, count: 251)
        bench.accept(try Bench.data(1, .first, piece), id)
        for _ in 0..<5 { bench.accept(try Bench.data(1, .intermediate, piece), id) }
        #expect(
            bench.status(try Bench.data(1, .last, Array(piece.prefix(145))), id) == .memoryCapacityExceeded)
        // Legacy packets: 31 octets, at once.
        bench.accept(Bench.set(2, [.legacy, .connectable, .scannable]), id)
        let long = [UInt8](repeating: 0, count: 32)
        #expect(bench.status(try Bench.data(2, .complete, long), id) == .invalidHCICommandParameters)
        #expect(bench.status(try Bench.data(2, .first, [1]), id) == .invalidHCICommandParameters)
        bench.accept(try Bench.data(2, .complete, Array(long.dropLast())), id)
        #expect(
            bench.status(Bench.set(2, [.legacy, .connectable, .directed]), id)
                == .invalidHCICommandParameters,
            "it has data, which this kind has not")
        // Scannable: no data, but a response.
        bench.accept(Bench.set(3, .scannable), id)
        #expect(bench.status(try Bench.data(3, .complete, [1]), id) == .invalidHCICommandParameters)
        #expect(bench.status(Bench.enable(3), id) == .commandDisallowed)
        bench.accept(try Bench.response(3, .complete, [1]), id)
        bench.accept(Bench.enable(3), id)
        // Connectable: what one packet holds.
        bench.accept(Bench.set(4, .connectable), id)
        try bench.fill(id, 4, [UInt8](repeating: 0, count: 245))
        bench.accept(Bench.enable(4), id)
        bench.accept(Bench.disable, id)
        try bench.fill(id, 4, [UInt8](repeating: 0, count: 246))
        #expect(bench.status(Bench.enable(4), id) == .packetTooLong)
        #expect(bench.status(try Bench.response(4, .complete, [1]), id) == .invalidHCICommandParameters)
    }

    @Test func aSetEndsAfterItsTimeOrItsEvents() throws {
        let bench = Bench(.init(), .extended)
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.scanExtended(scanner)
        bench.accept(Bench.set(1), advertiser)
        let start = bench.now
        bench.accept(Bench.enable(1, duration: 50), advertiser)
        bench.run(milliseconds: 2000)
        let (moment, event) = try #require(bench.receiveTerminated(advertiser))
        #expect(moment == start.advanced(byMilliseconds: 500))
        let heard = bench.receiveExtendedReports(scanner).count
        #expect(event.status == .advertisingTimeout && event.completedEvents == UInt8(heard) && heard >= 4)
        bench.accept(Bench.enable(1, maxEvents: 3), advertiser)
        bench.run(milliseconds: 2000)
        let ended = try #require(bench.receiveTerminated(advertiser)).event
        #expect(ended.status == .limitReached && ended.completedEvents == 3 && ended.advertisingHandle == 1)
        #expect(bench.receiveExtendedReports(scanner).count == 3)
        #expect(bench.air.nextDeadline == nil)
        // Enabling again starts both counts again; disabling tells nothing.
        bench.accept(Bench.enable(1, duration: 50, maxEvents: 255), advertiser)
        bench.run(milliseconds: 400)
        bench.accept(Bench.enable(1, duration: 50, maxEvents: 255), advertiser)
        bench.run(milliseconds: 400)
        #expect(bench.receiveTerminated(advertiser) == nil)
        bench.accept(Bench.disable, advertiser)
        bench.run(milliseconds: 1000)
        #expect(bench.receiveTerminated(advertiser) == nil && bench.air.nextDeadline == nil)
    }

    @Test func highDutyAdvertisingNeedsATime() throws {
        let bench = Bench(.init(), .extended)
        let (advertiser, peer) = (bench.add(1), bench.add(2))
        bench.scanExtended(peer)
        bench.accept(
            Bench.set(1, [.legacy, .connectable, .directed, .highDuty], peer: address(2)), advertiser)
        for duration in [0, 129] as [UInt16] {
            #expect(
                bench.status(Bench.enable(1, duration: duration), advertiser) == .invalidHCICommandParameters)
        }
        bench.accept(Bench.enable(1, duration: 128), advertiser)
        bench.run(milliseconds: 2000)
        let reports = bench.receiveExtendedReports(peer).map(\.report)
        #expect((335...345).contains(reports.count))
        #expect(reports.allSatisfy { $0.type.rawValue == 0x15 && $0.target == [0, 2, 0, 0, 0, 0xA0, 0] })
        #expect(bench.receiveTerminated(advertiser)?.event.status == .advertisingTimeout)
    }

    @Test func aSetIsEnabledWholeOrNotAtAll() {
        let bench = Bench(.init(), .extended)
        let id = bench.add(1)
        bench.accept(Bench.set(1), id)
        let twice = HCI.LESetExtendedAdvertisingEnable(
            enable: true, sets: [.init(advertisingHandle: 1), .init(advertisingHandle: 1)])
        #expect(bench.status(twice, id) == .invalidHCICommandParameters)
        let missing = HCI.LESetExtendedAdvertisingEnable(
            enable: true, sets: [.init(advertisingHandle: 1), .init(advertisingHandle: 2)])
        #expect(bench.status(missing, id) == .unknownAdvertisingIdentifier)
        #expect(bench.air.nextDeadline == nil)
    }

    @Test func whoAsksForAResponseIsTold() throws {
        let bench = Bench(.init(), .extended)
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.accept(Bench.set(9, .scannable, notifies: true), advertiser)
        try bench.fill(advertiser, 9, [UInt8](repeating: 5, count: 300), asResponse: true)
        bench.accept(Bench.enable(9), advertiser)
        bench.scanExtended(scanner, .active, duplicates: .on)
        bench.run(milliseconds: 50)
        let asked = bench.receive(advertiser) { event -> HCI.LEScanRequestReceived? in
            guard case .scanRequestReceived(let event) = event else { return nil }
            return event
        }
        #expect(asked?.value == .init(advertisingHandle: 9, scannerAddress: address(2)))
        let reports = bench.receiveExtendedReports(scanner).map(\.report)
        #expect(reports.map(\.type.rawValue) == [0x02, 0x2A, 0x0A])
        #expect(reports.map(\.data.count) == [0, 229, 71])
    }

    @Test func anAnonymousAdvertiserHasNoAddress() {
        let bench = Bench(.init(), .extended)
        let (advertiser, scanner, picky) = (bench.add(1), bench.add(2), bench.add(3))
        let anyone = BluetoothAddress(0x1234, kind: .anonymous)
        bench.accept(HCI.LEAddDeviceToFilterAcceptList(address: anyone), picky)
        bench.accept(
            HCI.LESetExtendedScanParameters(
                ownAddressType: .public, filterPolicy: .acceptList,
                le1M: .init(
                    type: .passive, interval: .init(milliseconds: 50), window: .init(milliseconds: 50))),
            picky)
        bench.accept(
            HCI.LESetExtendedScanEnable(enable: true, duplicates: .off, duration: 0, period: 0), picky)
        bench.accept(Bench.set(1, [.anonymous, .includesTxPower]), advertiser)
        bench.accept(Bench.enable(1), advertiser)
        bench.scanExtended(scanner)
        bench.run(milliseconds: 500)
        for id in [scanner, picky] {
            let reports = bench.receiveExtendedReports(id).map(\.report)
            #expect(!reports.isEmpty)
            #expect(
                reports.allSatisfy { $0.address == BluetoothAddress(0, kind: .anonymous) && $0.txPower == 0 })
        }
    }
}
