// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandOptions
import LEDBulb

/// `lantern bulb white`: lets a bulb shine white.
struct BulbWhiteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "white",
        abstract: "Make a bulb shine white.",
        usage: "lantern bulb white [<bulb>] [<percent>] [<options>]",
        discussion: """
            It uses the white LEDs where the dialect has them, otherwise all three colours. A bulb that says that it is off \
            is switched on, too.
            """)

    @Argument(help: BulbArgument.help, completion: .seenDevices)
    var first: String?

    @Argument(help: ArgumentHelp("How bright, 0 to 100 (default: 100).", valueName: "percent"))
    var second: String?

    @OptionGroup var options: BulbOptions

    func validate() throws { _ = try parsed() }

    /// The bulb, and how bright it is to be.
    func parsed() throws -> (bulb: DeviceChoice?, percent: UInt8) {
        guard let first else { return (nil, 100) }
        if second == nil, let percent = try? BulbLevel.argument(first) { return (nil, percent) }
        guard let bulb = DeviceChoice(argument: first) else {
            throw ValidationError("\(first) is not the address of a bulb.")
        }
        guard let second else { return (bulb, 100) }
        return (bulb, try DeviceChoice.value(second, of: "percent", BulbLevel.argument))
    }

    func run() async throws {
        let (bulb, percent) = try parsed()
        try await options.set(.white(percent: percent), at: bulb)
    }
}
