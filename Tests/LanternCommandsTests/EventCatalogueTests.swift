// SPDX-License-Identifier: Apache-2.0

import Companion
import Testing

@testable import LanternCommands

@Suite struct EventCatalogueOfAllTests {
    @Test func noTwoEventsHaveOneName() {
        let names = EventCatalogue.all.events.map { "\($0.name)" }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" } })
    }

    /// Octets are called octets, and an address says of what kind it is.
    @Test func keysAreSpelledAlike() {
        for event in EventCatalogue.all.events {
            let keys = event.fields.map { "\($0.key)" }
            #expect(Set(keys).count == keys.count, "\(event.name)")
            #expect(
                Set(keys).isDisjoint(with: ["value", "data", "map", "ad", "address_type", "event", "time"]))
            #expect(keys.contains("address") == keys.contains("address_kind"), "\(event.name)")
        }
    }
}
