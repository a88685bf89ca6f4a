// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

@testable import BLEDevice

/// Flash whose power goes after so many units.
private struct Flash: FlashMemory, ~Copyable {
    let pageSize: Int
    let unit: Int
    /// The pages, which outlive the memory.
    let cells: Cells

    final class Cells {
        var pages: [[UInt8]]
        /// Units that are still written or erased; what comes after them is done in part or not at all.
        private var power: Int?
        private(set) var isOut = false
        private(set) var used = 0
        private(set) var random: SplitMix64

        /// Makes pages with anything in them.
        init(_ size: Int, seed: UInt64 = 1) {
            random = SplitMix64(seed: seed)
            pages = [random.octets(size), random.octets(size)]
        }

        /// What becomes of a unit.
        enum Fate {
            case done, torn, never
        }

        func spend() -> Fate {
            used += 1
            guard let left = power else { return .done }
            guard !isOut else { return .never }
            power = left - 1
            if left > 0 { return .done }
            isOut = true
            return random.below(4) == 0 ? .never : .torn
        }

        func lose(after units: Int) { power = units }

        func restore() { (power, isOut) = (nil, false) }

        func some() -> UInt8 { UInt8(random.below(256)) }
    }

    func read(_ page: Int, at offset: Int) -> UInt8 { cells.pages[page][offset] }

    mutating func write(_ octets: [UInt8], to page: Int, at offset: Int) {
        precondition(octets.count.isMultiple(of: unit) && offset.isMultiple(of: unit))
        for start in stride(from: 0, to: octets.count, by: unit) {
            let fate = cells.spend()
            for place in start..<(start + unit) {
                // Only what is erased can be written.
                precondition(fate == .never || cells.pages[page][offset + place] == 0xFF)
                switch fate {
                case .done: cells.pages[page][offset + place] = octets[place]
                case .torn: cells.pages[page][offset + place] = octets[place] | cells.some()
                case .never: break
                }
            }
        }
    }

    mutating func erase(_ page: Int) {
        for start in stride(from: 0, to: pageSize, by: unit) {
            let fate = cells.spend()
            for place in start..<(start + unit) {
                switch fate {
                case .done: cells.pages[page][place] = 0xFF
                case .torn: cells.pages[page][place] |= cells.some()
                case .never: break
                }
            }
        }
    }
}

@Suite("Values in flash") struct FlashStoreTests {
    /// A store that a test can ask: what cannot be copied cannot be in an expectation.
    private final class Opened {
        private var store: FlashStore<Flash>

        init(_ cells: Flash.Cells, unit: Int) {
            store = FlashStore(Flash(pageSize: cells.pages[0].count, unit: unit, cells: cells))
        }

        var erasures: Int { store.erasures }

        func set(_ value: [UInt8]?, of key: UInt8) -> Bool { store.set(value, of: key) }

        func value(of key: UInt8) -> [UInt8]? { store.value(of: key) }
    }

    /// What is set one after the other.
    private static let changes: [(key: UInt8, value: [UInt8]?)] = (0..<40).map { step in
        let key = UInt8([1, 2, 255][step % 3])
        if step % 11 == 10 { return (key, nil) }
        return (key, (0..<(step * 7 % 30)).map { UInt8(truncatingIfNeeded: $0 &* step) })
    }

    @Test(arguments: [1, 4, 8, 16]) func whatIsSetIsThereAfterPower(unit: Int) {
        let cells = Flash.Cells(192)
        var expected: [UInt8: [UInt8]] = [:]
        for change in Self.changes {
            let store = Opened(cells, unit: unit)
            #expect(store.set(change.value, of: change.key))
            expected[change.key] = change.value
            let opened = Opened(cells, unit: unit)
            for key in [0, 1, 2, 255] as [UInt8] { #expect(opened.value(of: key) == expected[key]) }
        }
        #expect(Opened(cells, unit: unit).erasures > 3)
    }

    /// At each unit of each change, and each unit of what is done after it.
    @Test(arguments: [4, 8, 16]) func powerIsLostAnywhere(unit: Int) {
        var losses = 0
        let whole = Flash.Cells(192)
        var states: [(pages: [[UInt8]], values: [UInt8: [UInt8]])] = []
        var values: [UInt8: [UInt8]] = [:]
        for change in Self.changes {
            states.append((whole.pages, values))
            let store = Opened(whole, unit: unit)
            #expect(store.set(change.value, of: change.key))
            values[change.key] = change.value
        }
        for (step, state) in states.enumerated() {
            let change = Self.changes[step]
            var power = 0
            var isDone = false
            while !isDone {
                let cells = Flash.Cells(192, seed: UInt64(losses))
                cells.pages = state.pages
                cells.lose(after: power)
                let store = Opened(cells, unit: unit)
                _ = store.set(change.value, of: change.key)
                isDone = !cells.isOut
                losses += 1
                power += 1
                // Power is back.
                cells.restore()
                let again = Opened(cells, unit: unit)
                let now = again.value(of: change.key)
                #expect(
                    now == state.values[change.key] || now == change.value, "step \(step), power \(power)")
                for (key, value) in state.values where key != change.key {
                    #expect(again.value(of: key) == value, "step \(step), power \(power), key \(key)")
                }
                // It can be set now, and if power is lost at that once more, it is as before that or after it.
                let torn = cells.pages
                for second in step.isMultiple(of: 4) ? [0, 1, 3, 8, 21, 55] : [] {
                    cells.pages = torn
                    cells.lose(after: second)
                    _ = Opened(cells, unit: unit).set([9, 9], of: change.key)
                    cells.restore()
                    let value = Opened(cells, unit: unit).value(of: change.key)
                    #expect(value == now || value == [9, 9], "step \(step), power \(power), then \(second)")
                    for (key, value) in state.values where key != change.key {
                        #expect(Opened(cells, unit: unit).value(of: key) == value)
                    }
                }
                #expect(Opened(cells, unit: unit).set([9, 9], of: change.key))
                #expect(Opened(cells, unit: unit).value(of: change.key) == [9, 9])
            }
        }
        #expect(losses > 200)
    }

    @Test func aBitThatFlipsIsFound() {
        let cells = Flash.Cells(256)
        let store = Opened(cells, unit: 4)
        #expect(
            store.set([1, 1, 1, 1], of: 1) && store.set([2, 2], of: 2) && store.set([3, 3, 3, 3], of: 1))
        let before = cells.pages
        let page = cells.pages[0].starts(with: [0x4C]) ? 0 : 1
        for place in 12..<60 {
            for bit in 0..<8 {
                cells.pages = before
                cells.pages[page][place] ^= 1 << UInt8(bit)
                let opened = Opened(cells, unit: 4)
                let (first, second) = (opened.value(of: 1), opened.value(of: 2))
                #expect(first == [3, 3, 3, 3] || first == [1, 1, 1, 1], "\(place)")
                #expect(second == [2, 2] || second == nil, "\(place)")
                #expect(first == [3, 3, 3, 3] || second == [2, 2], "\(place)")
            }
        }
    }

    @Test func whatDoesNotFitIsRefusedAndChangesNothing() {
        let cells = Flash.Cells(128)
        let store = Opened(cells, unit: 8)
        #expect(
            store.set(Array(repeating: 1, count: 40), of: 1)
                && store.set(Array(repeating: 2, count: 40), of: 2))
        #expect(
            !store.set(Array(repeating: 3, count: 40), of: 3)
                && !store.set(Array(repeating: 1, count: 65), of: 1))
        #expect(
            store.value(of: 1)?.count == 40 && store.value(of: 2)?.count == 40 && store.value(of: 3) == nil)
        #expect(store.set(nil, of: 1) && store.set(Array(repeating: 3, count: 40), of: 3))
        #expect(store.value(of: 1) == nil && store.value(of: 3)?.count == 40)
    }

    @Test func theSameIsNotWrittenAgain() {
        let cells = Flash.Cells(128)
        let store = Opened(cells, unit: 4)
        #expect(store.set([1], of: 1))
        let used = cells.used
        #expect(store.set([1], of: 1) && store.set(nil, of: 2) && cells.used == used)
    }
}
