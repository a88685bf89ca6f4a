// SPDX-License-Identifier: Apache-2.0

import LEDBulb
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
        #expect(BulbColor(hue: position) == BulbColor(rgb: UInt32(rgb)))
    }

    @Test("A turn has every colour of full saturation and value exactly once")
    func turn() {
        let turn = (0..<BulbColor.hues).map { BulbColor(hue: $0) }
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
        let color = BulbColor(hue: position)
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
        #expect(BulbColor(text) == BulbColor(rgb: UInt32(rgb)))
    }

    @Test(
        "What is no colour",
        arguments: [
            "", "#", "#ff88", "#ff880", "#ff88000", "ff", "#gg0000", "+f8800", "-12345", "#+ff880", "redd",
            "#red", " red", "red ", "ff 880", "０ff880", "#ｆｆ８８００",
        ])
    func refuses(text: String) { #expect(BulbColor(text) == nil) }

    @Test(
        "Colours are written with six digits",
        arguments: [(0, "#000000"), (0xF, "#00000f"), (0xFF8800, "#ff8800")])
    func writes(rgb: Int, text: String) {
        #expect(BulbColor(rgb: UInt32(rgb)).description == text)
    }

    @Test("There are 148 names, each once, in lower case")
    func names() {
        #expect(BulbColor.names.count == 148)
        #expect(Set(BulbColor.names.map(\.name)).count == 148)
        for (name, rgb) in BulbColor.names {
            #expect(name.utf8.allSatisfy { (0x61...0x7A).contains($0) })
            #expect(BulbColor(name)?.rgb == rgb)
        }
        #expect(BulbColor(rgb: 0x00FFFF).name == "cyan")
        #expect(BulbColor(rgb: 0xFF00FF).name == "magenta")
        #expect(BulbColor(rgb: 0x010203).name == nil)
    }

    @Test(
        "Dimming keeps the proportion",
        arguments: [
            (0xFF8800, 50, 0x804400), (0xFF8800, 100, 0xFF8800), (0xFF8800, 0, 0), (0xFF8800, 255, 0xFF8800),
            (0xFFFFFF, 10, 0x1A1A1A), (0x010101, 49, 0), (0x010101, 50, 0x010101),
        ])
    func dims(rgb: Int, percent: UInt8, result: Int) {
        #expect(BulbColor(rgb: UInt32(rgb)).dimmed(toPercent: percent).rgb == UInt32(result))
    }

    @Test("Each percentage comes back, on both scales", arguments: [UInt8(255), 100])
    func percentages(full: UInt8) {
        for percent in UInt8(0)...100 {
            let octet = BulbLevel.octet(ofPercent: percent, full: full)
            #expect(BulbLevel.percent(ofOctet: octet, full: full) == percent)
        }
        #expect(BulbLevel.octet(ofPercent: 100, full: full) == full)
        #expect(BulbLevel.octet(ofPercent: 255, full: full) == full)
        #expect(BulbLevel.percent(ofOctet: 255, full: full) == 100)
    }

    @Test("A scale without any room is no trap")
    func emptyScale() {
        #expect(BulbLevel.percent(ofOctet: 7, full: 0) == 100)
        #expect(BulbLevel.octet(ofPercent: 50, full: 0) == 0)
    }
}
