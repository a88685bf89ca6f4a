// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

extension BulbDialect {
    /// The table: every dialect that this kit speaks.
    public static let all: [BulbDialect] = [
        colorific, triones, magicBlue, elkBLEDOM, elkBLEDOMF0, ledLamp, ledLamp7B, ledNetWF, bjLED,
    ]

    /// Colorific: one message, black is off.
    ///
    /// | message | octets |
    /// |---|---|
    /// | colour | `58 01 03 01 FF 00 RR GG BB`, without response, to Alert Level (2A06) of Immediate Alert (1802) |
    ///
    /// Only its owner can distinguish it from a key finder that has the same standard service.
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, Colorific.
    public static let colorific = BulbDialect(
        keyword: "colorific", name: "Colorific", control: Place(0x1802, 0x2A06), isFoundOut: true,
        controlProperties: .writeWithoutResponse, controlHandle: AttributeHandle(rawValue: 0x0028),
        reports: nil, deviceName: "Colorific", advertisedService: BluetoothUUID(0x1802),
        color: BulbPattern([
            .fixed(0x58), .fixed(0x01), .fixed(0x03), .fixed(0x01), .fixed(0xFF), .fixed(0x00),
            .red, .green, .blue,
        ]),
        white: nil, power: [], effect: nil, effects: nil, request: nil, state: nil)

    /// Triones, also sold as HappyLighting.
    ///
    /// | message | octets |
    /// |---|---|
    /// | colour | `56 RR GG BB 00 F0 AA` |
    /// | white | `56 00 00 00 WW 0F AA`; the three octets before WW mean nothing |
    /// | on, off | `CC 23 33`, `CC 24 33` |
    /// | effect | `BB mode speed 44`, mode 25 to 38 |
    /// | state request | `EF 01 77` |
    /// | state | `66 15 power mode 20 speed RR GG BB WW 06 99`, mode 41 when no effect plays |
    ///
    /// Names begin with "Triones".
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, Triones and Magic Blue.
    public static let triones = happyLighting(
        keyword: "triones", name: "Triones", control: Place(0xFFD5, 0xFFD9), reports: Place(0xFFD0, 0xFFD4),
        deviceName: "Triones-0B02", advertisedService: 0xFFD5)

    /// Magic Blue: the messages of Triones in another place.
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, Triones and Magic Blue.
    public static let magicBlue = happyLighting(
        keyword: "magic-blue", name: "Magic Blue", control: Place(0xFFE5, 0xFFE9),
        reports: Place(0xFFE0, 0xFFE4),
        deviceName: "LEDBLE-0B03", advertisedService: 0xFFF0)

    /// ELK-BLEDOM, also sold as duoCo Strip and Lotus Lantern.
    ///
    /// | message | octets |
    /// |---|---|
    /// | colour | `7E 07 05 03 RR GG BB 00 EF` |
    /// | white | `7E 05 05 01 WW FF FF 08 EF`, WW 0 to 64 |
    /// | on, off | `7E 04 04 01 FF FF FF 00 EF`, `7E 04 04 00 FF FF FF 00 EF` |
    /// | brightness | `7E 04 01 BB 01 FF FF 00 EF`, BB 0 to 64 |
    /// | effect | `7E 05 03 mode 03 FF FF 00 EF`, mode 80 to 9C |
    ///
    /// Octets 1 and 7 and those that the app fills with FF are not looked at (FergusInLondon/ELK-BLEDOM,
    /// PROTCOL.md). Bulbs of the same characteristics differ in switching on: F0 or FF for 01 (models.json of
    /// dave-code-ruiz/elkbledom); all are understood, and 01 is written: see ``elkBLEDOMF0``. There is a query
    /// `7E 00 01 FA 00 00 00 00 EF`, but no public source knows what the answer means, so this has no state.
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, ELK-BLEDOM.
    public static let elkBLEDOM = elk(
        keyword: "elk-bledom", name: "ELK-BLEDOM", isFoundOut: true,
        power: [elkPower(on: 0x01), elkPower(on: 0xF0), elkPower(on: 0xFF)])

    /// ELK-BLEDOM of newer bulbs, which are switched on by F0 and may be switched off by 01.
    ///
    /// | message | octets |
    /// |---|---|
    /// | on, off | `7E 04 04 F0 00 01 FF 00 EF`, `7E 04 04 00 00 00 FF 00 EF` |
    ///
    /// All else is as in ``elkBLEDOM``, the characteristics too, so it has to be asked for.
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, ELK-BLEDOM.
    public static let elkBLEDOMF0 = elk(
        keyword: "elk-bledom-f0", name: "ELK-BLEDOM (F0)", isFoundOut: false,
        power: [
            BulbPattern([
                .fixed(0x7E), .filler(0x04), .fixed(0x04), .power(on: 0xF0, off: 0x00), .filler(0x00),
                .powerAgain(on: 0x01, off: 0x00), .filler(0xFF), .filler(0x00), .fixed(0xEF),
            ])
        ])

    /// A dialect of the ELK family.
    private static func elk(
        keyword: WireText, name: WireText, isFoundOut: Bool, power: [BulbPattern]
    ) -> BulbDialect {
        BulbDialect(
            keyword: keyword, name: name, control: Place(0xFFF0, 0xFFF3), isFoundOut: isFoundOut,
            controlProperties: [.write, .writeWithoutResponse], controlHandle: nil,
            reports: Place(0xFFF0, 0xFFF4), deviceName: "ELK-BLEDOM",
            advertisedService: BluetoothUUID(0xFFF0),
            color: BulbPattern([
                .fixed(0x7E), .filler(0x07), .fixed(0x05), .fixed(0x03), .red, .green, .blue,
                .filler(0x00), .fixed(0xEF),
            ]),
            white: BulbPattern([
                .fixed(0x7E), .filler(0x05), .fixed(0x05), .fixed(0x01), .level(full: 100), .filler(0xFF),
                .filler(0xFF), .filler(0x08), .fixed(0xEF),
            ]),
            power: power,
            brightness: BulbPattern([
                .fixed(0x7E), .filler(0x04), .fixed(0x01), .level(full: 100), .filler(0x01), .filler(0xFF),
                .filler(0xFF), .filler(0x00), .fixed(0xEF),
            ]),
            effect: BulbPattern([
                .fixed(0x7E), .filler(0x05), .fixed(0x03), .mode, .fixed(0x03), .filler(0xFF),
                .filler(0xFF), .filler(0x00), .fixed(0xEF),
            ]),
            effects: 0x80...0x9C, request: nil, state: nil)
    }

    private static func elkPower(on: UInt8) -> BulbPattern {
        BulbPattern([
            .fixed(0x7E), .filler(0x04), .fixed(0x04), .power(on: on, off: 0x00), .filler(0xFF),
            .filler(0xFF), .filler(0xFF), .filler(0x00), .fixed(0xEF),
        ])
    }

    /// The dialect of Triones and Magic Blue at a place.
    private static func happyLighting(
        keyword: WireText, name: WireText, control: Place, reports: Place, deviceName: WireText,
        advertisedService: UInt16
    ) -> BulbDialect {
        BulbDialect(
            keyword: keyword, name: name, control: control, isFoundOut: true,
            controlProperties: [.write, .writeWithoutResponse],
            controlHandle: nil, reports: reports, deviceName: deviceName,
            advertisedService: BluetoothUUID(advertisedService),
            color: BulbPattern([
                .fixed(0x56), .red, .green, .blue, .fixed(0x00), .fixed(0xF0), .fixed(0xAA),
            ]),
            white: BulbPattern([
                .fixed(0x56), .filler(0x00), .filler(0x00), .filler(0x00), .level(full: 255), .fixed(0x0F),
                .fixed(0xAA),
            ]),
            power: [BulbPattern([.fixed(0xCC), .power(on: 0x23, off: 0x24), .fixed(0x33)])],
            effect: BulbPattern([.fixed(0xBB), .mode, .speed, .fixed(0x44)]),
            effects: 0x25...0x38,
            request: BulbPattern(fixed: [0xEF, 0x01, 0x77]),
            state: BulbPattern([
                .fixed(0x66), .filler(0x15), .power(on: 0x23, off: 0x24), .mode, .filler(0x20), .speed,
                .red, .green, .blue, .level(full: 255), .filler(0x06), .fixed(0x99),
            ]))
    }
}
