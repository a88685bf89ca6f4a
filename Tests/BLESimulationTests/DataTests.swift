// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

@Suite struct DataTests {
    /// Sends payloads as fast as the controller's buffers allow; gives what arrives.
    private func stream(
        _ payloads: [[UInt8]], on bench: Bench, from id: ID, _ handle: ConnectionHandle, to peer: ID,
        milliseconds: UInt64
    ) -> [(moment: HostInstant, data: HCI.ACLData)] {
        var (credits, next) = (8, 0)
        let end = bench.now.advanced(byMilliseconds: milliseconds)
        while bench.now < end {
            while credits > 0, next < payloads.count {
                bench.sendData(id, handle, payloads[next])
                credits -= 1
                next += 1
            }
            guard let deadline = bench.air.nextDeadline else { break }
            bench.air.advance(to: min(deadline, end))
            bench.drain()
            credits += bench.receiveCompleted(id).reduce(0) { $0 + Int($1.entry.packets) }
        }
        #expect(next == payloads.count)
        #expect(credits == 8)
        return bench.receiveData(peer)
    }

    @Test(arguments: [HCI.Role.central, .peripheral])
    func dataMovesInOrderAndOnlyAtConnectionEvents(role: HCI.Role) throws {
        let bench = Bench()
        let link = try bench.pair(interval: 30)
        let payloads = (0..<300).map { [UInt8($0 & 0xFF), UInt8($0 >> 8), 0xAA] }
        let isCentral = role == .central
        let data = stream(
            payloads, on: bench, from: isCentral ? link.central : link.peripheral,
            isCentral ? link.centralHandle : link.peripheralHandle,
            to: isCentral ? link.peripheral : link.central, milliseconds: 5000)
        #expect(data.map(\.data.payload) == payloads)
        #expect(data.allSatisfy { $0.data.boundary == .firstFlushable })
        // Three octets take 254 µs and the empty answer 230 µs.
        let first = try #require(data.first).moment
        let offsets = data.map { $0.moment.microseconds(since: first) % 30_000 }
        #expect(offsets.allSatisfy { $0.isMultiple(of: 484) && $0 + 484 <= 30_000 })
        #expect(offsets.contains(29_040))
    }

    @Test func completionIsReportedWhenThePeerHasAcknowledged() throws {
        let bench = Bench()
        let link = try bench.pair()
        bench.sendData(link.central, link.centralHandle, [1])
        bench.sendData(link.central, link.centralHandle, [2])
        #expect(bench.isSilent)
        bench.run(milliseconds: 30)
        let completed = bench.receiveCompleted(link.central)
        let entry = HCI.NumberOfCompletedPackets.Entry(handle: link.centralHandle, packets: 1)
        #expect(completed.map(\.entry) == [entry, entry])
        #expect(bench.receiveData(link.peripheral).map(\.moment) == completed.map(\.moment))
    }

    @Test func packetsAreCutTo27OctetsUntilTheLengthIsRaised() throws {
        let bench = Bench()
        let link = try bench.pair()
        let payload = [UInt8](0..<251)
        bench.sendData(link.central, link.centralHandle, payload)
        bench.run(milliseconds: 60)
        let pieces = bench.receiveData(link.peripheral).map(\.data)
        #expect(pieces.map(\.payload.count) == [Int](repeating: 27, count: 9) + [8])
        #expect(
            pieces.map(\.boundary) == [.firstFlushable]
                + [HCI.PacketBoundary](repeating: .continuing, count: 9))
        #expect(pieces.flatMap(\.payload) == payload)
        #expect(bench.receiveCompleted(link.central).map(\.entry.packets) == [1])

        bench.accept(
            HCI.LESetDataLength(handle: link.centralHandle, txOctets: 251, txTime: 2120), link.central)
        bench.run(milliseconds: 100)
        func change(_ id: ID) -> HCI.LEDataLengthChange? {
            bench.receive(id) { event -> HCI.LEDataLengthChange? in
                guard case .dataLengthChange(let event) = event else { return nil }
                return event
            }?.value
        }
        #expect(
            change(link.central)
                == .init(
                    handle: link.centralHandle, maxTxOctets: 251, maxTxTime: 2120, maxRxOctets: 27,
                    maxRxTime: 328))
        #expect(
            change(link.peripheral)
                == .init(
                    handle: link.peripheralHandle, maxTxOctets: 27, maxTxTime: 328, maxRxOctets: 251,
                    maxRxTime: 2120))
        bench.sendData(link.central, link.centralHandle, payload)
        bench.run(milliseconds: 60)
        #expect(bench.receiveData(link.peripheral).map(\.data.payload) == [payload])
    }

    @Test(arguments: [1, 26, 27, 28, 53, 54, 55, 250, 251])
    func noOctetIsLostWhereAPacketIsCut(count: Int) throws {
        let bench = Bench()
        let link = try bench.pair()
        let payload = (0..<count).map { UInt8($0) }
        for _ in 0..<2 { bench.sendData(link.central, link.centralHandle, payload) }
        bench.run(milliseconds: 100)
        let pieces = bench.receiveData(link.peripheral).map(\.data)
        #expect(pieces.flatMap(\.payload) == payload + payload)
        #expect(pieces.filter { $0.boundary == .firstFlushable }.count == 2)
        #expect(bench.receiveCompleted(link.central).count == 2)
    }

    @Test func aSuggestedLengthIsUsedForNewLinks() throws {
        let bench = Bench()
        let (a, b) = (bench.add(1), bench.add(2))
        bench.accept(HCI.LEWriteSuggestedDefaultDataLength(maxTxOctets: 100, maxTxTime: 2120), b)
        #expect(try bench.ask(HCI.LEReadSuggestedDefaultDataLength(), b).maxTxOctets == 100)
        let link = try bench.connect(a, b, number: 2)
        bench.run(milliseconds: 100)
        bench.sendData(b, link.peripheralHandle, [UInt8](repeating: 1, count: 251))
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(a).map(\.data.payload.count) == [100, 100, 51])
    }

    @Test func anEventHoldsOnlyWhatItsTimeAllows() throws {
        var configuration = VirtualAir.Configuration()
        configuration.connectionEventMicroseconds = 2500
        let bench = Bench(configuration)
        let link = try bench.pair(interval: 30)
        // 27 octets take 446 µs and the empty answer 230 µs: three exchanges fit, a fourth does not.
        let payloads = (0..<30).map { [UInt8](repeating: UInt8($0), count: 27) }
        let data = stream(
            payloads, on: bench, from: link.central, link.centralHandle, to: link.peripheral,
            milliseconds: 2000)
        #expect(data.map(\.data.payload) == payloads)
        let first = try #require(data.first).moment
        let events = data.map { $0.moment.microseconds(since: first) / 30_000 }
        let perEvent = Dictionary(grouping: events) { $0 }.values.map(\.count)
        #expect(perEvent.allSatisfy { $0 == 3 })
        #expect(perEvent.count == 10)
    }

    @Test func aPacketWithoutABufferIsLostAndReported() throws {
        let bench = Bench()
        let link = try bench.pair()
        for number in 0..<10 as Range<UInt8> { bench.sendData(link.central, link.centralHandle, [number]) }
        bench.sendData(link.central, link.centralHandle, [UInt8](repeating: 0, count: 252))
        #expect(bench.air.statistics(of: link.central)?.bufferOverflows == 3)
        let overflows = bench.receiveAll(link.central) { event -> HCI.DataBufferOverflow? in
            guard case .dataBufferOverflow(let event) = event else { return nil }
            return event
        }
        #expect(overflows.map(\.value.linkType) == [1, 1, 1])
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(link.peripheral).map(\.data.payload) == (0..<8).map { [$0] })
    }

    @Test func dataForNoLinkIsCounted() throws {
        let bench = Bench()
        let id = bench.add(1)
        bench.sendData(id, ConnectionHandle(rawValue: 0), [1])
        #expect(bench.air.statistics(of: id)?.packetsWithoutLink == 1)
        #expect(bench.isSilent)
    }

    @Test(arguments: [0.1, 0.5])
    func lossDelaysDataButLosesNone(loss: Double) throws {
        let bench = Bench()
        let link = try bench.pair(interval: 10, timeout: 10_000)
        bench.air.loss = loss
        let payloads = (0..<200).map { [UInt8](repeating: UInt8($0), count: 40) }
        let data = stream(
            payloads, on: bench, from: link.central, link.centralHandle, to: link.peripheral,
            milliseconds: 20_000)
        #expect(data.flatMap(\.data.payload) == payloads.flatMap { $0 })
        #expect((bench.air.statistics(of: link.central)?.retransmissions ?? 0) > 20)
        #expect(bench.receiveDisconnection(link.central) == nil)
        bench.air.loss = 0
        bench.run(milliseconds: 11_000)
        #expect(bench.air.nextDeadline == nil)
    }

    @Test func totalLossEndsTheLink() throws {
        let bench = Bench()
        let link = try bench.pair()
        bench.air.loss = 1
        bench.run(milliseconds: 1100)
        #expect(bench.receiveDisconnection(link.central)?.event.reason == .connectionTimeout)
        #expect(bench.receiveDisconnection(link.peripheral)?.event.reason == .connectionTimeout)
    }

    @Test func aHostThatDoesNotReadHoldsThePeerBack() throws {
        let bench = Bench()
        let reader = bench.add(1) { $0.maximumPendingOutputs = 20 }
        let link = try bench.connect(reader, bench.add(2), number: 2, interval: 10)
        bench.isNobodyReading = true
        for number in 0..<8 as Range<UInt8> {
            bench.sendData(link.peripheral, link.peripheralHandle, [number])
        }
        bench.run(milliseconds: 50)
        bench.isNobodyReading = false
        bench.drain()
        let payloads = (0..<100).map { [UInt8($0)] }
        #expect(bench.receiveCompleted(link.peripheral).count == 8)
        bench.isNobodyReading = true
        for payload in payloads.prefix(8) { bench.sendData(link.peripheral, link.peripheralHandle, payload) }
        for _ in 0..<5 {
            bench.run(milliseconds: 50)
            for payload in payloads.prefix(8) {
                bench.sendData(link.peripheral, link.peripheralHandle, payload)
            }
        }
        #expect((bench.air.statistics(of: link.peripheral)?.bufferOverflows ?? 0) > 8)
        bench.isNobodyReading = false
        bench.drain()
        #expect(bench.receiveData(reader).count == 28)
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(reader).count == 8)
        #expect(bench.air.nextDeadline == nil)
    }

    @Test func aSleepyPeripheralHearsItsCentralLater() throws {
        let bench = Bench()
        let link = try bench.pair(interval: 30, latency: 9, timeout: 2000)
        bench.run(milliseconds: 300)
        var delays: [UInt64] = []
        for _ in 0..<20 {
            bench.run(milliseconds: 37)
            let sent = bench.now
            bench.sendData(link.central, link.centralHandle, [1])
            bench.run(milliseconds: 300)
            delays += bench.receiveData(link.peripheral).map { $0.moment.microseconds(since: sent) }
            // The other way round latency costs nothing.
            let answered = bench.now
            bench.sendData(link.peripheral, link.peripheralHandle, [2])
            bench.run(milliseconds: 30)
            let back = bench.receiveData(link.central).map { $0.moment.microseconds(since: answered) }
            #expect(back.count == 1 && back[0] <= 30_000)
        }
        #expect(delays.count == 20)
        #expect(delays.allSatisfy { $0 <= 300_000 })
        #expect((delays.max() ?? 0) > 100_000)
    }

    @Test func anEmptyPacketIsCompletedAndNotDelivered() throws {
        let bench = Bench()
        let link = try bench.pair()
        bench.sendData(link.central, link.centralHandle, [])
        bench.run(milliseconds: 100)
        #expect(bench.receiveCompleted(link.central).map(\.entry.packets) == [1])
        #expect(bench.receiveData(link.peripheral).isEmpty)
    }

    @Test func whatWaitsWhenALinkEndsIsForgotten() throws {
        let bench = Bench()
        let link = try bench.pair()
        bench.air.setReachable(link.central, link.peripheral, false)
        for number in 0..<8 as Range<UInt8> { bench.sendData(link.central, link.centralHandle, [number]) }
        bench.run(milliseconds: 2000)
        bench.forget(link.central)
        bench.forget(link.peripheral)
        bench.air.setReachable(link.central, link.peripheral, true)
        let again = try bench.connect(link.central, link.peripheral, number: 2)
        for number in 10..<18 as Range<UInt8> { bench.sendData(again.central, again.centralHandle, [number]) }
        bench.run(milliseconds: 100)
        #expect(bench.receiveData(again.peripheral).map(\.data.payload) == (10..<18).map { [$0] })
        #expect(bench.air.statistics(of: link.central)?.bufferOverflows == 0)
    }
}
