// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import Testing

@testable import BLESimulation

@Suite struct AirEndTests {
    /// A controller that is seen, and not held.
    private struct Seen {
        weak var controller: Controller?
        weak var set: AdvertisingSet?
    }

    @Test func anAirThatEndsTakesWhatGoesOnWithIt() throws {
        var seen: [Seen] = []
        do {
            let bench = Bench()
            let link = try bench.pair()
            let other = bench.add(3)
            bench.advertise(other)
            bench.scan(link.central)
            bench.run(milliseconds: 500)
            seen = bench.air.controllers.map { Seen(controller: $0, set: $0.state.legacySet) }
            #expect(seen.allSatisfy { $0.controller != nil && $0.set != nil })
            #expect(seen.last?.set?.run != nil && bench.air.controllers[0].sides.count == 1)
        }
        #expect(seen.count == 3 && seen.allSatisfy { $0.controller == nil && $0.set == nil })
    }
}
