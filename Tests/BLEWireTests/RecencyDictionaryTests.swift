// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

@Suite struct RecencyDictionaryTests {
    @Test func whatWasUsedLeastRecentlyMakesRoom() {
        var recent = RecencyDictionary<String, Int>(limit: 3)
        for (number, key) in ["a", "b", "c"].enumerated() { recent.use(key, default: number) { _ in } }
        // Looking is no use; using is.
        #expect(recent["b"] == 1)
        recent.use("a", default: 9) { $0 += 10 }
        recent.use("d", default: 3) { _ in }
        #expect(recent["b"] == nil)
        #expect(recent["a"] == 10)
        recent.use("e", default: 4) { _ in }
        #expect(recent["c"] == nil)
        #expect(recent.values.sorted() == [3, 4, 10])
        #expect(recent.count == 3)
    }

    @Test func aLimitBelowOneKeepsOne() {
        var recent = RecencyDictionary<Int, Int>(limit: 0)
        for number in 0..<3 { #expect(recent.use(number, default: number) { $0 } == number) }
        #expect(recent.count == 1)
        #expect(recent[2] == 2)
        #expect(recent.removeValue(forKey: 1) == nil)
        #expect(recent.removeValue(forKey: 2) == 2)
        #expect(recent.count == 0)
    }

    /// The same keys as a list that is searched.
    @Test(arguments: UInt64(1)...8)
    func doesWhatAListWouldDo(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        func random(_ bound: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % bound)
        }
        let limit = 1 + random(20)
        var recent = RecencyDictionary<Int, Int>(limit: limit)
        var list: [(key: Int, value: Int)] = []
        for step in 0..<2000 {
            let key = random(40)
            let known = list.firstIndex { $0.key == key }
            if random(4) == 0 {
                #expect(recent.removeValue(forKey: key) == known.map { list.remove(at: $0).value })
            } else {
                var entry = known.map { list.remove(at: $0) } ?? (key: key, value: 0)
                entry.value += step
                if list.count == limit { list.removeFirst() }
                list.append(entry)
                #expect(
                    recent.use(key, default: 0) {
                        $0 += step; return $0
                    } == entry.value)
            }
            #expect(recent.count == list.count)
            for (key, value) in list { #expect(recent[key] == value) }
        }
        #expect(recent.values.sorted() == list.map(\.value).sorted())
    }
}
