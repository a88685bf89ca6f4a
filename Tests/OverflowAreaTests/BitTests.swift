// SPDX-License-Identifier: Apache-2.0

import BLEWire
import OverflowArea
import Testing

private let table = BluetoothUUID(high: 0, low: 0)
private let flock = BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B)

@Suite struct OverflowBitTests {
    @Test func `a bit has an octet, a mask and an index in the table`() throws {
        let bit = OverflowBit(of: flock)
        #expect(bit.number == 63)
        #expect((bit.octet, bit.mask, bit.tableIndex) == (7, 0x80, 56))
        let low = try #require(OverflowBit(number: 64))
        #expect((low.octet, low.mask, low.tableIndex) == (8, 0x01, 71))
    }

    @Test(arguments: [-1, 128, Int.min, Int.max])
    func `numbers outside the area are no bits`(_ number: Int) {
        #expect(OverflowBit(number: number) == nil)
        #expect(OverflowBit(tableIndex: number) == nil)
    }

    @Test(arguments: 0..<128)
    func `every bit has a UUID of the table, and the table's index is the bit turned round`(
        _ number: Int
    ) throws {
        let bit = try #require(OverflowBit(number: number))
        #expect(bit.tableUUID.high == 0)
        #expect(bit.tableUUID.low < 0x80)
        #expect(OverflowBit(of: bit.tableUUID) == bit)
        #expect(OverflowBit(tableIndex: bit.tableIndex) == bit)
        #expect(UInt8(1) << UInt8(7 - bit.tableIndex % 8) == bit.mask)
        #expect(bit.tableIndex / 8 == bit.octet)
    }

    @Test func `zero sets bit 0, and numbers from 128 on repeat the bits`() {
        #expect(OverflowBit(of: table).number == 0)
        var firsts: Set<OverflowBit> = []
        var seconds: Set<OverflowBit> = []
        for low in 0..<128 {
            firsts.insert(OverflowBit(of: BluetoothUUID(high: 0, low: UInt64(low))))
            seconds.insert(OverflowBit(of: BluetoothUUID(high: 0, low: UInt64(128 + low))))
        }
        #expect(firsts.count == 128)
        #expect(seconds.count == 128)
    }

    @Test func `the hash is linear`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<2000 {
            let (a, b, c, d) = (random.next(), random.next(), random.next(), random.next())
            let sum = OverflowBit(of: BluetoothUUID(high: a ^ c, low: b ^ d))
            let parts = (
                OverflowBit(of: BluetoothUUID(high: a, low: b)),
                OverflowBit(of: BluetoothUUID(high: c, low: d))
            )
            #expect(sum.number == parts.0.number ^ parts.1.number)
        }
    }

    @Test func `a short UUID counts in the Bluetooth base`() {
        #expect(OverflowBit(of: BluetoothUUID(0xFD6F)).number == 89)
        #expect(OverflowBit(of: BluetoothUUID(short32: 0xFD6F)).number == 89)
        #expect(
            OverflowBit(of: BluetoothUUID(high: 0x0000_FD6F_0000_1000, low: 0x8000_0080_5F9B_34FB)).number
                == 89)
    }
}

@Suite struct OverflowUUIDsTests {
    @Test(arguments: 0..<128)
    func `one in 128 of the UUIDs sets a bit`(_ number: Int) throws {
        let bit = try #require(OverflowBit(number: number))
        let found = Array(OverflowUUIDs(setting: bit, base: flock, freeBits: 12))
        #expect(found.count == 32)
        #expect(found == found.sorted())
        #expect(Set(found).count == 32)
        for uuid in found {
            #expect(OverflowBit(of: uuid) == bit)
            #expect(uuid.high == flock.high)
            #expect(uuid.low >> 12 == flock.low >> 12)
        }
    }

    @Test(arguments: 0...7)
    func `with few bits free it finds exactly what trying all finds`(_ free: Int) throws {
        for number in 0..<128 {
            let bit = try #require(OverflowBit(number: number))
            let mask: UInt64 = (1 << UInt64(free)) - 1
            var tried: [BluetoothUUID] = []
            for low in 0...mask {
                let uuid = BluetoothUUID(high: flock.high, low: flock.low & ~mask | low)
                if OverflowBit(of: uuid) == bit { tried.append(uuid) }
            }
            #expect(Array(OverflowUUIDs(setting: bit, base: flock, freeBits: free)) == tried)
        }
    }

    @Test func `all bits may be free, and numbers out of range are taken for the nearest`() {
        let bit = OverflowBit(of: flock)
        #expect(OverflowUUIDs(setting: bit, base: flock, freeBits: 1000).freeBits == 64)
        let first = OverflowUUIDs(setting: bit, base: flock, freeBits: 64).prefix(3)
        #expect(first.map { $0.low >> 7 } == [0, 1, 2])
        #expect(Array(OverflowUUIDs(setting: bit, base: flock, freeBits: -1)) == [flock])
    }
}
