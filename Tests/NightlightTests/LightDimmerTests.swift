// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight
import Testing

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
