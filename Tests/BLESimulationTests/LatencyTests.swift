// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

@Suite("Latency of the air")
struct LatencyTests {
    private static func bench(_ milliseconds: ClosedRange<UInt64>, seed: UInt64 = 1) -> Bench {
        var configuration = VirtualAir.Configuration(seed: seed)
        configuration.latencyMicroseconds = milliseconds.lowerBound * 1000...milliseconds.upperBound * 1000
        return Bench(configuration)
    }

    /// When each of ten payloads came, since it was sent, in microseconds.
    private static func delays(_ bench: Bench) throws -> [UInt64] {
        let link = try bench.pair(interval: 10)
        return (0..<10 as Range<UInt8>).map { number in
            bench.run(milliseconds: 500)
            let sent = bench.now
            bench.sendData(link.central, link.centralHandle, [number])
            bench.run(milliseconds: 500)
            let data = bench.receiveData(link.peripheral)
            #expect(data.map(\.data.payload) == [[number]])
            return data.first?.moment.microseconds(since: sent) ?? 0
        }
    }

    @Test func dataComesThatMuchLater() throws {
        let delays = try Self.delays(Self.bench(40...60))
        // The next connection event is up to 10 ms away.
        #expect(delays.allSatisfy { (40_000...70_000).contains($0) })
        #expect(Set(delays.map { $0 / 1000 }).count > 3)
    }

    @Test func theSeedSaysHowMuch() throws {
        let first = try Self.delays(Self.bench(0...100, seed: 4))
        #expect(try Self.delays(Self.bench(0...100, seed: 4)) == first)
        #expect(try Self.delays(Self.bench(0...100, seed: 5)) != first)
    }

    @Test func nothingOvertakes() throws {
        let bench = Self.bench(0...200)
        let link = try bench.pair(interval: 10)
        for number in 0..<8 as Range<UInt8> { bench.sendData(link.central, link.centralHandle, [number]) }
        bench.accept(
            HCI.Disconnect(handle: link.centralHandle, reason: .remoteUserTerminatedConnection), link.central)
        bench.run(milliseconds: 2000)
        // The terminate goes before data that waits, but what was delivered before it comes before it.
        let all = bench.received[link.peripheral] ?? []
        #expect(all.last?.event?.code == .disconnectionComplete)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.moment <= $1.moment })
        #expect(bench.receiveDisconnection(link.central) != nil)
    }

    @Test func answersToCommandsAreNotOnTheAir() throws {
        let bench = Self.bench(1000...1000)
        let id = bench.add(1)
        #expect(try bench.ask(HCI.ReadBDADDR(), id).address == address(1))
        #expect(bench.air.nextDeadline == nil)
    }

    @Test func reportsComeLaterAndEndWithAReset() {
        let bench = Self.bench(300...300)
        let (advertiser, scanner) = (bench.add(1), bench.add(2))
        bench.scan(scanner)
        bench.advertise(advertiser, milliseconds: 100)
        bench.run(milliseconds: 299)
        #expect(bench.receiveReports(scanner).isEmpty)
        bench.run(milliseconds: 300)
        #expect(!bench.receiveReports(scanner).isEmpty)
        bench.accept(HCI.Reset(), scanner)
        bench.accept(HCI.Reset(), advertiser)
        bench.run(milliseconds: 1000)
        #expect(bench.isSilent)
        #expect(bench.air.nextDeadline == nil)
    }

    @Test func aLinkOutOfRangeEndsByItsTimeout() throws {
        let bench = Bench()
        let link = try bench.pair(timeout: 1000)
        bench.run(milliseconds: 1000)
        bench.air.move(link.peripheral, to: .init(x: 900))
        bench.run(milliseconds: 5000)
        #expect(bench.isSilent)
        bench.air.move(link.peripheral, to: .init(x: 1100))
        bench.run(milliseconds: 900)
        #expect(bench.isSilent)
        bench.run(milliseconds: 200)
        #expect(bench.receiveDisconnection(link.central)?.event.reason == .connectionTimeout)
        #expect(bench.receiveDisconnection(link.peripheral)?.event.reason == .connectionTimeout)
    }
}
