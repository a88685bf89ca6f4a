// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandOptions
import LEDBulb

/// `lantern bulb brightness`: makes a bulb brighter or darker.
struct BulbBrightnessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brightness",
        abstract: "Make a bulb brighter or darker, in whatever colour it shines.",
        usage: "lantern bulb brightness [<bulb>] <percent> [<options>]",
        discussion: """
            Only some dialects can change the brightness alone. With the others, choose a brighter or darker colour: \
            `lantern bulb color --brightness`.
            """)

    @Argument(help: BulbArgument.help, completion: .seenDevices)
    var first: String?

    @Argument(help: ArgumentHelp("How bright, 0 to 100.", valueName: "percent"))
    var second: String?

    @OptionGroup var options: BulbOptions

    func validate() throws { _ = try parsed() }

    /// The bulb, and how bright it is to be.
    func parsed() throws -> (bulb: DeviceChoice?, percent: UInt8) {
        let (bulb, words) = try DeviceChoice.split(
            [first, second], behind: 1, missing: "How bright is missing: give a whole number from 0 to 100.")
        return (bulb, try DeviceChoice.value(words[0], of: "percent", BulbLevel.argument))
    }

    func run() async throws {
        let (bulb, percent) = try parsed()
        try await options.set(.brightness(BulbLevel.octet(ofPercent: percent)), at: bulb)
    }
}
