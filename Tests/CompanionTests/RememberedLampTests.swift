// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Nightlight
import NightlightCompanion
import Testing

@Suite("What is remembered of a lamp")
struct RememberedLampTests {
    private func memory(_ ids: [Int]) throws -> RememberedLamp {
        let changes = ids.map { #"{"id":\#($0),"made":"2026-01-01T00:00:00Z","change":{"power":true}}"# }
        return try RememberedLamp(
            #"{"address":"C0:DE:00:00:00:01","address_kind":"random","pending":[\#(changes.joined(separator: ","))]}"#
        )
    }

    @Test(arguments: [
        ([Int](), 1), ([1, 2], 3), ([5, 3], 6), ([2_147_483_647], 1), ([1, 2, 4, 2_147_483_647], 3), ([0], 1),
    ])
    func theNextChangeHasANumberThatCanBeReadAgain(ids: [Int], next: Int) throws {
        var memory = try memory(ids)
        #expect(memory.nextChange == next)
        let change = try LampChange(JSONReader.read(Array(#"{"name":"x"}"#.utf8)))
        memory.pendingChanges.append(
            RememberedLamp.PendingChange(id: next, made: Timestamp(milliseconds: 0), change))
        #expect(try RememberedLamp(memory.text) == memory)
    }

    @Test func noMoreChangesAreReadThanThereMayBeAndNoNumberTwice() throws {
        #expect(try memory(Array(1...200)).pendingChanges.map(\.id) == Array(1...RememberedLamp.changeLimit))
        #expect(try memory([3, 3, 1, 3]).pendingChanges.map(\.id) == [3, 1])
    }

    @Test func whatWasStoredAsWishesIsReadAndStoredAsPending() throws {
        let old = try RememberedLamp(
            """
            {"address":"C0:DE:00:00:00:01","address_kind":"random","name":"Mia","seen":null,"known":null,"wishes":[{"id":3,\
            "made":"2026-01-01T00:00:00Z","change":{"name":"Noah"}},{"id":4,"made":"2026-01-01T00:00:01Z","change":{"power":false}}],\
            "refusal":null}
            """)
        #expect(
            old.pendingChanges.map(\.id) == [3, 4] && old.pendingChanges.map(\.change.name) == ["Noah", nil])
        #expect(!old.text.contains("wishes") && old.text.contains(#""pending":[{"id":3"#))
        #expect(try RememberedLamp(old.text) == old)
    }

    @Test(arguments: [([Int](), 1), ([1, 7], 8), ([1, 2_147_483_647], 2)])
    func theNextWeekHasANumberThatCanBeReadAgain(ids: [Int], next: Int) throws {
        let kept = ids.map { KeptSchedule(id: $0, .factory, kept: Timestamp(milliseconds: 0)) }
        #expect(try KeptSchedule.number(replacing: nil, among: kept) == next)
    }
}
