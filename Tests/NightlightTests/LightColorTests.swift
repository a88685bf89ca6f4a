// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight
import Testing

@Suite("Colours")
struct LightColorTests {
    @Test(
        "Text is read and written",
        arguments: [("#ff8800", "FF8800"), ("#FF8800", "FF8800"), ("102030", "102030")])
    func text(text: String, octets: String) throws {
        let color = try #require(LightColor(text))
        #expect(color.octets == hex(octets))
        #expect(color.description == "#" + octets.lowercased())
    }

    @Test(
        "Other text is refused",
        arguments: [
            "", "#", "#ff880", "#ff88000", "ff 8800", "##ff8800", "#gg8800", "orange", "0xff8800", "#ff 880",
        ])
    func badText(text: String) { #expect(LightColor(text) == nil) }

    @Test("Three octets and no other number", arguments: [0, 1, 2, 4, 255])
    func sizes(count: Int) {
        #expect(throws: DecodeError.self) { try LightColor(decoding: [UInt8](repeating: 1, count: count)) }
    }

    /// By hand: six corners, then places between.
    @Test(
        "The wheel",
        arguments: [
            ("#ff0000", 0), ("#ffff00", 256), ("#00ff00", 512), ("#00ffff", 768), ("#0000ff", 1024),
            ("#ff00ff", 1280), ("#ff8000", 129), ("#808080", 0), ("#000000", 0), ("#804040", 0),
        ])
    func wheel(text: String, hue: Int) throws { #expect(try color(text).hue == hue) }

    @Test("A third of a turn changes red to green, and back")
    func turns() throws {
        #expect(try color("#ff0000").turned(by: 512) == color("#00ff00"))
        #expect(try color("#ff0000").turned(by: -512) == color("#0000ff"))
        #expect(try color("#ff0000").turned(by: 1536 * 1000) == color("#ff0000"))
        #expect(try color("#804040").turned(by: 768) == color("#408080"))
        #expect(try color("#777777").turned(by: 300) == color("#777777"))
        #expect(try color("#ff0000").turned(by: .min) == color("#ff0000").turned(by: .min % 1536))
    }

    @Test("Turning keeps the brightest and the palest part", arguments: 0..<200)
    func keeps(seed: Int) {
        var dice = SplitMix64(seed: UInt64(seed))
        func octet() -> UInt8 { .random(in: 0...255, using: &dice) }
        let color = LightColor(red: octet(), green: octet(), blue: octet())
        #expect((0..<1536).contains(color.hue))
        let turned = color.turned(by: Int.random(in: -5000...5000, using: &dice))
        #expect(turned.octets.max() == color.octets.max())
        #expect(turned.octets.min() == color.octets.min())
        for (before, after) in zip(color.octets, color.turned(toHue: color.hue).octets) {
            #expect(abs(Int(before) - Int(after)) <= 1)
        }
    }
}

@Suite("Dimming")
struct DimmerTests {
    /// By hand: each component times the percentage, rounded.
    @Test(
        "A percentage scales all three",
        arguments: [
            ("#ff8800", 100, "#ff8800"), ("#ff8800", 50, "#804400"), ("#ff8800", 10, "#1a0e00"),
            ("#ff8800", 0, "#000000"), ("#204060", 200, "#4080c0"), ("#204060", 50, "#102030"),
            ("#000000", 50, "#000000"), ("#000000", 900, "#000000"), ("#ff8800", -5, "#000000"),
        ])
    func percent(text: String, percent: Int, expected: String) throws {
        var dimmer = LightDimmer(try color(text))
        dimmer.set(percent: percent)
        #expect(dimmer.color == (try color(expected)))
    }

    @Test("Brighter ends where one component is 255, and keeps the hue")
    func top() throws {
        var dimmer = LightDimmer(try color("#204060"))
        dimmer.set(percent: 1000)
        // 255/96 of 32, 64 and 96.
        #expect(dimmer.color == (try color("#55aaff")))
        #expect(dimmer.percent == dimmer.maximum)
        dimmer.change(byPercent: .max)
        #expect(dimmer.color == (try color("#55aaff")))
        var full = LightDimmer(try color("#ff8800"))
        full.set(percent: 150)
        #expect(full.color == (try color("#ff8800")))
    }

    @Test("The way back brings the colour as it was")
    func back() throws {
        var dimmer = LightDimmer(try color("#ff8811"))
        dimmer.set(percent: 1)
        #expect(dimmer.color == (try color("#030100")))
        dimmer.change(byPercent: .min)
        #expect(dimmer.color == .black)
        for _ in 0..<10 { dimmer.change(byPercent: 10) }
        #expect(dimmer.percent == 100)
        #expect(dimmer.color == (try color("#ff8811")))
    }

    @Test("A light does not go out above 0 percent")
    func faint() throws {
        var dimmer = LightDimmer(try color("#102030"))
        dimmer.set(percent: 1)
        #expect(dimmer.color == (try color("#000101")))
    }
}
