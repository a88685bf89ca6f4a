// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandOptions
import LEDBulb

/// `lantern bulb color`: lets a bulb shine in a colour.
struct BulbColorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "color",
        abstract: "Make a bulb shine in a colour.",
        usage: "lantern bulb color [<bulb>] <color> [<options>]",
        discussion: """
            A bulb that says that it is off is switched on, too.

            A colour is six hex digits (ff8800), three (f80), either with # in front, or a name of CSS. In a shell, a # \
            without quotes begins a comment: write '#ff8800', or leave out the #.
            """)

    @Argument(help: BulbArgument.help, completion: .seenDevices)
    var first: String?

    @Argument(
        help: ArgumentHelp("The colour: RRGGBB, '#RRGGBB' or a name.", valueName: "color"),
        completion: .colors)
    var second: String?

    @Option(
        help: ArgumentHelp("How much of the colour's brightness is left, 0 to 100.", valueName: "percent"),
        transform: BulbLevel.argument)
    var brightness: UInt8 = 100

    @OptionGroup var options: BulbOptions

    func validate() throws { _ = try parsed() }

    /// The bulb, and the colour.
    func parsed() throws -> (bulb: DeviceChoice?, color: RGBColor) {
        let (bulb, words) = try DeviceChoice.split(
            [first, second], behind: 1, missing: "The colour is missing: \(RGBColor.advice).")
        return (bulb, try DeviceChoice.value(words[0], of: "color", RGBColor.argument))
    }

    func run() async throws {
        let (bulb, color) = try parsed()
        try await options.set(.color(color.dimmed(toPercent: brightness)), at: bulb)
    }
}

extension BulbLevel {
    /// Reads a percentage that a person has written, with or without `%`; for `transform:`.
    static func argument(_ text: String) throws -> UInt8 {
        let digits = text.hasSuffix("%") ? text.dropLast() : Substring(text)
        guard let percent = UInt8(digits), percent <= 100, digits.first != "+" else {
            throw ValidationError("\(text) is not a percentage: give a whole number from 0 to 100.")
        }
        return percent
    }
}
