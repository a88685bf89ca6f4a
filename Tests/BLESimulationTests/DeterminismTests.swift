// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

@Suite struct DeterminismTests {
    /// A busy minute: scanning, loss, links and data; everything that three hosts got.
    private func minute(
        seed: UInt64, atOnce: Bool = false, _ generation: VirtualAir.Generation = .legacy
    ) throws -> [[Bench.Received]] {
        var configuration = VirtualAir.Configuration(seed: seed, loss: 0.05)
        configuration.latencyMicroseconds = generation == .legacy ? 0...0 : 0...50_000
        let bench = Bench(configuration, generation)
        let ids = [bench.add(1), bench.add(2), bench.add(3)]
        if generation == .legacy {
            bench.scan(ids[0], .active)
            bench.advertise(ids[1])
            bench.advertise(ids[2], milliseconds: 40)
            bench.accept(Bench.connection(to: address(2), timeout: 5000), ids[0])
        } else {
            bench.scanExtended(ids[0], .active)
            for id in ids.dropFirst() {
                bench.accept(Bench.set(1, secondary: .le2M), id)
                bench.accept(Bench.set(2, .scannable, milliseconds: 40), id)
                try bench.fill(id, 2, [UInt8](repeating: 3, count: 500), asResponse: true)
                for handle in [1, 2] as [HCI.AdvertisingHandle] { bench.accept(Bench.enable(handle), id) }
            }
            bench.accept(Bench.extendedConnection(to: address(2)), ids[0])
        }
        for round in 0..<120 as Range<UInt8> {
            bench.run(milliseconds: 500, atOnce: atOnce)
            let payload = [UInt8](repeating: round, count: 60)
            bench.sendData(ids[0], ConnectionHandle(rawValue: 0), payload)
        }
        return ids.map { bench.received[$0] ?? [] }
    }

    @Test(arguments: VirtualAir.Generation.allCases)
    func theSameSeedGivesTheSameMinute(generation: VirtualAir.Generation) throws {
        let first = try minute(seed: 7, generation)
        #expect(first[0].count > 1000 && first[1].count > 200)
        #expect(try minute(seed: 7, generation) == first)
    }

    @Test(arguments: VirtualAir.Generation.allCases)
    func howOftenTheClockIsTurnedDoesNotMatter(generation: VirtualAir.Generation) throws {
        let often = try minute(seed: 7, generation).map { $0.map(\.packet) }
        let seldom = try minute(seed: 7, atOnce: true, generation).map { $0.map(\.packet) }
        #expect(often == seldom)
    }

    @Test(arguments: VirtualAir.Generation.allCases)
    func anotherSeedGivesAnotherMinute(generation: VirtualAir.Generation) throws {
        #expect(try minute(seed: 7, generation) != minute(seed: 8, generation))
    }

    @Test func manyControllersShareTheAir() throws {
        let bench = Bench()
        let scanner = bench.add(0)
        let advertisers = (1...200 as ClosedRange<UInt64>).map { bench.add($0) }
        bench.scan(scanner, filterDuplicates: true)
        for id in advertisers { bench.advertise(id, milliseconds: 500) }
        bench.run(milliseconds: 1100)
        #expect(Set(bench.receiveReports(scanner).map(\.report.address)).count == 200)
    }
}
