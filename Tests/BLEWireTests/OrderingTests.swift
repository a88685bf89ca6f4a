// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

@Suite("One sort for all types")
struct OrderingTests {
    private struct Card: Equatable {
        let rank: Int
        let place: Int
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100, 1000])
    func itSortsAndEqualOnesStayAsTheyAre(_ count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        for ranks in [1, 3, 1_000_000] as [UInt64] {
            let cards = (0..<count).map { Card(rank: Int(random.next() % ranks), place: $0) }
            let ordered = cards.ordered { $0.rank < $1.rank }
            #expect(
                ordered
                    == cards.sorted { $0.rank < $1.rank || ($0.rank == $1.rank && $0.place < $1.place) })
            var same = cards
            same.order { $0.rank < $1.rank }
            #expect(same == ordered)
        }
    }

    @Test func whatIsInOrderAlreadyIsLookedAtOnce() {
        var looks = 0
        let numbers = Array(0..<1024)
        let ordered = numbers.ordered {
            looks += 1
            return $0 < $1
        }
        #expect(ordered == numbers && looks == 1023)
    }

    @Test func itTakesWhatIsNoArray() {
        #expect(["b": 2, "a": 1, "c": 3].ordered { $0.key < $1.key }.map(\.value) == [1, 2, 3])
        #expect((1...9).reversed().ordered(by: <) == Array(1...9))
    }
}
