// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import FlockFinder
import Testing

/// How good the built-in table is, by advertisements of both kinds made from what is known: real ones are rarer.
@Suite struct LabelledSetTests {
    @Test func hitsMissesAndFalseAlarms() throws {
        var (hits, misses, falseAlarms, quiet): ([String], [String], [String], Int) = ([], [], [], 0)
        for advertiser in try LabelledAdvertiser.all() {
            var bench = DetectorBench()
            for data in try advertiser.data() { _ = bench.hear(data.octets, from: advertiser.sender) }
            let said = bench.wait(milliseconds: 1000)
            let word = said.first?.type.keywordString ?? "none"
            let line = "\(advertiser.what): \(word) \(said.first.map { "\($0.confidence)" } ?? "")"
            #expect(word == advertiser.says, "\(advertiser.what)")
            switch (advertiser.is, word) {
            case ("none", "none"): quiet += 1
            case ("none", _): falseAlarms.append(line)
            case (let truth, let word) where truth == word: hits.append(line)
            default: misses.append(line)
            }
        }
        for (title, lines) in [("hits", hits), ("misses", misses), ("false alarms", falseAlarms)] {
            print("\(title): \(lines.count)\n" + lines.map { "    \($0)\n" }.joined(), terminator: "")
        }
        print("rightly silent: \(quiet)")
        #expect(hits.count == 24)
        #expect(misses.count == 3)
        #expect(falseAlarms.count == 2)
        #expect(quiet == 31)
    }
}
