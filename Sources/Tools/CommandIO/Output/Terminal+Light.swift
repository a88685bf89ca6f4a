// SPDX-License-Identifier: Apache-2.0

extension Terminal {
    /// Text on a background of any colour, in 24 bits.
    ///
    /// - Parameters:
    ///   - text: The text; blanks make a patch of colour.
    ///   - red: How red, 0 to 255.
    ///   - green: How green.
    ///   - blue: How blue.
    /// - Returns: The text to print; as it is when colours are not wanted.
    func painted(_ text: String, red: UInt8, green: UInt8, blue: UInt8) -> String {
        guard hasColor, !text.isEmpty else { return text }
        // Black or white, whichever can be read on it.
        let brightness = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
        let ink = brightness < 128_000 ? 97 : 30
        return "\u{1B}[48;2;\(red);\(green);\(blue);\(ink)m\(text)\u{1B}[0m"
    }

    /// A patch of a colour with a blank behind it; nothing when colours are not wanted.
    ///
    /// - Parameters:
    ///   - red: How red, 0 to 255.
    ///   - green: How green.
    ///   - blue: How blue.
    /// - Returns: The text to print.
    package func swatch(red: UInt8, green: UInt8, blue: UInt8) -> String {
        hasColor ? painted("    ", red: red, green: green, blue: blue) + " " : ""
    }

    /// The columns of a swatch.
    var swatchColumns: Int { hasColor ? 5 : 0 }
}
