// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

@Suite struct DeterminismTests {
    /// A busy minute: scanning, loss, links and data; everything that three hosts got.
    private func minute(seed: UInt64, atOnce: Bool = false) throws -> [[Bench.Received]] {
        let bench = Bench(.init(seed: seed, loss: 0.05))
        let ids = [bench.add(1), bench.add(2), bench.add(3)]
        bench.scan(ids[0], .active)
        bench.advertise(ids[1])
        bench.advertise(ids[2], milliseconds: 40)
        bench.accept(Bench.connection(to: address(2), timeout: 5000), ids[0])
        for round in 0..<120 as Range<UInt8> {
            bench.run(milliseconds: 500, atOnce: atOnce)
            let payload = [UInt8](repeating: round, count: 60)
            bench.sendData(ids[0], ConnectionHandle(rawValue: 0), payload)
        }
        return ids.map { bench.received[$0] ?? [] }
    }

    @Test func theSameSeedGivesTheSameMinute() throws {
        let first = try minute(seed: 7)
        #expect(first[0].count > 1000 && first[1].count > 300)
        #expect(try minute(seed: 7) == first)
    }

    @Test func howOftenTheClockIsTurnedDoesNotMatter() throws {
        let often = try minute(seed: 7).map { $0.map(\.packet) }
        let seldom = try minute(seed: 7, atOnce: true).map { $0.map(\.packet) }
        #expect(often == seldom)
    }

    @Test func anotherSeedGivesAnotherMinute() throws {
        #expect(try minute(seed: 7) != minute(seed: 8))
    }

    @Test func manyControllersShareTheAir() throws {
        let bench = Bench()
        let scanner = bench.add(0)
        let advertisers = (1...200 as ClosedRange<UInt64>).map { bench.add($0) }
        bench.scan(scanner, filterDuplicates: true)
        for id in advertisers { bench.advertise(id, milliseconds: 500) }
        bench.run(milliseconds: 1100)
        #expect(Set(bench.takeReports(scanner).map(\.report.address)).count == 200)
    }
}
