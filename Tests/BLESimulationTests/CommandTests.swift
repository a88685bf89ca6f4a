// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

@Suite struct CommandTests {
    @Test func aHostLearnsWhatItsControllerIs() throws {
        let bench = Bench()
        let id = bench.add(1) {
            $0.aclDataPacketLength = 100
            $0.totalACLDataPackets = 3
        }
        #expect(try bench.ask(HCI.ReadBDADDR(), id).address == address(1))
        let buffers = try bench.ask(HCI.LEReadBufferSize(), id)
        #expect(buffers.aclDataPacketLength == 100 && buffers.totalACLDataPackets == 3)
        #expect(try bench.ask(HCI.ReadBufferSize(), id).totalACLDataPackets == 3)
        #expect(try bench.ask(HCI.ReadLocalVersionInformation(), id).hciVersion == 8)
        #expect(try bench.ask(HCI.ReadLocalSupportedFeatures(), id).features.contains(.leSupported))
        #expect(try bench.ask(HCI.LEReadFilterAcceptListSize(), id).size == 16)
        #expect(try bench.ask(HCI.LEReadAdvertisingPhysicalChannelTxPower(), id).txPower == 0)
        #expect(try bench.ask(HCI.LEReadMaximumDataLength(), id).maxTxOctets == 251)
        let commands = try bench.ask(HCI.ReadLocalSupportedCommands(), id).commands
        #expect(commands.contains(.leCreateConnection) && commands.contains(.reset))
        let numbers = try (0..<20).map { _ in try bench.ask(HCI.LERand(), id).random }
        #expect(Set(numbers).count == 20)
    }

    @Test(arguments: [0xFC01, 0x0406 + 0x300, 0x2036, 0xFFFF, 0x0000] as [UInt16])
    func anUnknownCommandIsAnsweredSo(code: UInt16) throws {
        let bench = Bench()
        let id = bench.add(1)
        let opcode = HCI.Opcode(rawValue: code)
        bench.send(.command(opcode, [1, 2, 3]), id)
        let answer = bench.receive(id) { event -> HCI.Status? in
            switch event {
            case .commandStatus(let event) where event.opcode == opcode: event.status
            case .commandComplete(let event) where event.opcode == opcode:
                event.returnParameters.first.map { HCI.Status(rawValue: $0) }
            default: nil
            }
        }
        #expect(answer?.value == .unknownCommand)
        #expect(bench.isSilent)
    }

    @Test(arguments: zip(VirtualAir.Generation.allCases, [46, 71]))
    func everyKnownCommandRefusesParametersOfTheWrongLength(
        generation: VirtualAir.Generation, count: Int
    ) throws {
        let bench = Bench(.init(), generation)
        let id = bench.add(1)
        let commands = try bench.ask(HCI.ReadLocalSupportedCommands(), id).commands
        var known = 0
        for code in 0...0xFFFF as ClosedRange<UInt16> where commands.contains(HCI.Opcode(rawValue: code)) {
            let opcode = HCI.Opcode(rawValue: code)
            known += 1
            // Either family may go first.
            bench.start(id)
            bench.send(.command(opcode, [UInt8](repeating: 0, count: 255)), id)
            let answers = bench.receiveAll(id) { event -> HCI.Status? in
                switch event {
                case .commandStatus(let event) where event.opcode == opcode: event.status
                case .commandComplete(let event) where event.opcode == opcode:
                    event.returnParameters.first.map { HCI.Status(rawValue: $0) }
                default: nil
                }
            }
            #expect(answers.map(\.value) == [.invalidHCICommandParameters], "\(code)")
        }
        #expect(known == count)
        #expect(bench.isSilent)
    }

    @Test func whatIsInUseCannotBeChanged() throws {
        let bench = Bench()
        let id = bench.add(1)
        let random = HCI.LESetRandomAddress(address: BluetoothAddress(0xC0_0000_0000_01, kind: .random))
        let add = HCI.LEAddDeviceToFilterAcceptList(address: address(9))
        bench.accept(random, id)
        bench.accept(add, id)
        bench.advertise(id, filter: .filterScan)
        let advertising = HCI.LESetAdvertisingParameters(
            intervalMin: .init(milliseconds: 20), intervalMax: .init(milliseconds: 20),
            type: .connectableUndirected, ownAddressType: .public, peerAddress: address(0), channelMap: .all,
            filterPolicy: .all)
        #expect(bench.status(advertising, id) == .commandDisallowed)
        #expect(bench.status(random, id) == .commandDisallowed)
        #expect(bench.status(add, id) == .commandDisallowed)
        #expect(bench.status(HCI.LEClearFilterAcceptList(), id) == .commandDisallowed)
        bench.accept(HCI.LESetAdvertisingEnable(enable: false), id)
        bench.accept(random, id)
        bench.accept(advertising, id)

        bench.scan(id, filter: .acceptList)
        #expect(bench.status(random, id) == .commandDisallowed)
        #expect(
            bench.status(HCI.LERemoveDeviceFromFilterAcceptList(address: address(9)), id)
                == .commandDisallowed)
        let scan = HCI.LESetScanParameters(
            type: .passive, interval: .init(milliseconds: 20), window: .init(milliseconds: 20),
            ownAddressType: .public, filterPolicy: .all)
        #expect(bench.status(scan, id) == .commandDisallowed)
        bench.accept(HCI.LESetScanEnable(enable: false, filterDuplicates: false), id)
        bench.accept(scan, id)
        bench.accept(Bench.connection(to: address(9), filter: .acceptList), id)
        #expect(bench.status(random, id) == .commandDisallowed)
        #expect(bench.status(add, id) == .commandDisallowed)
        bench.accept(HCI.LECreateConnectionCancel(), id)
        bench.accept(HCI.LERemoveDeviceFromFilterAcceptList(address: address(9)), id)
    }

    @Test func aRandomAddressMustBeSetBeforeItIsUsed() throws {
        let bench = Bench()
        let (id, scanner) = (bench.add(1), bench.add(2))
        let parameters = HCI.LESetAdvertisingParameters(
            intervalMin: .init(milliseconds: 20), intervalMax: .init(milliseconds: 20),
            type: .connectableUndirected, ownAddressType: .random, peerAddress: address(0), channelMap: .all,
            filterPolicy: .all)
        bench.accept(parameters, id)
        #expect(bench.status(HCI.LESetAdvertisingEnable(enable: true), id) == .invalidHCICommandParameters)
        let random = BluetoothAddress(0xC0_0000_0000_01, kind: .random)
        bench.accept(HCI.LESetRandomAddress(address: random), id)
        bench.accept(HCI.LESetAdvertisingEnable(enable: true), id)
        bench.scan(scanner)
        bench.run(milliseconds: 100)
        #expect(Set(bench.receiveReports(scanner).map(\.report.address)) == [random])
        bench.accept(Bench.connection(to: random), scanner)
        bench.run(milliseconds: 100)
        #expect(bench.receiveConnection(scanner)?.peerAddress == random)
    }

    @Test func valuesOutOfRangeAreRefused() throws {
        let bench = Bench()
        let id = bench.add(1)
        func advertising(_ low: UInt16, _ high: UInt16, channels: UInt8 = 7) -> HCI.LESetAdvertisingParameters
        {
            HCI.LESetAdvertisingParameters(
                intervalMin: .init(rawValue: low), intervalMax: .init(rawValue: high),
                type: .connectableUndirected, ownAddressType: .public, peerAddress: address(0),
                channelMap: .init(rawValue: channels), filterPolicy: .all)
        }
        for command in [
            advertising(0x1F, 0x20), advertising(0x20, 0x4001), advertising(0x21, 0x20),
            advertising(0, 0xFFFF),
            advertising(0x20, 0x20, channels: 0), advertising(0x20, 0x20, channels: 8),
        ] { #expect(bench.status(command, id) == .invalidHCICommandParameters) }
        bench.accept(advertising(0x20, 0x4000, channels: 1), id)
        func scan(_ interval: UInt16, _ window: UInt16) -> HCI.LESetScanParameters {
            HCI.LESetScanParameters(
                type: .passive, interval: .init(rawValue: interval), window: .init(rawValue: window),
                ownAddressType: .public, filterPolicy: .all)
        }
        for command in [scan(0, 0), scan(3, 3), scan(0x10, 0x11), scan(0x4001, 0x10), scan(0xFFFF, 0xFFFF)] {
            #expect(bench.status(command, id) == .invalidHCICommandParameters)
        }
        bench.accept(scan(4, 4), id)
        for change in [
            { $0.intervalMin = .init(rawValue: 5) }, { $0.intervalMax = .init(rawValue: 3201) },
            { $0.intervalMin = .init(rawValue: 100) }, { $0.maxLatency = 500 },
            { $0.supervisionTimeout = .init(rawValue: 9) }, { $0.supervisionTimeout = .init(rawValue: 3201) },
            // 30 ms and a latency of 99 need more than 6 s.
            { $0.maxLatency = 99 }, { $0.scanWindow = .init(rawValue: 0) },
        ] as [(inout HCI.LECreateConnection) -> Void] {
            var command = Bench.connection(to: address(2))
            change(&command)
            #expect(bench.status(command, id) == .invalidHCICommandParameters)
        }
        for (octets, time) in [(26, 328), (252, 328), (27, 327), (27, 17041)] as [(UInt16, UInt16)] {
            let command = HCI.LEWriteSuggestedDefaultDataLength(maxTxOctets: octets, maxTxTime: time)
            #expect(bench.status(command, id) == .invalidHCICommandParameters)
        }
    }

    @Test func theFilterAcceptListHasAnEnd() throws {
        let bench = Bench()
        let id = bench.add(1) { $0.filterAcceptListSize = 2 }
        for _ in 0..<3 { bench.accept(HCI.LEAddDeviceToFilterAcceptList(address: address(2)), id) }
        bench.accept(HCI.LEAddDeviceToFilterAcceptList(address: address(3)), id)
        let third = HCI.LEAddDeviceToFilterAcceptList(address: address(4))
        #expect(bench.status(third, id) == .memoryCapacityExceeded)
        bench.accept(HCI.LEClearFilterAcceptList(), id)
        bench.accept(third, id)
    }

    @Test func masksHoldEventsBack() throws {
        let bench = Bench()
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.advertise(advertiser)
        bench.scan(scanner)
        bench.accept(HCI.LESetEventMask(mask: .connectionComplete), scanner)
        bench.run(milliseconds: 500)
        #expect(bench.isSilent)
        bench.accept(HCI.LESetEventMask(mask: .advertisingReport), scanner)
        bench.run(milliseconds: 500)
        #expect(!bench.receiveReports(scanner).isEmpty)
        bench.accept(HCI.SetEventMask(mask: .initial), scanner)
        bench.run(milliseconds: 500)
        #expect(bench.isSilent)
        let link = try bench.connect(bench.add(3), bench.add(4), number: 4)
        bench.accept(HCI.SetEventMask(mask: .leMeta), link.central)
        bench.accept(
            HCI.Disconnect(handle: link.centralHandle, reason: .remoteUserTerminatedConnection), link.central)
        bench.run(milliseconds: 500)
        #expect(bench.receiveDisconnection(link.central) == nil)
        #expect(bench.receiveDisconnection(link.peripheral) != nil)
    }

    @Test func resetForgetsEverything() throws {
        let bench = Bench()
        let link = try bench.pair()
        let id = link.central
        bench.accept(HCI.LEAddDeviceToFilterAcceptList(address: address(9)), id)
        bench.advertise(id)
        bench.scan(id)
        bench.accept(Bench.connection(to: address(9)), id)
        bench.accept(HCI.LEWriteSuggestedDefaultDataLength(maxTxOctets: 251, maxTxTime: 2120), id)
        bench.accept(HCI.Reset(), id)
        #expect(bench.isSilent)
        #expect(bench.status(HCI.LECreateConnectionCancel(), id) == .commandDisallowed)
        #expect(try bench.ask(HCI.LEReadSuggestedDefaultDataLength(), id).maxTxOctets == 27)
        let disconnect = HCI.Disconnect(handle: link.centralHandle, reason: .remoteUserTerminatedConnection)
        #expect(bench.status(disconnect, id) == .unknownConnectionIdentifier)
        // It is not on the air any more.
        bench.scan(link.peripheral)
        bench.run(milliseconds: 3000)
        #expect(bench.receiveReports(link.peripheral).isEmpty)
        #expect(bench.receiveDisconnection(link.peripheral)?.event.reason == .connectionTimeout)
        bench.accept(HCI.LESetScanEnable(enable: false, filterDuplicates: false), link.peripheral)
        // And it can start again.
        bench.start(id)
        _ = try bench.connect(id, link.peripheral, number: 2)
    }

    @Test func aHostThatIsReplacedStartsAfresh() throws {
        let bench = Bench()
        let link = try bench.pair()
        // The old host left an answer that nobody fetched, and half a packet.
        bench.isNobodyReading = true
        bench.send(HCI.Packet(HCI.ReadBDADDR()), link.central)
        bench.air.receive([0x01, 0x03], on: link.central, at: bench.now)
        bench.air.hostDetached(link.central)
        bench.isNobodyReading = false
        bench.drain()
        #expect(bench.isSilent)
        bench.start(link.central)
        bench.run(milliseconds: 2000)
        #expect(bench.receiveDisconnection(link.peripheral)?.event.reason == .connectionTimeout)
        _ = try bench.connect(link.central, link.peripheral, number: 2)
    }

    @Test func octetsThatAreNoPacketsAreAHardwareError() throws {
        let bench = Bench()
        let id = bench.add(1)
        bench.air.receive([0x42, 1, 2, 3], on: id, at: bench.now)
        bench.drain()
        let error = bench.receive(id) { event -> UInt8? in
            guard case .hardwareError(let event) = event else { return nil }
            return event.code
        }
        #expect(error != nil)
        #expect(bench.air.statistics(of: id)?.framingErrors == 1)
        bench.start(id)
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func anyOctetsOfAHostAreSurvived(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let bench = Bench(.init(seed: seed))
        let link = try bench.pair()
        let codes: [UInt16] = [
            0x0406, 0x041D, 0x0C01, 0x1405, 0x2001, 0x2005, 0x2006, 0x2008, 0x2009, 0x200A, 0x200B, 0x200C,
            0x200D,
            0x200E, 0x2010, 0x2011, 0x2013, 0x2016, 0x2020, 0x2021, 0x2022, 0x2024,
        ]
        let lengths = [3, 2, 8, 2, 8, 6, 15, 32, 32, 1, 7, 2, 25, 0, 0, 7, 14, 2, 14, 3, 6, 4]
        for _ in 0..<400 {
            let id = Bool.random(using: &generator) ? link.central : link.peripheral
            let choice = Int.random(in: 0..<codes.count, using: &generator)
            let small = UInt8.random(in: 0...16, using: &generator)
            let parameters = (0..<lengths[choice]).map { _ in UInt8.random(in: 0...small, using: &generator) }
            let opcode = HCI.Opcode(rawValue: codes[choice])
            bench.send(.command(opcode, parameters), id)
            bench.sendData(
                id, ConnectionHandle(rawValue: UInt16.random(in: 0...2, using: &generator)), parameters)
            bench.run(milliseconds: UInt64.random(in: 0...50, using: &generator))
        }
        bench.air.receive(
            (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }, on: link.central,
            at: bench.now)
        bench.run(milliseconds: 1000)
        bench.start(link.central)
        #expect(try bench.ask(HCI.ReadBDADDR(), link.central).address == address(1))
    }

    /// Commands that are right but for an octet or two.
    private static let nearlyRight = [
        "36 20 19 01 01 00 20 00 00 20 00 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 02 05 01",
        "36 20 19 02 13 00 20 00 00 20 00 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 01 00 00",
        "36 20 19 03 02 00 20 00 00 20 00 00 07 00 00 00 00 00 00 00 00 00 7F 03 00 03 00 01",
        "37 20 07 01 03 01 03 02 01 06", "37 20 06 01 01 01 02 02 01", "37 20 05 01 02 01 01 06",
        "38 20 07 02 03 01 03 02 09 41", "38 20 07 03 03 01 03 02 09 41",
        "39 20 06 01 01 01 00 00 00", "39 20 0A 01 02 02 14 00 00 03 00 00 09", "39 20 02 00 00",
        "35 20 07 01 01 02 03 04 05 C6", "3C 20 01 01", "3D 20 00",
        "41 20 0D 00 00 05 01 10 00 10 00 01 10 00 10 00", "42 20 06 01 01 00 00 00 00",
        "42 20 06 01 02 0A 00 01 00", "42 20 06 00 00 00 00 00 00",
        "43 20 2A 00 00 00 02 00 00 00 A0 00 03 10 00 10 00 06 00 06 00 00 00 0A 00 00 00 00 00 "
            + "10 00 10 00 06 00 06 00 00 00 0A 00 00 00 00 00",
        "0E 20 00", "06 04 03 00 00 13", "14 20 05 FF FF FF FF 1F", "15 20 02 00 00", "30 20 02 00 00",
        "31 20 03 00 07 07", "32 20 07 00 00 00 02 02 00 00", "32 20 07 00 00 00 04 04 00 00",
        "13 20 0E 00 00 06 00 06 00 00 00 0A 00 00 00 00 00", "11 20 07 00 02 00 00 00 A0 00",
    ].map { [UInt8](hexadecimal: $0) }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func anyExtendedCommandsAreSurvived(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var configuration = VirtualAir.Configuration(seed: seed)
        configuration.latencyMicroseconds = seed.isMultiple(of: 3) ? 0...20_000 : 0...0
        let bench = Bench(configuration, .extended)
        let ids = [bench.add(1), bench.add(2), bench.add(3)]
        _ = try bench.connectExtended(ids[0], ids[1], number: 2)
        bench.air.loss = seed.isMultiple(of: 2) ? 0.1 : 0
        for _ in 0..<1000 {
            guard let id = ids.randomElement(using: &generator),
                var octets = Self.nearlyRight.randomElement(using: &generator)
            else { continue }
            // Most are left as they are.
            let changes = max(0, Int.random(in: -4...2, using: &generator))
            for _ in 0..<changes where octets.count > 3 {
                let index = Int.random(in: 3..<octets.count, using: &generator)
                octets[index] = UInt8.random(in: 0...255, using: &generator) & 0x87
            }
            bench.air.receive([1] + octets, on: id, at: bench.now)
            bench.sendData(id, ConnectionHandle(rawValue: UInt16.random(in: 0...2, using: &generator)), [1])
            bench.run(milliseconds: UInt64.random(in: 0...60, using: &generator))
        }
        for id in ids {
            bench.start(id)
            bench.forget(id)
        }
        bench.run(milliseconds: 40_000)
        #expect(bench.isSilent && bench.air.nextDeadline == nil)
    }
}
