// SPDX-License-Identifier: Apache-2.0

package import BLEWire

extension RGBColor {
    /// What people call it, in one or two words: `Warm amber`.
    package var word: String {
        let high = Int(brightest)
        guard high > 0 else { return "Dark" }
        let low = Int(min(red, min(green, blue)))
        let degrees = hue * 360 / RGBColor.hues
        if low * 100 >= high * 82 { return "White" }
        if low * 100 >= high * 45, (20..<65).contains(degrees) { return "Warm white" }
        return switch degrees {
        case 0..<12: "Red"
        case 12..<45: "Warm amber"
        case 45..<68: "Yellow"
        case 68..<100: "Lime"
        case 100..<150: "Green"
        case 150..<185: "Turquoise"
        case 185..<222: "Sky blue"
        case 222..<248: "Blue"
        case 248..<285: "Violet"
        case 285..<345: "Pink"
        default: low * 100 >= high * 30 ? "Pink" : "Red"
        }
    }
}
