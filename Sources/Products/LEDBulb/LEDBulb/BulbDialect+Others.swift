// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

// Rows of the table, continued.
extension BulbDialect {
    /// LED Lamp: strips of the app of that name, often called LEDBLE-01.
    ///
    /// | message | octets |
    /// |---|---|
    /// | colour | `7E FF 05 03 RR GG BB FF EF` |
    /// | white | `7E FF 05 01 WW FF FF FF EF`, WW 0 to 64 |
    /// | on, off | `7E FF 04 01 FF FF FF FF EF`, `7E FF 04 00 FF FF FF FF EF` |
    /// | brightness | `7E FF 01 BB 00 FF FF FF EF`, BB 0 to 64 |
    /// | effect | `7E FF 03 mode 03 FF FF FF EF`, mode 87 to 9D |
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, LED Lamp.
    public static let ledLamp = lamp(
        keyword: "led-lamp", name: "LED Lamp", isFoundOut: true, deviceName: "LEDBLE-01-0B04", first: 0x7E,
        last: 0xEF)

    /// LED Lamp whose messages begin and end with other octets, as those called XROCKER have.
    ///
    /// All else is as in ``ledLamp``, the characteristics too, so it has to be asked for.
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, LED Lamp.
    public static let ledLamp7B = lamp(
        keyword: "led-lamp-7b", name: "LED Lamp (7B)", isFoundOut: false, deviceName: "XROCKER", first: 0x7B,
        last: 0xBF)

    /// LEDnetWF: the bulbs and strips of Zengge and Magic Hue that are called so.
    ///
    /// | message | octets |
    /// |---|---|
    /// | colour | `00 00 80 00 00 0D 0E 0B 3B A1 HH SS VV 00 00 00 00 00 00 00 sum` |
    /// | white | `00 00 80 00 00 0D 0E 0B 3B B1 00 00 00 64 WW 00 00 00 00 00 sum` |
    /// | on, off | `00 00 80 00 00 0D 0E 0B 3B 23 00 00 00 00 00 00 00 32 00 00 sum`, off 24 |
    /// | effect | `00 00 80 00 00 04 05 0B 38 mode 32 64`, mode 01 to 71 |
    ///
    /// HH is half the hue, SS, VV and WW are percent. The second octet counts and the last is the sum from 3B on; bulbs
    /// look at neither. They take commands only once FF02 was subscribed to; what they notify has no row here.
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, LEDnetWF.
    public static let ledNetWF = BulbDialect(
        keyword: "lednetwf", name: "LEDnetWF", control: Place(0xFFFF, 0xFF01), isFoundOut: true,
        controlProperties: [.write, .writeWithoutResponse], controlHandle: nil,
        reports: Place(0xFFFF, 0xFF02), deviceName: "LEDnetWF0200A3",
        advertisedService: BluetoothUUID(0xFFFF),
        color: netWF(
            [.fixed(0x3B), .fixed(0xA1), .hue, .saturation, .brightness] + zeros(7) + [.sum(from: 8)]),
        white: netWF(
            [.fixed(0x3B), .fixed(0xB1)] + zeros(3) + [.filler(0x64), .level(full: 100)] + zeros(5)
                + [.sum(from: 8)]),
        power: [
            netWF(
                [.fixed(0x3B), .power(on: 0x23, off: 0x24)] + zeros(7) + [.filler(0x32)] + zeros(2)
                    + [.sum(from: 8)])
        ],
        effect: BulbPattern(
            [
                .fixed(0x00), .filler(0x00), .fixed(0x80), .fixed(0x00), .fixed(0x00), .fixed(0x04),
                .fixed(0x05), .fixed(0x0B), .fixed(0x38), .mode, .filler(0x32), .filler(0x64),
            ]),
        effects: 0x01...0x71, request: nil, state: nil, wantsListener: true)

    /// BJ_LED: strips of the app MohuanLED.
    ///
    /// | message | octets |
    /// |---|---|
    /// | colour | `69 96 05 02 RR GG BB` |
    /// | on, off | `69 96 06 01 01`, `69 96 02 01 00` |
    /// | effect | `69 96 03 03 mode speed`, mode 00 to 15, speed 01 to 0A |
    ///
    /// The app sends an octet for white behind the colour, which these strips do not have.
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, BJ_LED.
    public static let bjLED = BulbDialect(
        keyword: "bj-led", name: "BJ_LED", control: Place(0xEEA0, 0xEE01), isFoundOut: true,
        controlProperties: .writeWithoutResponse, controlHandle: nil, reports: Place(0xEEA0, 0xEE02),
        deviceName: "BJ_LED_M", advertisedService: BluetoothUUID(0xEEA0),
        color: BulbPattern([.fixed(0x69), .fixed(0x96), .fixed(0x05), .fixed(0x02), .red, .green, .blue]),
        white: nil,
        power: [
            BulbPattern([
                .fixed(0x69), .fixed(0x96), .powerAgain(on: 0x06, off: 0x02), .fixed(0x01),
                .power(on: 0x01, off: 0x00),
            ])
        ],
        effect: BulbPattern([.fixed(0x69), .fixed(0x96), .fixed(0x03), .fixed(0x03), .mode, .speed]),
        effects: 0x00...0x15, request: nil, state: nil)

    /// A dialect of the LED Lamp family.
    private static func lamp(
        keyword: WireText, name: WireText, isFoundOut: Bool, deviceName: WireText, first: UInt8, last: UInt8
    ) -> BulbDialect {
        func message(_ what: UInt8, _ rest: [BulbPattern.Octet]) -> BulbPattern {
            BulbPattern([.fixed(first), .filler(0xFF), .fixed(what)] + rest + [.filler(0xFF), .fixed(last)])
        }
        return BulbDialect(
            keyword: keyword, name: name, control: Place(0xFFE0, 0xFFE1), isFoundOut: isFoundOut,
            controlProperties: [.write, .writeWithoutResponse], controlHandle: nil, reports: nil,
            deviceName: deviceName, advertisedService: BluetoothUUID(0xFFE0),
            color: message(0x05, [.fixed(0x03), .red, .green, .blue]),
            white: message(0x05, [.fixed(0x01), .level(full: 100), .filler(0xFF), .filler(0xFF)]),
            power: [
                message(0x04, [.power(on: 0x01, off: 0x00), .filler(0xFF), .filler(0xFF), .filler(0xFF)])
            ],
            brightness: message(0x01, [.level(full: 100), .filler(0x00), .filler(0xFF), .filler(0xFF)]),
            effect: message(0x03, [.mode, .fixed(0x03), .filler(0xFF), .filler(0xFF)]),
            effects: 0x87...0x9D, request: nil, state: nil)
    }

    private static func zeros(_ count: Int) -> [BulbPattern.Octet] {
        [BulbPattern.Octet](repeating: .filler(0x00), count: count)
    }

    /// A message of LEDnetWF of 21 octets, behind its head.
    private static func netWF(_ octets: [BulbPattern.Octet]) -> BulbPattern {
        BulbPattern(
            [
                .fixed(0x00), .filler(0x00), .fixed(0x80), .fixed(0x00), .fixed(0x00), .fixed(0x0D),
                .fixed(0x0E), .fixed(0x0B),
            ] + octets)
    }
}
