// SPDX-License-Identifier: Apache-2.0

import BLEWire
import OverflowArea
import Testing

/// The published table of the overflow area, and what others have seen beside it.
@Suite("the mapping of services to bits of the overflow area")
struct OverflowTableTests {
    /// The last octet of the UUID 00000000-0000-0000-0000-0000000000nn of each index, sixteen a line.
    private static let table = [
        "7C 37 6E 25 59 12 4B 00 36 7D 24 6F 13 58 01 4A",
        "6C 27 7E 35 49 02 5B 10 26 6D 34 7F 03 48 11 5A",
        "5D 16 4F 04 78 33 6A 21 17 5C 05 4E 32 79 20 6B",
        "4D 06 5F 14 68 23 7A 31 07 4C 15 5E 22 69 30 7B",
        "3E 75 2C 67 1B 50 09 42 74 3F 66 2D 51 1A 43 08",
        "2E 65 3C 77 0B 40 19 52 64 2F 76 3D 41 0A 53 18",
        "1F 54 0D 46 3A 71 28 63 55 1E 47 0C 70 3B 62 29",
        "0F 44 1D 56 2A 61 38 73 45 0E 57 1C 60 2B 72 39",
    ]

    @Test func `all 128 rows of the table`() throws {
        let rows = try Self.table.flatMap { try #require([UInt8](hexadecimal: $0)) }
        #expect(rows.count == 128)
        #expect(Set(rows).count == 128)
        for (index, low) in rows.enumerated() {
            let uuid = BluetoothUUID(high: 0, low: UInt64(low))
            #expect(OverflowBit(of: uuid).tableIndex == index)
            #expect(OverflowBit(tableIndex: index)?.tableUUID == uuid)
        }
    }

    /// Services whose bit was seen on the air or is known from elsewhere; none of them is in the table.
    @Test(
        arguments: [
            // The index that the demo app's source avoids, because phones then show a card.
            ("9aa4730f-b25c-4cc3-b821-c931559fc196", 8, 0x04),
            ("2f234454-cf6d-4a0f-adf2-f4911ba9ffa6", 10, 0x08),
            // Two short UUIDs that were reported to collide.
            ("3333", 7, 0x02), ("1001", 7, 0x02),
            ("c007", 4, 0x10), ("c008", 7, 0x08),
            // The NHS app's mask.
            ("c1f5983c-fa94-4ac8-8e2e-bb86d6de9b21", 9, 0x40),
            ("4fafc201-1fb5-459e-8fcc-c5c9c331914b", 7, 0x80),
            ("7a5a0000-d04b-48eb-b3fa-32eb4f0ffac4", 7, 0x80),
            ("00467768-6228-2272-4663-277478268000", 5, 0x20),
            ("021a9004-0382-4aea-bff4-6b3f1c5adfb4", 1, 0x20),
            ("a1b2c3d4-e5f6-7890-abcd-ef0123456789", 14, 0x80),
            ("fd6f", 11, 0x02),
        ] as [(String, Int, UInt8)])
    func `services beyond the table`(_ text: String, _ octet: Int, _ mask: UInt8) throws {
        let bit = OverflowBit(of: try #require(BluetoothUUID(text)))
        #expect((bit.octet, bit.mask) == (octet, mask))
    }

    /// The columns of the last octet's bits 0 to 6, as the facts list them.
    @Test func `each low bit of a UUID changes its own bits of the number`() {
        let columns = (0..<7).map { OverflowBit(of: BluetoothUUID(high: 0, low: 1 << UInt64($0))).number }
        #expect(columns == [0x09, 0x12, 0x24, 0x48, 0x10, 0x29, 0x52])
    }
}
