// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

@Suite("Colours")
struct BulbColorTests {
    @Test(
        "The corners and middles of the hue circle",
        arguments: [
            (0, 0xFF0000), (127, 0xFF7F00), (255, 0xFFFF00), (256, 0xFEFF00), (510, 0x00FF00),
            (637, 0x00FF7F), (765, 0x00FFFF), (766, 0x00FEFF), (1020, 0x0000FF), (1147, 0x7F00FF),
            (1275, 0xFF00FF), (1276, 0xFF00FE), (1529, 0xFF0001), (1530, 0xFF0000), (-1, 0xFF0001),
            (-1530, 0xFF0000), (15301, 0xFF0100),
        ])
    func corners(position: Int, rgb: Int) {
        #expect(RGBColor(hue: position) == RGBColor(rgb: UInt32(rgb)))
    }

    @Test("A turn has every colour of full saturation and value exactly once")
    func turn() {
        let turn = (0..<RGBColor.hues).map { RGBColor(hue: $0) }
        #expect(Set(turn).count == 1530)
        for color in turn {
            #expect(max(color.red, color.green, color.blue) == 255)
            #expect(min(color.red, color.green, color.blue) == 0)
        }
        for (color, next) in zip(turn, turn.dropFirst() + [turn[0]]) {
            let steps = [(color.red, next.red), (color.green, next.green), (color.blue, next.blue)]
                .map { abs(Int($0) - Int($1)) }
            #expect(steps.reduce(0, +) == 1)
        }
    }

    @Test("The extremes of the position are hues, too", arguments: [Int.min, Int.max])
    func extremes(position: Int) {
        let color = RGBColor(hue: position)
        #expect(max(color.red, color.green, color.blue) == 255)
    }

    @Test(
        "A person's way to write a colour",
        arguments: [
            ("#ff8800", 0xFF8800), ("ff8800", 0xFF8800), ("#FF8800", 0xFF8800), ("#f80", 0xFF8800),
            ("f80", 0xFF8800), ("red", 0xFF0000), ("Red", 0xFF0000), ("green", 0x008000),
            ("lime", 0x00FF00), ("rebeccapurple", 0x663399), ("grey", 0x808080), ("gray", 0x808080),
            ("aqua", 0x00FFFF), ("cyan", 0x00FFFF), ("darkorange", 0xFF8C00), ("black", 0),
            ("white", 0xFFFFFF),
            ("lightgoldenrodyellow", 0xFAFAD2), ("tan", 0xD2B48C), ("#000000", 0),
        ])
    func reads(text: String, rgb: Int) {
        #expect(RGBColor(text) == RGBColor(rgb: UInt32(rgb)))
    }

    @Test(
        "What is no colour",
        arguments: [
            "", "#", "#ff88", "#ff880", "#ff88000", "ff", "#gg0000", "+f8800", "-12345", "#+ff880", "redd",
            "#red", " red", "red ", "ff 880", "０ff880", "#ｆｆ８８００",
        ])
    func refuses(text: String) { #expect(RGBColor(text) == nil) }

    @Test(
        "Colours are written with six digits",
        arguments: [(0, "#000000"), (0xF, "#00000f"), (0xFF8800, "#ff8800")])
    func writes(rgb: Int, text: String) {
        #expect(RGBColor(rgb: UInt32(rgb)).description == text)
    }

    @Test("There are 148 names, each once, in lower case")
    func names() {
        #expect(RGBColor.names.count == 148)
        #expect(Set(RGBColor.names.map(\.name)).count == 148)
        for (name, rgb) in RGBColor.names {
            #expect(name.utf8.allSatisfy { (0x61...0x7A).contains($0) })
            #expect(RGBColor(name)?.rgb == rgb)
        }
        #expect(RGBColor(rgb: 0x00FFFF).name == "cyan")
        #expect(RGBColor(rgb: 0xFF00FF).name == "magenta")
        #expect(RGBColor(rgb: 0x010203).name == nil)
    }

    @Test(
        "Dimming keeps the proportion",
        arguments: [
            (0xFF8800, 50, 0x804400), (0xFF8800, 100, 0xFF8800), (0xFF8800, 0, 0), (0xFF8800, 255, 0xFF8800),
            (0xFFFFFF, 10, 0x1A1A1A), (0x010101, 49, 0), (0x010101, 50, 0x010101),
        ])
    func dims(rgb: Int, percent: UInt8, result: Int) {
        #expect(RGBColor(rgb: UInt32(rgb)).dimmed(toPercent: percent).rgb == UInt32(result))
    }

    @Test("Three octets and no other number", arguments: [0, 1, 2, 4, 255])
    func sizes(count: Int) {
        #expect(throws: DecodeError.self) { try RGBColor(decoding: [UInt8](repeating: 1, count: count)) }
    }

    /// By hand: six corners, then places between.
    @Test(
        "The wheel",
        arguments: [
            ("#ff0000", 0), ("#ffff00", 255), ("#00ff00", 510), ("#00ffff", 765), ("#0000ff", 1020),
            ("#ff00ff", 1275), ("#ff8000", 128), ("#808080", 0), ("#000000", 0), ("#804040", 0),
        ])
    func wheel(text: String, hue: Int) throws { #expect(try parsed(text).hue == hue) }

    @Test("A third of a turn changes red to green, and back")
    func turns() throws {
        #expect(try parsed("#ff0000").turned(by: 510) == color("#00ff00"))
        #expect(try parsed("#ff0000").turned(by: -510) == color("#0000ff"))
        #expect(try parsed("#ff0000").turned(by: 1530 * 1000) == color("#ff0000"))
        #expect(try parsed("#804040").turned(by: 765) == color("#408080"))
        #expect(try parsed("#777777").turned(by: 300) == color("#777777"))
        #expect(try parsed("#ff0000").turned(by: .min) == color("#ff0000").turned(by: .min % 1530))
    }

    @Test("Turning keeps the brightest and the palest part", arguments: 0..<200)
    func keeps(seed: Int) {
        var dice = SplitMix64(seed: UInt64(seed))
        func octet() -> UInt8 { .random(in: 0...255, using: &dice) }
        let color = RGBColor(red: octet(), green: octet(), blue: octet())
        #expect((0..<1530).contains(color.hue))
        let turned = color.turned(by: Int.random(in: -5000...5000, using: &dice))
        #expect(turned.octets.max() == color.octets.max())
        #expect(turned.octets.min() == color.octets.min())
        for (before, after) in zip(color.octets, color.turned(toHue: color.hue).octets) {
            #expect(abs(Int(before) - Int(after)) <= 1)
        }
    }
}

private func parsed(_ text: String) throws -> RGBColor { try #require(RGBColor(text)) }
