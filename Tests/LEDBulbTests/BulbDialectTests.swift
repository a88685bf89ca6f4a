// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Testing

@testable import LEDBulb

@Suite("Octets of the dialects")
struct BulbDialectTests {
    struct Golden: Sendable, CustomTestStringConvertible {
        let dialect: BulbDialect
        let command: BulbCommand
        let octets: String
        var testDescription: String { "\(dialect) \(octets)" }

        init(_ dialect: BulbDialect, _ command: BulbCommand, _ octets: String) {
            self.dialect = dialect
            self.command = command
            self.octets = octets
        }
    }

    static let orange = RGBColor(red: 0xFF, green: 0x88, blue: 0x01)

    /// Typed from the sources, not from the table.
    static let commands: [Golden] = [
        // Documentation/Protocols/led-bulb.md, Colorific
        Golden(.colorific, .color(RGBColor(red: 255, green: 0, blue: 0)), "58010301ff00ff0000"),
        Golden(.colorific, .color(RGBColor(red: 0, green: 255, blue: 0)), "58010301ff0000ff00"),
        Golden(.colorific, .color(RGBColor(red: 0, green: 0, blue: 255)), "58010301ff000000ff"),
        Golden(.colorific, .color(.black), "58010301ff00000000"),
        Golden(.colorific, .color(.white), "58010301ff00ffffff"),
        Golden(.colorific, .color(orange), "58 01 03 01 FF 00 FF 88 01"),
        // Documentation/Protocols/led-bulb.md, the other sections
        Golden(.triones, .color(orange), "56 FF 88 01 00 F0 AA"),
        Golden(.triones, .white(0xFF), "56 00 00 00 FF 0F AA"),
        Golden(.triones, .white(0x01), "56 00 00 00 01 0F AA"),
        Golden(.triones, .power(true), "CC 23 33"),
        Golden(.triones, .power(false), "CC 24 33"),
        Golden(.triones, .effect(BulbEffect(code: 0x27, speed: 0x1F)), "BB 27 1F 44"),
        Golden(.triones, .requestState, "EF 01 77"),
        Golden(.magicBlue, .color(orange), "56 FF 88 01 00 F0 AA"),
        Golden(.magicBlue, .white(0x80), "56 00 00 00 80 0F AA"),
        Golden(.magicBlue, .power(true), "CC 23 33"),
        Golden(.magicBlue, .power(false), "CC 24 33"),
        Golden(.magicBlue, .effect(BulbEffect(code: 0x38, speed: 0x10)), "BB 38 10 44"),
        Golden(.magicBlue, .requestState, "EF 01 77"),
        Golden(.elkBLEDOM, .color(orange), "7E 07 05 03 FF 88 01 00 EF"),
        Golden(.elkBLEDOM, .white(percent: 0x1E), "7E 05 05 01 1E FF FF 08 EF"),
        Golden(.elkBLEDOM, .white(percent: 100), "7E 05 05 01 64 FF FF 08 EF"),
        Golden(.elkBLEDOM, .white(percent: 0), "7E 05 05 01 00 FF FF 08 EF"),
        Golden(.elkBLEDOM, .power(true), "7E 04 04 01 FF FF FF 00 EF"),
        Golden(.elkBLEDOM, .power(false), "7E 04 04 00 FF FF FF 00 EF"),
        Golden(.elkBLEDOM, .effect(BulbEffect(code: 0x95)), "7E 05 03 95 03 FF FF 00 EF"),
        Golden(.elkBLEDOMF0, .color(orange), "7E 07 05 03 FF 88 01 00 EF"),
        Golden(.elkBLEDOMF0, .power(true), "7E 04 04 F0 00 01 FF 00 EF"),
        Golden(.elkBLEDOMF0, .power(false), "7E 04 04 00 00 00 FF 00 EF"),
        Golden(.elkBLEDOM, .brightness(0x99), "7E 04 01 3C 01 FF FF 00 EF"),
        Golden(.ledLamp, .color(orange), "7E FF 05 03 FF 88 01 FF EF"),
        Golden(.ledLamp, .power(true), "7E FF 04 01 FF FF FF FF EF"),
        Golden(.ledLamp, .power(false), "7E FF 04 00 FF FF FF FF EF"),
        Golden(.ledLamp, .brightness(0x99), "7E FF 01 3C 00 FF FF FF EF"),
        Golden(.ledLamp, .effect(BulbEffect(code: 0x87)), "7E FF 03 87 03 FF FF FF EF"),
        Golden(.ledLamp7B, .color(orange), "7B FF 05 03 FF 88 01 FF BF"),
        Golden(
            .ledNetWF, .color(RGBColor(red: 255, green: 0, blue: 0)),
            "00 00 80 00 00 0D 0E 0B 3B A1 00 64 64 00 00 00 00 00 00 00 A4"),
        Golden(
            .ledNetWF, .power(true), "00 00 80 00 00 0D 0E 0B 3B 23 00 00 00 00 00 00 00 32 00 00 90"),
        Golden(.ledNetWF, .effect(BulbEffect(code: 0x25)), "00 00 80 00 00 04 05 0B 38 25 32 64"),
        Golden(.bjLED, .color(orange), "69 96 05 02 FF 88 01"),
        Golden(.bjLED, .power(true), "69 96 06 01 01"),
        Golden(.bjLED, .power(false), "69 96 02 01 00"),
        Golden(.bjLED, .effect(BulbEffect(code: 0x15, speed: 0x05)), "69 96 03 03 15 05"),
    ]

    @Test("A command is written as the sources have it", arguments: commands)
    func encodes(golden: Golden) { #expect(golden.dialect.encode(golden.command) == hex(golden.octets)) }

    @Test("A command is understood", arguments: commands)
    func decodes(golden: Golden) { #expect(golden.dialect.decode(hex(golden.octets)) == golden.command) }

    @Test("One octet less is no command", arguments: commands)
    func shorter(golden: Golden) {
        let octets = hex(golden.octets)
        #expect(golden.dialect.decode(Array(octets.dropLast())) == nil)
        #expect(golden.dialect.decode([]) == nil)
    }

    @Test(
        "Octets behind a whole message are not looked at", arguments: commands,
        ["00", "FF", "00 00", "AA 3B", "56 FF 88 00 00 F0 AA 7E 07 05 03"])
    func behind(golden: Golden, more: String) {
        #expect(golden.dialect.decode(hex(golden.octets) + hex(more)) == golden.command)
    }

    @Test(
        "Messages with octets behind them, as apps send them",
        arguments: [
            Golden(.elkBLEDOM, .color(RGBColor(rgb: 0xFF8800)), "7E 07 05 03 FF 88 00 00 EF 00"),
            Golden(.ledLamp, .color(RGBColor(rgb: 0xFF8800)), "7E FF 05 03 FF 88 00 FF EF 00"),
            Golden(.triones, .color(RGBColor(rgb: 0xFF8800)), "56 FF 88 00 00 F0 AA 00"),
            Golden(.triones, .power(true), "CC 23 33 00"),
            Golden(.magicBlue, .color(RGBColor(rgb: 0xFF8800)), "56 FF 88 00 00 F0 AA 3B"),
            Golden(.bjLED, .color(RGBColor(rgb: 0x00FF00)), "69 96 05 02 00 FF 00 00"),
            Golden(.bjLED, .color(RGBColor(rgb: 0x00FF00)), "69 96 05 02 00 FF 00 FF 00 00"),
        ])
    func asAppsSend(golden: Golden) { #expect(golden.dialect.decode(hex(golden.octets)) == golden.command) }

    @Test("Another first or last octet is no command", arguments: commands)
    func otherFrames(golden: Golden) {
        var octets = hex(golden.octets)
        octets[0] ^= 0xFF
        #expect(golden.dialect.decode(octets) == nil)
        octets[0] ^= 0xFF
        // Their last octet is a value, or a sum at which bulbs do not look.
        guard ![.colorific, .ledNetWF, .bjLED].contains(golden.dialect) else { return }
        octets[octets.count - 1] ^= 0xFF
        #expect(golden.dialect.decode(octets) == nil)
    }

    @Test(
        "Octets that bulbs do not look at may be anything",
        arguments: [
            Golden(.elkBLEDOM, .color(orange), "7E 00 05 03 FF 88 01 10 EF"),
            Golden(.elkBLEDOM, .power(true), "7E 04 04 F0 00 01 FF 00 EF"),
            Golden(.elkBLEDOM, .power(true), "7E 07 04 FF 00 01 02 01 EF"),
            Golden(.elkBLEDOM, .power(true), "7E 00 04 01 00 00 00 00 EF"),
            Golden(.elkBLEDOM, .power(false), "7E 04 04 00 00 00 FF 00 EF"),
            Golden(.elkBLEDOM, .white(percent: 100), "7E 00 05 01 FF 00 00 00 EF"),
            Golden(.triones, .white(0x01), "56 DE AD FF 01 0F AA"),
        ])
    func fillers(golden: Golden) { #expect(golden.dialect.decode(hex(golden.octets)) == golden.command) }

    @Test(
        "What a bulb does not know",
        arguments: [
            (BulbDialect.triones, "CC 25 33"), (.triones, "BB 24 10 44"), (.triones, "BB 39 10 44"),
            (.triones, "56 FF 88 01 01 F0 AA"), (.triones, "56 FF 88 01 00 FF AA"),
            (.elkBLEDOM, "7E 04 04 02 FF FF FF 00 EF"), (.elkBLEDOMF0, "7E 04 04 01 FF FF FF 00 EF"),
            (.elkBLEDOM, "7E 05 03 7F 03 FF FF 00 EF"),
            (.elkBLEDOM, "7E 05 03 9D 03 FF FF 00 EF"), (.ledLamp, "7E FF 03 9E 03 FF FF FF EF"),
            (.ledLamp, "7B FF 04 01 FF FF FF FF BF"), (.ledLamp7B, "7E FF 04 01 FF FF FF FF EF"),
            (.bjLED, "69 96 06 01 02"), (.bjLED, "69 96 03 03 16 05"),
            (.colorific, "58 01 03 01 FF 01 FF 00 00"), (.colorific, "56 FF 88 01 00 F0 AA"),
        ])
    func unknown(dialect: BulbDialect, octets: String) {
        #expect(dialect.decode(hex(octets)) == nil)
        #expect(dialect.decode(hex(octets) + [0]) == nil)
        #expect(dialect.decode(hex(octets) + [0, 0xEF]) == nil)
    }

    @Test("Colorific has white and power as colours, and no more")
    func colorific() {
        #expect(BulbDialect.colorific.encode(.power(true)) == hex("58010301ff00ffffff"))
        #expect(BulbDialect.colorific.encode(.power(false)) == hex("58010301ff00000000"))
        #expect(BulbDialect.colorific.encode(.white(percent: 50)) == hex("58010301ff00808080"))
        #expect(BulbDialect.colorific.encode(.requestState) == nil)
        #expect(BulbDialect.colorific.encode(.effect(BulbEffect(code: 0x25))) == nil)
        #expect(!BulbDialect.colorific.reportsState && !BulbDialect.colorific.hasPower)
        #expect(!BulbDialect.colorific.hasWhite)
    }

    @Test("An effect out of its range is not written", arguments: [UInt8(0), 0x24, 0x39, 0xFF])
    func effects(code: UInt8) { #expect(BulbDialect.triones.encode(.effect(BulbEffect(code: code))) == nil) }

    /// The examples of madhead/saberlight, and what follows from them.
    static let states: [(String, BulbState)] = [
        ("66 15 23 41 20 00 FF 00 00 00 06 99", BulbState(light: .color(RGBColor(rgb: 0xFF0000)))),
        ("66 15 23 41 20 00 00 FF 00 00 06 99", BulbState(light: .color(RGBColor(rgb: 0x00FF00)))),
        ("66 15 23 41 20 00 00 00 00 30 06 99", BulbState(light: .white(0x30))),
        ("66 15 24 41 20 00 00 00 00 00 06 99", BulbState(isOn: false, light: .color(.black))),
        ("66 15 24 41 20 00 00 00 00 FF 06 99", BulbState(isOn: false, light: .white(0xFF))),
    ]

    @Test("A state is understood and written", arguments: states.indices, [BulbDialect.triones, .magicBlue])
    func state(index: Int, dialect: BulbDialect) {
        let (octets, state) = Self.states[index]
        #expect(dialect.decodeState(hex(octets)) == state)
        #expect(dialect.encode(state) == hex(octets))
    }

    @Test("A state in which an effect plays, and one of another bulb's firmware")
    func otherStates() {
        let effect = BulbState(isOn: false, light: .effect(BulbEffect(code: 0x34, speed: 0x10)))
        #expect(BulbDialect.triones.decodeState(hex("66 15 24 34 20 10 FF 00 00 00 06 99")) == effect)
        #expect(BulbDialect.triones.encode(effect) == hex("66 15 24 34 20 10 00 00 00 00 06 99"))
        // 04 for 15, 21 for 20, 0A for 06; the colour that was there before stands beside the white.
        let white = BulbState(light: .white(0x80))
        #expect(BulbDialect.magicBlue.decodeState(hex("66 04 23 41 21 01 FF FF FF 80 0A 99")) == white)
    }

    @Test(
        "What is no state",
        arguments: [
            "", "66", "66 15 23 41 20 00 FF 00 00 00 06", "00 66 15 23 41 20 00 FF 00 00 00 06 99",
            "65 15 23 41 20 00 FF 00 00 00 06 99", "66 15 25 41 20 00 FF 00 00 00 06 99",
            "66 15 23 41 20 00 FF 00 00 00 06 98", "00 00 00 00 00 00 00 00 00 00 00 00",
        ])
    func noState(octets: String) { #expect(BulbDialect.triones.decodeState(hex(octets)) == nil) }

    @Test("Octets behind a state are no reason to drop it")
    func longerState() {
        let state = BulbState(light: .color(RGBColor(rgb: 0xFF0000)))
        #expect(BulbDialect.triones.decodeState(hex("66 15 23 41 20 00 FF 00 00 00 06 99 00 01")) == state)
    }

    @Test("A mode that is no effect is a colour, or white", arguments: ["41", "00", "61", "FF"])
    func otherModes(mode: String) {
        let color = BulbState(light: .color(RGBColor(rgb: 0x0A141E)))
        #expect(BulbDialect.triones.decodeState(hex("66 15 23 \(mode) 20 00 0A 14 1E 00 06 99")) == color)
        let white = BulbState(light: .white(0x30))
        #expect(BulbDialect.triones.decodeState(hex("66 15 23 \(mode) 20 00 00 00 00 30 06 99")) == white)
    }

    @Test("Dialects without a state understand none", arguments: [BulbDialect.colorific, .elkBLEDOM])
    func stateless(dialect: BulbDialect) {
        #expect(dialect.decodeState(hex("66 15 23 41 20 00 FF 00 00 00 06 99")) == nil)
        #expect(dialect.encode(BulbState()) == nil)
        #expect(!dialect.reportsState)
    }

    @Test(
        "Any command of a dialect comes back, and any octets are a command or none",
        arguments: BulbDialect.all)
    func properties(dialect: BulbDialect) {
        var random = SplitMix64(seed: 5)
        for _ in 0..<2000 {
            let color = RGBColor(rgb: UInt32(truncatingIfNeeded: random.next()))
            if case .color(let back)? = dialect.encode(.color(color)).flatMap(dialect.decode) {
                // A hue in steps of two degrees and two percentages are not as fine as three octets.
                let tolerance = dialect == .ledNetWF ? 8 : 0
                for (one, other) in [
                    (back.red, color.red), (back.green, color.green), (back.blue, color.blue),
                ] {
                    #expect(abs(Int(one) - Int(other)) <= tolerance, "\(color), \(back)")
                }
            } else {
                Issue.record("\(color) does not come back")
            }
            if dialect.hasWhite {
                let white = BulbCommand.white(percent: UInt8(random.below(101)))
                #expect(dialect.encode(white).flatMap(dialect.decode) == white)
            }
            let octets = (0..<random.below(16)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if let command = dialect.decode(octets) { #expect(dialect.encode(command) != nil) }
            if let state = dialect.decodeState(octets) { #expect(dialect.encode(state) != nil) }
        }
    }

    @Test("Changing any one octet of a message gives another command, the same, or none", arguments: commands)
    func oneOctet(golden: Golden) {
        let octets = hex(golden.octets)
        for index in octets.indices {
            for value in UInt8.min ... .max {
                var changed = octets
                changed[index] = value
                guard let command = golden.dialect.decode(changed) else { continue }
                #expect(golden.dialect.encode(command)?.count == octets.count)
            }
        }
    }

    @Test(
        "Each bulb is known by its characteristics, but for one that has those of another",
        arguments: BulbDialect.all)
    func spoken(dialect: BulbDialect) {
        let expected: BulbDialect =
            switch dialect {
            case .elkBLEDOMF0: .elkBLEDOM
            case .ledLamp7B: .ledLamp
            default: dialect
            }
        #expect(BulbDialect.spoken(by: services(of: dialect)) == [expected])
        #expect(BulbDialect.named(dialect.keyword) == dialect)
    }

    @Test("Two dialects at once, none, and what cannot be written to")
    func notSpoken() {
        #expect(
            BulbDialect.spoken(by: services(of: .elkBLEDOM) + services(of: .triones))
                == [.triones, .elkBLEDOM])
        #expect(BulbDialect.spoken(by: []) == [])
        var readable = services(of: .triones)
        for service in readable.indices {
            for index in readable[service].characteristics.indices {
                readable[service].characteristics[index].properties = [.read, .notify]
            }
        }
        #expect(BulbDialect.spoken(by: readable) == [])
        // FFD9 in another service is something else.
        var elsewhere = services(of: .triones)
        for service in elsewhere.indices { elsewhere[service].uuid = BluetoothUUID(0xFFF0) }
        #expect(BulbDialect.spoken(by: elsewhere) == [])
        #expect(BulbDialect.named("toaster") == nil)
    }
}
