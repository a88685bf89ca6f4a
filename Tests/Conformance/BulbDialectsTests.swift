// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import LEDBulb
import Testing

/// The table of bulb dialects, typed a second time from the sources.
@Suite struct BulbDialectsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var keyword: String
        var service: UInt16
        var characteristic: UInt16
        /// Service and characteristic that notify.
        var notify: (UInt16, UInt16)?
        /// In hex: the colour 0x123456, white of 100 %, on, off, and asking for the state.
        var color: String
        var white: String
        var on: String
        var off: String
        var state: String?
        var testDescription: String { keyword }
    }

    /// Spec: Documentation/Protocols/led-bulb.md.
    static let rows = [
        Row(
            keyword: "colorific", service: 0x1802, characteristic: 0x2A06, notify: nil,
            color: "58010301ff00123456", white: "58010301ff00ffffff", on: "58010301ff00ffffff",
            off: "58010301ff00000000", state: nil),
        Row(
            keyword: "triones", service: 0xFFD5, characteristic: 0xFFD9, notify: (0xFFD0, 0xFFD4),
            color: "5612345600f0aa", white: "56000000ff0faa", on: "cc2333", off: "cc2433", state: "ef0177"),
        Row(
            keyword: "magic-blue", service: 0xFFE5, characteristic: 0xFFE9, notify: (0xFFE0, 0xFFE4),
            color: "5612345600f0aa", white: "56000000ff0faa", on: "cc2333", off: "cc2433", state: "ef0177"),
        Row(
            keyword: "elk-bledom", service: 0xFFF0, characteristic: 0xFFF3, notify: (0xFFF0, 0xFFF4),
            color: "7e07050312345600ef", white: "7e05050164ffff08ef", on: "7e040401ffffff00ef",
            off: "7e040400ffffff00ef", state: nil),
        Row(
            keyword: "elk-bledom-f0", service: 0xFFF0, characteristic: 0xFFF3, notify: (0xFFF0, 0xFFF4),
            color: "7e07050312345600ef", white: "7e05050164ffff08ef", on: "7e0404f00001ff00ef",
            off: "7e0404000000ff00ef", state: nil),
        Row(
            keyword: "led-lamp", service: 0xFFE0, characteristic: 0xFFE1, notify: nil,
            color: "7eff0503123456ffef", white: "7eff050164ffffffef", on: "7eff0401ffffffffef",
            off: "7eff0400ffffffffef", state: nil),
        Row(
            keyword: "led-lamp-7b", service: 0xFFE0, characteristic: 0xFFE1, notify: nil,
            color: "7bff0503123456ffbf", white: "7bff050164ffffffbf", on: "7bff0401ffffffffbf",
            off: "7bff0400ffffffffbf", state: nil),
        // A hue of 210° is written as 105; the sum is of what follows the head.
        Row(
            keyword: "lednetwf", service: 0xFFFF, characteristic: 0xFF01, notify: (0xFFFF, 0xFF02),
            color: "00008000000d0e0b3ba1694f2200000000000000b6",
            white: "00008000000d0e0b3bb100000064640000000000b4",
            on: "00008000000d0e0b3b230000000000000032000090",
            off: "00008000000d0e0b3b240000000000000032000091", state: nil),
        Row(
            keyword: "bj-led", service: 0xEEA0, characteristic: 0xEE01, notify: (0xEEA0, 0xEE02),
            color: "69960502123456", white: "69960502ffffff", on: "6996060101", off: "6996020100", state: nil),
    ]

    @Test func `every dialect is in the table`() {
        #expect(BulbDialect.all.map(\.keyword.string) == Self.rows.map(\.keyword))
    }

    @Test(arguments: rows) func `a dialect is as documented`(_ row: Row) throws {
        let dialect = try #require(BulbDialect.named(WireText(Array(row.keyword.utf8))))
        func hex(_ command: BulbCommand) -> String? {
            dialect.encode(command)?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(dialect.control.service == BluetoothUUID(row.service))
        #expect(dialect.control.characteristic == BluetoothUUID(row.characteristic))
        #expect(dialect.reports?.service == row.notify.map { BluetoothUUID($0.0) })
        #expect(dialect.reports?.characteristic == row.notify.map { BluetoothUUID($0.1) })
        #expect(hex(.color(RGBColor(rgb: 0x123456))) == row.color)
        #expect(hex(.white(percent: 100)) == row.white)
        #expect(hex(.power(true)) == row.on)
        #expect(hex(.power(false)) == row.off)
        #expect(hex(.requestState) == row.state)
        #expect(dialect.reportsState == (row.state != nil))
    }
}
